// The Python module understudy._core: the only file that sees Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arrow.h"
#include "character.h"
#include "chrf.h"
#include "column.h"
#include "edit.h"
#include "eed.h"
#include "exact.h"
#include "fixed_point.h"
#include "gtm.h"
#include "lines.h"
#include "meteor_bindings.h"
#include "ngram.h"
#include "nist.h"
#include "reference_ngrams.h"
#include "ribes.h"
#include "rouge.h"
#include "self_ngram.h"
#include "tagged.h"
#include "ter.h"
#include "tercom.h"
#include "tokenize.h"
#include "tokens.h"
#include "unicode.h"
#include "unicode_tables.h"
#include "weighted_ngram.h"

namespace nb = nanobind;
using namespace nb::literals;

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
  if (nb::hasattr(array, "__arrow_c_stream__")) {
    const nb::object capsule = array.attr("__arrow_c_stream__")();
    return column_from_arrow_stream(from_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"));
  }
  const nb::object pair = array.attr("__arrow_c_array__")();
  return column_from_arrow_array(from_capsule<ArrowSchema>(pair[0], "arrow_schema"),
                                 from_capsule<ArrowArray>(pair[1], "arrow_array"));
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

std::vector<std::size_t> absent_rows(const Column& column) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column.present(i)) rows.push_back(i);
  }
  return rows;
}

// ---------------------------------------------------------------------------------------------------
// Tokens

Tokenizer tokenizer_named(std::string_view name) {
  if (name == "13a") return Tokenizer::V13a;
  if (name == "intl") return Tokenizer::Intl;
  if (name == "zh") return Tokenizer::Zh;
  if (name == "zh-fixed") return Tokenizer::ZhFixed;
  if (name == "char") return Tokenizer::Char;
  if (name == "none") return Tokenizer::None;
  if (name == "rouge") return Tokenizer::Rouge;
  if (name == "rouge-porter") return Tokenizer::RougePorter;
  throw nb::value_error("no such native tokenizer");
}

unicode::Case case_named(std::string_view name) {
  if (name == "keep") return unicode::Case::Keep;
  if (name == "lower") return unicode::Case::Lower;
  if (name == "lower-ascii") return unicode::Case::LowerAscii;
  throw nb::value_error("no such letter case");
}

ReferenceLength reference_length_named(std::string_view name) {
  if (name == "closest") return ReferenceLength::Closest;
  if (name == "shortest") return ReferenceLength::Shortest;
  if (name == "average") return ReferenceLength::Average;
  throw nb::value_error("no such reference length");
}

EditKind edit_kind_named(std::string_view name) {
  if (name == "ordered") return EditKind::Ordered;
  if (name == "unordered") return EditKind::Unordered;
  if (name == "long-jumps") return EditKind::LongJumps;
  throw nb::value_error("no such kind of edits");
}

ContextSearch context_search_named(std::string_view name) {
  if (name == "left-first") return ContextSearch::LeftFirst;
  if (name == "right-first") return ContextSearch::RightFirst;
  throw nb::value_error("no such search for contexts");
}

EditedLength edited_length_named(std::string_view name) {
  if (name == "chosen") return EditedLength::Chosen;
  if (name == "average") return EditedLength::Average;
  throw nb::value_error("no such reference length");
}

Column lowered(const Column& column, std::string_view letter_case) {
  const unicode::Case chosen = case_named(letter_case);
  if (chosen == unicode::Case::Keep) return column;
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
  std::string cased;
  std::string scratch;
  nb::list tokens;
  tokenize(tokenizer_named(tokenizer), unicode::in_case(text, case_named(letter_case), cased), scratch,
           [&tokens](const char* begin, const char* end, const char*) {
             tokens.append(nb::str(begin, static_cast<std::size_t>(end - begin)));
           });
  return tokens;
}

nb::list tercom_tokens_of(std::string_view text, std::string_view letter_case, bool normalized, bool asian,
                          bool no_punct, bool as_sacrebleu) {
  std::string lowered;
  const std::string_view cased = unicode::in_case(text, case_named(letter_case), lowered);
  std::string scratch;
  nb::list tokens;
  tokenize_none(tercom_text(cased, {normalized, asian, no_punct, as_sacrebleu}, scratch),
                [&tokens](const char* begin, const char* end, const char*) {
                  tokens.append(nb::str(begin, static_cast<std::size_t>(end - begin)));
                });
  return tokens;
}

