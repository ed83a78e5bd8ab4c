// Choices of a log-linear model among candidates, without any text.
#include <utility>

#include "bindings/bindings.h"
#include "tuning/upper_envelope.h"

namespace understudy {
namespace {

using Features = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chosen = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

CandidateLists checked_lists(const Features& features, const Offsets& offsets) {
  if (offsets.shape(0) == 0 || offsets.data()[0] != 0) throw nb::value_error("offsets must begin with 0");
  const std::size_t segments = offsets.shape(0) - 1;
  for (std::size_t i = 0; i < segments; ++i) {
    if (offsets.data()[i + 1] <= offsets.data()[i]) throw nb::value_error("a segment without candidates");
  }
  if (static_cast<std::size_t>(offsets.data()[segments]) != features.shape(1)) {
    throw nb::value_error("offsets must end with the number of candidates");
  }
  return {features.data(), offsets.data(), features.shape(0), segments};
}

const double* checked_weights(const Weights& weights, const CandidateLists& lists) {
  if (weights.shape(0) != lists.names) throw nb::value_error("one weight per feature");
  return weights.data();
}

nb::tuple envelopes_of(const Features& features, const Offsets& offsets, const Weights& weights,
                       const Weights& direction) {
  const CandidateLists lists = checked_lists(features, offsets);
  const double* from = checked_weights(weights, lists);
  const double* along = checked_weights(direction, lists);
  Envelopes found = [&] {
    nb::gil_scoped_release unlocked;
    return upper_envelopes(lists, from, along);
  }();
  return nb::make_tuple(as_array(std::move(found.steps)), as_array(std::move(found.candidates)));
}

void fill_best(const Features& features, const Offsets& offsets, const Weights& weights,
               const Chosen& chosen) {
  const CandidateLists lists = checked_lists(features, offsets);
  const double* of_features = checked_weights(weights, lists);
  if (chosen.shape(0) != lists.segments) throw nb::value_error("one choice per segment");
  nb::gil_scoped_release unlocked;
  best_candidates(lists, of_features, chosen.data());
}

}  // namespace

void bind_tuning(nb::module_& module) {
  module.def("upper_envelopes", &envelopes_of, "features"_a, "offsets"_a, "weights"_a, "direction"_a);
  module.def("best_candidates", &fill_best, "features"_a, "offsets"_a, "weights"_a, filled("chosen"));
}

}  // namespace understudy
