// Clipped n-gram matches of hypotheses against references: the sufficient statistics of BLEU.
#pragma once

#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/tokens.h"

namespace understudy {

// Which reference length a hypothesis is held against.
enum class ReferenceLength : std::uint8_t { Closest, Shortest, Average };

struct NgramOptions {
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  ReferenceLength reference_length = ReferenceLength::Closest;
  unsigned max_order = 4;
  unsigned threads = 1;
};

// Numbers per segment: hypothesis length, reference length, matches of order 1..N, totals of order 1..N.
inline std::size_t ngram_columns(unsigned max_order) { return 2 + 2 * std::size_t{max_order}; }

// Fills rows [segments, ngram_columns]. All columns are of one size, and every segment has a reference.
void ngram_statistics(const Column& hypotheses, const std::vector<Column>& references,
                      const NgramOptions& options, std::int64_t* rows);

// Against every reference by itself: hypothesis length, reference length, matches of order 1..N. Fills rows
// [references, segments, ngram_columns_by_reference]; those of an absent reference with 0.
inline std::size_t ngram_columns_by_reference(unsigned max_order) { return 2 + std::size_t{max_order}; }
void ngram_statistics_by_reference(const Column& hypotheses, const std::vector<Column>& references,
                                   const NgramOptions& options, std::int64_t* rows);

}  // namespace understudy
