// The Python module understudy._core: columns of text, tokens, and what the other bindings add.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/bindings.h"
#include "edit/tercom.h"
#include "edit/too_long.h"
#include "support/poisson_weights.h"
#include "support/row_products.h"
#include "text/arrow.h"
#include "text/lines.h"
#include "text/tagged_text.h"
#include "text/tokens.h"
#include "text/unicode_tables.h"

namespace understudy {
namespace {

// ---------------------------------------------------------------------------------------------------
// Columns

// Views into the strings' own UTF-8: an ASCII string is used where it lies; for others Python makes the
// UTF-8 form once and keeps it with the string. None is an absent value.
Column column_from_strings(const nb::object& strings) {
  auto held = std::make_shared<nb::tuple>(nb::tuple(strings));  // keeps every string alive
  std::vector<std::string_view> segments;
  segments.reserve(held->size());
  for (nb::handle item : *held) {
    if (item.is_none()) {
      segments.push_back(Column::absent());
      continue;
    }
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &length);
    if (text == nullptr) throw nb::python_error();  // not a string, or lone surrogates
    segments.emplace_back(text, static_cast<std::size_t>(length));
  }
  return {std::move(segments), std::move(held)};
}

template <class T>
T& from_capsule(nb::handle capsule, const char* name) {
  auto* pointer = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (pointer == nullptr) throw nb::python_error();
  return *pointer;
}

// The Arrow PyCapsule interface, which pyarrow, Polars and pandas all speak.
Column column_from_arrow(const nb::object& array) {
  const ArrowText text = [&array] {
    if (nb::hasattr(array, "__arrow_c_stream__")) {
      const nb::object capsule = array.attr("__arrow_c_stream__")();
      return ArrowText(from_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"));
    }
    const nb::object pair = array.attr("__arrow_c_array__")();
    return ArrowText(from_capsule<ArrowSchema>(pair[0], "arrow_schema"),
                     from_capsule<ArrowArray>(pair[1], "arrow_array"));
  }();
  nb::gil_scoped_release unlocked;
  return text.column();
}

nb::object text_at(const Column& column, Py_ssize_t index) {
  const auto size = static_cast<Py_ssize_t>(column.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw nb::index_error("segment index out of range");
  const auto i = static_cast<std::size_t>(index);
  if (!column.present(i)) return nb::none();
  return nb::str(column[i].data(), column[i].size());
}

Column slice_of(const Column& column, const nb::slice& slice) {
  const auto [start, stop, step, length] = slice.compute(column.size());
  if (step != 1) throw nb::value_error("a Column is sliced with step 1 only");
  return column.slice(static_cast<std::size_t>(start), static_cast<std::size_t>(start) + length);
}

// What a column holds, and nothing else of what its text lies in: a slice is kept without the rest.
nb::list strings_of(const Column& column) {
  nb::list strings;
  for (std::size_t i = 0; i < column.size(); ++i) strings.append(text_at(column, static_cast<Py_ssize_t>(i)));
  return strings;
}

std::vector<std::size_t> absent_rows(const Column& column) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column.present(i)) rows.push_back(i);
  }
  return rows;
}

// ---------------------------------------------------------------------------------------------------
// Tokens

Column lowered(const Column& column, std::string_view letter_case) {
  const unicode::Case chosen = case_named(letter_case);
  if (chosen == unicode::Case::Keep) return column;
  nb::gil_scoped_release unlocked;
  auto text = std::make_shared<std::string>();
  std::string scratch;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < column.size(); ++i) {
    text->append(unicode::in_case(column[i], chosen, scratch));
    ends.push_back(text->size());
  }
  std::vector<std::string_view> segments;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    segments.push_back(column.present(i) ? std::string_view(*text).substr(begin, ends[i] - begin)
                                         : Column::absent());
    begin = ends[i];
  }
  return {std::move(segments), std::move(text)};
}

nb::list tokens_of(std::string_view text, std::string_view tokenizer, std::string_view letter_case) {
  Rewritten rewritten;
  nb::list tokens;
  tokenize(tokenizer_named(tokenizer), case_named(letter_case), text, rewritten,
           [&tokens](const char* begin, const char* end, const char*) {
             tokens.append(nb::str(begin, static_cast<std::size_t>(end - begin)));
           });
  return tokens;
}

