// Common subsequences of words in which what stands together counts more: the sufficient statistics of
// ROUGE-W (Lin 2004). A run of k words weighs k to the power of `weight`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

struct WeightedLcsOptions {
  Tokenizer tokenizer = Tokenizer::Rouge;
  unicode::Case letter_case = unicode::Case::Keep;
  double weight = 1.2;
  // What a run is: words that stand together in both texts, as Lin has it; or in the reference alone, once
  // the subsequence is found, as in ROUGE-1.5.5.
  bool runs_of_reference = false;
  unsigned threads = 1;
};

// Numbers per reference and segment: the weight of what is common, and the words of hypothesis and reference.
inline constexpr std::size_t kWeightedLcsColumns = 3;

// Fills rows [references, segments, kWeightedLcsColumns]; those of an absent reference with 0. Throws
// TooLong.
void weighted_lcs_statistics(const Column& hypotheses, const std::vector<Column>& references,
                             const WeightedLcsOptions& options, double* rows);

}  // namespace understudy
