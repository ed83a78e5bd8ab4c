// How two scores of the same things order them, in many weighted samples of these things at once.
//
// Scores come as matrices [groups, members]; a member that lacks a score in either (not a number) is not in
// the group. Samples are rows of weights [samples, members]: how often a member was drawn. The order of the
// members is the same in all samples, so it is found once, and several samples are counted side by side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy {

struct TwoScores {
  const double* first;   // [groups, members]
  const double* second;  // [groups, members]
  std::size_t groups;
  std::size_t members;
};

struct MemberWeights {
  const std::uint32_t* values;  // [samples, members]; none: one sample, in which everything is once
  std::size_t samples;
};

// The columns of what `order_counts` finds. Pairs are of drawn members, copies of one member included.
enum OrderColumn : std::size_t {
  kDrawn,           // members in the sample
  kDiscordant,      // pairs that the two scores order differently
  kTiesFirst,       // pairs of which the first score is equal
  kTiesSecond,      // the second
  kTiesBoth,        // both
  kDistinctFirst,   // different values of the first score in the sample
  kDistinctSecond,  // of the second
  kOrderColumns,
};

// Fills rows [samples, groups, kOrderColumns]. O(n log n) a sample (Knight 1966, with a Fenwick tree).
void order_counts(const TwoScores& scores, const MemberWeights& weights, unsigned threads,
                  std::int64_t* rows);

// Fills sums [samples, groups, 3]: of squares of the first's ranks, of the second's, and of their products.
// Ranks are those in the sample, equal values sharing the mean of theirs; they are doubled and centred, so
// that they are whole numbers: 2 rank - (n + 1).
void rank_products(const TwoScores& scores, const MemberWeights& weights, unsigned threads, double* sums);

}  // namespace understudy
