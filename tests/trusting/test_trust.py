"""The verb trust: metrics and judgments brought together, and what is said of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from material.judged_examples import EXAMPLES, JUDGMENTS, REFERENCE, SYSTEMS, written
from reference import agreement as reference
from understudy import UnderstudyError, metric, score, trust
from understudy.choices import SEED
from understudy.corpus.judgments import read_judgments
from understudy.errors import InputWarning
from understudy.report.agreements import as_data, render
from understudy.trusting import by_order as lengths
from understudy.trusting import run as trusting
from understudy.trusting.by_order import trust_by_order
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.coefficients.pairwise_preferences import HeldOutTies, TunedTies
from understudy.trusting.plan import TrustPlan


@pytest.fixture(scope="module")
def adequacy():
    return trust(
        JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "ter", "length-ratio"], measure="adequacy", samples=100
    )


def test_systems_are_scored_as_score_does(adequacy):
    scores = score(SYSTEMS, REFERENCE, ["bleu", "ter", "length-ratio"])
    for number, found in enumerate(adequacy.metrics):
        by_name = {system.name: system.scores[number].value for system in scores.systems}
        expected = [by_name[name] for name in adequacy.systems]
        if found.spec == "length-ratio":  # best at 100: how close it is
            expected = [-abs(value - 100) for value in expected]
        assert found.own_scores.tolist() == expected
    people = read_judgments(JUDGMENTS, "adequacy")
    means = dict(zip(people.systems, people.scores.mean(axis=1).tolist(), strict=True))
    assert adequacy.human_systems.tolist() == pytest.approx([means[name] for name in adequacy.systems])


def test_error_rates_agree_when_they_fall(adequacy):
    bleu, ter, _ = adequacy.metrics
    assert not bleu.lower_is_better
    assert ter.lower_is_better
    for found, sign in ((bleu, 1), (ter, -1)):
        expected = sign * stats.pearsonr(found.own_scores, adequacy.human_systems).statistic
        assert found.of(CoefficientSpec("pearson", "system")).value == pytest.approx(expected, abs=1e-12)


def test_samples_have_corpus_scores_and_not_means_of_segments(adequacy):
    pairing = adequacy.metrics[0].pairing
    weights = np.zeros((1, 60))
    weights[0, :10] = 1
    _, scores = (pairing.system_scores[0], pairing.metric_of_samples(weights)[0])
    names = list(adequacy.systems)
    bleu = metric("bleu")
    references = REFERENCE[0].read_text().splitlines()[:10]
    expected = []
    for name in names:
        lines = (EXAMPLES / name).read_text().splitlines()[:10]
        expected.append(bleu.corpus(lines, [[line] for line in references]).value)
    assert scores.tolist() == pytest.approx(expected, abs=1e-12)


def test_what_only_one_side_has_is_said(adequacy):
    assert (
        adequacy.notes[0]
        == "reference-2.en has human scores but no BLEU, TER, length ratio scores; excluded."
    )
    assert any(note.startswith("Only 4 systems") for note in adequacy.notes)
    with pytest.raises(UnderstudyError, match="Use the same system names"):
        trust(JUDGMENTS, {"x": SYSTEMS[0]}, REFERENCE, measure="adequacy")


def test_a_system_that_one_metric_lacks_is_left_out_for_all(tmp_path):
    rows = [f"{path.name}\t{number}\n" for number, path in enumerate(SYSTEMS[1:])]
    scores = written(tmp_path / "m.tsv", "system\tm\n" + "".join(rows))
    found = trust(JUDGMENTS, SYSTEMS, REFERENCE, scores=scores, measure="adequacy", samples=5, level="system")
    assert found.systems == tuple(sorted(path.name for path in SYSTEMS[1:]))
    assert found.notes[0] == "Excluded for all metrics: system-strong.en, without m scores."
    assert found.notes[1] == "reference-2.en has human scores but no BLEU, m scores; excluded."


def test_the_rule_based_system_is_better_than_bleu_says():
    found = trust(
        JUDGMENTS,
        [*SYSTEMS, EXAMPLES / "reference-2.en"],
        REFERENCE,
        measure="adequacy",
        samples=20,
        level="system",
    )
    bleu = found.metrics[0]
    line = bleu.regression.line(bleu.system_scores[1])
    above = {
        name for name, people, at in zip(found.systems, found.human_systems, line, strict=True) if people > at
    }
    assert {"system-rulebased.en", "reference-2.en"} <= above


def test_kinds_of_systems_are_told_apart_and_underrated_ones_named():
    kinds = {"rule-based": ["system-rulebased.en"], "other": ["system-strong.en", "system-medium.en"]}
    found = trust(
        JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "chrf"], measure="adequacy", samples=50, kinds=kinds
    )
    assert found.kinds["system-rulebased.en"] == "rule-based"
    assert found.kinds.without == ("system-weak.en",)
    assert {finding.rule for finding in found.fitness.findings} >= {"different-kinds", "few-references"}
    (bleu, _) = found.fitness.contrasts
    assert bleu.kinds == ("rule-based", "other")
    assert (bleu.across.pairs, bleu.shift) == (2, None)
    assert bleu.apart > 0  # no other system has so low a BLEU
    text = render(found)
    assert "agreement" in text
    assert "rule-based" in render(found, plots=True).rpartition("human: adequacy")[2]
    assert as_data(found)["fitness"]
    with pytest.raises(UnderstudyError, match=r"unknown system 'system-week\.en'"):
        trust(JUDGMENTS, SYSTEMS, REFERENCE, measure="adequacy", kinds=["a:system-week.en"])


def test_what_metrics_are_not_fit_for_is_said_of_their_specs():
    """And references are counted of metrics that read them."""
    kinds = {"rule-based": ["system-rulebased.en"], "other": ["system-strong.en", "system-medium.en"]}
    found = trust(
        JUDGMENTS,
        SYSTEMS,
        [*REFERENCE, EXAMPLES / "reference-2.en"],
        ["bleu:lowercase=true", "self-bleu"],
        measure="adequacy",
        samples=50,
        level="system",
        kinds=kinds,
    )
    data = as_data(found)["fitness"]
    assert {each["spec"] for each in data["placements"]} == {"bleu:lowercase=true", "self-bleu"}
    assert {each["spec"] for each in data["contrasts"]} == {"bleu:lowercase=true", "self-bleu"}
    assert {each["metric"] for each in data["placements"]} == {"BLEU", "Self-BLEU"}
    assert "few-references" not in {each["rule"] for each in data["findings"]}


def test_a_metric_that_falls_where_people_rise_is_said(tmp_path):
    human = written(tmp_path / "h.tsv", "system\tscore\nA\t1\nB\t2\nC\t3\n")
    scores = written(tmp_path / "m.tsv", "system\tm\nA\t9\nB\t5\nC\t4\n")
    assert any("which R² does not show" in note for note in trust(human, scores=scores, samples=20).notes)


def test_the_same_seed_gives_the_same_digits_whatever_the_threads():
    asked: dict[str, Any] = {"measure": "fluency", "samples": 50, "coefficients": ("all",)}
    one, two = (trust(JUDGMENTS, SYSTEMS, REFERENCE, threads=threads, **asked) for threads in (1, 2))
    assert as_data(one) == as_data(two)
    other = trust(JUDGMENTS, SYSTEMS, REFERENCE, seed=1, **asked)
    assert as_data(one) != as_data(other)


@pytest.mark.parametrize(("measure", "metric"), [("adequacy", "chrf"), ("fluency", "bleu")])
def test_the_seed_is_that_of_the_coefficient_that_draws_by_itself(measure, metric):
    """Without outliers too, where there are some."""
    values = {}
    plans: list[tuple[int, dict[str, Any]]] = [(SEED, {}), (2, {"seed": 2})]
    for seed, plan in plans:
        found = trust(
            JUDGMENTS,
            SYSTEMS,
            REFERENCE,
            [metric],
            measure=measure,
            coefficients=("acc-eq-held-out",),
            samples=10,
            **plan,
        )
        only = found.metrics[0]
        values[seed] = only.agreed[0].value
        tuned = TunedTies(*only.pairing.segment_scores, "segment")
        assert values[seed] == HeldOutTies(only.pairing.segment_pairs, tuned, seed=seed ^ SEED).value
        assert {each.with_them for each in only.without_outliers} <= {values[seed]}
        assert bool(only.without_outliers) == (measure == "adequacy")
    assert values[SEED] != values[2]


def test_without_a_word_on_threads_all_cores_of_the_process_are_used(monkeypatch):
    asked = []
    for module, function in ((trusting, "thread_map"), (lengths, "estimates")):
        inner = getattr(module, function)

        def noted(*arguments, inner=inner, **options):
            asked.append(options["threads"] if "threads" in options else arguments[2])
            return inner(*arguments, **options)

        monkeypatch.setattr(module, function, noted)
    monkeypatch.setattr("understudy.metrics.base.threads.available_threads", lambda: 3)
    trust(JUDGMENTS, SYSTEMS, REFERENCE, measure="fluency", samples=10, level="system")
    people = read_judgments(JUDGMENTS, "fluency")
    trust_by_order(people, SYSTEMS, REFERENCE, up_to=1, samples=10, level="system")
    assert asked
    assert set(asked) == {3}


def test_scores_from_files_are_as_good_as_computed_ones(tmp_path, adequacy):
    rows = ["system\tseg\tBLEU\tTER"]
    for place, name in enumerate(adequacy.systems):
        values = [found.pairing.metric[place] for found in adequacy.metrics[:2]]
        rows += [
            f"{name}\t{number + 1}\t{values[0][number]!r}\t{-values[1][number]!r}" for number in range(60)
        ]
    file = written(tmp_path / "other.tsv", "\n".join(rows).replace("np.float64(", "").replace(")", ""))
    read = trust(
        JUDGMENTS, scores=file, measure="adequacy", lower_is_better=["TER"], samples=100, level="segment"
    )
    for found, computed in zip(read.metrics, adequacy.metrics, strict=False):
        for each in found.agreed:
            assert each.agreement.value == computed.of(each.asked).value
            assert each.agreement.interval == computed.of(each.asked).agreement.interval
    assert [found.signature for found in read.metrics] == ["", ""]
    both = trust(JUDGMENTS, SYSTEMS, REFERENCE, scores=f"{file}:BLEU", measure="adequacy", samples=10)
    assert [found.name for found in both.metrics] == ["BLEU", "BLEU (other)"]
    with pytest.raises(UnderstudyError, match="unknown metric 'WER' in the scores"):
        trust(JUDGMENTS, scores=file, measure="adequacy", lower_is_better=["WER"])
    twice: list[str | Path] = [file, f"{file}:BLEU", f"{file}:BLEU"]
    with pytest.raises(UnderstudyError, match="metric 'BLEU' is in two files of scores"):
        trust(JUDGMENTS, scores=twice, measure="adequacy", lower_is_better=["TER"])


def test_scores_of_systems_alone_are_resampled_over_systems(tmp_path):
    human = written(tmp_path / "human.tsv", "system\tscore\nA\t1\nB\t2\nC\t3\nD\t5\n")
    scores = written(tmp_path / "m.tsv", "system\tm\tconstant\nA\t1\t7\nB\t3\t7\nC\t2\t7\nD\t9\t7\n")
    found = trust(human, scores=scores, samples=100)
    assert found.over == "systems"
    assert found.metrics[0].of(CoefficientSpec("accuracy", "system")).value == pytest.approx(5 / 6)
    assert math.isnan(found.metrics[1].of(CoefficientSpec("pearson", "system")).value)
    notes = " ".join(found.notes)
    assert "all 4 metric scores are equal" in notes
    assert "m, constant have no system-level spa: segment-level coefficients need segment scores" in notes
    assert [ranking.clusters for ranking in found.rankings] == [[["m"]]]
    with pytest.raises(UnderstudyError, match="segment-level coefficients need segment scores"):
        trust(human, scores=scores, level="segment")
    with pytest.raises(UnderstudyError, match="two systems"):
        trust(written(tmp_path / "one.tsv", "system\tscore\nA\t1\n"), scores=scores, level="system")


def test_metrics_may_be_shown_only_what_people_judged(tmp_path):
    rows = [
        line
        for line in JUDGMENTS.read_text().splitlines()
        if not line.split("\t")[1].isdigit() or int(line.split("\t")[1]) <= 20
    ]
    human = written(tmp_path / "part.tsv", "\n".join(rows))
    whole = trust(human, SYSTEMS, REFERENCE, measure="adequacy", samples=10)
    part = trust(human, SYSTEMS, REFERENCE, measure="adequacy", samples=10, judged_only=True)
    assert "Human scores cover 20 of 60 segments; metric system scores use all segments." in whole.notes
    assert not any("People judged" in note for note in part.notes)
    weights = np.zeros((1, 60))
    weights[0, :20] = 1
    expected = whole.metrics[0].pairing.metric_of_samples(weights)[0]
    assert part.metrics[0].system_scores[1].tolist() == expected.tolist()
    assert len(part.segments) == 20


def test_a_copy_of_a_reference_is_said():
    with pytest.warns(InputWarning, match="identical to the reference"):
        found = trust(JUDGMENTS, SYSTEMS, [SYSTEMS[0]], measure="adequacy", samples=5, level="system")
    assert any(note.startswith("system-strong.en is identical to a reference") for note in found.notes)
    other = trust(JUDGMENTS, SYSTEMS, REFERENCE, measure="adequacy", samples=5, level="system")
    assert not any("the same text" in note for note in other.notes)


def test_judgments_of_another_test_set_are_refused(tmp_path):
    human = written(tmp_path / "human.tsv", "system\tseg\tscore\nsystem-weak.en\t61\t3\n")
    with pytest.raises(
        UnderstudyError, match="human scores for segment 61, but the systems have 60 segments"
    ):
        trust(human, SYSTEMS, REFERENCE)
    rows = "".join(f"{path.name}\t99\t1\n" for path in SYSTEMS)
    scores = written(tmp_path / "m.tsv", "system\tseg\tm\n" + rows)
    with pytest.raises(UnderstudyError, match="m scores for segment 99, but the systems have 60 segments"):
        trust(JUDGMENTS, SYSTEMS, REFERENCE, scores=scores, measure="adequacy")


def test_one_outlier_makes_the_correlation(tmp_path):
    """As in Callison-Burch, Osborne & Koehn 2006, section 4: without it there is hardly any."""
    generator = np.random.default_rng(3)
    human, scores = generator.normal(0, 1, 9), generator.normal(20, 1, 9)
    human[8], scores[8] = -30.0, 2.0
    rows = zip(human.tolist(), scores.tolist(), strict=True)
    text = "system\tscore\n" + "".join(f"S{n}\t{people!r}\n" for n, (people, _) in enumerate(rows))
    metric_file = "system\tm\n" + "".join(f"S{n}\t{value!r}\n" for n, value in enumerate(scores.tolist()))
    found = trust(
        written(tmp_path / "h.tsv", text), scores=written(tmp_path / "m.tsv", metric_file), samples=50
    )
    assert found.outliers == ("S8",)
    with_it = stats.pearsonr(human, scores).statistic ** 2
    without = stats.pearsonr(human[:8], scores[:8]).statistic ** 2
    (r2,) = [each for each in found.metrics[0].without_outliers if each.asked.coefficient == "r2"]
    assert (r2.with_them, r2.without_them) == pytest.approx((with_it, without), abs=1e-12)
    assert f"m: R² = {without:.2f} without S8, {with_it:.2f} with it." in render(found)
    assert found.metrics[0].without_each[8].without_them == r2.without_them


def test_calling_all_equal_is_said(tmp_path):
    """People tie nearly all translations: the best threshold for ties calls everything equal."""
    generator = np.random.default_rng(0)
    people = np.zeros((3, 40))
    people[0, 0] = 1.0
    scores = generator.normal(0, 1, people.shape)
    tables = []
    for values, name in ((people, "h.tsv"), (scores, "m.tsv")):
        rows = [
            f"S{system}\t{segment + 1}\t{float(values[system, segment])!r}"
            for system in range(3)
            for segment in range(40)
        ]
        tables.append(written(tmp_path / name, "system\tseg\tscore\n" + "\n".join(rows)))
    found = trust(tables[0], scores=tables[1], samples=20, level="segment", coefficients=("acc-eq:segment",))
    assert any("is highest if all translation pairs are ties" in note for note in found.notes)


def test_the_threshold_for_ties_is_said(adequacy):
    bleu = adequacy.metrics[0]
    human, scores = bleu.pairing.human.tolist(), bleu.pairing.metric.tolist()
    accuracy, threshold = reference.best_ties(reference.groups(human, scores, "segment"))
    assert bleu.of(CoefficientSpec("acc-eq", "segment", "segment")).value == pytest.approx(
        accuracy, abs=1e-12
    )
    assert bleu.tie_threshold == pytest.approx(threshold, abs=1e-12)
    assert any(f"Tie thresholds for acc-eq: BLEU {threshold:.3g}" in note for note in adequacy.notes)


def test_agreement_by_length():
    asked: Any = {"measure": "fluency", "up_to": 3, "samples": 20}
    found = trust_by_order(JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "wer"], **asked)
    assert [(each.metric, each.asked.level, each.lengths) for each in found] == [
        ("BLEU", "system", (1, 2, 3)),
        ("WER", "system", ()),
        ("BLEU", "segment", (1, 2, 3)),
        ("WER", "segment", ()),
    ]
    for length in (1, 2, 3):
        alone = trust(
            JUDGMENTS,
            SYSTEMS,
            REFERENCE,
            [f"bleu:max_order={length}"],
            measure="fluency",
            samples=1,
            level="system",
        )
        assert found[0].values[length - 1] == alone.metrics[0].of(CoefficientSpec("pearson", "system")).value
    with pytest.raises(UnderstudyError, match="no metric has a maximum n-gram order"):
        trust_by_order(JUDGMENTS, SYSTEMS, REFERENCE, ["wer"])


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"coefficients": ("kendal",)}, "unknown coefficient 'kendal'. Did you mean"),
        ({"coefficients": ("spa",), "level": "segment"}, "'spa' is at system level"),
        ({"coefficients": ("pdp:system",)}, "does not have this grouping"),
        (
            {"coefficients": ("pearson:word",)},
            "unknown grouping 'word', expected pearson:none or pearson:segment",
        ),
        ({"test": "t"}, "test='t': expected perm-both"),
        ({"over": "words"}, "over='words'"),
        ({"samples": 0}, "samples=0"),
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"rank_by": "r3"}, "unknown coefficient 'r3'"),
    ],
)
def test_bad_plans_are_refused(plan, said):
    with pytest.raises(UnderstudyError) as error:
        TrustPlan(**plan)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_the_level_of_the_plan_is_that_of_every_test():
    found = {
        level: trust(
            JUDGMENTS,
            SYSTEMS,
            REFERENCE,
            ["bleu", "chrf", "ter"],
            measure="adequacy",
            level="system",
            test="perm-both",
            samples=59,
            significance=level,
        )
        for level in (0.001, 0.04, 0.05, 0.99)
    }
    for level, each in found.items():
        chances = [agreed for metric in each.metrics for agreed in metric.agreed]
        assert [one.above_chance for one in chances] == [one.chance.p_value <= level for one in chances]
        pairs = each.rankings[0].pairs
        assert [pair.significant for pair in pairs] == [pair.corrected <= level + 1e-12 for pair in pairs]
        assert len(each.rankings[0].clusters) == 1 or any(pair.significant for pair in pairs)
    # 3 pairs, 59 samples: the smallest p after Holm is 0.05.
    at_the_level = [pair.corrected for pair in found[0.05].rankings[0].pairs if pair.significant]
    assert at_the_level
    assert at_the_level == pytest.approx([0.05] * len(at_the_level), abs=1e-15)
    assert not any("no difference can reach" in note for note in found[0.05].notes)
    said = "With 59 resamples and 3 pairs, no difference can reach p ≤ 0.04 at system level. Use --samples 74 or more."
    assert said in found[0.04].notes
    # All permutations of 4 systems, however many samples there are.
    assert [each.metrics[0].agreed[0].chance.deals for each in found.values()] == [24] * 4


def test_metrics_that_cannot_be_ranked_are_named(tmp_path):
    rows = "".join(f"{path.name}\t{number}\t{-number % 3}\n" for number, path in enumerate(SYSTEMS))
    scores = written(tmp_path / "m.tsv", "system\tfirst\tsecond\n" + rows)
    asked: dict[str, Any] = {"scores": scores, "measure": "adequacy", "samples": 20, "level": "system"}
    by_exchange = trust(JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "chrf"], test="perm-both", **asked)
    assert list(by_exchange.rankings[0].values) == ["BLEU", "chrF"]
    (said,) = (note for note in by_exchange.notes if "not ranked" in note)
    assert said == (
        "first, second are not ranked at system level: perm-both permutes segment scores, but there are no segment "
        "scores. Use perm-systems."
    )
    for test in ("williams", "perm-systems"):
        by_systems = trust(JUDGMENTS, SYSTEMS, REFERENCE, ["bleu"], test=test, **asked)
        assert list(by_systems.rankings[0].values) == ["BLEU", "first", "second"]
        assert not any("not ranked" in note for note in by_systems.notes)


def test_so_few_systems_that_exchanging_them_shows_nothing_are_reported():
    found = trust(
        JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "chrf"], measure="adequacy", samples=20, level="system"
    )
    assert found.rankings[0].test == "perm-systems"
    assert (
        "With 4 systems and 1 pair of metrics, no difference can reach p ≤ 0.05 by perm-systems. At least 6 systems "
        "are needed."
    ) in found.notes


def test_the_usual_test_of_soft_pairwise_accuracy_exchanges_segment_scores():
    assert TrustPlan(rank_by="spa").test_of("system") == "perm-both"
    assert TrustPlan().test_of("system") == "perm-systems"


def test_metrics_may_be_ranked_by_anything():
    found = trust(
        JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "chrf"], measure="fluency", samples=50, rank_by="spearman:none",
        test="bootstrap",
    )  # fmt: skip
    (ranking,) = found.rankings
    assert (ranking.asked, ranking.test) == (CoefficientSpec("spearman", "segment", "none"), "bootstrap")
    assert ranking.pairs[0].interval is not None


def test_a_frame_and_a_word_for_it(adequacy):
    pandas = pytest.importorskip("pandas")
    frame = adequacy.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == sum(len(found.agreed) for found in adequacy.metrics) + len(adequacy.ceiling.values)
    shown = repr(adequacy)
    assert "Human scores: adequacy. 4 systems, 60 segments, 240 translations, 2 raters." in shown
    assert f"{adequacy.metrics[0].agreed[0].value:.3f}" in shown


# --- real judgments -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"level": "segment", "rank_by": "spa"}, "rank_by=spa is not a segment-level coefficient"),
        ({"level": "system", "rank_by": "acc-eq"}, "rank_by=acc-eq is not a system-level coefficient"),
        ({"level": "system", "test": "perm-pairs"}, "tests only segment-level acc-eq"),
    ],
)
def test_a_ranking_at_another_level_is_refused(plan, said):
    with pytest.raises(UnderstudyError, match=said):
        TrustPlan(**plan)
