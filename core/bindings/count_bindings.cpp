// What is counted segment by segment.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "bindings/bindings.h"
#include "edit/beam_distance.h"
#include "edit/character.h"
#include "edit/eed.h"
#include "edit/ter.h"
#include "edit/tercom.h"
#include "edit/word_alignment.h"
#include "edit/word_errors.h"
#include "edit/word_places.h"
#include "ngram/chrf.h"
#include "ngram/gtm.h"
#include "ngram/ribes.h"
#include "ngram/rouge.h"
#include "ngram/skip_bigrams.h"
#include "ngram/weighted_lcs.h"
#include "support/fixed_point.h"
#include "text/exact_match.h"

namespace understudy {
namespace {

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
                 std::string_view kind, std::string_view length, bool each_insertion,
                 std::string_view tokenizer, std::string_view letter_case, unsigned threads) {
  EditOptions options;
  options.kind = edit_kind_named(kind);
  options.length = edited_length_named(length);
  options.each_insertion = each_insertion;
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

SingleWords single_words_named(std::string_view name) {
  if (name == "none") return SingleWords::None;
  if (name == "all") return SingleWords::All;
  if (name == "all-but-last") return SingleWords::AllButLast;
  throw nb::value_error("no such single words");
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

// Fills `rows` [references, segments, numbers].
void count_skip_bigrams(const Column& hypotheses, const std::vector<const Column*>& references,
                        const RowsOfReferences& rows, std::size_t max_skip, std::string_view single_words,
                        std::string_view tokenizer, std::string_view letter_case, unsigned threads) {
  SkipBigramOptions options;
  options.max_skip = max_skip;
  options.single_words = single_words_named(single_words);
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kSkipBigramColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  skip_bigram_statistics(hypotheses, reference_columns, options, rows.data());
}

// Fills `rows` [references, segments, numbers].
void count_weighted_lcs(const Column& hypotheses, const std::vector<const Column*>& references,
                        const RealRowsOfReferences& rows, double weight, bool runs_of_reference,
                        std::string_view tokenizer, std::string_view letter_case, unsigned threads) {
  WeightedLcsOptions options;
  options.weight = weight;
  options.runs_of_reference = runs_of_reference;
  options.tokenizer = tokenizer_named(tokenizer);
  options.letter_case = case_named(letter_case);
  options.threads = threads;
  if (rows.shape(0) != references.size() || rows.shape(1) != hypotheses.size() ||
      rows.shape(2) != kWeightedLcsColumns) {
    throw nb::value_error("rows of the wrong shape");
  }
  const std::vector<Column> reference_columns = checked(hypotheses, references);
  nb::gil_scoped_release unlocked;
  weighted_lcs_statistics(hypotheses, reference_columns, options, rows.data());
}

void count_ter(const Column& hypotheses, const std::vector<const Column*>& references, const Rows& rows,
               std::string_view tokenizer, std::string_view letter_case, bool normalized, bool asian,
               bool no_punct, bool as_sacrebleu, bool as_java, bool references_twice, std::size_t beam,
               bool beam_of_costs, bool shifts_as_sacrebleu, std::size_t max_shift_size,
               std::size_t max_shift_distance, std::size_t max_candidates, bool discard_at_limit,
               unsigned threads) {
  TerOptions options;
  options.tokenizer = tokenizer_named(tokenizer);
  options.tercom = {normalized, asian, no_punct, as_sacrebleu, as_java};
  options.letter_case = case_named(letter_case);
  options.references_twice = references_twice;
  options.beam = beam;
  options.beam_of_costs = beam_of_costs;
  options.shifts_as_sacrebleu = shifts_as_sacrebleu;
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

// The distance of two texts of words within TER's beam, and their alignment: for each word of the reference,
// the last word of the hypothesis before it or in its place; and which words of the reference are wrong. The
// words of the reference are numbered from 1, and 0 is any other.
std::tuple<std::int64_t, std::vector<std::int64_t>, std::vector<std::uint8_t>> beam_alignment(
    const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference,
    std::size_t beam) {
  if (reference.empty()) throw nb::value_error("an empty reference");
  const std::uint32_t vocabulary = *std::max_element(reference.begin(), reference.end());
  for (const std::uint32_t word : hypothesis) {
    if (word > vocabulary) throw nb::value_error("a word that the reference lacks is not 0");
  }
  WordPlaces places;
  places.start(reference, vocabulary);
  BeamDistance distance;
  distance.start(reference, places, hypothesis.size(), beam);
  const std::int64_t found = distance.set_current(hypothesis, 0);
  WordAlignment alignment;
  distance.align(hypothesis, alignment);
  return {found, std::move(alignment.aligned), std::move(alignment.reference_error)};
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

}  // namespace

void bind_counts(nb::module_& module) {
  module.def("count_ngrams", &count_ngrams, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "reference_length"_a, "max_order"_a, "threads"_a);
  module.def("count_ngrams_by_reference", &count_ngrams_by_reference, "hypotheses"_a, "references"_a,
             filled("rows"), nb::kw_only(), "tokenizer"_a, "letter_case"_a, "max_order"_a, "threads"_a);
  module.def("count_edits", &count_edits, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "kind"_a, "length"_a, "each_insertion"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_exact", &count_exact, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "tokenizer"_a.none(), "letter_case"_a, "threads"_a);
  module.def("count_chrf", &count_chrf, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "letter_case"_a, "whitespace"_a, "char_order"_a, "word_order"_a, "threads"_a);
  module.def("count_ribes", &count_ribes, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "search"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_lcs", &count_lcs, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "separator"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_skip_bigrams", &count_skip_bigrams, "hypotheses"_a, "references"_a, filled("rows"),
             nb::kw_only(), "max_skip"_a, "single_words"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_weighted_lcs", &count_weighted_lcs, "hypotheses"_a, "references"_a, filled("rows"),
             nb::kw_only(), "weight"_a, "runs_of_reference"_a, "tokenizer"_a, "letter_case"_a, "threads"_a);
  module.def("count_ter", &count_ter, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "normalized"_a, "asian"_a, "no_punct"_a, "as_sacrebleu"_a,
             "as_java"_a, "references_twice"_a, "beam"_a, "beam_of_costs"_a, "shifts_as_sacrebleu"_a,
             "max_shift_size"_a, "max_shift_distance"_a, "max_candidates"_a, "discard_at_limit"_a,
             "threads"_a);
  module.def("beam_alignment", &beam_alignment, "hypothesis"_a, "reference"_a, nb::kw_only(), "beam"_a);
  module.def("count_gtm", &count_gtm, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "tokenizer"_a, "letter_case"_a, "exponent"_a, "threads"_a);
  module.attr("SIZE_REST_BITS") = kSizeRestBits;
  module.def("count_character", &count_character, "hypotheses"_a, "references"_a, filled("rows"),
             nb::kw_only(), "tokenizer"_a, "letter_case"_a, "capped"_a, "threads"_a);
  module.def("count_eed", &count_eed, "hypotheses"_a, "references"_a, filled("rows"), nb::kw_only(),
             "letter_case"_a, "alpha"_a, "rho"_a, "deletion"_a, "insertion"_a, "substitution"_a,
             "as_program"_a, "threads"_a);
  module.attr("WHOLE_BITS") = kWholeBits;
  module.attr("WHOLE_AND_REST_BITS") = kWholeAndRestBits;
}

}  // namespace understudy
