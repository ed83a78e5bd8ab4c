"""check_metric: all laws, for a metric of any package."""

from __future__ import annotations

from understudy.errors import BadMetric
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.testing import fit_laws, score_laws, signature_laws, spelling_laws, table_laws
from understudy.testing.expectations import Law, LawOfText, obey
from understudy.testing.texts import PROSE, made_up

# Of a class: tried on the metric with its defaults.
LAWS_OF_CLASSES: tuple[Law, ...] = (
    spelling_laws.a_metric_says_what_it_is,
    spelling_laws.repr_and_spec_give_the_metric_back,
    spelling_laws.equal_metrics_hash_alike,
    spelling_laws.an_alias_means_its_preset,
    signature_laws.every_parameter_is_in_a_signature,
)
# Of a metric, on texts that the law chooses.
LAWS: tuple[Law, ...] = (
    spelling_laws.metrics_do_not_change,
    table_laws.columns_have_names,
    score_laws.scores_have_the_shape_of_the_counts,
    score_laws.scores_are_finite,
    table_laws.slices_add_up,
    table_laws.statistics_survive_a_file,
    table_laws.the_mean_is_that_of_segments,
    table_laws.any_number_of_threads,
    table_laws.any_chunks,
    score_laws.a_score_carries_its_explanation,
    score_laws.a_copy_of_a_reference_is_best,
    score_laws.corrupting_words_does_not_improve,
    spelling_laws.copies_are_the_same,
    fit_laws.a_fit_changes_what_a_metric_knows,
    fit_laws.a_metric_fits_itself,
    fit_laws.a_fit_does_not_depend_on_parts_or_order,
    fit_laws.documents_count_alike,
    fit_laws.a_document_of_one_segment_is_that_segment,
    fit_laws.statistics_of_different_fits_do_not_add_up,
    signature_laws.one_signature_one_score,
    signature_laws.different_metrics_have_different_specs,
)
# Of a metric and a text, whatever the text.
LAWS_OF_TEXT: tuple[LawOfText, ...] = (
    score_laws.scores_lie_in_their_range,
    table_laws.a_batch_is_its_segments,
    table_laws.additive,
    table_laws.any_order_of_segments,
    table_laws.any_order_of_references,
)

_TEXTS = 40  # made-up ones


def check_metric(metric: type[Metric] | Metric | str) -> None:
    """Check every law on a metric: on a class with its defaults and each of its presets, or on one metric or spec.
    Raises `BrokenLaw`, an AssertionError that names the law, the text, and the actual and expected result.

    >>> from understudy import BLEU
    >>> check_metric(BLEU(max_order=2))
    """
    if isinstance(metric, type) and issubclass(metric, Metric) and (unfinished := metric.unfinished()):
        raise BadMetric(unfinished)
    made = [metric_of(metric)]
    if isinstance(metric, type):
        made += map(metric.preset, metric.presets)
    # The laws are of text that is counted, and a tokenizer that nobody chose may have it refused: so it is chosen.
    made = list(dict.fromkeys(one.with_defaults_chosen() for one in made))
    for law in LAWS_OF_CLASSES:
        obey(law, made[0])
    for one in made:
        if one.missing:
            raise BadMetric(f"{one.spec} cannot count on this machine: {one.missing}")
        for law in LAWS:
            obey(law, one)
        for corpus in (PROSE, *map(made_up, range(_TEXTS))):
            for law_of_text in LAWS_OF_TEXT:
                obey(law_of_text, one, corpus)
