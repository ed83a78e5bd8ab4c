// METEOR as Python sees it: tables that are read once, and a matcher that holds on to them.
#include <nanobind/stl/pair.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "meteor/meteor.h"
#include "text/porter.h"

namespace understudy {

namespace {

using Texts = std::vector<std::string>;
using Columns = std::vector<const Column*>;

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Apostrophes apostrophes_named(std::string_view name) {
  if (name == "english") return Apostrophes::English;
  if (name == "french") return Apostrophes::French;
  if (name == "apart") return Apostrophes::Apart;
  throw nb::value_error("no such apostrophes");
}

StageSet stages_named(const Texts& names) {
  StageSet stages = 0;
  for (const std::string& name : names) {
    const std::size_t stage = name == "exact"        ? 0
                              : name == "stem"       ? 1
                              : name == "synonym"    ? 2
                              : name == "paraphrase" ? 3
                                                     : throw nb::value_error("no such stage");
    stages = static_cast<StageSet>(stages | 1U << stage);
  }
  return stages;
}

// Everything a metric has chosen; it never changes.
struct MeteorMatcher {
  MeteorOptions options;
  MeteorStems stems;
};

void make_matcher(MeteorMatcher* self, const std::optional<std::string>& apostrophes, bool punctuation,
                  Texts prefixes, Texts number_prefixes, std::string_view letter_case, const Texts& stages,
                  const Texts& function_words, bool english_stems, const SynonymTable* synonyms,
                  const ParaphraseTable* paraphrases, bool copies_are_free, bool characters,
                  std::size_t beam) {
  MeteorMatcher matcher;
  MeteorOptions& options = matcher.options;
  if (apostrophes) {
    options.normalizer = {apostrophes_named(*apostrophes), punctuation, std::move(prefixes),
                          std::move(number_prefixes)};
  }
  options.letter_case = case_named(letter_case);
  options.stages = stages_named(stages);
  options.function_words.insert(function_words.begin(), function_words.end());
  options.synonyms = synonyms;
  options.paraphrases = paraphrases;
  options.copies_are_free = copies_are_free;
  options.characters = characters;
  options.beam = beam;
  matcher.stems.english = english_stems;
  const bool complete = (synonyms != nullptr || !has_stage(options.stages, MeteorStage::Synonym)) &&
                        (paraphrases != nullptr || !has_stage(options.stages, MeteorStage::Paraphrase)) &&
                        beam > 0 && options.stages != 0 &&
                        (paraphrases == nullptr || paraphrases->finished());
  if (!complete) throw nb::value_error("a stage lacks its table, or there is nothing to do");
  new (self) MeteorMatcher(std::move(matcher));
  self->options.stems = &self->stems;
}

MeteorStems stems_of(const MeteorMatcher& matcher, const std::optional<std::pair<Texts, Texts>>& given) {
  MeteorStems stems;
  stems.english = matcher.stems.english;
  if (!given) return stems;
  const auto& [words, stemmed] = *given;
  if (words.size() != stemmed.size()) throw nb::value_error("as many stems as words are needed");
  for (std::size_t i = 0; i < words.size(); ++i) stems.table.emplace(words[i], stemmed[i]);
  return stems;
}

using GivenStems = std::optional<std::pair<Texts, Texts>>;

void count(const MeteorMatcher& matcher, const Column& hypotheses, const Columns& references,
           const RowsOfReferences& rows, const GivenStems& stems, unsigned threads) {
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kMeteorColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  for (const Column* column : references) {
    if (column->size() != hypotheses.size()) throw nb::value_error("columns of different lengths");
  }
  const MeteorStems table = stems_of(matcher, stems);
  MeteorOptions options = matcher.options;
  options.stems = &table;
  options.threads = threads;
  const std::vector<Column> reference_columns = copied(references);
  nb::gil_scoped_release unlocked;
  meteor_statistics(hypotheses, reference_columns, options, rows.data());
}

// (reference start, length, hypothesis start, length, stage) of every match taken, after the words of both.
nb::tuple align(const MeteorMatcher& matcher, std::string_view hypothesis, std::string_view reference,
                const GivenStems& stems) {
  const MeteorStems table = stems_of(matcher, stems);
  MeteorOptions options = matcher.options;
  options.stems = &table;
  const MeteorAlignment alignment = meteor_alignment(hypothesis, reference, options);
  nb::list matches;
  for (const MeteorMatch& match : alignment.matches) {
    matches.append(nb::make_tuple(match.reference_start, match.reference_length, match.hypothesis_start,
                                  match.hypothesis_length, static_cast<unsigned>(match.stage)));
  }
  return nb::make_tuple(alignment.hypothesis, alignment.reference, matches);
}

Texts vocabulary(const MeteorMatcher& matcher, const Columns& columns) {
  const std::vector<Column> copies = copied(columns);
  nb::gil_scoped_release unlocked;
  return meteor_vocabulary(copies, matcher.options);
}

std::string normalized(const MeteorMatcher& matcher, std::string_view text) {
  if (!matcher.options.normalizer) return std::string(text);
  std::string result;
  MeteorNormalizer(*matcher.options.normalizer).normalize(text, result);
  return result;
}

// Stems by the rules for English, as METEOR has them.
Texts english_stems(const Texts& words) {
  Texts stems;
  for (const std::string& word : words) stems.push_back(english_stem(word));
  return stems;
}

// Stems by Porter's rules as NLTK has them.
std::string porter_stem_of(std::string_view word) { return porter_stem(word); }

}  // namespace

void bind_meteor(nb::module_& module) {
  nb::class_<SynonymTable>(module, "SynonymTable", "Which words share a set of synonyms.")
      .def(
          "__init__",
          [](SynonymTable* self, const nb::bytes& exceptions, const nb::bytes& synsets) {
            const std::string_view exception_text = view(exceptions);
            const std::string_view synset_text = view(synsets);
            nb::gil_scoped_release unlocked;
            new (self) SynonymTable(exception_text, synset_text);
          },
          "exceptions"_a, "synsets"_a)
      .def("__len__", &SynonymTable::words);

  nb::class_<ParaphraseTable>(module, "ParaphraseTable", "Phrases and their paraphrases.")
      .def(nb::init<>())
      .def(
          "add",
          [](ParaphraseTable& self, const nb::bytes& text) {
            if (self.finished()) throw nb::value_error("the table is finished");
            const std::string_view bytes = view(text);
            nb::gil_scoped_release unlocked;
            self.add(bytes);
          },
          "text"_a)
      .def("finish",
           [](ParaphraseTable& self) {
             if (self.finished()) throw nb::value_error("the table is finished");
             nb::gil_scoped_release unlocked;
             self.finish();
           })
      .def("__len__", &ParaphraseTable::pairs);

  nb::class_<MeteorMatcher>(module, "MeteorMatcher", "METEOR's words, matches and counts.")
      .def("__init__", &make_matcher, nb::kw_only(), "apostrophes"_a.none(), "punctuation"_a, "prefixes"_a,
           "number_prefixes"_a, "letter_case"_a, "stages"_a, "function_words"_a, "english_stems"_a,
           "synonyms"_a.none(), "paraphrases"_a.none(), "copies_are_free"_a, "characters"_a, "beam"_a,
           nb::keep_alive<1, 10>(), nb::keep_alive<1, 11>())
      .def("count", &count, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(), "stems"_a.none(),
           "threads"_a)
      .def("align", &align, "hypothesis"_a, "reference"_a, nb::kw_only(), "stems"_a.none())
      .def(
          "words",
          [](const MeteorMatcher& self, std::string_view text) { return meteor_words(text, self.options); },
          "text"_a)
      .def("vocabulary", &vocabulary, "columns"_a)
      .def("normalized", &normalized, "text"_a);
  module.def("porter_stem", &porter_stem_of, "word"_a);
  module.def("english_stems", &english_stems, "words"_a);
}

}  // namespace understudy
