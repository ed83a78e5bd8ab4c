#include "ngram/rouge.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <deque>
#include <string_view>

#include "edit/token_positions.h"
#include "edit/too_long.h"
#include "support/parallel.h"

namespace understudy {

namespace {

// ---------------------------------------------------------------------------------------------------
// The tokens of a text, sentence by sentence.

class Sentences {
 public:
  explicit Sentences(const LcsOptions& options) : options_(options) {}

  // The tokens read before are gone.
  void read(std::string_view text) {
    tokens_.clear();
    ends_.clear();
    if (options_.separator.empty()) return add(text);
    for (;;) {
      const std::size_t end = text.find(options_.separator);
      if (end != 0 && !text.empty()) add(text.substr(0, end));
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + options_.separator.size());
    }
  }

  std::size_t size() const { return ends_.size(); }
  Tokens operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return all().subspan(begin, ends_[i] - begin);
  }
  Tokens all() const { return {tokens_.data(), tokens_.size()}; }

 private:
  // Tokens may point into rewritten text, so every sentence has its own, which stays where it is.
  void add(std::string_view sentence) {
    while (rewritten_.size() <= ends_.size()) rewritten_.emplace_back();
    tokenize(options_.tokenizer, options_.letter_case, sentence, rewritten_[ends_.size()],
             [this](const char* begin, const char* end, const char* limit) {
               tokens_.push_back(Token::of(begin, end, limit));
             });
    ends_.push_back(tokens_.size());
  }

  const LcsOptions& options_;  // outlives this
  std::vector<Token> tokens_;
  std::vector<std::size_t> ends_;
  std::deque<Rewritten> rewritten_;
};

// ---------------------------------------------------------------------------------------------------
// The longest common subsequence, 64 cells at a time (Hyyrö 2004). Of L[i][j], its length for the first i
// words of the reference and the first j of the hypothesis, only the steps from L[i][j] to L[i+1][j] are
// kept, as bits: 0 where it grows.

class CommonSubsequence {
 public:
  void start(Tokens reference) {
    length_ = reference.size();
    occurrences_.start(reference);
    blocks_ = (length_ + kBits - 1) / kBits;
    marks_.assign(blocks_, 0);
  }

  std::size_t length(Tokens hypothesis) {
    steps_.assign(blocks_, ~Bits{0});
    for (const Token& token : hypothesis)
      advance(occurrences_.number_of(token), steps_.data(), steps_.data());
    std::size_t growing = 0;  // beyond the reference's end nothing grows
    for (std::size_t b = 0; b < blocks_; ++b) growing += static_cast<std::size_t>(count_bits(~steps_[b]));
    return growing;
  }

  // Sets the bits of the reference's words that one of the longest common subsequences has. Going back from
  // the end it takes a match wherever there is one, else leaves out a word of the reference if that costs
  // nothing, as rouge-score does.
  void mark(Tokens hypothesis, std::vector<Bits>& chosen) {
    const std::size_t columns = hypothesis.size();
    if (columns == 0 || blocks_ == 0) return;
    refuse_if_too_long((columns + 1) * blocks_ * sizeof(Bits), columns, length_);
    steps_.resize((columns + 1) * blocks_);
    std::fill_n(steps_.begin(), blocks_, ~Bits{0});
    numbers_.start(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      numbers_.append(occurrences_.number_of(hypothesis[j]));
      advance(numbers_[j], &steps_[j * blocks_], &steps_[(j + 1) * blocks_]);
    }
    std::size_t i = length_;
    std::size_t j = columns;
    while (i > 0 && j > 0) {
      const Bits bit = Bits{1} << ((i - 1) % kBits);
      if (occurrences_.number_at(i - 1) == numbers_[j - 1]) {
        chosen[(i - 1) / kBits] |= bit;
        --i;
        --j;
      } else if ((steps_[j * blocks_ + (i - 1) / kBits] & bit) == 0) {
        --j;  // L[i-1][j] < L[i][j], which is L[i][j-1] then
      } else {
        --i;
      }
    }
  }

