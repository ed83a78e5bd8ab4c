#include "tuning/upper_envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace understudy {
namespace {

// Sums whose difference is this small, relative to the sizes of what was added up, are equal: ROUNDING of
// understudy.arrays, as in reranking.
constexpr double kRounding = 1e-11;

// Fills sums with the terms weights · features of a segment's candidates, added up in the order of the
// features.
template <typename Term>
void add_up(const CandidateLists& lists, std::size_t segment, const double* weights,
            std::vector<double>& sums, Term term) {
  const auto begin = static_cast<std::size_t>(lists.offsets[segment]);
  const auto count = static_cast<std::size_t>(lists.offsets[segment + 1]) - begin;
  sums.assign(count, 0.0);
  for (std::size_t name = 0; name < lists.names; ++name) {
    const double weight = weights[name];
    if (weight == 0.0) continue;
    const double* values = lists.features + name * lists.candidates() + begin;
    for (std::size_t i = 0; i < count; ++i) sums[i] += term(weight * values[i]);
  }
}

void score_segment(const CandidateLists& lists, std::size_t segment, const double* weights,
                   std::vector<double>& scores) {
  add_up(lists, segment, weights, scores, [](double term) { return term; });
}

// The sizes of all terms, which bound the rounding of their sum.
void size_segment(const CandidateLists& lists, std::size_t segment, const double* weights,
                  std::vector<double>& sizes) {
  add_up(lists, segment, weights, sizes, [](double term) { return std::abs(term); });
}

struct Line {
  double intercept;
  double slope;
  std::int64_t candidate;
};

// The line that is highest at minus infinity.
Line first_line(const std::vector<Line>& lines) {
  Line first = lines.front();
  for (const Line& line : lines) {
    if (line.slope < first.slope || (line.slope == first.slope && line.intercept > first.intercept)) {
      first = line;
    }
  }
  return first;
}

}  // namespace

Envelopes upper_envelopes(const CandidateLists& lists, const double* weights, const double* direction) {
  Envelopes found;
  std::vector<double> intercepts;
  std::vector<double> slopes;
  std::vector<Line> lines;  // that are not yet behind the current one
  for (std::size_t segment = 0; segment < lists.segments; ++segment) {
    score_segment(lists, segment, weights, intercepts);
    score_segment(lists, segment, direction, slopes);
    lines.clear();
    for (std::size_t i = 0; i < intercepts.size(); ++i) {
      lines.push_back({intercepts[i], slopes[i], lists.offsets[segment] + static_cast<std::int64_t>(i)});
    }
    Line current = first_line(lines);
    double step = -std::numeric_limits<double>::infinity();
    for (;;) {
      found.steps.push_back(step);
      found.candidates.push_back(current.candidate);
      // Only a steeper line can be higher from here on. Envelopes are short, so that looking for the next
      // crossing among all lines is faster than sorting them first.
      double drop = std::numeric_limits<double>::infinity();  // of the next line below the current one, at 0
      double rise = 1.0;                                      // how much steeper it is
      const Line* next = nullptr;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!(lines[i].slope > current.slope)) continue;
        lines[kept] = lines[i];
        const Line& line = lines[kept++];
        const double below = current.intercept - line.intercept;
        const double steeper = line.slope - current.slope;
        // The crossing is at below / steeper, but dividing once, at the end, takes half the time.
        const double one = below * rise;
        const double other = drop * steeper;
        if (one < other || (one == other && steeper > rise && next != nullptr)) {
          drop = below;
          rise = steeper;
          next = &line;
        }
      }
      lines.resize(kept);
      if (next == nullptr) break;
      current = *next;
      step = std::max(step, drop / rise);  // rounding must not turn the order of crossings
    }
  }
  return found;
}

void best_candidates(const CandidateLists& lists, const double* weights, std::int64_t* chosen) {
  std::vector<double> scores;
  std::vector<double> sizes;
  for (std::size_t segment = 0; segment < lists.segments; ++segment) {
    score_segment(lists, segment, weights, scores);
    size_segment(lists, segment, weights, sizes);
    const double largest = *std::max_element(sizes.begin(), sizes.end());
    const double least = *std::max_element(scores.begin(), scores.end()) - kRounding * largest;
    const auto first =
        std::find_if(scores.begin(), scores.end(), [least](double score) { return score >= least; });
    chosen[segment] = lists.offsets[segment] + (first - scores.begin());
  }
}

}  // namespace understudy
