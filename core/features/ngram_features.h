// Matched, extra and missed n-grams as features: see match_features.h.
#pragma once

#include <cstdint>
#include <vector>

#include "features/match_features.h"
#include "ngram/ngram.h"
#include "text/column.h"

namespace understudy {

// Fills shares [segments, max_order, kinds]: of all n-grams of an order together.
MatchFeatures ngram_features(const Column& hypotheses, const std::vector<Column>& references,
                             const NgramOptions& options, double* shares);

// The n-grams behind these ids, which are in ascending order; each that occurs, once.
std::vector<NamedFeature> named_ngrams(const Column& hypotheses, const std::vector<Column>& references,
                                       const NgramOptions& options, const std::vector<std::uint64_t>& ids);

}  // namespace understudy
