"""The selection of a setting by cross-validation, against loops over parts of the data."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from grid_simulations import COEFFICIENTS, permuted_scores, real_scores, simulated

from understudy.errors import BadInput
from understudy.resampling.samples import bootstrap_weights
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.grids.selection import MOST_RESAMPLES, best_of, select
from understudy.trusting.intervals import interval_around
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan

SYSTEMS = tuple(f"s{number}" for number in range(8))
DOCUMENTS = [f"d{number // 5}" for number in range(60)]


def made_up(seed=1, systems=8, settings=4, judged=1.0):
    generator = np.random.default_rng(seed)
    shape = (systems, len(DOCUMENTS))
    quality = generator.normal(size=shape) + generator.normal(0, 0.5, (systems, 1))
    human = np.where(generator.random(shape) < judged, quality, np.nan)
    noise = np.linspace(2, 1, settings)
    return {
        f"setting {number}": PairedScores(
            SYSTEMS[:systems], human, quality + noise[number] * generator.normal(size=shape)
        )
        for number in range(settings)
    }


def chosen(pairings, asked, plain="setting 0", **options):
    settings = {"documents": DOCUMENTS, "over": "segments", "plan": TrustPlan(samples=40), **options}
    return select(pairings, list(pairings), plain, asked, **settings)


def subset(pairing, rows, columns):
    """Independent of `PairedScores.part`."""
    return PairedScores(
        tuple(np.array(pairing.systems)[rows]),
        pairing.human[rows][:, columns],
        pairing.metric[rows][:, columns],
    )


@pytest.mark.parametrize(
    "asked",
    [
        CoefficientSpec("pearson", "system"),
        CoefficientSpec("accuracy", "system"),
        CoefficientSpec("spa", "system"),
        CoefficientSpec("kendall-b", "segment", "segment"),
        CoefficientSpec("kendall-b", "segment", "none"),
        CoefficientSpec("pearson", "segment", "none"),
        CoefficientSpec("pearson", "segment", "system"),
        CoefficientSpec("acc-eq", "segment", "segment"),
    ],
    ids=lambda asked: f"{asked.coefficient}-{asked.level}-{asked.grouping}",
)
@pytest.mark.parametrize("judged", [1.0, 0.7])
def test_every_part_has_the_setting_that_is_best_on_the_others(asked, judged):
    pairings = made_up(judged=judged)
    found = chosen(pairings, asked)
    documents = np.array(DOCUMENTS)
    weights, gains, plain_values = [], [], []
    for part, selected in zip(found.parts, found.settings, strict=True):
        inside = np.isin(documents, found.documents[part.fold])
        others = np.setdiff1d(np.arange(8), part.systems)
        assert inside.tolist() == np.isin(np.arange(60), part.segments).tolist()
        assert sorted([*part.systems, *others]) == list(range(8))
        training = {
            name: agreement(subset(each, others, ~inside), asked).value for name, each in pairings.items()
        }
        # Soft pairwise accuracy draws permutations, which differ with the number of segments.
        noise = 0.03 if asked.coefficient == "spa" else 1e-9
        assert training[selected] == pytest.approx(max(training.values()), abs=noise)
        values = {
            name: agreement(subset(each, part.systems, inside), asked).value
            for name, each in pairings.items()
        }
        for name in pairings:
            place = found.parts.index(part)
            assert found.values[name][place] == pytest.approx(values[name], abs=1e-9, nan_ok=True)
        weights.append(int((~np.isnan(next(iter(pairings.values())).human[part.systems][:, inside])).sum()))
        gains.append(values[selected] - values["setting 0"])
        plain_values.append(values["setting 0"])
    assert found.gain == pytest.approx(np.average(gains, weights=weights), abs=1e-9)
    assert found.mean(found.values["setting 0"]) == pytest.approx(
        np.average(plain_values, weights=weights), abs=1e-9
    )
    # Every judged translation is held out once.
    assert sum(weights) == int((~np.isnan(next(iter(pairings.values())).human)).sum())
    covered = np.zeros((8, 60), dtype=int)
    for part in found.parts:
        covered[np.ix_(part.systems, part.segments)] += 1
    assert (covered == 1).all()


@pytest.mark.parametrize("asked", COEFFICIENTS, ids=lambda asked: asked.level)
def test_the_interval_is_of_selections_in_samples(asked):
    """Beside parts and training data whose segments are repeated as often as they were drawn."""
    pairings = made_up(2)
    plan = TrustPlan(samples=30)
    found = chosen(pairings, asked, plan=plan)
    assert found.resamples == 30
    (drawn,) = bootstrap_weights(60, 30, plan.seed)
    gains, changed = [], 0
    for weights in drawn.astype(int):
        values = []
        for part, selected in zip(found.parts, found.settings, strict=True):
            others = np.setdiff1d(np.arange(8), part.systems)
            outside = np.setdiff1d(np.arange(60), part.segments)
            training = {
                name: agreement(subset(each, others, np.repeat(outside, weights[outside])), asked).value
                for name, each in pairings.items()
            }
            again = best_of(training, "setting 0")
            changed += again != selected
            repeated = np.repeat(part.segments, weights[part.segments])
            if not len(repeated):
                values.append(math.nan)
                continue
            both = (
                agreement(subset(pairings[name], part.systems, repeated), asked).value
                for name in (again, "setting 0")
            )
            values.append(next(both) - next(both))
        sizes = np.array([len(part.systems) * weights[part.segments].sum() for part in found.parts])
        known = ~np.isnan(values)
        gains.append(np.average(np.array(values)[known], weights=sizes[known]))
    assert changed
    expected = interval_around(found.gain, np.array(gains), over="segments")
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_resamples_are_limited():
    pairings = made_up(settings=2)
    for samples, expected in ((150, 150), (1000, MOST_RESAMPLES)):
        assert chosen(pairings, COEFFICIENTS[1], plan=TrustPlan(samples=samples)).resamples == expected


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
@pytest.mark.parametrize("asked", COEFFICIENTS, ids=lambda asked: asked.level)
def test_gains_have_an_interval_whatever_is_resampled(asked, over):
    found = chosen(made_up(3), asked, over=over)
    assert found.interval.low <= found.gain <= found.interval.high
    assert found.interval.low < found.interval.high


def test_nothing_depends_on_threads():
    pairings = made_up(4)
    for asked in COEFFICIENTS:
        one, several = (chosen(pairings, asked, threads=threads) for threads in (1, 3))
        assert (one.gain, one.interval, one.settings) == (several.gain, several.interval, several.settings)


def test_with_few_systems_only_documents_are_held_out():
    for systems, split in ((3, False), (4, True)):
        found = chosen(made_up(systems=systems), CoefficientSpec("kendall-b", "segment", "segment"))
        assert found.systems_left_out is split
    for systems, split in ((5, False), (6, True)):
        found = chosen(made_up(systems=systems), CoefficientSpec("pearson", "system"))
        assert found.systems_left_out is split
        assert len(found.parts) == 10 * (1 + split)


def test_human_scores_of_systems_are_held_out_by_system():
    asked = CoefficientSpec("pearson", "system")
    pairings = {
        name: replace(each, human=None, human_systems=each.human.mean(axis=1))
        for name, each in made_up().items()
    }
    found = chosen(pairings, asked)
    assert [part.systems.tolist() for part in found.parts] == [[0, 2, 4, 6], [1, 3, 5, 7]]
    for part, selected in zip(found.parts, found.settings, strict=True):
        others = np.setdiff1d(np.arange(8), part.systems)
        training = {
            name: np.corrcoef(each.human_systems[others], each.metric.mean(axis=1)[others])[0, 1]
            for name, each in pairings.items()
        }
        assert selected == max(training, key=training.get)
    few = {
        name: replace(each, human=None, human_systems=each.human.mean(axis=1))
        for name, each in made_up(systems=5).items()
    }
    with pytest.raises(BadInput, match="human scores of segments, or of at least 6 systems"):
        chosen(few, asked)


def test_one_document_cannot_be_held_out():
    with pytest.raises(BadInput, match="cover 1 document, expected at least 2"):
        chosen(made_up(), COEFFICIENTS[1], documents=["d"] * 60)


def test_settings_that_tie_leave_the_plain_metric():
    pairings = made_up()
    same = dict.fromkeys(pairings, pairings["setting 0"])
    found = chosen(same, COEFFICIENTS[1], plain="setting 2")
    assert set(found.settings) == {"setting 2"}
    assert (found.gain, found.interval.low, found.interval.high) == (0, 0, 0)
    assert best_of({"a": 0.5, "b": 0.5}, "c") == "a"
    assert best_of({"a": math.nan, "b": 0.1}, "a") == "b"
    assert best_of({"a": math.nan}, "a") is None


def test_the_setting_that_people_use_is_found():
    """Human scores are those of a setting, with a little noise."""
    generator = np.random.default_rng(5)
    pairings = made_up(5)
    true = pairings["setting 2"].metric
    human = true + generator.normal(0, 0.3, true.shape)
    pairings = {name: replace(each, human=human) for name, each in pairings.items()}
    for asked in COEFFICIENTS:
        found = chosen(pairings, asked)
        assert found.settings.count("setting 2") >= 0.9 * len(found.settings)
        assert found.interval.low > 0


@pytest.mark.parametrize("asked", COEFFICIENTS, ids=lambda asked: asked.level)
def test_there_is_nothing_to_gain_with_permuted_scores(asked):
    gains = simulated(permuted_scores, 8, asked, rounds=20, samples=60)
    error = gains.out_of_fold.std(ddof=1) / math.sqrt(20)
    assert abs(gains.out_of_fold.mean()) < 3.5 * error
    assert gains.covering(0.0) >= 0.8
    # Selecting and evaluating on the same data looks like a gain.
    assert gains.in_sample.mean() > 3 * error


@pytest.mark.parametrize("asked", COEFFICIENTS, ids=lambda asked: asked.level)
def test_intervals_contain_the_true_gain_of_better_settings(asked):
    gains = simulated(real_scores, 8, asked, rounds=20, samples=60)
    mean = gains.out_of_fold.mean()
    assert gains.covering(mean) >= 0.8
    assert gains.covering(mean - 0.5) < 0.5  # they are no wider than that
