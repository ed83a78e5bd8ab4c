"""`compare`: from files, or from the scores of other tools, to a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from material.optional import needs_packages
from understudy import BLEU, UnderstudyError, score
from understudy.breakdown.run import break_down
from understudy.choices import COMPARE_TESTS
from understudy.comparing.plan import Plan
from understudy.comparing.run import compare, compare_scores
from understudy.corpus.judgments import read_metric_scores
from understudy.corpus.score_files import read_segment_scores
from understudy.studies.references_study import study_references
from understudy.trusting.metric_scores import score_systems

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")}
REFERENCE = [EXAMPLES / "reference-1.en"]


@pytest.mark.parametrize("test", [test for test in COMPARE_TESTS if test != "multeval"])
def test_every_test_ranks_the_examples(test: str) -> None:
    found = compare(FILES, REFERENCE, ["bleu", "ter"], test=test, all_pairs=True, samples=200)
    for metric in found.metrics:
        assert metric.clusters == [["strong"], ["medium"], ["rulebased"], ["weak"]]
        assert f"|test:{test}" in metric.signature
    assert len(found.pairs) == 12
    again = compare(FILES, REFERENCE, ["bleu", "ter"], test=test, all_pairs=True, samples=200)
    assert [pair.p_value for pair in again.pairs] == [pair.p_value for pair in found.pairs]


def test_scores_are_those_of_score() -> None:
    found = compare(FILES, REFERENCE)
    expected = BLEU().corpus(
        FILES["weak"].read_text(encoding="utf-8").splitlines(),
        REFERENCE[0].read_text(encoding="utf-8").splitlines(),
    )
    assert found.metrics[0].systems[-1].score == expected.value
    assert "is better than" in str(found)


@needs_packages("pandas")
def test_pairs_are_a_data_frame() -> None:
    assert list(compare(FILES, REFERENCE).to_frame()["first"]) == ["medium", "rulebased", "weak"]


def test_runs_of_one_system_are_one_system() -> None:
    found = compare({"new": [FILES["strong"], FILES["medium"]], "old": FILES["weak"]}, REFERENCE)
    new, old = found.metrics[0].systems
    assert new.score == pytest.approx(sum(new.run_scores) / 2)
    assert new.run_deviation == pytest.approx(abs(new.run_scores[0] - new.run_scores[1]) / 2**0.5)
    assert old.run_deviation is None


def test_files_of_one_name_are_told_apart_as_score_does(tmp_path: Path) -> None:
    files = []
    for name in ("strong", "weak"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "out.txt")
        files[-1].write_bytes(FILES[name].read_bytes())
    names = [system.name for system in score(files, REFERENCE).systems]
    assert names == list(map(str, files))
    found = compare(files, REFERENCE)
    assert [system.name for system in found.metrics[0].systems] == names
    assert found.pairs[0].better == names[0]
    named = compare([("out", files[0]), files[1]], REFERENCE)
    assert [system.name for system in named.metrics[0].systems] == ["out", names[1]]
    assert list(break_down(files, REFERENCE).segments[0].outputs) == names
    (study,) = study_references(files, [*REFERENCE, EXAMPLES / "reference-2.en"], draws=1)
    assert list(study.steps[0].scores) == names
    assert [measure.scores.systems for measure in score_systems(files, REFERENCE).measures] == [tuple(names)]
    with pytest.raises(UnderstudyError, match="is given twice"):
        compare([files[0], files[0]], REFERENCE)
    with pytest.raises(UnderstudyError, match="two systems are named 'a'"):
        compare([("a", files[0]), ("a", files[1])], REFERENCE)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"test": "bootstrp"}, "Did you mean 'bootstrap'"),
        ({"baseline": "stong"}, "Did you mean 'strong'"),
        ({"baseline": "waek", "all_pairs": True}, "Did you mean 'weak'"),
        ({"samples": 0}, "at least 1"),
        ({"level": "segment"}, "corpus or mean"),
        ({"interval": "normal"}, "percentile, bca"),
        ({"correct": "bonferroni"}, "holm, bh, none"),
        ({"test": "blocks", "blocks": 61}, "61 blocks of 60 segments"),
    ],
)
def test_plans_without_sense_are_refused(settings: dict, said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        compare(FILES, REFERENCE, **settings)


# --- score files ------------------------------------------------------------------------------------------

LONG = "system\tsegment\tmetric\tvalue\na\t1\tm\t0.5\na\t2\tm\t0.25\nb\t2\tm\t0.5\nb\t1\tm\t0.75\n"
WIDE = "segment\ta\tb\n1\t0.5\t0.75\n2\t0.25\t0.5\n"
BY_METRIC = (
    "system\tseg\tm\tz\tn_segments\na\t1\t0.5\t1\t9\na\t2\t0.25\t0\t9\nb\t2\t0.5\t0\t9\nb\t1\t0.75\t1\t9\n"
)
HEADLESS = "a\t0.5\na\t0.25\nb\t0.75\nb\t0.5\n"
UNNUMBERED = "system\tvalue\na\t0.5\nb\t0.75\nb\t0.5\na\t0.25\n"
GAPS = "segment\ta\tb\tc\n1\t0.5\t0.75\tNone\n2\t0.25\t0.5\tNone\n7\tNone\tnan\t\n"


@pytest.mark.parametrize(
    ("name", "text", "metric"),
    [
        ("scores.tsv", LONG, "m"),
        ("scores.csv", LONG.replace("\t", ","), "m"),
        ("scores.tsv", BY_METRIC, "m"),
        ("scores.tsv:m", BY_METRIC, "m"),
        ("comet.v2.tsv", WIDE, "comet.v2"),
        ("comet.v2.tsv", GAPS, "comet.v2"),
        ("comet.v2.tsv", HEADLESS, "comet.v2"),
        ("comet.v2.tsv", UNNUMBERED, "comet.v2"),
        ("comet.seg.score", HEADLESS.replace("\t", " ") + "c None\nc None\n", "comet"),
        ("en-de/comet.seg.score", HEADLESS, "comet"),
        ("en-de", "", "comet"),
    ],
)
def test_score_files_of_every_layout(tmp_path: Path, name: str, text: str, metric: str) -> None:
    (tmp_path / "en-de").mkdir()
    (tmp_path / "en-de" / "comet.seg.score").write_text(HEADLESS, encoding="utf-8")
    (tmp_path / "en-de" / "comet.sys.score").write_text("a\t7\nb\t8\n", encoding="utf-8")
    path = tmp_path / name
    if text:
        (tmp_path / name.partition(":")[0]).write_text(text, encoding="utf-8")
    scores = read_segment_scores(path)
    assert list(scores) == ([metric, "z"] if text == BY_METRIC and ":" not in name else [metric])
    assert {system: column.tolist() for system, column in scores[metric].items()} == {
        "a": [0.5, 0.25],
        "b": [0.75, 0.5],
    }
    assert list(read_metric_scores(path)) == list(scores)  # `trust` reads the same
    pair = compare_scores(scores, test="ttest").pairs[0]
    assert (pair.first, pair.difference, pair.better) == ("b", 0.25, "b")
    assert compare_scores(scores, test="ttest", lower_is_better=[metric]).pairs[0].better == "a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("system\tsegment\na\t1\n", "no score column, expected 'score'"),
        ("system\tsegment\tn_segments\na\t1\t9\n", "no score column, expected 'score'"),
        ("a\tb\n", "has a header and no scores"),
        (LONG + "b\t1\tm\t1\n", "lines 5 and 6 both score system 'b', segment 1"),
        (WIDE + "2\t1\t1\n", "lines 3 and 4 both score system 'a', segment 2"),
        (LONG + "b\t3\tm\t1\n", "segment 3 has a m score for some systems only, and none for 'a'"),
        (HEADLESS + "b\t1\n", "'a' has 2 scores, 'b' has 3"),
        (UNNUMBERED + "b\t1\n", "'a' has 2 scores, 'b' has 3"),
        (LONG + "b\t3\tm\n", "line 6: 3 columns, expected 4"),
        (LONG + "b\tx\tm\t1\n", "line 6: segment 'x'"),
        (LONG + "b\t0\tm\t1\n", "line 6: segment '0', expected an integer of at least 1"),
        ("a\ta\n1\t2\n", "two columns 'a'"),
        ("system\tseg\tm\tm\na\t1\t2\t3\n", "two columns 'm'"),
        (WIDE + "3\tnan\t1\n", "segment 3 has a scores score for some systems only, and none for 'a'"),
        (WIDE + "3\t\t1\n", "segment 3 has a scores score for some systems only, and none for 'a'"),
        (WIDE + "3\tgood\t1\n", "line 4: score 'good'"),
        (WIDE + "3\tinf\t1\n", "line 4: score 'inf'"),
        (WIDE + "3\t1_0\t1\n", "line 4: score '1_0', expected a number"),
        ("a\t1\nb\t2\n", "has no scores segment scores"),
        ("base\t2021\n0.5\t0.6\n", "line 1, 'base' and '2021', may be a header or scores"),
        ("system\tseg\tvalue\tscore\na\t1\t2\t3\n", "'value' and 'score' have the same meaning"),
        ("system\tseg\tsegment\tscore\na\t1\t2\t3\n", "'seg' and 'segment' have the same meaning"),
        ("system\tseg\tmetric\tx\ty\na\t1\tm\t2\t3\n", "'metric' and the columns 'x', 'y'"),
        ("name\tscore\na\t1\n", "line 1: columns name, score, expected a header with 'system'"),
    ],
)
def test_score_files_that_cannot_be_meant_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnderstudyError, match=said) as caught:
        read_segment_scores(path)
    assert "scores.tsv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_equal_systems_have_p_1_and_it_is_said() -> None:
    found = compare({"a": FILES["weak"], "b": FILES["weak"]}, REFERENCE, samples=50)
    assert str(found) == "b and a have the same BLEU in every resample (p = 1)."


def test_one_segment_says_nothing_of_others(tmp_path: Path) -> None:
    texts = {
        "a": "the cat sat on the mat",
        "b": "the dog sat on the mat",
        "reference": "the cat sat on the mat now",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    found = compare({name: tmp_path / name for name in "ab"}, [tmp_path / "reference"], ["chrf"], samples=50)
    assert found.pairs[0].p_value == 1
    assert found.cautions == ["Only one segment: variance across segments cannot be estimated."]
    assert "Minimum detectable difference" not in str(found)


def test_small_differences_of_small_scores_are_seen_in_words(tmp_path: Path) -> None:
    path = tmp_path / "comet.tsv"
    path.write_text("a\tb\n0.81\t0.8123\n0.82\t0.8223\n0.83\t0.8323\n", encoding="utf-8")
    found = compare_scores(read_segment_scores(path), test="ttest")
    assert "by 0.0023 comet (95% CI 0.0023 to 0.0023" in str(found)


def test_there_are_samples_enough_for_the_number_of_pairs() -> None:
    """Of n samples p is at least 1 / (n + 1), and Holm multiplies it by the number of pairs."""
    assert Plan(test="bootstrap", correct="bh").drawn(pairs=190) == 1000
    assert Plan(test="ttest").drawn(pairs=190) is None
    found = compare(FILES, REFERENCE, all_pairs=True, samples=100)
    assert not any(pair.significant for pair in found.pairs)
    assert found.cautions[-1] == (
        "With 100 resamples and 6 pairs, no difference can be significant at 0.05. Use at least 119 resamples."
    )
    enough = compare(FILES, REFERENCE, all_pairs=True, samples=119)
    assert len(enough.cautions) == 1  # that the segments are few
    # p is the level itself: a difference is real where p is no larger.
    at_the_level = [pair.corrected for pair in enough.pairs if pair.significant]
    assert at_the_level
    assert at_the_level == pytest.approx([0.05] * len(at_the_level), abs=1e-15)
