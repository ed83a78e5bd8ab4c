// Edits of characters after shifts of words: the statistics of CharacTER (Wang et al. 2016).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokens.h"

namespace understudy {

struct CharacterOptions {
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  bool capped = true;  // whether no rate is above 1
  unsigned threads = 1;
};

// Numbers per segment: the rate in units and the rest of it (fixed_point.h), 1 for the segment, edits of
// characters, the cost of shifts in kLengthUnits, characters of the hypothesis, shifts.
inline constexpr std::size_t kCharacterColumns = 7;

// Fills rows [references, segments, kCharacterColumns], zeros where a segment lacks that reference. All
// columns are of one size. Throws TooLong.
void character_statistics(const Column& hypotheses, const std::vector<Column>& references,
                          const CharacterOptions& options, std::int64_t* rows);

}  // namespace understudy
