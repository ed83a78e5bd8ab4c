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

  static Token of(const char* begin, const char* end, const char* limit) {
    const auto length = static_cast<std::size_t>(end - begin);
    return {begin, length, length <= 8 ? pack(begin, length, limit) : hash(begin, length)};
  }

  bool operator==(const Token& other) const {
    return key == other.key && length == other.length &&
           (length <= 8 || std::memcmp(text, other.text, length) == 0);
  }

 private:
  static std::uint64_t pack(const char* p, std::size_t length, const char* limit) {
    if (limit - p < 8) {
      char padded[8] = {};
      std::memcpy(padded, p, length);
      return load64(padded);
    }
    const std::uint64_t unused = 64 - 8 * length;  // bits; a token has at least one byte
    if constexpr (std::endian::native == std::endian::little) return load64(p) << unused >> unused;
    return load64(p) >> unused << unused;
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

// Tokens too long to be their own key must be compared byte by byte; pairs of numbers never.
bool looks_like(const Token& a, const Token& b) { return (a.key == b.key) & (a.length == b.length); }
bool needs_proof(const Token& token) { return token.length > 8; }
bool looks_like(std::uint64_t a, std::uint64_t b) { return a == b; }
constexpr bool needs_proof(std::uint64_t) { return false; }

template <class Key, class Hash>
class GenerationTable {
 public:
  // With slots for so many keys, and more than half of them free.
  void start(std::size_t most_keys) {
    const std::size_t size = std::bit_ceil(2 * most_keys + 2);
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
      // Whether the key is there is a coin toss, so no branch hangs on it; that the search ends at the first
      // slot is nearly certain. An entry of an earlier generation may point to text that is gone: only its
      // key is looked at.
      const unsigned current = entry.generation == generation_ ? 1 : 0;
      const unsigned found = current & static_cast<unsigned>(looks_like(entry.key, key));
      if (needs_proof(key) && found != 0 && !(entry.key == key)) continue;
      if ((found | (current ^ 1)) != 0) [[likely]] {
        return entry.id & (0U - found);
      }
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
// Every distinct n-gram of the hypothesis gets a number. A token's number is found by its bytes; the number
// of an n-gram by the numbers of the two (n-1)-grams it starts and ends with. Two n-grams are thus equal
// exactly if their numbers are, without comparing hashes. An n-gram that the other side lacks is not followed
// further, since no longer one around it can match, so the work shrinks from order to order.
//
// The loops are written without branches on the data where they can be: whether a word has a match is
// what no processor can predict.

struct Gram {
  std::uint32_t in_hypothesis = 0;
  std::uint32_t in_reference = 0;  // the largest count in a single reference
  std::uint32_t in_current = 0;    // the count in the reference being read
  std::uint32_t current = 0;       // which reference that is
};

// A list that is filled anew for every segment, with room made beforehand.
template <class T>
class Refilled {
 public:
  void start(std::size_t room) {
    if (values_.size() < room) values_.resize(room);
    count_ = 0;
  }
  // Appends, and keeps it only if asked to: without a branch.
  void append(const T& value, bool keep = true) {
    values_[count_] = value;
    count_ += keep ? 1 : 0;
  }
  void keep_first(std::size_t count) { count_ = count; }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + count_; }

 private:
  std::vector<T> values_;
  std::size_t count_ = 0;
};

// An n-gram of a text that is worth following: where it starts, and its number.
struct Position {
  std::uint32_t start;
  std::uint32_t number;
};

// The positions of one text. There is always room for one more than there are.
using Positions = Refilled<Position>;

// Keeps the positions for which keep(number) holds.
template <class Keep>
void filter(Positions& positions, Keep&& keep) {
  const std::size_t count = positions.size();
  positions.keep_first(0);
  for (std::size_t i = 0; i < count; ++i) {
    const Position position = positions[i];
    positions.append(position, keep(position.number));
  }
}

// From n-grams to (n+1)-grams: number_of(pair) for each two neighbours, 0 to drop it.
template <class NumberOf>
void lengthen(Positions& positions, Refilled<std::uint64_t>& pairs, NumberOf&& number_of) {
  const std::size_t count = positions.size();
  pairs.start(count + 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Position first = positions[i];
    const Position second = positions[i + 1];
    positions[pairs.size()].start = first.start;
    pairs.append(std::uint64_t{first.number} << 32 | second.number, first.start + 1 == second.start);
  }
  positions.keep_first(0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::uint32_t number = number_of(pairs[i]);
    positions.append({positions[i].start, number}, number != 0);
  }
}

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
  void read(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    rewritten_.resize(2 * (references.size() + 1));
    tokenize_into(hypothesis_, hypotheses[segment], 0);
    if (references_.size() < references.size()) references_.resize(references.size());
    used_references_ = 0;
    for (const Column& column : references) {
      if (!column.present(segment)) continue;
      Refilled<Token>& tokens = references_[used_references_++];
      tokenize_into(tokens, column[segment], used_references_);
    }
  }

  // Tokens may point into rewritten text, which must live until the segment is done.
  void tokenize_into(Refilled<Token>& tokens, std::string_view text, std::size_t which) {
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
    tokens.start(text.size());  // a token has at least one byte
    tokenize(options_.tokenizer, text, rewritten_[2 * which + 1],
             [&tokens](const char* begin, const char* end, const char* limit) {
               tokens.append(Token::of(begin, end, limit));
             });
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
    grams_.append(Gram{});
    return static_cast<std::uint32_t>(grams_.size() - 1);
  }

  void number_tokens() {
    const std::size_t tokens = hypothesis_.size();
    grams_.start(tokens * options_.max_order + 1);
    grams_.append(Gram{});          // number 0 is taken: it means none
    vocabulary_.start(4 * tokens);  // sparse: most words of a reference are looked for in vain
    longer_.start(tokens * (options_.max_order - 1));

    hypothesis_positions_.start(tokens + 1);
    std::uint32_t start = 0;
    for (const Token& token : hypothesis_) {
      const std::uint32_t number = vocabulary_.find_or_add(token, [this] { return new_gram(); });
      hypothesis_positions_.append({start++, number});
    }
    if (reference_positions_.size() < used_references_) reference_positions_.resize(used_references_);
    for (std::size_t r = 0; r < used_references_; ++r) {
      Positions& positions = reference_positions_[r];
      positions.start(references_[r].size() + 1);
      start = 0;
      for (const Token& token : references_[r]) {
        const std::uint32_t number = vocabulary_.find(token);
        positions.append({start++, number}, number != 0);
      }
    }
  }

  // From the numbers of all n-grams to those of all (n+1)-grams.
  void number_longer() {
    lengthen(hypothesis_positions_, pairs_,
             [this](std::uint64_t pair) { return longer_.find_or_add(pair, [this] { return new_gram(); }); });
    for (std::size_t r = 0; r < used_references_; ++r) {
      lengthen(reference_positions_[r], pairs_, [this](std::uint64_t pair) { return longer_.find(pair); });
    }
  }

  // Clipped matches: each distinct n-gram counts at most as often as in the reference that has most of it.
  std::int64_t match() {
    if (used_references_ == 1) {
      for (const Position& position : reference_positions_[0]) ++grams_[position.number].in_reference;
    } else {
      for (std::uint32_t r = 0; r < used_references_; ++r) {
        for (const Position& position : reference_positions_[r]) {
          Gram& gram = grams_[position.number];
          gram.in_current = gram.current == r ? gram.in_current + 1 : 1;
          gram.current = r;
          gram.in_reference = std::max(gram.in_reference, gram.in_current);
        }
      }
    }
    std::int64_t matches = 0;
    filter(hypothesis_positions_, [this, &matches](std::uint32_t number) {
      Gram& gram = grams_[number];
      matches += gram.in_hypothesis < gram.in_reference ? 1 : 0;
      ++gram.in_hypothesis;
      return gram.in_reference > 0;
    });
    return matches;
  }

  const NgramOptions options_;
  std::vector<std::string> rewritten_;
  Refilled<Token> hypothesis_;
  std::vector<Refilled<Token>> references_;  // the first used_references_ count
  std::size_t used_references_ = 0;
  Positions hypothesis_positions_;
  std::vector<Positions> reference_positions_;
  Refilled<std::uint64_t> pairs_;
  Refilled<Gram> grams_;  // by number
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
