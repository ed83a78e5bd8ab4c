#include "agreement/rank_agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/parallel.h"

namespace understudy {
namespace {

constexpr std::size_t kLanes = 8;  // samples that are counted side by side
using Lanes = std::array<std::uint32_t, kLanes>;
using WideLanes = std::array<std::uint64_t, kLanes>;

// One group, in the order of its first scores, equal ones in that of the second.
struct Ordered {
  std::vector<std::uint32_t> member;  // by place
  std::vector<std::uint32_t> first;   // dense ranks from 1 on, by place
  std::vector<std::uint32_t> second;
  std::vector<std::uint32_t> by_second;  // places, in the order of the second scores
  std::uint32_t second_values = 0;
};

Ordered ordered(const double* first, const double* second, std::size_t members) {
  Ordered found;
  for (std::size_t m = 0; m < members; ++m) {
    if (!std::isnan(first[m]) && !std::isnan(second[m])) {
      found.member.push_back(static_cast<std::uint32_t>(m));
    }
  }
  const std::size_t count = found.member.size();
  std::sort(found.member.begin(), found.member.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (first[a] != first[b]) return first[a] < first[b];
    return second[a] != second[b] ? second[a] < second[b] : a < b;
  });
  found.first.resize(count);
  found.second.resize(count);
  found.by_second.resize(count);
  std::iota(found.by_second.begin(), found.by_second.end(), 0U);
  std::sort(found.by_second.begin(), found.by_second.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double left = second[found.member[a]];
    const double right = second[found.member[b]];
    return left != right ? left < right : a < b;
  });
  for (std::size_t place = 0, rank = 0; place < count; ++place) {
    if (place == 0 || first[found.member[place]] != first[found.member[place - 1]]) ++rank;
    found.first[place] = static_cast<std::uint32_t>(rank);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t place = found.by_second[i];
    if (i == 0 || second[found.member[place]] != second[found.member[found.by_second[i - 1]]]) {
      ++found.second_values;
    }
    found.second[place] = found.second_values;
  }
  return found;
}

std::vector<Ordered> all_ordered(const TwoScores& scores, unsigned threads) {
  std::vector<Ordered> groups(scores.groups);
  parallel_blocks(scores.groups, threads, 16, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; ++g) {
        groups[g] =
            ordered(scores.first + g * scores.members, scores.second + g * scores.members, scores.members);
      }
    };
  });
  return groups;
}

// What a run of equal values adds: how many pairs it has, and whether it is there at all.
struct Ties {
  WideLanes pairs{};
  WideLanes values{};

  void add(const WideLanes& run) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      pairs[l] += run[l] * (run[l] - (run[l] > 0)) / 2;
      values[l] += run[l] > 0;
    }
  }
};

class Counter {
 public:
  // The weights of one group's members in up to kLanes samples, by place.
  void load(const Ordered& group, const MemberWeights& weights, std::size_t members, std::size_t begin,
            std::size_t end) {
    weight_.assign(group.member.size(), Lanes{});
    for (std::size_t sample = begin; sample < end; ++sample) {
      const std::uint32_t* row = weights.values == nullptr ? nullptr : weights.values + sample * members;
      for (std::size_t place = 0; place < weight_.size(); ++place) {
        weight_[place][sample - begin] = row == nullptr ? 1 : row[group.member[place]];
      }
    }
  }

  void count(const Ordered& group, std::array<WideLanes, kOrderColumns>& found) {
    const std::size_t count = weight_.size();
    tree_.assign(group.second_values + 1, Lanes{});
    WideLanes drawn{};
    WideLanes discordant{};
    Ties first;
    Ties both;
    for (std::size_t start = 0, end = 0; start < count; start = end) {
      WideLanes run{};
      WideLanes joint{};
      for (; end < count && group.first[end] == group.first[start]; ++end) {
        if (end > start && group.second[end] != group.second[end - 1]) {
          both.add(joint);
          joint = {};
        }
        // Discordant with what has a smaller first score: all of it that has a larger second score.
        const Lanes smaller = up_to(group.second[end]);
        for (std::size_t l = 0; l < kLanes; ++l) {
          const std::uint64_t weight = weight_[end][l];
          discordant[l] += weight * (drawn[l] - smaller[l]);
          run[l] += weight;
          joint[l] += weight;
        }
      }
      both.add(joint);
      first.add(run);
      for (std::size_t place = start; place < end; ++place) enter(group.second[place], weight_[place]);
      for (std::size_t l = 0; l < kLanes; ++l) drawn[l] += run[l];
    }
    const Ties second = ties_of_second(group);
    found = {drawn, discordant, first.pairs, second.pairs, both.pairs, first.values, second.values};
  }

