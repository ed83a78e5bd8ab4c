"""Exported judgments: what was imported, and what `understudy trust` reads."""

from __future__ import annotations

import numpy as np
import pytest

import understudy
from material.shared import SHARED, needs
from understudy import export_judgments, read_judged
from understudy.corpus.error_spans import read_human_spans
from understudy.errors import BadInput, BadParameter
from understudy.judging.judgments import Judgments, Question, Rankings, Ratings

EXAMPLE = "examples/judgments.tsv"
SYSTEMS = [f"examples/system-{name}.en" for name in ("weak", "medium", "strong", "rulebased")]


def named(judgments, columns):
    """Rows by names instead of numbers."""
    names = {"judge": judgments.judges, "system": judgments.systems, "segment": judgments.segments}
    return [[names[each][place] for place in getattr(columns, each).tolist()] for each in names]


def assert_same_ratings(one, other, question):
    assert named(one, one.ratings[question]) == named(other, other.ratings[question])
    np.testing.assert_array_equal(one.ratings[question].value, other.ratings[question].value)
    np.testing.assert_array_equal(one.ratings[question].repeat, other.ratings[question].repeat)


def test_ratings_come_back(tmp_path):
    given = read_judged(EXAMPLE)
    export_judgments(given, tmp_path / "human.tsv")
    found = read_judged(str(tmp_path / "human.tsv"))
    for question in ("adequacy", "fluency"):
        assert_same_ratings(given, found, question)


def test_full_precision_and_repeats_come_back(tmp_path):
    ratings = Ratings.of([0, 0, 1], [0, 0, 0], [0, 0, 0], [1 / 3, 0.1 + 0.2, -7], repeat=[False, True, False])
    given = Judgments(
        name="x",
        protocol="ratings",
        systems=("A B",),
        judges=("ä", "ß"),
        segments=(9,),
        questions=(Question("q"),),
        ratings={"q": ratings},
    )
    export_judgments(given, tmp_path / "human.tsv")
    assert_same_ratings(given, read_judged(str(tmp_path / "human.tsv")), "q")


def test_repeated_rankings_come_back(tmp_path):
    """Hidden repeats are for self-agreement alone: they are no further judgments in the table, either."""
    rows = [(0, 0, 0, 0, 1), (0, 0, 0, 1, 2), (0, 0, 1, 0, 2), (0, 0, 1, 1, 1)]
    repeat = [False, False, True, True]
    given = Judgments(
        name="x",
        protocol="rankings",
        systems=("A", "B"),
        judges=("x",),
        segments=(9,),
        questions=(),
        ratings={},
        rankings=Rankings.of(*zip(*rows, strict=True), repeat=repeat),
    )
    (written,) = export_judgments(given, tmp_path / "out.tsv")
    assert read_judged(written).rankings.repeat.tolist() == repeat
    (tmp_path / "bad.tsv").write_text(
        "judge\tseg\tsystem\trank\ttype\nx\t1\tA\t1\tagain\nx\t1\tB\t2\tagain\n"
    )
    with pytest.raises(BadInput, match="type 'again', expected system or repeat"):
        read_judged(str(tmp_path / "bad.tsv"))


def test_rankings_come_back(tmp_path):
    text = "seg\tjudge\tsystem1\trank1\tsystem2\trank2\n5\tx\tA\t1\tB\t1\n5\tx\tB\t1\tA\t2\n"
    (tmp_path / "ranks.tsv").write_text(text)
    given = read_judged(str(tmp_path / "ranks.tsv"))
    (written,) = export_judgments(given, tmp_path / "out.tsv")
    found = read_judged(written)
    assert named(given, given.rankings) == named(found, found.rankings)
    assert (found.rankings.rank.tolist(), found.rankings.screen.tolist()) == ([1, 1, 1, 2], [0, 0, 1, 1])


def test_spans_come_back(tmp_path):
    text = (
        "system\tseg\trater\tside\tstart\tend\tcategory\tseverity\tscore\nA\t1\tx\ttarget\t0\t3\tstyle\tminor\t-0.3\n"
        "A\t1\tx\tsource\t1\t2\tstyle\tmajor\t-5\nA\t2\tx\t\t\t\t\tno-error\t\n"
    )
    (tmp_path / "spans.tsv").write_text(text)
    given = read_judged(str(tmp_path / "spans.tsv"))
    export_judgments(given, tmp_path / "out.tsv", layout="spans")
    found = read_judged(str(tmp_path / "out.tsv"))
    for name in ("start", "end", "side", "category", "severity", "penalty"):
        np.testing.assert_array_equal(getattr(given.spans, name), getattr(found.spans, name))
    assert named(given, given.spans.annotated) == named(found, found.spans.annotated)


