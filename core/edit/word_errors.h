// Edits between hypotheses and references: the sufficient statistics of WER, PER and CDER.
#pragma once

#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/tokens.h"

namespace understudy {

enum class EditKind : std::uint8_t {
  Ordered,    // Levenshtein's distance: WER
  Unordered,  // between bags of words: PER
  LongJumps,  // Levenshtein's distance with jumps to anywhere in the hypothesis: CDER
};

// Which length goes with the edits: that of the reference they were counted against, or the mean of all.
enum class EditedLength : std::uint8_t { Chosen, Average };

struct EditOptions {
  EditKind kind = EditKind::Ordered;
  EditedLength length = EditedLength::Chosen;
  bool each_insertion = false;  // against an empty reference: a rate of 1 for each word, or for any number
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Numbers per segment: edits and reference length (a mean in units of kLengthUnits); and, unless jumps blur
// them, hits, substitutions, deletions and insertions.
inline std::size_t edit_columns(EditKind kind) { return kind == EditKind::LongJumps ? 2 : 6; }

// Fills rows [segments, edit_columns]. All columns are of one size, and every segment has a reference.
// Of several references the one with the lowest rate counts; of equal rates that with the fewest edits, then
// the longest one, then the first.
void edit_statistics(const Column& hypotheses, const std::vector<Column>& references,
                     const EditOptions& options, std::int64_t* rows);

}  // namespace understudy
