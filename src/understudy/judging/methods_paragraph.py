"""A paragraph about methods, ready for a paper: every number in it is one of the results."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.judging.analysis.controls import JudgeControls
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.results import Agreement, JudgeResults, QuestionResults, RankingResults
from understudy.wording import listed

TESTS = {
    "permutation": "paired permutation test over segments",
    "ttest": "paired t-test over segments",
    "effects": "linear model with effects of judges and segments, standard errors clustered by segment",
    "bootstrap t": "t-test with standard errors from bootstrap resamples of segments",
}
CORRECTIONS = {"holm": "Holm-corrected", "bh": "Benjamini-Hochberg-corrected", "none": "uncorrected"}


def methods_paragraph(found: JudgeResults) -> str:
    """Who judged what, and how numbers were computed."""
    sentences = [_data(found)]
    sentences += [sentence for each in found.questions for sentence in _question(each, found)]
    if found.rankings is not None:
        sentences += _rankings(found.rankings, found)
    if found.spans is not None:
        sentences += _spans(found)
    if found.controls:
        sentences.append(_controls(found.controls, found.plan.significance))
    return " ".join(sentences)


def _controls(controls: Sequence[JudgeControls], significance: float) -> str:
    """Judges who saw too few controls are not tested, and neither passed nor failed."""
    failed, too_few = (sum(each.verdict == verdict for each in controls) for verdict in ("failed", "too few"))
    seen, missed = (sum(getattr(each, name) for each in controls) for name in ("seen", "missed"))
    tested = len(controls) - too_few
    found = (
        f"{failed:,} of {_count(tested, 'judge')} with enough controls did not miss significantly fewer than expected "
        f"by chance (binomial test, alpha = {significance:g})"
        if tested
        else "no judge saw enough of them to test whether answers were random"
    )
    return f"Judges missed {missed:,} of {seen:,} degraded controls; {found}."


def _data(found: JudgeResults) -> str:
    judged = [len(each.means) for each in found.questions]
    systems = max(judged, default=len(found.systems))
    of_group = f" of the group {found.plan.group}" if found.plan.group else ""
    return (
        f"{_count(len(found.judges), 'judge', start=True)}{of_group} judged translations of "
        f"{_count(found.segments, 'segment')} by {_count(systems, 'system')} (protocol: {found.protocol})."
    )


def _question(each: QuestionResults, found: JudgeResults) -> list[str]:
    plan = found.plan
    sentences = [
        f"For {each.name}, we collected {_count(each.judgments, 'judgment')} of "
        f"{_count(each.translations, 'translation')}. System scores are means over segments of the mean over judges, "
        f"with {plan.confidence:.0%} confidence intervals from Student's t over "
        f"{'documents' if found.by_document else 'segments'}."
    ]
    if not isinstance(each.clusters, Absent):
        sentences.append(
            f"We compared the {each.clusters.statistic} of systems by a {TESTS[each.clusters.test]} "
            f"({_count(each.clusters.units, 'segment')}), with {CORRECTIONS[each.clusters.correction]} p-values "
            f"(alpha = {each.clusters.significance:g}); {_significant(each)}."
        )
    return [*sentences, *_agreement(each.agreement, found)]


def _significant(each: QuestionResults | RankingResults) -> str:
    assert not isinstance(each.clusters, Absent)
    pairs = each.clusters.pairs
    significant = sum(pair.significant for pair in pairs)
    clusters = max(system.cluster for system in each.clusters.systems)
    return (
        f"{significant:,} of {_count(len(pairs), 'pair')} differ significantly, in "
        f"{_count(clusters, 'significance cluster')}"
    )


def _agreement(agreed: Agreement, found: JudgeResults) -> list[str]:
    if agreed.alpha.value is None:
        return []
    also = [
        f"{name} {_value(estimate)}"
        for name, estimate in (
            ("Fleiss' kappa", agreed.fleiss),
            ("mean Cohen's kappa of pairs of judges", agreed.cohen.mean if agreed.cohen else None),
        )
        if estimate is not None and estimate.value is not None
    ]
    measures = listed([f"Krippendorff's alpha ({agreed.level}) {_value(agreed.alpha)}", *also])
    sentences = [
        f"Inter-annotator agreement on {_count(agreed.items, 'item')} with several judges: {measures}. In "
        f"parentheses: {found.plan.confidence:.0%} confidence intervals, {found.plan.samples:,} bootstrap resamples of "
        "segments."
    ]
    repeats = agreed.repeats
    if repeats.identical.value is not None:
        sentences.append(
            f"In {_count(repeats.repeats, 'repeated judgment')}, {repeats.identical.value:.1%} equal the first; "
            f"Krippendorff's alpha of first and repeated judgments is {_value(repeats.alpha)}."
            if repeats.alpha.value is not None
            else f"In {_count(repeats.repeats, 'repeated judgment')}, {repeats.identical.value:.1%} equal the first."
        )
    return sentences


def _rankings(each: RankingResults, found: JudgeResults) -> list[str]:
    sentences = [
        f"We collected {_count(each.rankings, 'ranking')} of {_count(each.segments, 'segment')}, which make "
        f"{_count(each.comparisons, 'pairwise comparison')}."
    ]
    if not isinstance(each.strengths, Absent):
        sentences.append(
            "Systems are ranked by Bradley-Terry strengths with ties (Davidson 1970), with "
            f"{found.plan.confidence:.0%} confidence intervals from {each.strengths.samples:,} bootstrap resamples of "
            "segments."
        )
    if not isinstance(each.clusters, Absent):
        sentences.append(
            f"We compared strengths by a {TESTS[each.clusters.test]}, with "
            f"{CORRECTIONS[each.clusters.correction]} p-values (alpha = {each.clusters.significance:g}); "
            f"{_significant(each)}."
        )
    return [*sentences, *_agreement(each.agreement, found)]


def _spans(found: JudgeResults) -> list[str]:
    assert found.spans is not None
    spans = sum(each.spans for each in found.spans.systems)
    annotations = sum(each.annotations for each in found.spans.systems)
    sentences = [f"Judges marked {_count(spans, 'error span')} in {_count(annotations, 'annotation')}."]
    f1 = found.spans.matched.f1
    if f1.value is not None:
        sentences.append(
            f"On {_count(found.spans.matched.translations, 'translation')} with several annotations, the "
            f"character-level F1 of one judge against another is {_value(f1)}; characters marked with another severity "
            "count half."
        )
    return sentences


def _value(estimate: Estimate) -> str:
    assert estimate.value is not None
    if estimate.interval is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.interval.low:.3f} to {estimate.interval.high:.3f})"


def _count(number: int, noun: str, *, start: bool = False) -> str:
    """
    >>> _count(1, "judge"), _count(2100, "segment")
    ('1 judge', '2,100 segments')
    """
    if start and number == 1:
        return f"One {noun}"
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
