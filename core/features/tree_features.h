// Matched, extra and missed headword chains or subtrees as features: see match_features.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "features/match_features.h"
#include "text/column.h"
#include "tree/tree_matches.h"

namespace understudy {

// Fills shares [segments, max_depth, kinds]: of all parts of a depth together. Says in `bad` which text is no
// tree, if one is.
MatchFeatures tree_features(const Column& hypotheses, const std::vector<Column>& references,
                            const TreeOptions& options, double* shares, std::optional<BadTree>& bad);

// The parts behind these ids, which are in ascending order; each that occurs, once.
std::vector<NamedFeature> named_tree_parts(const Column& hypotheses, const std::vector<Column>& references,
                                           const TreeOptions& options, const std::vector<std::uint64_t>& ids);

}  // namespace understudy
