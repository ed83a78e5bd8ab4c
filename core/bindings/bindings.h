// What the files share that make up the Python module: bindings.cpp (text, and the module itself),
// count_bindings.cpp (what is counted segment by segment), score_bindings.cpp (what counts come to),
// set_bindings.cpp (what must know a whole set of texts), utility_bindings.cpp (candidates against
// references), feature_bindings.cpp (features of a linear model), meteor_bindings.cpp, tree_bindings.cpp,
// agreement_bindings.cpp and tuning_bindings.cpp. No other file of the core sees Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <utility>
#include <vector>

#include "ngram/ngram.h"
#include "text/column.h"
#include "text/tokenize.h"
#include "text/unicode.h"

namespace understudy {

namespace nb = nanobind;
using namespace nb::literals;

void bind_counts(nb::module_& module);
void bind_scores(nb::module_& module);
void bind_sets(nb::module_& module);
void bind_meteor(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_agreement(nb::module_& module);
void bind_tuning(nb::module_& module);
void bind_utilities(nb::module_& module);
void bind_features(nb::module_& module);

inline Tokenizer tokenizer_named(std::string_view name) {
  if (name == "13a") return Tokenizer::V13a;
  if (name == "13a-bare")
    return Tokenizer::V13aBare;  // without clean-up and padding: sacreBLEU's TokenizerRegexp
  if (name == "intl") return Tokenizer::Intl;
  if (name == "intl-mteval") return Tokenizer::IntlMteval;
  if (name == "intl-mteval-split") return Tokenizer::IntlMtevalSplit;
  if (name == "zh") return Tokenizer::Zh;
  if (name == "zh-fixed") return Tokenizer::ZhFixed;
  if (name == "char") return Tokenizer::Char;
  if (name == "char-spaced") return Tokenizer::CharSpaced;
  if (name == "none") return Tokenizer::None;
  if (name == "ascii-spaces") return Tokenizer::AsciiSpaces;
  if (name == "rouge") return Tokenizer::Rouge;
  if (name == "jiwer") return Tokenizer::Jiwer;
  if (name == "rouge-porter") return Tokenizer::RougePorter;
  throw nb::value_error("no such native tokenizer");
}

inline unicode::Case case_named(std::string_view name) {
  if (name == "keep") return unicode::Case::Keep;
  if (name == "lower") return unicode::Case::Lower;
  if (name == "lower-ascii") return unicode::Case::LowerAscii;
  throw nb::value_error("no such letter case");
}

inline ReferenceLength reference_length_named(std::string_view name) {
  if (name == "closest") return ReferenceLength::Closest;
  if (name == "shortest") return ReferenceLength::Shortest;
  if (name == "average") return ReferenceLength::Average;
  throw nb::value_error("no such reference length");
}

using Rows = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowsOfReferences = nb::ndarray<std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using RealRowsOfReferences = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// The parameter of an array that the caller has made to be filled. One of another type or layout is refused:
// converted, the copy would be filled, and the caller's own be left as it was.
inline auto filled(const char* name) { return nb::arg(name).noconvert(); }

// The numbers as an array of Python's, which keeps them.
template <class Number>
nb::ndarray<nb::numpy, Number> as_array(std::vector<Number> numbers) {
  auto* held = new std::vector<Number>(std::move(numbers));
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::ndarray<nb::numpy, Number>(held->data(), {held->size()}, owner);
}

inline std::vector<Column> copied(const std::vector<const Column*>& columns) {
  std::vector<Column> copies;
  for (const Column* column : columns) copies.push_back(*column);
  return copies;
}

// The references as the core takes them: of one length with the hypotheses, at least one for every segment.
inline std::vector<Column> checked(const Column& hypotheses, const std::vector<const Column*>& references) {
  std::vector<Column> columns = copied(references);
  for (const Column& column : columns) {
    if (column.size() != hypotheses.size()) throw nb::value_error("columns of different lengths");
  }
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    bool any = false;
    for (const Column& column : columns) any = any || column.present(i);
    if (!any || !hypotheses.present(i)) throw nb::value_error("a segment without text");
  }
  return columns;
}

}  // namespace understudy
