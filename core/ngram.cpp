#include "ngram.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "parallel.h"

namespace understudy {

namespace {

// ---------------------------------------------------------------------------------------------------
// Tokens

std::uint64_t load32(const char* p) {
  std::uint32_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t load64(const char* p) {
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t scramble(std::uint64_t x) {
  // A multiplication moves information upwards only; folding the product brings it down again.
  x *= 0x9E3779B97F4A7C15;
  return x ^ (x >> 32);
}

struct Token {
  const char* text;
  std::size_t length;
  std::uint64_t key;  // up to 8 bytes: the bytes themselves, one to one for a given length; else a hash

  static Token of(const char* begin, const char* end) {
    const auto length = static_cast<std::size_t>(end - begin);
    return {begin, length, length <= 8 ? pack(begin, length) : hash(begin, length)};
  }

  bool operator==(const Token& other) const {
    return key == other.key && length == other.length &&
           (length <= 8 || std::memcmp(text, other.text, length) == 0);
  }

 private:
  static std::uint64_t pack(const char* p, std::size_t length) {
    if (length >= 4) return load32(p) << 32 | load32(p + length - 4);
    auto byte = [p](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])); };
    return byte(0) << 16 | byte(length / 2) << 8 | byte(length - 1);
  }

  static std::uint64_t hash(const char* p, std::size_t length) {
    std::uint64_t state = length;
    for (std::size_t i = 0; i + 8 < length; i += 8) state = scramble(state ^ load64(p + i));
    return scramble(state ^ load64(p + length - 8));
  }
};

// ---------------------------------------------------------------------------------------------------
// A hash table that is never cleared: an entry counts only if it carries the current generation, and a
// new segment is a new generation. Its mask follows the size of the segment at hand, so that a short
// sentence touches only the first few cache lines however large the table has become.

template <class Key, class Hash>
class GenerationTable {
 public:
  void start(std::size_t expected_keys) {
    const std::size_t size = std::bit_ceil(2 * expected_keys + 2);
    if (size > entries_.size()) {
      entries_.assign(size, Entry{});
      generation_ = 0;
    }
    mask_ = size - 1;
    if (++generation_ == 0) {  // after 2^32 segments the old stamps would look current
      std::fill(entries_.begin(), entries_.end(), Entry{});
      generation_ = 1;
    }
  }

  // The id of the key, or 0.
  std::uint32_t find(const Key& key) const {
    for (std::size_t slot = Hash{}(key)&mask_;; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      if (entry.generation != generation_) return 0;
      if (entry.key == key) return entry.id;
    }
  }

  // The id of the key; new_id() makes one if it is not there yet.
  template <class NewId>
  std::uint32_t find_or_add(const Key& key, NewId&& new_id) {
    for (std::size_t slot = Hash{}(key)&mask_;; slot = (slot + 1) & mask_) {
      Entry& entry = entries_[slot];
      if (entry.generation != generation_) {
        entry = {key, new_id(), generation_};
        return entry.id;
      }
      if (entry.key == key) return entry.id;
    }
  }

 private:
  struct Entry {
    Key key{};
    std::uint32_t id = 0;
    std::uint32_t generation = 0;
  };
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::uint32_t generation_ = 0;
};

struct TokenHash {
  std::uint64_t operator()(const Token& token) const { return scramble(token.key + token.length); }
};

struct PairHash {
  std::uint64_t operator()(std::uint64_t pair) const { return scramble(pair); }
};

// ---------------------------------------------------------------------------------------------------
// Matching
//
// Every distinct n-gram of the hypothesis gets a number. A token's number is found by its bytes; the number of
// an n-gram by the numbers of the two (n-1)-grams it starts and ends with. Two n-grams are thus equal exactly
// if their numbers are, without comparing hashes. Number 0 means "cannot match": an n-gram that the other
// side lacks is 0, and so is every longer one that contains it, so the work shrinks from order to order.

struct Gram {
  std::uint32_t in_hypothesis = 0;
  std::uint32_t in_reference = 0;  // the largest count in a single reference
  std::uint32_t in_current = 0;    // the count in the reference being read
  std::uint32_t current = 0;       // which reference that is, from 1
};

class Matcher {
 public:
  explicit Matcher(const NgramOptions& options) : options_(options) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row) {
    read(segment, hypotheses, references);
    const auto hypothesis_length = static_cast<std::int64_t>(hypothesis_.size());
    row[0] = hypothesis_length;
    row[1] = reference_length(hypothesis_length);
    std::int64_t* const matches = row + 2;
    std::int64_t* const totals = matches + options_.max_order;
    std::fill(matches, totals, 0);
    for (std::int64_t n = 0; n < options_.max_order; ++n) {
      totals[n] = std::max<std::int64_t>(hypothesis_length - n, 0);
    }

    number_tokens();
    for (unsigned n = 0; n < options_.max_order; ++n) {
      if (n > 0) number_longer();
      matches[n] = match();
      if (matches[n] == 0) break;  // what has no match of n words has none of n + 1
    }
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  void read(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    rewritten_.resize(2 * (references.size() + 1));
    hypothesis_.clear();
    tokenize_into(hypothesis_, hypotheses[segment], 0);
    if (references_.size() < references.size()) references_.resize(references.size());
    used_references_ = 0;
    for (const Column& column : references) {
      if (!column.present(segment)) continue;
      auto& tokens = references_[used_references_++];
      tokens.clear();
      tokenize_into(tokens, column[segment], used_references_);
    }
  }

  // Tokens may point into rewritten text, which must live until the segment is done.
  void tokenize_into(std::vector<Token>& tokens, std::string_view text, std::size_t which) {
    std::string& lowered = rewritten_[2 * which];
    if (options_.letter_case != Case::Keep) {
      lowered.clear();
      if (options_.letter_case == Case::Lower) {
        unicode::lower(text, lowered);
      } else {
        unicode::lower_ascii(text, lowered);
      }
      text = lowered;
    }
    tokenize(options_.tokenizer, text, rewritten_[2 * which + 1],
             [&tokens](const char* begin, const char* end) { tokens.push_back(Token::of(begin, end)); });
  }

  std::int64_t reference_length(std::int64_t hypothesis_length) const {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t closest = shortest;
    std::int64_t closest_distance = shortest;
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < used_references_; ++r) {
      const auto length = static_cast<std::int64_t>(references_[r].size());
      const std::int64_t distance = std::abs(length - hypothesis_length);
      // Equal distance: the shorter one, as mteval and all after it do. The report leaves it open.
      if (distance < closest_distance || (distance == closest_distance && length < closest)) {
        closest = length;
        closest_distance = distance;
      }
      shortest = std::min(shortest, length);
      sum += length;
    }
    switch (options_.reference_length) {
      case ReferenceLength::Closest:
        return closest;
      case ReferenceLength::Shortest:
        return shortest;
      case ReferenceLength::Average:
        break;
    }
    const auto count = static_cast<std::int64_t>(used_references_);
    return (sum * kLengthUnits + count / 2) / count;
  }

