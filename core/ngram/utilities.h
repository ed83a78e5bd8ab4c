// Utilities of candidates: BLEU and chrF of every candidate of a set against every reference, or against
// groups of references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ngram/bleu_score.h"
#include "ngram/chrf.h"
#include "ngram/chrf_score.h"
#include "ngram/ngram.h"
#include "text/column.h"

namespace understudy {

// Candidates and references of segments: those of segment i are the rows from starts[i] to starts[i + 1].
struct CandidateSets {
  const Column& candidates;
  const Column& references;
  bool themselves;  // candidates are their own references, and `references` are the candidates
  std::span<const std::int64_t> candidate_starts;
  std::span<const std::int64_t> reference_starts;

  std::size_t size() const { return candidate_starts.size() - 1; }
  std::size_t candidates_of(std::size_t i) const {
    return static_cast<std::size_t>(candidate_starts[i + 1] - candidate_starts[i]);
  }
  std::size_t references_of(std::size_t i) const {
    return static_cast<std::size_t>(reference_starts[i + 1] - reference_starts[i]);
  }
};

// Groups of references that are aggregated: the group of each, from 0 on in every segment, the number of
// groups of each segment, and the weight of each reference, if they have any.
struct GroupsOfSets {
  std::span<const std::int64_t> groups;
  std::span<const std::int64_t> counts;
  std::span<const double> weights;
};

struct BleuUtility {
  NgramOptions reading;
  const BleuFormula& formula;
  double length_units;    // that reference lengths are counted in, per word
  unsigned at_least_one;  // the first so many orders have one n-gram at least
};

struct ChrfUtility {
  ChrfOptions reading;
  const ChrfFormula& formula;
};

// Fill scores, segment by segment: those of each candidate with every reference, or with every group.
void pair_utilities(const CandidateSets& sets, const BleuUtility& metric, unsigned threads, double* scores);
void pair_utilities(const CandidateSets& sets, const ChrfUtility& metric, unsigned threads, double* scores);
void group_utilities(const CandidateSets& sets, const GroupsOfSets& groups, const BleuUtility& metric,
                     unsigned threads, double* scores);
void group_utilities(const CandidateSets& sets, const GroupsOfSets& groups, const ChrfUtility& metric,
                     unsigned threads, double* scores);

// Fills means with that of each candidate's scores. There are no weights, or one for each reference.
void mean_utilities(std::span<const std::int64_t> candidate_starts,
                    std::span<const std::int64_t> reference_starts, const double* scores,
                    std::span<const double> weights, double* means);

}  // namespace understudy
