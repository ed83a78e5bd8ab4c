"""Grids of settings: what they stand for, what is refused, and that settings are counted once."""

from __future__ import annotations

import numpy as np
import pytest

from material.judged_examples import EXAMPLES, REFERENCE, SYSTEMS
from understudy import BLEU, CHRF, Corpus, SettingsGrid, metric
from understudy.errors import BadParameter, WrongType
from understudy.scoring import shared_counts
from understudy.scoring.counted_systems import count_systems
from understudy.scoring.run import chosen_metrics
from understudy.scoring.shared_counts import count_settings
from understudy.trusting.grids.settings import MOST_SETTINGS


def specs(text):
    return [each.spec for each in SettingsGrid.of(text).settings]


def test_ranges_and_alternatives_are_combined():
    grid = SettingsGrid.of("bleu:max_order=1..3,average=geometric|arithmetic")
    assert grid.settings == tuple(
        BLEU(max_order=order, average=average)
        for order in (1, 2, 3)
        for average in ("geometric", "arithmetic")
    )
    assert grid.plain == BLEU()
    assert grid.metrics == (*grid.settings, BLEU())


def test_ranges_with_a_step_are_exact():
    settings = SettingsGrid.of("bleu:brevity-steepness=0..0.3..0.1").settings
    assert settings == tuple(BLEU(brevity_steepness=value) for value in (0, 0.1, 0.2, 0.3))
    assert specs("chrf:beta=1|2..6..2") == ["chrf:beta=1.0", "chrf", "chrf:beta=4.0", "chrf:beta=6.0"]


def test_what_does_not_vary_belongs_to_the_plain_metric():
    assert SettingsGrid.of("bleu:lowercase=true,max_order=2|3").plain == BLEU(lowercase=True)
    assert SettingsGrid.of("bleu:mteval-v13a,max_order=2|3").plain == metric("bleu:mteval-v13a")
    grid = SettingsGrid.of("bleu:sacrebleu|mteval-v13a")
    assert (grid.plain, grid.settings) == (BLEU(), (BLEU(), metric("bleu:mteval-v13a")))
    assert SettingsGrid.of("chrf++:beta=1|2").plain == CHRF(word_order=2)


def test_a_language_applies_to_all_settings():
    grid = SettingsGrid.of("bleu:max_order=1|2", lambda given: chosen_metrics(given, "zh"))
    assert {getattr(each, "tokenize", None) for each in grid.metrics} == {"zh"}


def test_values_may_have_bars_and_commas():
    assert specs(r"pos-bleu:separator=\||_") == ["pos-bleu:separator=|", "pos-bleu:separator=_"]


def test_settings_that_are_the_same_are_one():
    assert specs("bleu:max_order=4|4|3") == ["bleu", "bleu:max_order=3"]


def test_parameters_that_exclude_each_other_are_counted():
    grid = SettingsGrid.of("bleu:smooth=exp|floor,smooth_value=default|0.1|0.5")
    assert [each.spec for each in grid.settings] == [
        *("bleu", "bleu:smooth=floor"),
        *("bleu:smooth=floor,smooth_value=0.1", "bleu:smooth=floor,smooth_value=0.5"),
    ]
    assert (grid.invalid, grid.reason) == (
        2,
        "bleu: smooth_value=0.1: smoothing method 'exp' has no parameter.",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue:max_order=1..6", "unknown metric 'blue'. Did you mean 'bleu'"),
        ("bleu:max_ordr=1..6", "unknown parameter 'max_ordr'. Did you mean 'max_order'"),
        ("bleu:average=geometric|", "'average=geometric|' has an empty alternative"),
        ("bleu:average=|geometric", "'average=|geometric' has an empty alternative"),
        ("bleu:max_order=", "'max_order=' has an empty alternative"),
        ("bleu:average=geometric|harmonic", "average='harmonic': expected geometric, arithmetic"),
        ("bleu:max_order=0..3", "max_order=0: expected an integer from 1 to 100"),
        ("bleu:max_order=6..1", "the range 6..1 is empty"),
        ("bleu:max_order=1..", "'1..' is not a range"),
        ("bleu:brevity_steepness=0..1e3..10|7", "'0..1e3..10' is not a range"),
        ("bleu:brevity_steepness=0..1..0", "the range 0..1..0 is empty"),
        ("bleu:brevity_steepness=0..1.5", "the range 0..1.5 needs a step, such as 0..1.5..0.25"),
        ("bleu:max_order=1..2,max_order=3..4", "'max_order' is set twice"),
        ("bleu", "grid 'bleu' has a single setting"),
        ("bleu:max_order=4", "has a single setting"),
        ("bleu:max_order=4|4", "has a single setting, bleu, several times"),
        (
            "bleu:max_order=1..100,smooth_value=1..100",
            "has 10,000 settings, expected at most 1,000. Vary fewer",
        ),
        ("bleu:max_order=1..999999999999", "has 999,999,999,999 settings"),
        ("all:max_order=1..2", "'all' is the default panel"),
    ],
)
def test_grids_that_are_refused(text, message):
    with pytest.raises(BadParameter) as error:
        SettingsGrid.of(text)
    assert message in str(error.value)