  void multiply(const Ordered& group, std::array<std::array<double, kLanes>, 3>& found) {
    const std::size_t count = weight_.size();
    WideLanes drawn{};
    for (const Lanes& weight : weight_) {
      for (std::size_t l = 0; l < kLanes; ++l) drawn[l] += weight[l];
    }
    found = {};
    rank_.resize(count);
    WideLanes before{};
    for (std::size_t start = 0, end = 0; start < count; start = end) {
      WideLanes run{};
      for (; end < count && group.first[end] == group.first[start]; ++end) {
        for (std::size_t l = 0; l < kLanes; ++l) run[l] += weight_[end][l];
      }
      std::array<double, kLanes> rank{};
      close_run(drawn, run, before, rank, found[0]);
      std::fill(rank_.begin() + static_cast<std::ptrdiff_t>(start),
                rank_.begin() + static_cast<std::ptrdiff_t>(end), rank);
    }
    before = {};
    for (std::size_t start = 0, end = 0; start < count; start = end) {
      WideLanes run{};
      std::array<double, kLanes> of_first{};
      for (; end < count && group.second[group.by_second[end]] == group.second[group.by_second[start]];
           ++end) {
        const std::uint32_t place = group.by_second[end];
        for (std::size_t l = 0; l < kLanes; ++l) {
          run[l] += weight_[place][l];
          of_first[l] += weight_[place][l] * rank_[place][l];
        }
      }
      std::array<double, kLanes> rank{};
      close_run(drawn, run, before, rank, found[1]);
      for (std::size_t l = 0; l < kLanes; ++l) found[2][l] += of_first[l] * rank[l];
    }
  }

 private:
  // The rank of a run of equal values: what comes before it less what comes after it.
  static void close_run(const WideLanes& drawn, const WideLanes& run, WideLanes& before,
                        std::array<double, kLanes>& rank, std::array<double, kLanes>& squares) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      rank[l] =
          2.0 * static_cast<double>(before[l]) + static_cast<double>(run[l]) - static_cast<double>(drawn[l]);
      squares[l] += static_cast<double>(run[l]) * rank[l] * rank[l];
      before[l] += run[l];
    }
  }

  Lanes up_to(std::uint32_t value) const {
    Lanes sum{};
    for (; value != 0; value &= value - 1) {
      for (std::size_t l = 0; l < kLanes; ++l) sum[l] += tree_[value][l];
    }
    return sum;
  }

  void enter(std::uint32_t value, const Lanes& weight) {
    for (; value < tree_.size(); value += value & (~value + 1)) {
      for (std::size_t l = 0; l < kLanes; ++l) tree_[value][l] += weight[l];
    }
  }

  Ties ties_of_second(const Ordered& group) const {
    Ties ties;
    const std::size_t count = weight_.size();
    for (std::size_t start = 0, end = 0; start < count; start = end) {
      WideLanes run{};
      const std::uint32_t value = group.second[group.by_second[start]];
      for (; end < count && group.second[group.by_second[end]] == value; ++end) {
        for (std::size_t l = 0; l < kLanes; ++l) run[l] += weight_[group.by_second[end]][l];
      }
      ties.add(run);
    }
    return ties;
  }

  std::vector<Lanes> weight_;  // by place
  std::vector<Lanes> tree_;    // Fenwick: what has entered, by rank of the second score
  std::vector<std::array<double, kLanes>> rank_;
};

// Calls work(counter, group number, first sample, end of samples) for all groups and samples.
template <class Work>
void for_all(const TwoScores& scores, const MemberWeights& weights, unsigned threads, Work&& work) {
  const std::vector<Ordered> groups = all_ordered(scores, threads);
  const std::size_t blocks = (weights.samples + kLanes - 1) / kLanes;
  const std::size_t at_once = std::max<std::size_t>(1, 4096 / std::max<std::size_t>(1, scores.members));
  parallel_blocks(blocks * scores.groups, threads, at_once, [&] {
    return [&, counter = Counter()](std::size_t begin, std::size_t end) mutable {
      for (std::size_t task = begin; task < end; ++task) {
        const std::size_t g = task % scores.groups;
        const std::size_t sample = task / scores.groups * kLanes;
        const std::size_t last = std::min(sample + kLanes, weights.samples);
        counter.load(groups[g], weights, scores.members, sample, last);
        work(counter, groups[g], g, sample, last);
      }
    };
  });
}

}  // namespace

void order_counts(const TwoScores& scores, const MemberWeights& weights, unsigned threads,
                  std::int64_t* rows) {
  for_all(scores, weights, threads,
          [&](Counter& counter, const Ordered& group, std::size_t g, std::size_t begin, std::size_t end) {
            std::array<WideLanes, kOrderColumns> found;
            counter.count(group, found);
            for (std::size_t sample = begin; sample < end; ++sample) {
              std::int64_t* row = rows + (sample * scores.groups + g) * kOrderColumns;
              for (std::size_t c = 0; c < kOrderColumns; ++c) {
                row[c] = static_cast<std::int64_t>(found[c][sample - begin]);
              }
            }
          });
}

void rank_products(const TwoScores& scores, const MemberWeights& weights, unsigned threads, double* sums) {
  for_all(scores, weights, threads,
          [&](Counter& counter, const Ordered& group, std::size_t g, std::size_t begin, std::size_t end) {
            std::array<std::array<double, kLanes>, 3> found;
            counter.multiply(group, found);
            for (std::size_t sample = begin; sample < end; ++sample) {
              double* row = sums + (sample * scores.groups + g) * 3;
              for (std::size_t c = 0; c < 3; ++c) row[c] = found[c][sample - begin];
            }
          });
}

}  // namespace understudy
