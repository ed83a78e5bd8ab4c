// What must know a whole set of texts before it counts.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/bindings.h"
#include "ngram/nist.h"
#include "ngram/reference_ngrams.h"
#include "ngram/self_ngram.h"
#include "ngram/weighted_ngram.h"

namespace understudy {
namespace {

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

NgramOptions nist_options(const ReferenceNgrams& ngrams, std::string_view tokenizer,
                          std::string_view letter_case, unsigned threads) {
  if (!ngrams.finished()) throw nb::value_error("the references are not counted yet");
  NgramOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.reference_length = ReferenceLength::Average;
  options.max_order = ngrams.max_order();
  options.threads = threads;
  return options;
}

// Fills `rows`; returns the first segment with an n-gram that `ngrams` lacks.
std::optional<std::size_t> count_nist(const Column& hypotheses, const std::vector<const Column*>& references,
                                      const ReferenceNgrams& ngrams, const Rows& rows,
                                      std::string_view tokenizer, std::string_view letter_case,
                                      bool zero_is_no_word, unsigned threads) {
  const NgramOptions options = nist_options(ngrams, tokenizer, letter_case, threads);
  if (rows.shape(0) != hypotheses.size() || rows.shape(1) != nist_columns(options.max_order)) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  return nist_statistics(hypotheses, reference_columns, ngrams, options, zero_is_no_word, rows.data());
}

// The same with each reference alone: fills `rows` [references, segments, numbers], and `told` [references,
// segments, orders] with what decides between them.
std::optional<std::size_t> count_nist_by_reference(
    const Column& hypotheses, const std::vector<const Column*>& references, const ReferenceNgrams& ngrams,
    const RowsOfReferences& rows, const RealRowsOfReferences& told, std::string_view tokenizer,
    std::string_view letter_case, bool zero_is_no_word, bool compensated, unsigned threads) {
  const NgramOptions options = nist_options(ngrams, tokenizer, letter_case, threads);
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != nist_columns(options.max_order) || told.shape(0) != references.size() ||
      told.shape(1) != hypotheses.size() || told.shape(2) != options.max_order) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  std::optional<std::size_t> unknown;
  for (std::size_t r = 0; r < reference_columns.size(); ++r) {
    std::int64_t* const of_reference = rows.data() + r * rows.shape(1) * rows.shape(2);
    const Told told_here{told.data() + r * told.shape(1) * told.shape(2), compensated};
    const std::optional<std::size_t> found = nist_statistics(
        hypotheses, {reference_columns[r]}, ngrams, options, zero_is_no_word, of_reference, told_here);
    if (found) unknown = std::min(*found, unknown.value_or(*found));
  }
  return unknown;
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

Salience salience_named(std::string_view name) {
  if (name == "s-score") return Salience::SScore;
  if (name == "tf.idf") return Salience::TfIdf;
  throw nb::value_error("no such salience");
}

// There are names of documents if they are counted by name.
void check_names(const DocumentWords& documents, const Column* names, std::size_t segments) {
  if ((names != nullptr) != documents.named()) throw nb::value_error("documents are named, or they are not");
  if (names != nullptr && names->size() != segments) throw nb::value_error("columns of different lengths");
}

void add_documents(DocumentWords& documents, const std::vector<const Column*>& references,
                   const Column* names) {
  check_names(documents, names, references.empty() ? 0 : references[0]->size());
  const std::vector<Column> columns = copied(references);
  nb::gil_scoped_release unlocked;
  documents.add(columns, names);
}

// Fills `rows` [references, segments, numbers]; returns the first segment that `documents` cannot have had.
std::optional<std::size_t> count_weighted_ngrams(const Column& hypotheses,
                                                 const std::vector<const Column*>& references,
                                                 const Column* names, const DocumentWords& documents,
                                                 const RowsOfReferences& rows, std::string_view salience,
                                                 double threshold, double below, unsigned max_order,
                                                 std::string_view tokenizer, std::string_view letter_case,
                                                 unsigned threads) {
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
  check_names(documents, names, hypotheses.size());
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  return weighted_ngram_statistics(hypotheses, reference_columns, names, documents, options, rows.data());
}

// All that is counted, as Python can keep it: how, the numbers of the whole, every word and every named
// document with its own, and how often words are in those documents.
using NumbersOf = std::tuple<std::string, std::uint64_t, std::uint64_t>;
using DocumentState =
    std::tuple<std::tuple<int, int, bool>, std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>,
               std::vector<NumbersOf>, std::vector<NumbersOf>,
               std::vector<std::tuple<std::uint64_t, std::uint64_t>>>;

DocumentState state_of(const DocumentWords& documents) {
  std::vector<NumbersOf> words;
  for (std::uint32_t number = 1; number <= documents.vocabulary().size(); ++number) {
    const DocumentWords::Counts& counts = documents.counts(number);
    words.emplace_back(documents.vocabulary()[number], counts.occurrences, counts.documents);
  }
  std::vector<NumbersOf> texts;
  for (std::uint32_t number = 1; number <= documents.names().size(); ++number) {
    const DocumentWords::Text& text = documents.text(number);
    texts.emplace_back(documents.names()[number], text.words, text.fingerprint);
  }
  return {
      {static_cast<int>(documents.tokenizer()), static_cast<int>(documents.letter_case()), documents.named()},
      {documents.words(), documents.documents(), documents.fingerprint()},
      std::move(words),
      std::move(texts),
      {documents.within().begin(), documents.within().end()}};
}

void restore(DocumentWords* self, const DocumentState& state) {
  const auto& [how, total, words, texts, within] = state;
  const auto& [tokenizer, letter_case, named] = how;
  new (self) DocumentWords(static_cast<Tokenizer>(tokenizer), static_cast<unicode::Case>(letter_case), named);
  std::apply([self](auto... numbers) { self->restore_total(numbers...); }, total);
  for (const auto& [word, occurrences, in_documents] : words) {
    self->restore_word(word, {occurrences, in_documents});
  }
  for (const auto& [name, length, fingerprint] : texts) self->restore_document(name, {length, fingerprint});
  for (const auto& [key, occurrences] : within) self->restore_within(key, occurrences);
}

}  // namespace

void bind_sets(nb::module_& module) {
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
  module.def("count_nist", &count_nist, "hypotheses"_a, "references"_a, "ngrams"_a, filled("rows"),
             nb::kw_only(), "tokenizer"_a, "letter_case"_a, "zero_is_no_word"_a, "threads"_a);
  module.def("count_nist_by_reference", &count_nist_by_reference, "hypotheses"_a, "references"_a, "ngrams"_a,
             filled("rows"), filled("told"), nb::kw_only(), "tokenizer"_a, "letter_case"_a,
             "zero_is_no_word"_a, "compensated"_a, "threads"_a);
  module.def("count_self_ngrams", &count_self_ngrams, "hypotheses"_a, "set"_a, filled("rows"), nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "reference_length"_a, "threads"_a);
  module.attr("INFORMATION_BITS") = kInformationBits;
  module.attr("REST_BITS") = kRestBits;
  nb::class_<DocumentWords>(module, "DocumentWords", "How often words occur in a set of documents.")
      .def(
          "__init__",
          [](DocumentWords* self, std::string_view tokenizer, std::string_view letter_case, bool named) {
            new (self) DocumentWords(tokenizer_named(tokenizer), case_named(letter_case), named);
          },
          nb::kw_only(), "tokenizer"_a, "letter_case"_a, "named"_a)
      .def("add", &add_documents, "references"_a, "names"_a.none())
      .def_prop_ro("named", &DocumentWords::named)
      .def_prop_ro("words", &DocumentWords::words)
      .def_prop_ro("documents", &DocumentWords::documents)
      .def_prop_ro("fingerprint", &DocumentWords::fingerprint)
      .def("__getstate__", &state_of)
      .def("__setstate__", [](DocumentWords& self, const DocumentState& state) { restore(&self, state); });
  module.def("count_weighted_ngrams", &count_weighted_ngrams, "hypotheses"_a, "references"_a,
             "names"_a.none(), "documents"_a, filled("rows"), nb::kw_only(), "salience"_a, "threshold"_a,
             "below"_a, "max_order"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.attr("WEIGHT_BITS") = kWeightBits;
}

}  // namespace understudy
