// Matches of character and word n-grams between hypotheses and references: the statistics of chrF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/unicode.h"

namespace understudy {

struct ChrfOptions {
  unicode::Case letter_case = unicode::Case::Keep;
  bool whitespace = false;  // whether white space is part of character n-grams
  unsigned char_order = 6;
  unsigned word_order = 0;
  unsigned threads = 1;
};

// Numbers per segment: n-grams of the hypothesis, those of the reference, those that match; each for
// characters of order 1..char_order, then for words of order 1..word_order.
inline std::size_t chrf_columns(const ChrfOptions& options) {
  return 3 * (std::size_t{options.char_order} + options.word_order);
}

// Fills rows [references, segments, chrf_columns], zeros where a segment lacks that reference. All columns
// are of one size.
void chrf_statistics(const Column& hypotheses, const std::vector<Column>& references,
                     const ChrfOptions& options, std::int64_t* rows);

}  // namespace understudy
