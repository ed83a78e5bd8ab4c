// Utilities of candidates against references.
#include <optional>
#include <span>

#include "bindings/bindings.h"
#include "ngram/utilities.h"

namespace understudy {
namespace {

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Filled = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto span_of(const Array& array) {
  return std::span(array.data(), array.size());
}

void check_starts(std::span<const std::int64_t> starts, std::size_t size) {
  bool right = starts.size() > 1 && starts.front() == 0 && starts.back() == static_cast<std::int64_t>(size);
  for (std::size_t i = 0; right && i + 1 < starts.size(); ++i) right = starts[i] < starts[i + 1];
  if (!right) throw nb::value_error("starts that do not fit the column");
}

void check_column(const Column& column) {
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column.present(i)) throw nb::value_error("a row without text");
  }
}

CandidateSets sets_of(const Column& candidates, const Column* references, const Numbers& candidate_starts,
                      const Numbers& reference_starts) {
  const CandidateSets sets{candidates, references == nullptr ? candidates : *references,
                           references == nullptr, span_of(candidate_starts), span_of(reference_starts)};
  check_column(sets.candidates);
  if (!sets.themselves) check_column(sets.references);
  check_starts(sets.candidate_starts, sets.candidates.size());
  check_starts(sets.reference_starts, sets.references.size());
  if (sets.candidate_starts.size() != sets.reference_starts.size()) {
    throw nb::value_error("different numbers of segments");
  }
  return sets;
}

void check_size(std::size_t expected, std::size_t size) {
  if (size != expected) throw nb::value_error("scores of the wrong size");
}

template <class Metric>
void fill_pairs(const CandidateSets& sets, const Metric& metric, unsigned threads, const Filled& scores) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) pairs += sets.candidates_of(i) * sets.references_of(i);
  check_size(pairs, scores.size());
  nb::gil_scoped_release unlocked;
  pair_utilities(sets, metric, threads, scores.data());
}

template <class Metric>
void fill_groups(const CandidateSets& sets, const Metric& metric, const Numbers& groups,
                 const Numbers& group_counts, const std::optional<Reals>& weights, unsigned threads,
                 const Filled& scores) {
  const GroupsOfSets grouped{span_of(groups), span_of(group_counts),
                             weights ? span_of(*weights) : std::span<const double>()};
  if (grouped.groups.size() != sets.references.size() || grouped.counts.size() != sets.size() ||
      (weights && grouped.weights.size() != sets.references.size())) {
    throw nb::value_error("groups that do not fit the references");
  }
  std::size_t expected = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    expected += sets.candidates_of(i) * static_cast<std::size_t>(grouped.counts[i]);
    for (std::int64_t r = sets.reference_starts[i]; r < sets.reference_starts[i + 1]; ++r) {
      const std::int64_t group = grouped.groups[static_cast<std::size_t>(r)];
      if (group < 0 || group >= grouped.counts[i]) throw nb::value_error("no such group");
    }
  }
  check_size(expected, scores.size());
  nb::gil_scoped_release unlocked;
  group_utilities(sets, grouped, metric, threads, scores.data());
}

BleuUtility bleu_of(const BleuFormula& formula, std::string_view tokenizer, std::string_view letter_case,
                    unsigned max_order, double length_units, unsigned at_least_one) {
  NgramOptions reading;
  reading.tokenizer = tokenizer_named(tokenizer);
  reading.letter_case = case_named(letter_case);
  reading.max_order = max_order;
  if (formula.columns() != ngram_columns(max_order)) throw nb::value_error("orders that do not fit");
  return {reading, formula, length_units, at_least_one};
}

ChrfUtility chrf_of(const ChrfFormula& formula, std::string_view letter_case, bool whitespace,
                    unsigned char_order, unsigned word_order) {
  ChrfOptions reading;
  reading.letter_case = case_named(letter_case);
  reading.whitespace = whitespace;
  reading.char_order = char_order;
  reading.word_order = word_order;
  if (formula.columns() != chrf_columns(reading)) throw nb::value_error("orders that do not fit");
  return {reading, formula};
}

// Those below fill `scores`, which the caller has made. Without references, candidates are their own.

void bleu_pairs(const Column& candidates, const Column* references, const Numbers& candidate_starts,
                const Numbers& reference_starts, const Filled& scores, const BleuFormula& formula,
                std::string_view tokenizer, std::string_view letter_case, unsigned max_order,
                double length_units, unsigned at_least_one, unsigned threads) {
  fill_pairs(sets_of(candidates, references, candidate_starts, reference_starts),
             bleu_of(formula, tokenizer, letter_case, max_order, length_units, at_least_one), threads,
             scores);
}