def test_a_grid_is_text():
    with pytest.raises(WrongType, match="grid: got int, expected a string"):
        SettingsGrid.of(5)  # type: ignore[arg-type]


def test_the_limit_is_allowed():
    orders, values = 10, MOST_SETTINGS // 10
    text = f"bleu:max_order=1..{orders},smooth=floor,smooth_value=1..{values}"
    assert len(SettingsGrid.of(text).settings) == MOST_SETTINGS


# --- counts ------------------------------------------------------------------------------------------------------

BOTH = [*REFERENCE, EXAMPLES / "reference-2.en"]


@pytest.mark.parametrize("references", [REFERENCE, BOTH], ids=["one reference", "two references"])
@pytest.mark.parametrize(
    "text",
    [
        "bleu:max_order=1..3,smooth=exp|chen-cherry-5|chen-cherry-6|add-k,empty_order=zero|one|count-one",
        "bleu:average=geometric|arithmetic,brevity=closest|shortest|average,brevity_steepness=0..1..0.5,lowercase=true|false",
        "chrf:beta=1|3,char_order=2|6,word_order=0|2,average=effective|eps",
        "self-bleu:max_order=1|2,average=geometric|arithmetic",
        "ter:normalized=true|false",
        "nist:max_order=3..5",
    ],
)
def test_shared_counts_are_those_of_each_setting(text, references):
    settings = SettingsGrid.of(text).metrics
    shared = count_settings(Corpus.read(SYSTEMS[:2], references), settings)
    alone = count_systems(Corpus.read(SYSTEMS[:2], references), metrics=settings).evidence
    for one, other in zip(shared, alone, strict=True):
        assert one.metric == other.metric
        assert one.counts.tolist() == other.counts.tolist()
        assert (one.template.columns, one.template.spec, one.template.references) == (
            *(other.template.columns, other.template.spec, other.template.references),
        )
        assert np.array_equal(one.segment_scores, other.segment_scores)
        assert np.array_equal(one.scores, other.scores)


def test_settings_that_count_alike_are_counted_once(monkeypatch):
    counted = []

    def count(corpus, *, metrics, **options):
        counted.extend(metrics)
        return count_systems(corpus, metrics=metrics, **options)

    monkeypatch.setattr(shared_counts, "count_systems", count)
    settings = SettingsGrid.of(
        "bleu:max_order=1..6,average=geometric|arithmetic,smooth=exp|add-k|chen-cherry-5,brevity_steepness=0..2"
    ).settings
    count_settings(Corpus.read(SYSTEMS[:2], BOTH), settings)
    assert counted == [BLEU(max_order=7)]  # one more than the highest, for the smoothing
    counted.clear()
    betas = SettingsGrid.of("chrf:beta=1|2|3,char_order=3|6").settings
    count_settings(Corpus.read(SYSTEMS[:2], BOTH), betas)
    assert len(counted) == 6  # the best reference depends on the setting
    counted.clear()
    count_settings(Corpus.read(SYSTEMS[:2], REFERENCE), betas)
    assert counted == [CHRF()]


def test_a_metric_that_counts_in_its_own_way_shares_nothing():
    class Doubled(BLEU):
        def count(self, hypotheses, references, threads):
            return 2 * super().count(hypotheses, references, threads)

    doubled = Doubled(average="arithmetic")
    assert doubled.for_counting() is doubled
