// The order of a hypothesis's words beside that of a reference: the sufficient statistics of RIBES (Isozaki
// et al. 2010).
#pragma once

#include <cstdint>
#include <vector>

#include "text/column.h"
#include "text/tokenize.h"
#include "text/tokens.h"

namespace understudy {

// A word that occurs more than once is told apart by its neighbours: by the shortest context, to the left or
// to the right, that both texts have exactly once.
enum class ContextSearch : std::uint8_t {
  LeftFirst,   // of two contexts of one length the left one, as RIBES.py does
  RightFirst,  // the right one; and the context of all words before is not tried in the second half: NLTK
};

struct RibesOptions {
  ContextSearch search = ContextSearch::LeftFirst;
  Tokenizer tokenizer = Tokenizer::V13a;
  unicode::Case letter_case = unicode::Case::Keep;
  unsigned threads = 1;
};

// Numbers per reference and segment: the words of the hypothesis that are aligned with one of the reference,
// the pairs of these that stand in the same order in both texts, and the lengths of hypothesis and reference.
inline constexpr std::size_t kRibesColumns = 4;

// Fills rows [references, segments, kRibesColumns]; those of an absent reference with 0.
void ribes_statistics(const Column& hypotheses, const std::vector<Column>& references,
                      const RibesOptions& options, std::int64_t* rows);

}  // namespace understudy
