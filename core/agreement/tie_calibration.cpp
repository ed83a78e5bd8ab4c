#include "agreement/tie_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "support/parallel.h"

// The sweep is compiled twice, and the faster one is taken where the processor has it. It adds up in the same
// order either way.
#if defined(__x86_64__) && defined(__GNUC__)
#define UNDERSTUDY_AVX2
#define UNDERSTUDY_INLINE __attribute__((always_inline)) inline
#else
#define UNDERSTUDY_INLINE inline
#endif

namespace understudy {
namespace {

constexpr std::size_t kLanes = 8;  // samples that are swept side by side
using Lanes = std::array<double, kLanes>;

// A threshold is better if it is so by more than what adding up in another order could make.
constexpr double kRounding = 1e-12;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TiePairs::TiePairs(const double* human, const double* metric, std::size_t groups, std::size_t members,
                   unsigned threads)
    : groups_(groups), members_(members), present_(groups * members), concordant_(groups) {
  for (std::size_t i = 0; i < present_.size(); ++i) {
    present_[i] = !std::isnan(human[i]) && !std::isnan(metric[i]);
  }
  std::vector<std::vector<ScoredPair>> found(groups);
  parallel_blocks(groups, threads, 16, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; ++g) {
        found[g] = pairs_of(human + g * members, metric + g * members, g);
      }
    };
  });
  std::size_t total = 0;
  for (const auto& pairs : found) total += pairs.size();
  changing_.reserve(total);
  for (const auto& pairs : found) changing_.insert(changing_.end(), pairs.begin(), pairs.end());
  for (const ScoredPair& pair : changing_) concordant_[pair.group] += pair.if_tied < 0 ? 1.0 : 0.0;
  std::sort(changing_.begin(), changing_.end(), [](const ScoredPair& left, const ScoredPair& right) {
    return std::tie(left.difference, left.group, left.a, left.b) <
           std::tie(right.difference, right.group, right.a, right.b);
  });
}

std::vector<ScoredPair> TiePairs::pairs_of(const double* human, const double* metric,
                                           std::size_t group) const {
  std::vector<ScoredPair> found;
  const std::uint8_t* present = present_.data() + group * members_;
  for (std::uint32_t a = 0; a < members_; ++a) {
    for (std::uint32_t b = a + 1; present[a] && b < members_; ++b) {
      if (!present[b]) continue;
      const bool tied = human[a] == human[b];
      const bool alike = human[a] < human[b] ? metric[a] < metric[b] : !tied && metric[a] > metric[b];
      // Where the metric is wrong, a tie would be so too.
      if (!tied && !alike) continue;
      const double difference = std::abs(metric[a] - metric[b]);
      found.push_back({difference, static_cast<std::uint32_t>(group), a, b, tied ? 1 : -1});
    }
  }
  return found;
}

// Some samples, side by side: the agreement while one pair after the other becomes a tie.
class TiePairs::Sweep {
 public:
  explicit Sweep(const TiePairs& pairs)
      : pairs_(pairs), weight_(pairs.members_), share_(pairs.groups_), whole_(true) {}

  void weigh(const double* outer, const double* inner, std::size_t begin, std::size_t count) {
    whole_ = inner == nullptr;
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t sample = begin + l;
      for (std::size_t m = 0; m < pairs_.members_; ++m) {
        weight_[m][l] = whole_ ? 1.0 : inner[sample * pairs_.members_ + m];
      }
      double all = 0;
      for (std::size_t g = 0; g < pairs_.groups_; ++g) {
        const double drawn = drawn_pairs(g, l);
        const double of_group = outer == nullptr ? 1.0 : outer[sample * pairs_.groups_ + g];
        share_[g][l] = drawn > 0 ? of_group / drawn : 0.0;
        all += drawn > 0 ? of_group : 0.0;
      }
      for (Lanes& share : share_) share[l] = all > 0 ? share[l] / all : kUnknown;
    }
  }

  void run() {
#ifdef UNDERSTUDY_AVX2
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2) return run_with_avx2();
#endif
    sweep();
  }

  void write(std::size_t lane, double* row) const {
    const bool known = !std::isnan(share_.empty() ? kUnknown : share_[0][lane]);
    row[0] = known ? best_[lane] : kUnknown;
    row[1] = known ? threshold_[lane] : kUnknown;
  }

 private:
