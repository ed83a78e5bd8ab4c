"""The verb trust with grids of settings, beside loops over settings."""

from __future__ import annotations

import html
import json

import numpy as np
import pytest

from material.judged_examples import EXAMPLES, JUDGMENTS, REFERENCE, SYSTEMS
from material.optional import needs_report
from material.shared import needs
from material.wmt import DATA
from understudy import BLEU, Corpus, SettingsGrid, UnderstudyError, metric, score_systems, trust
from understudy.corpus.judgments import ScoreTable, read_judgments
from understudy.corpus.segment_label_files import read_labels
from understudy.report.agreements import as_sheets, render
from understudy.report.trust_report import trust_report
from understudy.trusting.coefficients.by_name import CoefficientSpec

DOCUMENTS = EXAMPLES / "documents.tsv"
GRID = "bleu:max_order=1..3,average=geometric|arithmetic,brevity_steepness=0|1"
SEGMENT = CoefficientSpec("kendall-b", "segment", "segment")
SYSTEM = CoefficientSpec("pearson", "system")


def searched(grid=GRID, **options):
    asked = {"measure": "adequacy", "samples": 30, "documents": DOCUMENTS, **options}
    return trust(JUDGMENTS, SYSTEMS, REFERENCE, grid=grid, **asked)


def test_every_setting_has_the_coefficient_that_trust_gives_it():
    """Beside a loop over settings, each with a corpus of its own."""
    found = searched().grids
    assert [search.asked for search in found] == [SYSTEM, SEGMENT]
    for search in found:
        assert [each.spec for each in search.settings] == [
            each.spec for each in SettingsGrid.of(GRID).settings
        ]
        for each in (*search.settings, search.plain):
            alone = trust(JUDGMENTS, SYSTEMS, REFERENCE, each.spec, measure="adequacy", samples=2).metrics[0]
            value = alone.of(search.asked).value
            assert each.value == value or each.value == pytest.approx(value, rel=1e-12)
            assert each.signature == alone.signature
        assert search.best.value == pytest.approx(max(each.value for each in search.settings), rel=1e-12)
        assert sum(each.selected for each in search.settings) == len(search.parts)


@pytest.mark.parametrize("asked", [SYSTEM, SEGMENT], ids=["system", "segment"])
def test_held_out_parts_are_judged_by_settings_of_the_others(asked):
    """Beside `trust` of texts that have only the documents and systems of a part."""
    plan = {"level": asked.level, "coefficients": [asked.coefficient], "samples": 2}
    (search,) = searched(level=asked.level).grids
    assert search.systems_left_out is (asked.level == "segment")  # four systems
    labels = np.array(read_labels(DOCUMENTS)[0].labels)
    human = read_judgments(JUDGMENTS, "adequacy")
    texts = {path.name: path.read_text().splitlines() for path in SYSTEMS}
    references = REFERENCE[0].read_text().splitlines()

    def agreed(systems, chosen, spec):
        places = np.flatnonzero(chosen)
        rows = [human.systems.index(system) for system in systems]
        columns = [human.segments.index(place + 1) for place in places]
        scores = human.scores[np.ix_(rows, columns)]
        part = ScoreTable(
            "adequacy", tuple(systems), tuple(range(1, len(places) + 1)), scores, scores.mean(axis=1)
        )
        corpus = Corpus.of_texts(
            {system: [texts[system][place] for place in places] for system in systems},
            [references[place] for place in places],
        )
        return trust(part, corpus, metrics=[spec], **plan).metrics[0].of(asked).value

    for part in search.parts[:3]:
        inside = np.isin(labels, part.documents)
        others = (
            [name for name in texts if name not in part.systems] if search.systems_left_out else list(texts)
        )
        training = {each.spec: agreed(others, ~inside, each.spec) for each in search.settings}
        assert training[part.selected] == pytest.approx(max(training.values()), abs=1e-9)
        assert part.value == pytest.approx(agreed(part.systems, inside, part.selected), abs=1e-9)
        assert part.plain == pytest.approx(agreed(part.systems, inside, "bleu"), abs=1e-9)
    weights = [part.translations for part in search.parts]
    gains = [part.value - part.plain for part in search.parts]
    assert search.gain == pytest.approx(np.average(gains, weights=weights), abs=1e-9)
    assert search.optimism == pytest.approx(search.in_sample_gain - search.gain)


def test_the_setting_behind_human_scores_is_found():
    """People who judge as one setting of BLEU does, to a digit or two."""
    true = "bleu:max_order=2,average=arithmetic,brevity_steepness=0.5"
    corpus = Corpus.read(SYSTEMS, REFERENCE, documents=DOCUMENTS)
    scores = score_systems(corpus, metrics=[true]).measures[0].scores
    generator = np.random.default_rng(19)
    human = scores.scores + generator.normal(0, 0.5, scores.scores.shape)
    judged = ScoreTable("made up", scores.systems, scores.segments, human, human.mean(axis=1))
    grid = "bleu:max_order=1..6,average=geometric|arithmetic,brevity_steepness=0..2..0.5"
    (found,) = trust(judged, corpus, grid=grid, level="segment", samples=50).grids
    assert found.best.spec == true
    assert found.best.selected == max(each.selected for each in found.settings)
    assert found.interval.low > 0
    assert metric(found.best.spec) == BLEU(max_order=2, average="arithmetic", brevity_steepness=0.5)
    assert "order:2" in found.best.signature
    assert "average:arithmetic|brevity:closest|steepness:0.5" in found.best.signature


