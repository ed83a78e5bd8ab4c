#include "edit/character.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

#include "edit/bit_distance.h"
#include "edit/too_long.h"
#include "edit/word_shifts.h"
#include "support/fixed_point.h"
#include "support/parallel.h"

namespace understudy {

namespace {

// The words of a pair of texts, numbered by their order as strings, which is that of their bytes:
// CharacTER.py decides between equally good shifts by comparing lists of words.
class NumberedWords {
 public:
  void read(const Refilled<Token>& hypothesis, const Refilled<Token>& reference) {
    vocabulary_.start(hypothesis.size() + reference.size());
    tokens_.clear();
    number(hypothesis, hypothesis_);
    number(reference, reference_);

    order_.resize(tokens_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return text(tokens_[a]) < text(tokens_[b]); });
    rank_.resize(tokens_.size());
    lengths_.resize(tokens_.size());
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) {
      rank_[order_[rank]] = rank;
      lengths_[rank] = characters(text(tokens_[order_[rank]]));
    }
    for (std::uint32_t& word : hypothesis_) word = rank_[word];
    for (std::uint32_t& word : reference_) word = rank_[word];
  }

  const Words& hypothesis() const { return hypothesis_; }
  const Words& reference() const { return reference_; }
  std::size_t kinds() const { return tokens_.size(); }
  std::int64_t length(std::uint32_t word) const { return lengths_[word]; }
  std::string_view text_of(std::uint32_t word) const { return text(tokens_[order_[word]]); }

 private:
  static std::string_view text(const Token& token) { return {token.text, token.length}; }

  static std::int64_t characters(std::string_view text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  }

  void number(const Refilled<Token>& tokens, Words& words) {
    words.clear();
    for (const Token& token : tokens) {
      words.push_back(vocabulary_.find_or_add(token, [&] {
        tokens_.push_back(token);
        return static_cast<std::uint32_t>(tokens_.size() - 1);
      }));
    }
  }

  Vocabulary vocabulary_;
  std::vector<Token> tokens_;  // by their first occurrence
  Words order_;                // their numbers, sorted
  Words rank_;
  std::vector<std::int64_t> lengths_;  // by rank, in characters
  Words hypothesis_;
  Words reference_;
};

// What the shifts cost: for every phrase that is found again further on, the mean length of its words.
double cost_of_shifts(const NumberedWords& words, const Words& original, const Words& shifted) {
  double cost = 0;
  for (std::size_t i = 0; i < original.size();) {
    const auto begin = shifted.begin() + static_cast<std::ptrdiff_t>(i);
    const auto found =
        original[i] == shifted[i] ? shifted.end() : std::find(begin, shifted.end(), original[i]);
    if (found == shifted.end()) {
      ++i;
      continue;
    }
    std::int64_t characters = 0;
    std::size_t length = 0;
    for (auto at = found; at != shifted.end() && original[i + length] == *at; ++at) {
      characters += words.length(original[i + length]);
      ++length;
    }
    cost += static_cast<double>(characters) / static_cast<double>(length);
    i += length;
  }
  return cost;
}

// ---------------------------------------------------------------------------------------------------

class Counter {
 public:
  explicit Counter(const CharacterOptions& options)
      : capped_(options.capped), text_(options.tokenizer, options.letter_case) {}

  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* rows) {
    text_.read(segment, hypotheses, references);
    std::size_t present = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      std::int64_t* const row = rows + (r * hypotheses.size() + segment) * kCharacterColumns;
      if (references[r].present(segment)) {
        compare(text_.reference(present++), row);
      } else {
        std::fill_n(row, kCharacterColumns, 0);
      }
    }
  }

 private:
  void compare(const Refilled<Token>& reference, std::int64_t* row) {
    words_.read(text_.hypothesis(), reference);
    shifted_ = words_.hypothesis();
    const std::int64_t shifts = shift_(words_.reference(), words_.kinds(), shifted_);
    const double cost = cost_of_shifts(words_, words_.hypothesis(), shifted_);
    characters_.start(total_length(shifted_) + total_length(words_.reference()));
    kinds_ = 0;
    write(shifted_, hypothesis_characters_);
    write(words_.reference(), reference_characters_);
    refuse_if_too_long(BitDistance::bytes(reference_characters_.size(), kinds_), shifted_.size(),
                       words_.reference().size());
    character_distance_.start(reference_characters_, kinds_);
    const std::int64_t edits = character_distance_(hypothesis_characters_);

    const std::size_t length = hypothesis_characters_.size();
    // Nothing is as wrong as can be, even where nothing is wanted (CharacTER.py).
    double rate = length > 0 ? (static_cast<double>(edits) + cost) / static_cast<double>(length) : 1.0;
    if (capped_) rate = std::min(rate, 1.0);
    split_fraction(rate, row);
    row[2] = 1;
    row[3] = edits;
    row[4] = std::llround(cost * static_cast<double>(kLengthUnits));
    row[5] = static_cast<std::int64_t>(length);
    row[6] = shifts;
  }

  std::size_t total_length(const Words& words) const {
    std::int64_t sum = 0;
    for (const std::uint32_t word : words) sum += words_.length(word) + 1;
    return static_cast<std::size_t>(sum);
  }

  // The characters of the words with a space between them, by number.
  void write(const Words& words, Words& characters) {
    characters.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) characters.push_back(number_of(U' '));
      const std::string_view text = words_.text_of(words[i]);
      const char* const end = text.data() + text.size();
      for (const char* p = text.data(); p < end;) characters.push_back(number_of(unicode::decode(p, end)));
    }
  }

  std::uint32_t number_of(char32_t c) {
    return characters_.find_or_add(c, [this] { return kinds_++; });
  }

  const bool capped_;
  SegmentTokens text_;
  NumberedWords words_;
  WordShifter shift_;
  Words shifted_;
  NumberTable characters_;
  std::uint32_t kinds_ = 0;  // of characters
  Words hypothesis_characters_;
  Words reference_characters_;
  BitDistance character_distance_;
};

}  // namespace

void character_statistics(const Column& hypotheses, const std::vector<Column>& references,
                          const CharacterOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 16;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        count_segment(i, [&] { counter.count(i, hypotheses, references, rows); });
      }
    };
  });
}

}  // namespace understudy