def test_exported_spans_are_those_that_trust_reads(tmp_path):
    given = read_judged("examples/spans.tsv")
    export_judgments(given, tmp_path / "out.tsv", layout="spans")
    one, other = read_human_spans("examples/spans.tsv"), read_human_spans(tmp_path / "out.tsv")
    assert sorted(one.annotations) == sorted(other.annotations)
    assert one.left_out == other.left_out
    assert sorted(zip(one.start.tolist(), one.end.tolist(), one.major.tolist(), strict=True)) == sorted(
        zip(other.start.tolist(), other.end.tolist(), other.major.tolist(), strict=True)
    )


def test_trust_gives_the_same_digits(tmp_path):
    export_judgments(read_judged(EXAMPLE), tmp_path / "human.tsv")
    one, other = (
        understudy.trust(
            human, SYSTEMS, ["examples/reference-1.en"], measure="adequacy", samples=50
        ).to_dict()
        for human in (EXAMPLE, str(tmp_path / "human.tsv"))
    )
    assert one == other


@needs(SHARED / "data" / "wmt23.zh-en")
def test_trust_gives_the_same_digits_on_published_scores(tmp_path):
    given = SHARED / "data" / "wmt23.zh-en" / "human.mqm.raters.tsv.gz"
    written = tmp_path / "human.mqm.raters.tsv"
    export_judgments(read_judged(str(given)), written)
    one, other = understudy.read_judgments(str(given)), understudy.read_judgments(str(written))
    assert (one.systems, one.segments) == (other.systems, other.segments)
    np.testing.assert_array_equal(one.scores, other.scores)


def test_scores_for_mt_metrics_eval(tmp_path):
    given = read_judged(
        {"system": ["A", "A", "B"], "seg": [1, 1, 3], "judge": ["x", "y", "x"], "score": [1, 2, 4]}
    )
    written = export_judgments(given, tmp_path, layout="mt-metrics-eval", language_pair="en-de")
    assert [path.rsplit("/", 2)[1] for path in written] == ["human-scores", "human-scores"]
    with open(written[0], encoding="utf-8") as file:
        assert file.read() == "A\t1.5\nA\tNone\nA\tNone\nB\tNone\nB\tNone\nB\t4\n"
    assert understudy.read_judgments(written[0]).system_scores.tolist() == [1.5, 4.0]


def test_a_folder_gets_every_table(tmp_path):
    written = export_judgments(read_judged("examples/spans.tsv"), tmp_path / "all")
    assert sorted(path.rsplit("/", 1)[1] for path in written) == ["human-spans.tsv", "human.tsv"]


def test_a_layout_that_there_is_not(tmp_path):
    with pytest.raises(BadInput, match=r"judgments has no rankings\. It has ratings"):
        export_judgments(read_judged(EXAMPLE), tmp_path / "out.tsv", layout="rankings")


def test_mt_metrics_eval_needs_a_language_pair(tmp_path):
    with pytest.raises(BadParameter, match="--language-pair"):
        export_judgments(read_judged(EXAMPLE), tmp_path, layout="mt-metrics-eval")


def test_a_language_pair_is_no_path(tmp_path):
    with pytest.raises(BadParameter, match="expected letters, digits"):
        export_judgments(read_judged(EXAMPLE), tmp_path, layout="mt-metrics-eval", language_pair="../x")


def test_a_line_for_every_segment_is_not_written_for_huge_numbers(tmp_path):
    given = read_judged({"system": ["A"], "seg": [10**12], "judge": ["x"], "score": [1]})
    with pytest.raises(BadInput, match="has segment 1,000,000,000,000"):
        export_judgments(given, tmp_path, layout="mt-metrics-eval", language_pair="en-de")


def test_a_name_that_a_table_cannot_hold(tmp_path):
    given = read_judged({"system": ["A\tB"], "seg": [1], "judge": ["x"], "score": [1]})
    with pytest.raises(BadInput, match="has a tab or a line break"):
        export_judgments(given, tmp_path / "out.tsv")
    assert not (tmp_path / "out.tsv").exists()


@pytest.mark.parametrize("name", ["x.csv", "x.XLSX", "x.tsv.gz"])
def test_a_name_that_promises_another_format(tmp_path, name):
    with pytest.raises(BadParameter, match=r"expected a name that ends in \.tsv"):
        export_judgments(read_judged(EXAMPLE), tmp_path / name)


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(BadInput, match="is not a folder"):
        export_judgments(read_judged(EXAMPLE), tmp_path / "out")
