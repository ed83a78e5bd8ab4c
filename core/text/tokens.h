// The tokens of a segment and its references: what every metric of words starts from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/equal_ngrams.h"
#include "text/column.h"
#include "text/token.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

// Mean lengths are kept exact as whole numbers of this fraction of a word: it is divisible by 1..16, and
// so is every mean over up to 16 references. (Over more, the mean is rounded to a millionth of a word.)
inline constexpr std::int64_t kLengthUnits = 720720;

inline std::int64_t mean_length(std::int64_t sum, std::size_t count) {
  const auto divisor = static_cast<std::int64_t>(count);
  return (sum * kLengthUnits + divisor / 2) / divisor;
}

// ---------------------------------------------------------------------------------------------------
// A hypothesis and its references as tokens, one segment after the other.

class SegmentTokens {
 public:
  SegmentTokens(Tokenizer tokenizer, unicode::Case letter_case)
      : tokenizer_(tokenizer), letter_case_(letter_case) {}

  // The tokens read before are gone.
  void read(std::size_t segment, const Column& hypotheses, const std::vector<Column>& references) {
    rewritten_.resize(references.size() + 1);
    tokenize_into(hypothesis_, hypotheses[segment], 0);
    if (references_.size() < references.size()) references_.resize(references.size());
    present_ = 0;
    for (const Column& column : references) {
      if (!column.present(segment)) continue;
      Refilled<Token>& tokens = references_[present_++];
      tokenize_into(tokens, column[segment], present_);
    }
  }

  const Refilled<Token>& hypothesis() const { return hypothesis_; }
  std::size_t references() const { return present_; }
  const Refilled<Token>& reference(std::size_t i) const { return references_[i]; }

 private:
  // Tokens may point into rewritten text, which must live until the segment is done.
  void tokenize_into(Refilled<Token>& tokens, std::string_view text, std::size_t which) {
    // A token has at least one byte of the text: in lower case only U+0130, of two bytes, is two characters.
    tokens.start(text.size());
    tokenize(tokenizer_, letter_case_, text, rewritten_[which],
             [&tokens](const char* begin, const char* end, const char* limit) {
               tokens.append(Token::of(begin, end, limit));
             });
  }

  Tokenizer tokenizer_;
  unicode::Case letter_case_;
  std::vector<Rewritten> rewritten_;
  Refilled<Token> hypothesis_;
  std::vector<Refilled<Token>> references_;  // the first present_ count
  std::size_t present_ = 0;
};

}  // namespace understudy