  std::uint32_t new_gram() {
    grams_.emplace_back();
    return static_cast<std::uint32_t>(grams_.size() - 1);
  }

  void number_tokens() {
    grams_.assign(1, Gram{});  // number 0 is taken
    vocabulary_.start(hypothesis_.size());
    longer_.start(hypothesis_.size() * (options_.max_order - 1));
    hypothesis_numbers_.clear();
    for (const Token& token : hypothesis_) {
      hypothesis_numbers_.push_back(vocabulary_.find_or_add(token, [this] { return new_gram(); }));
    }
    if (reference_numbers_.size() < used_references_) reference_numbers_.resize(used_references_);
    for (std::size_t r = 0; r < used_references_; ++r) {
      Numbers& numbers = reference_numbers_[r];
      numbers.clear();
      for (const Token& token : references_[r]) numbers.push_back(vocabulary_.find(token));
    }
  }

  // From the numbers of all n-grams to those of all (n+1)-grams, in place.
  void number_longer() {
    shorten(hypothesis_numbers_, [this](std::uint64_t pair) {
      return longer_.find_or_add(pair, [this] { return new_gram(); });
    });
    for (std::size_t r = 0; r < used_references_; ++r) {
      shorten(reference_numbers_[r], [this](std::uint64_t pair) { return longer_.find(pair); });
    }
  }

  template <class NumberOf>
  static void shorten(Numbers& numbers, NumberOf&& number_of) {
    if (numbers.empty()) return;
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
      const std::uint64_t first = numbers[i];
      const std::uint64_t last = numbers[i + 1];
      numbers[i] = first != 0 && last != 0 ? number_of(first << 32 | last) : 0;
    }
    numbers.pop_back();
  }

  // Clipped matches: each distinct n-gram counts at most as often as in the reference that has most of it.
  std::int64_t match() {
    for (std::size_t r = 0; r < used_references_; ++r) {
      const auto which = static_cast<std::uint32_t>(r + 1);
      for (const std::uint32_t number : reference_numbers_[r]) {
        if (number == 0) continue;
        Gram& gram = grams_[number];
        if (gram.current != which) {
          gram.current = which;
          gram.in_current = 0;
        }
        gram.in_reference = std::max(gram.in_reference, ++gram.in_current);
      }
    }
    std::int64_t matches = 0;
    for (std::uint32_t& number : hypothesis_numbers_) {
      Gram& gram = grams_[number];
      if (gram.in_reference == 0) {
        number = 0;
      } else if (gram.in_hypothesis < gram.in_reference) {
        ++gram.in_hypothesis;
        ++matches;
      }
    }
    return matches;
  }

  const NgramOptions options_;
  std::vector<std::string> rewritten_;
  std::vector<Token> hypothesis_;
  std::vector<std::vector<Token>> references_;  // reused; the first used_references_ count
  std::size_t used_references_ = 0;
  Numbers hypothesis_numbers_;
  std::vector<Numbers> reference_numbers_;
  std::vector<Gram> grams_;
  GenerationTable<Token, TokenHash> vocabulary_;
  GenerationTable<std::uint64_t, PairHash> longer_;
};

}  // namespace

void ngram_statistics(const Column& hypotheses, const std::vector<Column>& references,
                      const NgramOptions& options, std::int64_t* rows) {
  const std::size_t width = ngram_columns(options.max_order);
  constexpr std::size_t kBlock = 64;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, matcher = Matcher(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) matcher.count(i, hypotheses, references, rows + i * width);
    };
  });
}

}  // namespace understudy
