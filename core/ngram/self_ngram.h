// Every text of a set against all the others: the sufficient statistics of Self-BLEU.
#pragma once

#include <cstdint>
#include <optional>

#include "ngram/ngram.h"
#include "ngram/reference_ngrams.h"
#include "text/column.h"

namespace understudy {

// Fills rows [segments, ngram_columns] as ngram_statistics does for a text with all other texts of the set as
// its references. `set` was counted by text, and every hypothesis is one of it. Returns a segment that is
// not, if there is one: the first.
std::optional<std::size_t> self_ngram_statistics(const Column& hypotheses, const ReferenceNgrams& set,
                                                 const NgramOptions& options, std::int64_t* rows);

}  // namespace understudy
