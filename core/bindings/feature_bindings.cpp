// Matched, extra and missed parts as features of a linear model.
#include <algorithm>
#include <utility>

#include "bindings/bindings.h"
#include "bindings/tree_arguments.h"
#include "features/ngram_features.h"
#include "features/tree_features.h"

namespace understudy {
namespace {

using Shares = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_shares(const Shares& shares, const Column& hypotheses, unsigned orders) {
  if (orders < 1) throw nb::value_error("at least one order");
  if (shares.shape(0) != hypotheses.size() || shares.shape(1) != orders || shares.shape(2) != kFeatureKinds) {
    throw nb::value_error("shares of the wrong shape");
  }
}

nb::tuple as_arrays(MatchFeatures found) {
  return nb::make_tuple(as_array(std::move(found.offsets)), as_array(std::move(found.ids)),
                        as_array(std::move(found.values)));
}

// By id: the kind, the order and the text.
nb::object as_dict(const std::vector<NamedFeature>& named) {
  nb::dict found;
  for (const NamedFeature& feature : named) {
    const auto kind = static_cast<unsigned>(feature.kind);
    found[nb::int_(feature.id)] =
        nb::make_tuple(kind, feature.order, nb::str(feature.text.data(), feature.text.size()));
  }
  return found;
}

std::vector<std::uint64_t> sorted(const Ids& ids) {
  std::vector<std::uint64_t> found(ids.data(), ids.data() + ids.shape(0));
  std::sort(found.begin(), found.end());
  return found;
}

NgramOptions ngram_options(std::string_view tokenizer, std::string_view letter_case, unsigned max_order,
                           unsigned threads) {
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.max_order = max_order;
  options.threads = threads;
  return options;
}

nb::tuple features_of_ngrams(const Column& hypotheses, const std::vector<const Column*>& references,
                             const Shares& shares, std::string_view tokenizer, std::string_view letter_case,
                             unsigned max_order, unsigned threads) {
  check_shares(shares, hypotheses, max_order);
  const NgramOptions options = ngram_options(tokenizer, letter_case, max_order, threads);
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  MatchFeatures found = [&] {
    nb::gil_scoped_release unlocked;
    return ngram_features(hypotheses, reference_columns, options, shares.data());
  }();
  return as_arrays(std::move(found));
}

nb::object names_of_ngrams(const Column& hypotheses, const std::vector<const Column*>& references,
                           const Ids& ids, std::string_view tokenizer, std::string_view letter_case,
                           unsigned max_order) {
  const NgramOptions options = ngram_options(tokenizer, letter_case, max_order, 1);
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  const std::vector<std::uint64_t> wanted = sorted(ids);
  return as_dict([&] {
    nb::gil_scoped_release unlocked;
    return named_ngrams(hypotheses, reference_columns, options, wanted);
  }());
}

// What `described` says of a text that is no tree, and the arrays.
nb::tuple features_of_trees(const Column& hypotheses, const std::vector<const Column*>& references,
                            const Shares& shares, const TreeReading& reading, std::string_view part,
                            unsigned max_depth, unsigned threads) {
  check_shares(shares, hypotheses, max_depth);
  const TreeOptions options{reading, part_named(part), max_depth, threads};
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  std::optional<BadTree> bad;
  MatchFeatures found = [&] {
    nb::gil_scoped_release unlocked;
    return tree_features(hypotheses, reference_columns, options, shares.data(), bad);
  }();
  return nb::make_tuple(described(bad), as_arrays(std::move(found)));
}

nb::object names_of_tree_parts(const Column& hypotheses, const std::vector<const Column*>& references,
                               const Ids& ids, const TreeReading& reading, std::string_view part,
                               unsigned max_depth) {
  const TreeOptions options{reading, part_named(part), max_depth, 1};
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  const std::vector<std::uint64_t> wanted = sorted(ids);
  return as_dict([&] {
    nb::gil_scoped_release unlocked;
    return named_tree_parts(hypotheses, reference_columns, options, wanted);
  }());
}

}  // namespace

void bind_features(nb::module_& module) {
  module.def("ngram_features", &features_of_ngrams, "hypotheses"_a, "references"_a, filled("shares"),
             nb::kw_only(), "tokenizer"_a, "letter_case"_a, "max_order"_a, "threads"_a);
  module.def("ngram_feature_names", &names_of_ngrams, "hypotheses"_a, "references"_a, "ids"_a, nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "max_order"_a);
  module.def("tree_features", &features_of_trees, "hypotheses"_a, "references"_a, filled("shares"),
             nb::kw_only(), "reading"_a, "part"_a, "max_depth"_a, "threads"_a);
  module.def("tree_feature_names", &names_of_tree_parts, "hypotheses"_a, "references"_a, "ids"_a,
             nb::kw_only(), "reading"_a, "part"_a, "max_depth"_a);
}

}  // namespace understudy