void bleu_groups(const Column& candidates, const Column* references, const Numbers& candidate_starts,
                 const Numbers& reference_starts, const Numbers& groups, const Numbers& group_counts,
                 const std::optional<Reals>& weights, const Filled& scores, const BleuFormula& formula,
                 std::string_view tokenizer, std::string_view letter_case, unsigned max_order,
                 double length_units, unsigned at_least_one, unsigned threads) {
  fill_groups(sets_of(candidates, references, candidate_starts, reference_starts),
              bleu_of(formula, tokenizer, letter_case, max_order, length_units, at_least_one), groups,
              group_counts, weights, threads, scores);
}

void chrf_pairs(const Column& candidates, const Column* references, const Numbers& candidate_starts,
                const Numbers& reference_starts, const Filled& scores, const ChrfFormula& formula,
                std::string_view letter_case, bool whitespace, unsigned char_order, unsigned word_order,
                unsigned threads) {
  fill_pairs(sets_of(candidates, references, candidate_starts, reference_starts),
             chrf_of(formula, letter_case, whitespace, char_order, word_order), threads, scores);
}

void chrf_groups(const Column& candidates, const Column* references, const Numbers& candidate_starts,
                 const Numbers& reference_starts, const Numbers& groups, const Numbers& group_counts,
                 const std::optional<Reals>& weights, const Filled& scores, const ChrfFormula& formula,
                 std::string_view letter_case, bool whitespace, unsigned char_order, unsigned word_order,
                 unsigned threads) {
  fill_groups(sets_of(candidates, references, candidate_starts, reference_starts),
              chrf_of(formula, letter_case, whitespace, char_order, word_order), groups, group_counts,
              weights, threads, scores);
}

void means(const Numbers& candidate_starts, const Numbers& reference_starts, const Reals& scores,
           const std::optional<Reals>& weights, const Filled& results) {
  const auto candidates = span_of(candidate_starts);
  const auto references = span_of(reference_starts);
  check_starts(candidates, results.size());
  check_starts(references, weights ? weights->size() : static_cast<std::size_t>(references.back()));
  if (candidates.size() != references.size()) throw nb::value_error("different numbers of segments");
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i + 1 < candidates.size(); ++i) {
    pairs += (candidates[i + 1] - candidates[i]) * (references[i + 1] - references[i]);
  }
  check_size(static_cast<std::size_t>(pairs), scores.size());
  nb::gil_scoped_release unlocked;
  mean_utilities(candidates, references, scores.data(),
                 weights ? span_of(*weights) : std::span<const double>(), results.data());
}

}  // namespace

void bind_utilities(nb::module_& module) {
  module.def("bleu_pairs", &bleu_pairs, "candidates"_a, "references"_a.none(), "candidate_starts"_a,
             "reference_starts"_a, filled("scores"), nb::kw_only(), "formula"_a, "tokenizer"_a,
             "letter_case"_a, "max_order"_a, "length_units"_a, "at_least_one"_a, "threads"_a);
  module.def("bleu_groups", &bleu_groups, "candidates"_a, "references"_a.none(), "candidate_starts"_a,
             "reference_starts"_a, "groups"_a, "group_counts"_a, "weights"_a.none(), filled("scores"),
             nb::kw_only(), "formula"_a, "tokenizer"_a, "letter_case"_a, "max_order"_a, "length_units"_a,
             "at_least_one"_a, "threads"_a);
  module.def("chrf_pairs", &chrf_pairs, "candidates"_a, "references"_a.none(), "candidate_starts"_a,
             "reference_starts"_a, filled("scores"), nb::kw_only(), "formula"_a, "letter_case"_a,
             "whitespace"_a, "char_order"_a, "word_order"_a, "threads"_a);
  module.def("chrf_groups", &chrf_groups, "candidates"_a, "references"_a.none(), "candidate_starts"_a,
             "reference_starts"_a, "groups"_a, "group_counts"_a, "weights"_a.none(), filled("scores"),
             nb::kw_only(), "formula"_a, "letter_case"_a, "whitespace"_a, "char_order"_a, "word_order"_a,
             "threads"_a);
  module.def("mean_utilities", &means, "candidate_starts"_a, "reference_starts"_a, "scores"_a,
             "weights"_a.none(), filled("means"));
}

}  // namespace understudy