def test_several_grids_and_metrics_for_which_lower_is_better():
    found = searched(["ter:normalized=true|false", SettingsGrid.of("chrf:beta=1..3")], level="segment")
    ter, chrf = found.grids
    assert (ter.plain.spec, len(ter.settings), chrf.plain.spec, len(chrf.settings)) == ("ter", 2, "chrf", 3)
    assert ter.plain.value > 0.2  # in the direction of better
    assert len([note for note in found.notes if note.startswith("Grid ")]) == 2


def test_without_the_grid_nothing_else_changes():
    with_grid, without = searched(), searched(grid=())
    assert with_grid.metrics[0].agreed == without.metrics[0].agreed
    assert without.grids == []
    assert "grids" not in json.loads(render(without, "json"))["measures"][0]


def test_excluded_systems_are_in_no_part():
    found = searched(exclude=["system-weak.en"])
    assert {system for search in found.grids for part in search.parts for system in part.systems} == {
        path.name for path in SYSTEMS if path.name != "system-weak.en"
    }


def test_notes_say_how_much_was_tried_and_how():
    notes = searched("bleu:smooth=exp|floor,smooth_value=default|0.1").notes
    (said,) = [note for note in notes if "settings were tried" in note]
    assert "3 settings were tried and nothing else was fitted" in said
    assert "pearson at system level (6 folds of documents)" in said
    assert "kendall-b:segment at segment level (6 folds of documents × 2 groups of systems)" in said
    assert any("1 combination left out as invalid" in note for note in notes)
    assert any("Too few systems to hold out half of them: at system level" in note for note in notes)
    assert not any("Without document labels" in note for note in notes)
    assert any("Without document labels" in note for note in searched(documents=None).notes)


def test_all_formats_have_all_settings():
    found = searched(level="segment")
    (search,) = found.grids
    specs = {each.spec for each in search.settings}
    for format in ("table", "markdown"):
        text = render(found, format)
        assert all(spec.replace("_", r"\_") in text or spec in text for spec in specs)
        assert search.best.signature.split("|")[1] in text
    assert r"average=arithmetic" in render(found, "latex")
    (data,) = json.loads(render(found, "json"))["measures"][0]["grids"]
    assert [each["spec"] for each in data["settings"]] == [each.spec for each in search.settings]
    assert (data["gain"], data["optimism"], data["best"]["signature"]) == (
        *(search.gain, search.optimism, search.best.signature),
    )
    sheets = {sheet.name: sheet for sheet in as_sheets([found])}
    assert list(sheets) == ["coefficients", "settings", "held-out parts", "gains"]
    assert {row[5] for row in sheets["settings"].rows} == specs | {"bleu"}
    assert len(sheets["held-out parts"].rows) == len(search.parts)
    assert sheets["gains"].rows[0][sheets["gains"].columns.index("gain")] == search.gain
    assert "held_out" in render(found, "tsv")


@needs_report
def test_the_report_has_the_settings():
    page = html.unescape(trust_report([searched()]))
    assert 'id="settings"' in page
    assert f"Agreement of all settings of {GRID}" in page
    assert "bleu:max_order=2,average=arithmetic" in page


def test_scores_from_files_have_no_settings(tmp_path):
    scores = tmp_path / "scores.tsv"
    scores.write_text("system\tm\na\t1\nb\t2\n")
    human = tmp_path / "human.tsv"
    human.write_text("system\tscore\na\t1\nb\t2\n")
    with pytest.raises(UnderstudyError, match="a grid needs texts to score"):
        trust(human, scores=scores, grid="bleu:max_order=1|2")


# --- real data ----------------------------------------------------------------------------------------------------


@needs(DATA / "wmt23.zh-en")
def test_settings_of_wmt23():
    """Shorter n-grams and a steeper brevity penalty agree better with MQM than BLEU does, out of fold too."""
    home = DATA / "wmt23.zh-en"
    found = trust(
        home / "human.mqm.seg.tsv.gz",
        home / "systems",
        [home / "refA.txt"],
        grid="bleu:max_order=1|2|4,brevity_steepness=0..2",
        documents=read_labels(home / "docs.tsv")[1].labels,
        samples=200,
    )
    of_systems, of_segments = found.grids
    assert of_systems.best.spec == "bleu:max_order=1,brevity_steepness=2.0"
    assert of_segments.best.spec == "bleu:max_order=2,brevity_steepness=2.0"
    assert (len(of_systems.parts), of_systems.systems_left_out) == (20, True)
    for search in found.grids:
        assert search.interval.low > 0
