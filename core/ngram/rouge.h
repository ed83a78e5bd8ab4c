// Longest common subsequences of hypotheses and references: the sufficient statistics of ROUGE-L (Lin 2004).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

struct LcsOptions {
  std::string separator;  // between the sentences of a text; empty: a text is one sentence
  Tokenizer tokenizer = Tokenizer::Rouge;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Numbers per reference and segment: the hits, and the words of hypothesis and reference. Hits are the words
// of the longest common subsequence of two sentences. Of texts of several: for every sentence of the
// reference, its words that are in a longest common subsequence with any sentence of the hypothesis, each
// kind of word at most as often as the hypothesis has it.
inline constexpr std::size_t kLcsColumns = 3;

// Fills rows [references, segments, kLcsColumns]; those of an absent reference with 0.
void lcs_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const LcsOptions& options, std::int64_t* rows);

}  // namespace understudy
