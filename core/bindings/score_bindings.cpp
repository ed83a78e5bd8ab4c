// What counts come to: the formulas that are called for one segment as often as for a million.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "bindings/bindings.h"
#include "edit/edit_rate.h"
#include "ngram/bleu_score.h"
#include "ngram/chrf_score.h"

namespace understudy {
namespace {

using NewDoubles = nb::ndarray<nb::numpy, double>;

constexpr std::size_t kMany =
    4096;  // numbers: for fewer, to get Python's lock back may take longer than the work

Smoothing smoothing_named(std::string_view name) {
  if (name == "none") return Smoothing::None;
  if (name == "floor") return Smoothing::Floor;
  if (name == "add-k") return Smoothing::AddK;
  if (name == "add-k-everywhere") return Smoothing::AddKEverywhere;
  if (name == "exp") return Smoothing::Exp;
  if (name == "length-scaled") return Smoothing::LengthScaled;
  if (name == "neighbours") return Smoothing::Neighbours;
  if (name == "length-scaled-neighbours") return Smoothing::LengthScaledNeighbours;
  if (name == "interpolated") return Smoothing::Interpolated;
  throw nb::value_error("no such smoothing");
}

// Counts are taken as they are, whole numbers or not: to convert a single row would take longer than to score
// it.
template <class Number>
using Counts = nb::ndarray<const Number, nb::c_contig, nb::device::cpu>;

template <class Number>
std::size_t rows_of(const Counts<Number>& counts, std::size_t columns) {
  if (counts.ndim() == 0 || counts.shape(counts.ndim() - 1) < columns) {
    throw nb::value_error("rows with too few columns");
  }
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < counts.ndim(); ++i) rows *= counts.shape(i);
  return rows;
}

// Of counts [..., K], an array [...] where `width` is 0, else [..., width]. work(row, results) is called for
// each row.
template <class Number, class Work>
NewDoubles of_each_row(const Counts<Number>& counts, std::size_t columns, std::size_t width, Work&& work) {
  const std::size_t rows = rows_of(counts, columns);
  const std::size_t stride = counts.shape(counts.ndim() - 1);
  const std::size_t results_per_row = std::max<std::size_t>(width, 1);
  auto results = std::make_unique_for_overwrite<double[]>(rows * results_per_row);
  {
    std::optional<nb::gil_scoped_release> unlocked;
    if (rows * stride >= kMany) unlocked.emplace();
    std::vector<double> numbers(columns);
    for (std::size_t row = 0; row < rows; ++row) {
      std::transform(counts.data() + row * stride, counts.data() + row * stride + columns, numbers.begin(),
                     [](Number number) { return static_cast<double>(number); });
      work(numbers.data(), results.get() + row * results_per_row);
    }
  }
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i + 1 < counts.ndim(); ++i) shape.push_back(counts.shape(i));
  if (width > 0) shape.push_back(width);
  nb::capsule owner(results.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return NewDoubles(results.release(), shape.size(), shape.data(), owner);
}

template <class Number>
NewDoubles bleu_scores(const BleuFormula& formula, const Counts<Number>& counts) {
  std::vector<double> precisions(formula.columns());
  return of_each_row(counts, formula.columns(), 0, [&](const double* row, double* score) {
    *score = formula.score(row, precisions.data());
  });
}

template <class Number>
NewDoubles bleu_precisions(const BleuFormula& formula, const Counts<Number>& counts) {
  std::vector<double> precisions(formula.columns());
  return of_each_row(counts, formula.columns(), formula.orders(), [&](const double* row, double* results) {
    formula.precisions(row, precisions.data());
    std::copy_n(precisions.data(), formula.orders(), results);
  });
}

template <class Number>
NewDoubles bleu_brevity_penalties(const BleuFormula& formula, const Counts<Number>& counts) {
  return of_each_row(counts, formula.columns(), 0,
                     [&](const double* row, double* penalty) { *penalty = formula.brevity_penalty(row); });
}

// The precisions of every row of counts, one after the other.
template <class Number>
const double* precisions_of_rows(const BleuFormula& formula, const Counts<double>& precisions,
                                 const Counts<Number>& counts) {
  if (rows_of(precisions, formula.orders()) != rows_of(counts, formula.columns()) ||
      precisions.shape(precisions.ndim() - 1) != formula.orders()) {
    throw nb::value_error("precisions and counts of different shapes");
  }
  return precisions.data();
}

template <class Number>
NewDoubles bleu_averages(const BleuFormula& formula, const Counts<double>& precisions,
                         const Counts<Number>& counts) {
  const double* next = precisions_of_rows(formula, precisions, counts);
  return of_each_row(counts, formula.columns(), formula.orders(), [&](const double* row, double* averages) {
    formula.averages(std::exchange(next, next + formula.orders()), row, averages);
  });
}

template <class Number>
NewDoubles bleu_combined(const BleuFormula& formula, const Counts<double>& precisions,
                         const Counts<Number>& counts) {
  const double* next = precisions_of_rows(formula, precisions, counts);
  return of_each_row(counts, formula.columns(), 0, [&](const double* row, double* score) {
    *score = formula.combined(std::exchange(next, next + formula.orders()), row);
  });
}

template <class Number>
NewDoubles chrf_scores(const ChrfFormula& formula, const Counts<Number>& counts) {
  return of_each_row(counts, formula.columns(), 0,
                     [&](const double* row, double* score) { *score = formula.score(row); });
}

// [..., 2]
template <class Number>
NewDoubles chrf_precision_and_recall(const ChrfFormula& formula, const Counts<Number>& counts) {
  return of_each_row(counts, formula.columns(), 2, [&](const double* row, double* results) {
    std::tie(results[0], results[1]) = formula.precision_and_recall(row);
  });
}

template <class Number>
NewDoubles chrf_f_scores(const ChrfFormula& formula, const Counts<Number>& counts) {
  return of_each_row(counts, formula.columns(), formula.orders(), [&](const double* row, double* results) {
    for (unsigned n = 0; n < formula.orders(); ++n) results[n] = formula.f_score_of(n, row);
  });
}

NewDoubles edit_rates(const Counts<double>& edits, const Counts<double>& reference_lengths) {
  if (edits.ndim() != reference_lengths.ndim())
    throw nb::value_error("edits and lengths of different shapes");
  std::vector<std::size_t> shape(edits.ndim());
  for (std::size_t i = 0; i < edits.ndim(); ++i) {
    shape[i] = edits.shape(i);
    if (shape[i] != reference_lengths.shape(i)) {
      throw nb::value_error("edits and lengths of different shapes");
    }
  }
  auto results = std::make_unique_for_overwrite<double[]>(edits.size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    results[i] = edit_rate(edits.data()[i], reference_lengths.data()[i]);
  }
  nb::capsule owner(results.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return NewDoubles(results.release(), shape.size(), shape.data(), owner);
}

template <class Number, class Argument>
void bind_bleu(nb::class_<BleuFormula>& formula, const Argument& counts) {
  formula.def("scores", &bleu_scores<Number>, counts)
      .def("precisions", &bleu_precisions<Number>, counts)
      .def("brevity_penalties", &bleu_brevity_penalties<Number>, counts)
      .def("averages", &bleu_averages<Number>, "precisions"_a, counts)
      .def("combined", &bleu_combined<Number>, "precisions"_a, counts);
}

template <class Number, class Argument>
void bind_chrf(nb::class_<ChrfFormula>& formula, const Argument& counts) {
  formula.def("scores", &chrf_scores<Number>, counts)
      .def("precision_and_recall", &chrf_precision_and_recall<Number>, counts)
      .def("f_scores", &chrf_f_scores<Number>, counts);
}

}  // namespace

void bind_scores(nb::module_& module) {
  auto bleu = nb::class_<BleuFormula>(module, "BleuFormula", "BLEU of counts, every choice fixed.");
  bleu.def(
      "__init__",
      [](BleuFormula* self, unsigned max_order, unsigned counted_orders, std::string_view smoothing,
         double smooth_value, std::vector<double> weights, bool arithmetic_average, bool effective_order,
         bool empty_order_is_one, bool smooth_without_match, double brevity_steepness, double length_units,
         bool compensated_sums) {
        BleuOptions options;
        options.max_order = max_order;
        options.counted_orders = counted_orders;
        options.smoothing = smoothing_named(smoothing);
        options.smooth_value = smooth_value;
        options.weights = std::move(weights);
        options.average = arithmetic_average ? Average::Arithmetic : Average::Geometric;
        options.effective_order = effective_order;
        options.empty_order = empty_order_is_one ? EmptyOrder::One : EmptyOrder::Zero;
        options.smooth_without_match = smooth_without_match;
        options.brevity_steepness = brevity_steepness;
        options.length_units = length_units;
        options.compensated_sums = compensated_sums;
        new (self) BleuFormula(std::move(options));
      },
      nb::kw_only(), "max_order"_a, "counted_orders"_a, "smoothing"_a, "smooth_value"_a, "weights"_a,
      "arithmetic_average"_a, "effective_order"_a, "empty_order_is_one"_a, "smooth_without_match"_a,
      "brevity_steepness"_a, "length_units"_a, "compensated_sums"_a);
  bind_bleu<std::int64_t>(bleu, nb::arg("counts").noconvert());
  bind_bleu<double>(bleu, nb::arg("counts"));
  auto chrf = nb::class_<ChrfFormula>(module, "ChrfFormula", "chrF of counts, every choice fixed.");
  chrf.def(
      "__init__",
      [](ChrfFormula* self, unsigned orders, double recall_weight, double weights, bool mean_of_f_scores) {
        new (self) ChrfFormula({orders, recall_weight, weights, mean_of_f_scores});
      },
      nb::kw_only(), "orders"_a, "recall_weight"_a, "weights"_a, "mean_of_f_scores"_a);
  bind_chrf<std::int64_t>(chrf, nb::arg("counts").noconvert());
  bind_chrf<double>(chrf, nb::arg("counts"));
  module.attr("CHRF_EPSILON") = kChrfEpsilon;
  module.def("edit_rates", &edit_rates, "edits"_a, "reference_lengths"_a);
}

}  // namespace understudy
