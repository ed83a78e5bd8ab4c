// Translation edit rate: the fewest edits, shifts of blocks of words among them, that a greedy search finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edit/tercom.h"
#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

struct TerOptions {
  Tokenizer tokenizer = Tokenizer::None;  // applied to what `tercom` leaves
  TercomOptions tercom;
  unicode::Case letter_case = unicode::Case::Lower;
  bool references_twice = false;     // tokenize references twice
  std::size_t beam = 25;             // columns left and right of the diagonal; 0: all
  bool beam_of_costs = false;        // or how much more than the cheapest an alignment may cost (CostBeam)
  bool shifts_as_sacrebleu = false;  // keep what sacreBLEU 2.6.0 does otherwise; see ter.cpp
  std::size_t max_shift_size = 10;   // words
  std::size_t max_shift_distance = 50;
  std::size_t max_candidates = 0;  // shifts tried per pair of texts; 0: any number
  bool discard_at_limit = false;   // whether the best shift of the last, unfinished round is thrown away
  unsigned threads = 1;
};

// Numbers per segment: edits, mean reference length in kLengthUnits of a word, and what the edits are:
// insertions, deletions, substitutions, shifts.
inline constexpr std::size_t kTerColumns = 6;

// Fills rows [segments, kTerColumns]. All columns are of one size, and every segment has a reference.
// Throws TooLong.
void ter_statistics(const Column& hypotheses, const std::vector<Column>& references,
                    const TerOptions& options, std::int64_t* rows);

}  // namespace understudy
