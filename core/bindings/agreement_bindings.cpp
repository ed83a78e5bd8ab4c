// What is counted of human and metric scores, without any text.
#include <optional>

#include "agreement/rank_agreement.h"
#include "agreement/tie_calibration.h"
#include "bindings/bindings.h"

namespace understudy {
namespace {

using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Found = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

TwoScores both(const Scores& first, const Scores& second) {
  if (first.shape(0) != second.shape(0) || first.shape(1) != second.shape(1)) {
    throw nb::value_error("two scores of different shapes");
  }
  return {first.data(), second.data(), first.shape(0), first.shape(1)};
}

template <class Rows>
MemberWeights checked_weights(const std::optional<Weights>& weights, const TwoScores& scores,
                              const Rows& rows, std::size_t columns) {
  const std::size_t samples = weights ? weights->shape(0) : 1;
  if ((weights && weights->shape(1) != scores.members) || rows.shape(0) != samples ||
      rows.shape(1) != scores.groups || rows.shape(2) != columns) {
    throw nb::value_error("weights or rows of the wrong shape");
  }
  return {weights ? weights->data() : nullptr, samples};
}

void count_orders(const Scores& first, const Scores& second, const std::optional<Weights>& weights,
                  const Counts& rows, unsigned threads) {
  const TwoScores scores = both(first, second);
  const MemberWeights of_members = checked_weights(weights, scores, rows, kOrderColumns);
  nb::gil_scoped_release unlocked;
  order_counts(scores, of_members, threads, rows.data());
}

void multiply_ranks(const Scores& first, const Scores& second, const std::optional<Weights>& weights,
                    const Sums& sums, unsigned threads) {
  const TwoScores scores = both(first, second);
  const MemberWeights of_members = checked_weights(weights, scores, sums, 3);
  nb::gil_scoped_release unlocked;
  rank_products(scores, of_members, threads, sums.data());
}

void calibrate(const TiePairs& pairs, const std::optional<Scores>& outer, const std::optional<Scores>& inner,
               const Found& rows, unsigned threads) {
  const std::size_t samples = rows.shape(0);
  if ((outer && (outer->shape(0) != samples || outer->shape(1) != pairs.groups())) ||
      (inner && (inner->shape(0) != samples || inner->shape(1) != pairs.members())) || rows.shape(1) != 2) {
    throw nb::value_error("weights or rows of the wrong shape");
  }
  nb::gil_scoped_release unlocked;
  pairs.calibrate(outer ? outer->data() : nullptr, inner ? inner->data() : nullptr, samples, threads,
                  rows.data());
}

}  // namespace

void bind_agreement(nb::module_& module) {
  module.def("count_orders", &count_orders, "first"_a, "second"_a, "weights"_a.none(), filled("rows"),
             nb::kw_only(), "threads"_a);
  module.def("multiply_ranks", &multiply_ranks, "first"_a, "second"_a, "weights"_a.none(), filled("sums"),
             nb::kw_only(), "threads"_a);
  module.attr("ORDER_COLUMNS") = static_cast<std::size_t>(kOrderColumns);
  nb::class_<TiePairs>(module, "TiePairs",
                       "All pairs within groups, in the order in which a metric ties them.")
      .def(
          "__init__",
          [](TiePairs* self, const Scores& human, const Scores& metric, unsigned threads) {
            const TwoScores scores = both(human, metric);
            nb::gil_scoped_release unlocked;
            new (self) TiePairs(scores.first, scores.second, scores.groups, scores.members, threads);
          },
          "human"_a, "metric"_a, nb::kw_only(), "threads"_a)
      .def("calibrate", &calibrate, "outer"_a.none(), "inner"_a.none(), filled("rows"), nb::kw_only(),
           "threads"_a);
}

}  // namespace understudy