// ---------------------------------------------------------------------------------------------------
// Numbers

using Rows = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowsOfReferences = nb::ndarray<std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using NewDoubles = nb::ndarray<nb::numpy, double>;

std::vector<Column> copied(const std::vector<const Column*>& columns) {
  std::vector<Column> copies;
  for (const Column* column : columns) copies.push_back(*column);
  return copies;
}

// The references as the core takes them: of one length with the hypotheses, at least one for every segment.
std::vector<Column> checked(const Column& hypotheses, const std::vector<const Column*>& references) {
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

// Those below fill `rows`, which the caller has made.

void count_ngrams(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
                  std::string_view tokenizer, std::string_view letter_case, std::string_view reference_length,
                  unsigned max_order, unsigned threads) {
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.reference_length = reference_length_named(reference_length);
  options.max_order = max_order;
  options.threads = threads;
  if (max_order < 1) throw nb::value_error("max_order must be at least 1");
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != ngram_columns(max_order)) {
    throw nb::value_error("rows of the wrong shape");
  }

  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  ngram_statistics(hypotheses, reference_columns, options, rows.data());
}

// Fills `rows` [references, segments, numbers].
void count_ngrams_by_reference(const Column& hypotheses, const std::vector<const Column*>& references,
                               const RowsOfReferences& rows, std::string_view tokenizer,
                               std::string_view letter_case, unsigned max_order, unsigned threads) {
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.max_order = max_order;
  options.threads = threads;
  if (max_order < 1) throw nb::value_error("max_order must be at least 1");
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != ngram_columns_by_reference(max_order)) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  ngram_statistics_by_reference(hypotheses, reference_columns, options, rows.data());
}

void count_edits(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
                 std::string_view kind, std::string_view length, std::string_view tokenizer,
                 std::string_view letter_case, unsigned threads) {
  EditOptions options;
  options.kind = edit_kind_named(kind);
  options.length = edited_length_named(length);
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != edit_columns(options.kind))
    throw nb::value_error("rows of the wrong shape");
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  edit_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_exact(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
                 std::optional<std::string_view> tokenizer, std::string_view letter_case, unsigned threads) {
  ExactOptions options;
  if (tokenizer) options.tokenizer = tokenizer_named(*tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != 1)
    throw nb::value_error("rows of the wrong shape");
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  exact_matches(hypotheses, reference_columns, options, rows.data());
}

// Fills `rows` [references, segments, numbers], which the caller has made.
void count_chrf(const Column& hypotheses, const std::vector<const Column*>& references,
                const RowsOfReferences& rows, std::string_view letter_case, bool whitespace,
                unsigned char_order, unsigned word_order, unsigned threads) {
  ChrfOptions options;
  options.letter_case = case_named(letter_case);
  options.whitespace = whitespace;
  options.char_order = char_order;
  options.word_order = word_order;
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != chrf_columns(options)) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  chrf_statistics(hypotheses, reference_columns, options, rows.data());
}

// Fills `rows` [references, segments, numbers].
void count_ribes(const Column& hypotheses, const std::vector<const Column*>& references,
                 const RowsOfReferences& rows, std::string_view search, std::string_view tokenizer,
                 std::string_view letter_case, unsigned threads) {
  RibesOptions options;
  options.search = context_search_named(search);
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kRibesColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  ribes_statistics(hypotheses, reference_columns, options, rows.data());
}