 private:
  // From one column to the next. They may be the same memory.
  void advance(std::uint32_t number, const Bits* before, Bits* after) {
    occurrences_.mark(number, 0, marks_);
    Bits carry = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Bits steps = before[b];
      const Bits matches = steps & marks_[b];
      marks_[b] = 0;
      const Bits sum = steps + matches;
      const Bits carried = sum + carry;
      carry = (sum < steps || carried < sum) ? 1 : 0;
      after[b] = carried | (steps & ~matches);
    }
  }

  TokenPositions occurrences_;  // of the reference's words
  std::size_t length_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Bits> marks_;  // of the positions of one word; zero in between
  std::vector<Bits> steps_;
  Refilled<std::uint32_t> numbers_;
};

// ---------------------------------------------------------------------------------------------------

class Counter {
 public:
  explicit Counter(const LcsOptions& options) : hypothesis_(options), reference_(options) {}

  // Fills the row of every reference, `stride` numbers apart.
  void count(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references,
             std::int64_t* row, std::size_t stride) {
    hypothesis_.read(hypotheses[segment]);
    for (const Column& column : references) {
      std::fill_n(row, kLcsColumns, 0);
      if (column.present(segment)) {
        reference_.read(column[segment]);
        row[0] = static_cast<std::int64_t>(hits());
        row[1] = static_cast<std::int64_t>(hypothesis_.all().size());
        row[2] = static_cast<std::int64_t>(reference_.all().size());
      }
      row += stride;
    }
  }

 private:
  std::size_t hits() {
    if (hypothesis_.size() == 1 && reference_.size() == 1) {
      common_.start(reference_[0]);
      return common_.length(hypothesis_[0]);
    }
    count_words();
    std::size_t found = 0;
    for (std::size_t r = 0; r < reference_.size(); ++r) {
      const Tokens sentence = reference_[r];
      common_.start(sentence);
      chosen_.assign((sentence.size() + kBits - 1) / kBits, 0);
      for (std::size_t h = 0; h < hypothesis_.size(); ++h) common_.mark(hypothesis_[h], chosen_);
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        if ((chosen_[i / kBits] >> (i % kBits) & 1) == 0) continue;
        std::uint32_t& left = left_[vocabulary_.find(sentence[i])];
        found += left > 0 ? 1 : 0;
        left -= left > 0 ? 1 : 0;
      }
    }
    return found;
  }

  // How often the hypothesis has each word. (The reference need not be counted: no word of it is hit twice.)
  void count_words() {
    const Tokens all = hypothesis_.all();
    vocabulary_.start(all.size());
    left_.start(all.size() + 1);
    left_.append(0);  // number 0: none
    for (const Token& token : all) {
      ++left_[vocabulary_.find_or_add(token, [this] {
        left_.append(0);
        return static_cast<std::uint32_t>(left_.size() - 1);
      })];
    }
  }

  Sentences hypothesis_;
  Sentences reference_;
  CommonSubsequence common_;
  std::vector<Bits> chosen_;
  Vocabulary vocabulary_;
  Refilled<std::uint32_t> left_;  // by number: how many of the hypothesis's are not hit yet
};

}  // namespace

void lcs_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const LcsOptions& options, std::int64_t* rows) {
  constexpr std::size_t kBlock = 64;
  const std::size_t stride = hypotheses.size() * kLcsColumns;
  parallel_blocks(hypotheses.size(), options.threads, kBlock, [&] {
    return [&, counter = Counter(options)](std::size_t begin, std::size_t end) mutable {
      for (std::size_t i = begin; i < end; ++i) {
        count_segment(i, [&] { counter.count(i, hypotheses, references, rows + i * kLcsColumns, stride); });
      }
    };
  });
}

}  // namespace understudy
