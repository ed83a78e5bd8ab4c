// Runs of matching words: the sufficient statistics of GTM (Melamed, Green, Turian 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokens.h"

namespace understudy {

struct GtmOptions {
  double exponent = 1;  // how much more a long run counts than its words one by one
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Sizes of matchings are roots, so they are kept as whole numbers, whose sums do not depend on the order of
// adding: whole units of 1 / kLengthUnits of a word, and the rest in units of 2^-32 of those.
inline constexpr unsigned kSizeRestBits = 32;

// Numbers per segment: the size of the matching in whole units, the rest of it, the hypothesis's length, the
// mean length of the references in kLengthUnits; and how many words match, in kLengthUnits, in how many runs.
inline constexpr std::size_t kGtmColumns = 6;

// Fills rows [segments, kGtmColumns]. All columns are of one size, and every segment has a reference.
void gtm_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const GtmOptions& options, std::int64_t* rows);

}  // namespace understudy