#ifdef UNDERSTUDY_AVX2
  __attribute__((target("avx2"))) void run_with_avx2() { sweep(); }
#endif

  // What changes with every pair is kept apart from the rest, so that it can stay in registers.
  struct State {
    Lanes value{};
    Lanes best;
    Lanes threshold{};
  };

  UNDERSTUDY_INLINE void sweep() {
    State state;
    state.best.fill(-std::numeric_limits<double>::infinity());
    begin_without_ties(state.value);
    double tied_up_to = 0.0;
    for (const ScoredPair& pair : pairs_.changing_) {
      if (pair.difference != tied_up_to) {
        look(tied_up_to, state);
        tied_up_to = pair.difference;
      }
      add(pair, pair.if_tied, state.value);
    }
    look(tied_up_to, state);
    best_ = state.best;
    threshold_ = state.threshold;
  }

  // A pair that loses by a tie agrees as long as there is none.
  UNDERSTUDY_INLINE void begin_without_ties(Lanes& value) const {
    for (std::size_t g = 0; whole_ && g < pairs_.groups_; ++g) {
      for (std::size_t l = 0; l < kLanes; ++l) value[l] += pairs_.concordant_[g] * share_[g][l];
    }
    if (whole_) return;
    for (const ScoredPair& pair : pairs_.changing_) {
      if (pair.if_tied < 0) add(pair, 1.0, value);
    }
  }

  double drawn_pairs(std::size_t group, std::size_t lane) const {
    double drawn = 0;
    double squares = 0;
    for (std::size_t m = 0; m < pairs_.members_; ++m) {
      const double weight = pairs_.present_[group * pairs_.members_ + m] ? weight_[m][lane] : 0.0;
      drawn += weight;
      squares += weight * weight;
    }
    return (drawn * drawn - squares) / 2;
  }

  UNDERSTUDY_INLINE void add(const ScoredPair& pair, double sign, Lanes& value) const {
    const Lanes& share = share_[pair.group];
    if (whole_) {
      for (std::size_t l = 0; l < kLanes; ++l) value[l] += sign * share[l];
    } else {
      const Lanes& a = weight_[pair.a];
      const Lanes& b = weight_[pair.b];
      for (std::size_t l = 0; l < kLanes; ++l) value[l] += sign * share[l] * a[l] * b[l];
    }
  }

  UNDERSTUDY_INLINE static void look(double threshold, State& state) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const bool better = state.value[l] > state.best[l] + kRounding;
      state.best[l] = better ? state.value[l] : state.best[l];
      state.threshold[l] = better ? threshold : state.threshold[l];
    }
  }

  const TiePairs& pairs_;
  std::vector<Lanes> weight_;  // of members
  std::vector<Lanes> share_;   // what a pair of the group counts
  bool whole_;                 // whether all members weigh 1
  Lanes best_{};
  Lanes threshold_{};
};

void TiePairs::calibrate(const double* outer, const double* inner, std::size_t samples, unsigned threads,
                         double* rows) const {
  parallel_blocks((samples + kLanes - 1) / kLanes, threads, 1, [&] {
    return [&, sweep = Sweep(*this)](std::size_t first, std::size_t last) mutable {
      for (std::size_t begin = first * kLanes; begin < last * kLanes; begin += kLanes) {
        const std::size_t count = std::min(kLanes, samples - begin);
        sweep.weigh(outer, inner, begin, count);
        sweep.run();
        for (std::size_t l = 0; l < count; ++l) sweep.write(l, rows + (begin + l) * 2);
      }
    };
  });
}

}  // namespace understudy