nb::list tercom_tokens_of(std::string_view text, std::string_view letter_case, bool normalized, bool asian,
                          bool no_punct, bool as_sacrebleu, bool as_java) {
  Rewritten rewritten;
  const std::string_view words = tercom_text(text, case_named(letter_case),
                                             {normalized, asian, no_punct, as_sacrebleu, as_java}, rewritten);
  return tokens_of(words, as_java ? "ascii-spaces" : "none", "keep");
}

// ---------------------------------------------------------------------------------------------------
// Numbers

using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using NewDoubles = nb::ndarray<nb::numpy, double>;

// The words and the tags of a column; or where a token is that has none, and which.
nb::tuple split_tagged_column(const Column& column, std::string_view separator) {
  if (separator.empty()) throw nb::value_error("the separator is empty");
  const Tagged tagged = [&] {
    nb::gil_scoped_release unlocked;
    return split_tagged(column, separator);
  }();
  if (tagged.untagged) return nb::make_tuple(tagged.untagged->segment, tagged.untagged->token);
  return nb::make_tuple(tagged.words, tagged.tags);
}

// The C library's functions, element by element: the digits of math.log and math.exp, on every machine.
// (numpy's own differ in the last place where it uses vector instructions.)
template <class Function>
NewDoubles element_wise(const Doubles& values, Function&& function) {
  auto results = std::make_unique_for_overwrite<double[]>(values.size());
  {
    // To get the lock back may take longer than a few numbers do.
    constexpr std::size_t kMany = 4096;
    std::optional<nb::gil_scoped_release> unlocked;
    if (values.size() >= kMany) unlocked.emplace();
    for (std::size_t i = 0; i < values.size(); ++i) results[i] = function(values.data()[i]);
  }
  std::vector<std::size_t> shape(values.ndim());
  for (std::size_t i = 0; i < values.ndim(); ++i) shape[i] = values.shape(i);
  nb::capsule owner(results.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return NewDoubles(results.release(), shape.size(), shape.data(), owner);
}

NewDoubles log_of(const Doubles& values) {
  return element_wise(values, [](double x) { return std::log(x); });
}
NewDoubles exp_of(const Doubles& values) {
  return element_wise(values, [](double x) { return std::exp(x); });
}
NewDoubles power_of(const Doubles& values, double exponent) {
  return element_wise(values, [exponent](double x) { return std::pow(x, exponent); });
}

using Floats = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ConstFloats = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Fills `results`, which the caller has made.
void fill_row_products(const ConstFloats& rows, const ConstFloats& weights, const Floats& results,
                       bool any_processor) {
  if (rows.shape(1) != weights.shape(1) || results.shape(0) != rows.shape(0) ||
      results.shape(1) != weights.shape(0)) {
    throw nb::value_error("matrices of shapes that do not fit");
  }
  nb::gil_scoped_release unlocked;
  row_products(rows.data(), rows.shape(0), weights.data(), weights.shape(0), weights.shape(1), results.data(),
               any_processor);
}

using Hashes = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, std::uint64_t> name_hashes(const Column& names) {
  auto results = std::make_unique_for_overwrite<std::uint64_t[]>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names.present(i)) throw nb::value_error("a segment without a name");
    results[i] = name_hash(names[i]);
  }
  nb::capsule owner(results.get(), [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
  return {results.release(), {names.size()}, owner};
}

// Fills `weights` [segments, samples], which the caller has made.
void fill_poisson_weights(const Hashes& hashes, const Floats& weights, std::uint64_t seed) {
  if (weights.shape(0) != hashes.shape(0)) throw nb::value_error("matrices of shapes that do not fit");
  nb::gil_scoped_release unlocked;
  poisson_weights(hashes.data(), hashes.shape(0), weights.shape(1), seed, weights.data());
}

nb::ndarray<nb::numpy, float> maxima_of_rows(const ConstFloats& rows) {
  if (rows.shape(1) == 0) throw nb::value_error("rows without numbers");
  auto results = std::make_unique_for_overwrite<float[]>(rows.shape(0));
  {
    nb::gil_scoped_release unlocked;
    row_maxima(rows.data(), rows.shape(0), rows.shape(1), results.get());
  }
  nb::capsule owner(results.get(), [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return nb::ndarray<nb::numpy, float>(results.release(), {rows.shape(0)}, owner);
}

// ---------------------------------------------------------------------------------------------------

void bind(nb::module_& module) {
  nb::class_<Column>(module, "Column", "A column of text segments, held where the text already lies.")
      .def(nb::init<const Column&>(), "column"_a)
      .def_static("from_strings", &column_from_strings, "strings"_a)
      .def_static("from_arrow", &column_from_arrow, "array"_a)
      .def("__len__", &Column::size)
      .def("__getitem__", &text_at, "index"_a)
      .def("__getitem__", &slice_of, "slice"_a)
      .def("lowered", &lowered, "letter_case"_a)
      .def(
          "taken",
          [](const Column& column,
             const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& rows) {
            return column.taken(rows.data(), rows.size());
          },
          "rows"_a)
      .def("absent_rows", &absent_rows, "The 0-based rows that hold no text at all.")
      .def("__getstate__", &strings_of)
      .def("__setstate__",
           [](Column& self, const nb::list& strings) { new (&self) Column(column_from_strings(strings)); });

  nb::class_<LineReader>(module, "LineReader", "Lines of a byte stream, a bounded number at a time.")
      .def(nb::init<>())
      .def(
          "feed",
          [](LineReader& reader, const nb::bytes& bytes) {
            const std::string_view view(bytes.c_str(), bytes.size());
            nb::gil_scoped_release unlocked;
            reader.feed(view);
          },
          "bytes"_a)
      .def("finish", &LineReader::finish)
      .def_prop_ro("available", &LineReader::available)
      .def(
          "take",
          [](LineReader& reader, std::size_t count) {
            nb::gil_scoped_release unlocked;
            return reader.take(count);
          },
          "count"_a);

  // Raised with (line, offset, byte), from which the reader that knows the file's name makes its message.
  static PyObject* const invalid_utf8 =
      nb::exception<InvalidUtf8>(module, "InvalidUtf8", PyExc_ValueError).release().ptr();
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const InvalidUtf8& error) {
      const nb::tuple where = nb::make_tuple(error.line, error.offset, static_cast<int>(error.byte));
      PyErr_SetObject(invalid_utf8, where.ptr());
    }
  });
  nb::exception<NotText>(module, "NotText", PyExc_TypeError);
  // Raised with (segment, words of the hypothesis, words of the reference).
  static PyObject* const too_long =
      nb::exception<TooLong>(module, "TooLong", PyExc_ValueError).release().ptr();
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const TooLong& error) {
      const nb::tuple where = nb::make_tuple(error.segment, error.hypothesis, error.reference);
      PyErr_SetObject(too_long, where.ptr());
    }
  });

  module.def("tokens", &tokens_of, "text"_a, "tokenizer"_a, "letter_case"_a = "keep");
  module.def("tercom_tokens", &tercom_tokens_of, "text"_a, nb::kw_only(), "letter_case"_a, "normalized"_a,
             "asian"_a, "no_punct"_a, "as_sacrebleu"_a, "as_java"_a);
  module.def("split_tagged", &split_tagged_column, "column"_a, "separator"_a);
  module.def("log", &log_of, "values"_a);
  module.def("exp", &exp_of, "values"_a);
  module.def("power", &power_of, "values"_a, "exponent"_a);
  module.def("name_hashes", &name_hashes, "names"_a);
  module.def("poisson_weights", &fill_poisson_weights, "hashes"_a, filled("weights"), nb::kw_only(),
             "seed"_a);
  module.def("row_products", &fill_row_products, "rows"_a, "weights"_a, filled("results"), nb::kw_only(),
             "any_processor"_a = false);
  module.def("row_maxima", &maxima_of_rows, "rows"_a);
  module.attr("LENGTH_UNITS") = kLengthUnits;
  module.attr("MOST_BYTES") = kMostBytes;
  module.attr("UNICODE_VERSION") = unicode::kUnicodeVersion;
  bind_counts(module);
  bind_scores(module);
  bind_sets(module);
  bind_meteor(module);
  bind_trees(module);
  bind_agreement(module);
  bind_tuning(module);
  bind_utilities(module);
  bind_features(module);
}

}  // namespace
}  // namespace understudy

NB_MODULE(_core, module) {
  // A column that a script still holds when Python exits is no leak, and nobody wants to read about it.
  nanobind::set_leak_warnings(false);
  understudy::bind(module);
}