// Fills `rows` [references, segments, numbers].
void count_lcs(const Column& hypotheses, const std::vector<const Column*>& references,
               const RowsOfReferences& rows, const std::string& separator, std::string_view tokenizer,
               std::string_view letter_case, unsigned threads) {
  LcsOptions options;
  options.separator = separator;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kLcsColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  lcs_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_ter(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
               std::string_view tokenizer, std::string_view letter_case, bool normalized, bool asian,
               bool no_punct, bool as_sacrebleu, bool references_twice, std::size_t beam,
               std::size_t max_shift_size, std::size_t max_shift_distance, std::size_t max_candidates,
               bool discard_at_limit, unsigned threads) {
  TerOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.tercom = {normalized, asian, no_punct, as_sacrebleu};
  options.letter_case = case_named(letter_case);
  options.references_twice = references_twice;
  options.beam = beam;
  options.max_shift_size = max_shift_size;
  options.max_shift_distance = max_shift_distance;
  options.max_candidates = max_candidates;
  options.discard_at_limit = discard_at_limit;
  options.threads = threads;
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != kTerColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  ter_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_gtm(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
               std::string_view tokenizer, std::string_view letter_case, double exponent, unsigned threads) {
  GtmOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.exponent = exponent;
  options.threads = threads;
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != kGtmColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  gtm_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_character(const Column& hypotheses, const std::vector<const Column*>& references,
                     const RowsOfReferences& rows, std::string_view tokenizer, std::string_view letter_case,
                     bool capped, unsigned threads) {
  CharacterOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.capped = capped;
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kCharacterColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  character_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_eed(const Column& hypotheses, const std::vector<const Column*>& references,
               const RowsOfReferences& rows, std::string_view letter_case, double alpha, double rho,
               double deletion, double insertion, double substitution, bool as_program, unsigned threads) {
  EedOptions options;
  options.letter_case = case_named(letter_case);
  options.alpha = alpha;
  options.rho = rho;
  options.deletion = deletion;
  options.insertion = insertion;
  options.substitution = substitution;
  options.as_program = as_program;
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kEedColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  eed_statistics(hypotheses, reference_columns, options, rows.data());
}

void add_references(ReferenceNgrams& ngrams, const std::vector<const Column*>& references) {
  if (ngrams.finished()) throw nb::value_error("the references are counted already");
  const std::vector<Column> columns = copied(references);
  nb::gil_scoped_release unlocked;
  ngrams.add(columns);
}

void finish_references(ReferenceNgrams& ngrams) {
  if (ngrams.finished()) throw nb::value_error("the references are counted already");
  nb::gil_scoped_release unlocked;
  ngrams.finish();
}

// Fills `rows`; returns the first segment with an n-gram that `ngrams` lacks.
std::optional<std::size_t> count_nist(const Column& hypotheses, const std::vector<const Column*>& references,
                                      const ReferenceNgrams& ngrams, const Rows& rows,
                                      std::string_view tokenizer, std::string_view letter_case,
                                      bool zero_is_no_word, unsigned threads) {
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.reference_length = ReferenceLength::Average;
  options.max_order = ngrams.max_order();
  options.threads = threads;
  if (!ngrams.finished()) throw nb::value_error("the references are not counted yet");
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != nist_columns(options.max_order)) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  return nist_statistics(hypotheses, reference_columns, ngrams, options, zero_is_no_word, rows.data());
}

// Fills `rows`; returns the first hypothesis that is not of the set.
std::optional<std::size_t> count_self_ngrams(const Column& hypotheses, const ReferenceNgrams& set,
                                             const Rows& rows, std::string_view tokenizer,
                                             std::string_view letter_case, std::string_view reference_length,
                                             unsigned threads) {
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.reference_length = reference_length_named(reference_length);
  options.max_order = set.max_order();
  options.threads = threads;
  if (!set.finished() || set.lengths().size() < 2) {
    throw nb::value_error("expected at least two texts, counted by text");
  }
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != ngram_columns(options.max_order)) {
    throw nb::value_error("rows of the wrong shape");
  }
  nb::gil_scoped_release unlocked;
  return self_ngram_statistics(hypotheses, set, options, rows.data());
}

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

Salience salience_named(std::string_view name) {
  if (name == "s-score") return Salience::SScore;
  if (name == "tf.idf") return Salience::TfIdf;
  throw nb::value_error("no such salience");
}

void add_documents(DocumentWords& documents, const std::vector<const Column*>& references) {
  const std::vector<Column> columns = copied(references);
  nb::gil_scoped_release unlocked;
  documents.add(columns);
}

// Fills `rows` [references, segments, numbers]; returns the first segment that `documents` cannot have had.
std::optional<std::size_t> count_weighted_ngrams(const Column& hypotheses,
                                                 const std::vector<const Column*>& references,
                                                 const DocumentWords& documents, const RowsOfReferences& rows,
                                                 std::string_view salience, double threshold, double below,
                                                 unsigned max_order, std::string_view tokenizer,
                                                 std::string_view letter_case, unsigned threads) {
  WeightOptions options;
  options.salience = salience_named(salience);
  options.threshold = threshold;
  options.below = below;
  options.max_order = max_order;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (max_order < 1) throw nb::value_error("max_order must be at least 1");
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kWeightColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  return weighted_ngram_statistics(hypotheses, reference_columns, documents, options, rows.data());
}

// All that is counted, as Python can keep it: how, the numbers of the whole, and every word with its own.
using WordState = std::tuple<std::string, std::uint64_t, std::uint64_t>;
using DocumentState =
    std::tuple<int, int, std::uint64_t, std::uint64_t, std::uint64_t, std::vector<WordState>>;

DocumentState state_of(const DocumentWords& documents) {
  std::vector<WordState> words;
  for (std::uint32_t number = 1; number <= documents.vocabulary().size(); ++number) {
    const DocumentWords::Counts& counts = documents.counts(number);
    words.emplace_back(documents.vocabulary()[number], counts.occurrences, counts.documents);
  }
  return {static_cast<int>(documents.tokenizer()),
          static_cast<int>(documents.letter_case()),
          documents.words(),
          documents.documents(),
          documents.fingerprint(),
          std::move(words)};
}

void restore(DocumentWords* self, const DocumentState& state) {
  const auto& [tokenizer, letter_case, total, documents, fingerprint, words] = state;
  new (self) DocumentWords(static_cast<Tokenizer>(tokenizer), static_cast<unicode::Case>(letter_case));
  self->restore(total, documents, fingerprint);
  for (const auto& [word, occurrences, in_documents] : words)
    self->restore(word, {occurrences, in_documents});
}

// The C library's functions, element by element: the digits of math.log and math.exp, on every machine.
// (numpy's own differ in the last place where it uses vector instructions.)
template <class Function>
NewDoubles element_wise(const Doubles& values, Function&& function) {
  auto results = std::make_unique_for_overwrite<double[]>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) results[i] = function(values.data()[i]);
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

// ---------------------------------------------------------------------------------------------------

void bind(nb::module_& module) {
  nb::class_<Column>(module, "Column", "A column of text segments, held where the text already lies.")
      .def_static("from_strings", &column_from_strings, "strings"_a)
      .def_static("from_arrow", &column_from_arrow, "array"_a)
      .def("__len__", &Column::size)
      .def("__getitem__", &text_at, "index"_a)
      .def("__getitem__", &slice_of, "slice"_a)
      .def("lowered", &lowered, "letter_case"_a)
      .def("absent_rows", &absent_rows, "The 0-based rows that hold no text at all.");

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

  module.def("tokens", &tokens_of, "text"_a, "tokenizer"_a, "letter_case"_a = "keep");
  module.def("tercom_tokens", &tercom_tokens_of, "text"_a, nb::kw_only(), "letter_case"_a, "normalized"_a,
             "asian"_a, "no_punct"_a, "as_sacrebleu"_a);
  module.def("count_ngrams", &count_ngrams, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "reference_length"_a, "max_order"_a, "threads"_a);
  module.def("count_ngrams_by_reference", &count_ngrams_by_reference, "hypotheses"_a, "references"_a,
             "rows"_a, nb::kw_only(), "tokenizer"_a, "letter_case"_a, "max_order"_a, "threads"_a);
  module.def("count_edits", &count_edits, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(), "kind"_a,
             "length"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_exact", &count_exact, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(),
             "tokenizer"_a.none(), "letter_case"_a, "threads"_a);
  module.def("count_chrf", &count_chrf, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(),
             "letter_case"_a, "whitespace"_a, "char_order"_a, "word_order"_a, "threads"_a);
  module.def("count_ribes", &count_ribes, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(), "search"_a,
             "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_lcs", &count_lcs, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(), "separator"_a,
             "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_ter", &count_ter, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(), "tokenizer"_a,
             "letter_case"_a, "normalized"_a, "asian"_a, "no_punct"_a, "as_sacrebleu"_a, "references_twice"_a,
             "beam"_a, "max_shift_size"_a, "max_shift_distance"_a, "max_candidates"_a, "discard_at_limit"_a,
             "threads"_a);
  module.def("count_gtm", &count_gtm, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(), "tokenizer"_a,
             "letter_case"_a, "exponent"_a, "threads"_a);
  module.attr("SIZE_REST_BITS") = kSizeRestBits;
  module.def("count_character", &count_character, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "capped"_a, "threads"_a);
  module.def("count_eed", &count_eed, "hypotheses"_a, "references"_a, "rows"_a, nb::kw_only(),
             "letter_case"_a, "alpha"_a, "rho"_a, "deletion"_a, "insertion"_a, "substitution"_a,
             "as_program"_a, "threads"_a);
  module.attr("WHOLE_BITS") = kWholeBits;
  module.attr("WHOLE_AND_REST_BITS") = kWholeAndRestBits;
  nb::class_<ReferenceNgrams>(module, "ReferenceNgrams", "How often n-grams occur in a set of references.")
      .def(
          "__init__",
          [](ReferenceNgrams* self, std::string_view tokenizer, std::string_view letter_case,
             unsigned max_order, bool by_text) {
            if (max_order < 1) throw nb::value_error("max_order must be at least 1");
            new (self)
                ReferenceNgrams(tokenizer_named(tokenizer), case_named(letter_case), max_order, by_text);
          },
          nb::kw_only(), "tokenizer"_a, "letter_case"_a, "max_order"_a, "by_text"_a = false)
      .def("add", &add_references, "references"_a)
      .def("finish", &finish_references)
      .def_prop_ro("words", &ReferenceNgrams::words)
      .def_prop_ro("texts", [](const ReferenceNgrams& self) { return self.lengths().size(); })
      .def_prop_ro("fingerprint", &ReferenceNgrams::fingerprint)
      .def("__getstate__",
           [](const ReferenceNgrams& self) {
             const std::string bytes = self.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](ReferenceNgrams& self, const nb::bytes& state) {
        new (&self)
            ReferenceNgrams(ReferenceNgrams::from_bytes(std::string_view(state.c_str(), state.size())));
      });
  module.def("count_nist", &count_nist, "hypotheses"_a, "references"_a, "ngrams"_a, "rows"_a, nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "zero_is_no_word"_a, "threads"_a);
  module.def("count_self_ngrams", &count_self_ngrams, "hypotheses"_a, "set"_a, "rows"_a, nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "reference_length"_a, "threads"_a);
  module.def("split_tagged", &split_tagged_column, "column"_a, "separator"_a);
  module.attr("INFORMATION_BITS") = kInformationBits;
  module.attr("REST_BITS") = kRestBits;
  nb::class_<DocumentWords>(module, "DocumentWords", "How often words occur in a set of documents.")
      .def(
          "__init__",
          [](DocumentWords* self, std::string_view tokenizer, std::string_view letter_case) {
            new (self) DocumentWords(tokenizer_named(tokenizer), case_named(letter_case));
          },
          nb::kw_only(), "tokenizer"_a, "letter_case"_a)
      .def("add", &add_documents, "references"_a)
      .def_prop_ro("words", &DocumentWords::words)
      .def_prop_ro("documents", &DocumentWords::documents)
      .def_prop_ro("fingerprint", &DocumentWords::fingerprint)
      .def("__getstate__", &state_of)
      .def("__setstate__", [](DocumentWords& self, const DocumentState& state) { restore(&self, state); });
  module.def("count_weighted_ngrams", &count_weighted_ngrams, "hypotheses"_a, "references"_a, "documents"_a,
             "rows"_a, nb::kw_only(), "salience"_a, "threshold"_a, "below"_a, "max_order"_a, "tokenizer"_a,
             "letter_case"_a, "threads"_a);
  module.attr("WEIGHT_BITS") = kWeightBits;
  module.def("log", &log_of, "values"_a);
  module.def("exp", &exp_of, "values"_a);
  bind_meteor(module);
  module.def("power", &power_of, "values"_a, "exponent"_a);
  module.attr("LENGTH_UNITS") = kLengthUnits;
  module.attr("UNICODE_VERSION") = unicode::kUnicodeVersion;
}

}  // namespace
}  // namespace understudy

NB_MODULE(_core, module) {
  // A column that a script still holds when Python exits is no leak, and nobody wants to read about it.
  nanobind::set_leak_warnings(false);
  understudy::bind(module);
}
