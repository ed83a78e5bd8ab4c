// Candidates of a log-linear model as its weights move along a line (Och 2003).
//
// A candidate scores weights · features. Along weights + step × direction, that is a line in the step: its
// intercept is weights · features, its slope direction · features. The candidate chosen at a step is the
// highest line there, so the choices of a segment are the upper envelope of its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

// The features of all candidates, those of a segment side by side.
struct CandidateLists {
  const double* features;       // [names, candidates]
  const std::int64_t* offsets;  // [segments + 1]: where the candidates of a segment begin
  std::size_t names;
  std::size_t segments;

  std::size_t candidates() const { return static_cast<std::size_t>(offsets[segments]); }
};

// The envelopes of all segments, one after the other. Each begins with a step of minus infinity.
struct Envelopes {
  std::vector<double> steps;             // from which on a candidate is chosen
  std::vector<std::int64_t> candidates;  // numbered over all segments
};

// Of equal lines, the first candidate is chosen. Where several lines meet in one point, the steepest follows.
Envelopes upper_envelopes(const CandidateLists& lists, const double* weights, const double* direction);

// Fills chosen [segments] with the candidate of the highest score; of scores that differ by rounding only,
// the first.
void best_candidates(const CandidateLists& lists, const double* weights, std::int64_t* chosen);

}  // namespace understudy
