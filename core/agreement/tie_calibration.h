// Below which difference should a metric be said to call two translations equal? (Deutsch, Foster & Freitag
// 2023, section 5: the threshold that makes it agree best with people, who do call translations equal.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

// A pair of members of one group, both of which have both scores.
struct ScoredPair {
  double difference;  // of the metric's scores, without sign
  std::uint32_t group;
  std::uint32_t a;
  std::uint32_t b;
  std::int32_t if_tied;  // what agrees more if the metric calls it a tie: 1 (people do), -1 (it was right)
};

class TiePairs {
 public:
  // Scores are matrices [groups, members]; what is not a number is not in its group.
  TiePairs(const double* human, const double* metric, std::size_t groups, std::size_t members,
           unsigned threads);

  std::size_t groups() const { return groups_; }
  std::size_t members() const { return members_; }

  // Fills rows [samples, 2] with the best agreement, which is the mean over groups of the share of pairs
  // that metric and people order alike or both call equal, and the smallest threshold that reaches it. Groups
  // weigh outer [samples, groups], members inner [samples, members]; copies of one member are no pairs. Not
  // numbers where no pair was drawn.
  void calibrate(const double* outer, const double* inner, std::size_t samples, unsigned threads,
                 double* rows) const;

 private:
  class Sweep;

  std::vector<ScoredPair> pairs_of(const double* human, const double* metric, std::size_t group) const;

  std::size_t groups_;
  std::size_t members_;
  std::vector<std::uint8_t> present_;  // [groups, members]
  std::vector<double> concordant_;     // pairs by group, before anything is called a tie
  std::vector<ScoredPair> changing_;   // those to which ties make a difference, by difference
};

}  // namespace understudy
