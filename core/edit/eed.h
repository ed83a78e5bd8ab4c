// The extended edit distance between characters: the statistics of EED (Stanchev, Wang, Ney 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/unicode.h"

namespace understudy {

struct EedOptions {
  double alpha = 2.0;  // what a jump costs
  double rho = 0.3;    // what a character of the hypothesis costs that is not visited just once
  double deletion = 0.2;
  double insertion = 1.0;
  double substitution = 1.0;
  // As the authors' program: in single precision, and with a slip in how the lowest cost of a row is found.
  bool as_program = true;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Numbers per segment: the rate in units and the rest of it (fixed_point.h), 1 for the segment, characters of
// the hypothesis and of the reference with a space before and after each, and how many visits of characters
// are too many or missing.
inline constexpr std::size_t kEedColumns = 6;

// Fills rows [references, segments, kEedColumns], zeros where a segment lacks that reference. All columns are
// of one size.
void eed_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const EedOptions& options, std::int64_t* rows);

}  // namespace understudy
