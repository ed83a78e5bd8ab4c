"""Human and metric scores from files of every layout, and what is said where they do not fit."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest

from material.wmt import DATA, needs_data
from reference import agreement as reference
from understudy import UnderstudyError
from understudy.corpus.judgments import read_judgments, read_metric_scores
from understudy.trusting.alignment import align
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.paired_scores import PairedScores


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


RAW_MQM = """\
system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
A\td1\t1\t1\trater1\tEine Katze\t<v>One</v> cat\tAccuracy/Mistranslation\tMajor
B\td1\t1\t1\trater1\tEine Katze\tA cat\tno-error\tno-error
"""
WEIGHTED_MQM = """\
system\tseg\trater\tside\tstart\tend\tcategory\tseverity\tscore
A\t1\trater1\ttarget\t0\t3\tfluency/grammar\tmajor\t-5
A\t1\trater1\ttarget\t4\t7\tfluency/grammar\tminor\t-1
"""


@pytest.mark.parametrize("text", [RAW_MQM, WEIGHTED_MQM])
def test_rows_of_errors_are_no_scores(tmp_path, text):
    """Not even if each error has a weight, whose mean says nothing."""
    path = written(tmp_path / "mqm.tsv", text)
    said = r"'.*mqm\.tsv' has MQM annotations, one row per error .* expected one score per segment\. Use --human-spans"
    with pytest.raises(UnderstudyError, match=said):
        read_judgments(path)


def test_a_measure_may_be_called_severity(tmp_path):
    path = written(tmp_path / "h.tsv", "system\tseg\tseverity\nA\t1\t-3\nB\t1\t-1\n")
    assert read_judgments(path).system_scores.tolist() == [-3, -1]


@pytest.mark.parametrize("name", ["human.tsv", "human.tsv.gz"])
def test_a_plain_table(tmp_path, name):
    path = written(tmp_path / name, "system\tseg\tscore\nA\t2\t-1\nA\t7\t-3.5\nB\t7\tNone\nB\t2\t0\n")
    found = read_judgments(path)
    assert (found.systems, found.segments) == (("A", "B"), (2, 7))
    assert found.scores[0].tolist() == [-1.0, -3.5]
    assert found.scores[1, 0] == 0.0
    assert math.isnan(found.scores[1, 1])
    assert found.system_scores.tolist() == [-2.25, 0.0]
    assert (found.given, found.judges) == (False, ())


def test_judges_count_once_however_often_they_judge(tmp_path):
    rows = "A\t1\t0\tann\nA\t1\t4\tann\nA\t1\t8\tbob\nA\t2\t5\tbob\nA\t2\t\tann\n"
    found = read_judgments(written(tmp_path / "h.tsv", f"System\tSegment\tScore\tRater\n{rows}"))
    assert found.scores.tolist() == [[5.0, 5.0]]  # ((0 + 4) / 2 + 8) / 2
    assert found.judges == ("ann", "bob")
    assert found.repeated == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "system\tseg\tscore\nA\t1\t2\nB\t1\t2\nA\t1\t3\n",
            "lines 2 and 4 both score system 'A', segment 1",
        ),
        ("system\tscore\nA\t2\nB\t2\nA\t3\n", "lines 2 and 4 both score system 'A'"),
    ],
)
def test_two_scores_of_nobody_are_refused(tmp_path, text, said):
    path = written(tmp_path / "h.tsv", text)
    with pytest.raises(UnderstudyError, match=said) as error:
        read_judgments(path)
    assert "Add the raters in a column 'judge'" in str(error.value)
    if "judge" not in text and "seg" in text:
        with pytest.raises(UnderstudyError, match="a metric has one score"):
            read_metric_scores(path)


def test_a_repeat_without_a_score_is_none(tmp_path):
    text = "system\tseg\tscore\nA\t1\t2\nA\t1\tNone\n"
    assert read_judgments(written(tmp_path / "h.tsv", text)).scores.tolist() == [[2.0]]


def test_scores_of_systems_and_of_several_measures(tmp_path):
    path = written(
        tmp_path / "h.tsv", "system\tmeasure\tscore\tn\nA\tmqm\t-1\t5\nA\tda\t70\t5\nB\tmqm\t-2\t5\n"
    )
    found = read_judgments(path, "mqm")
    assert (found.systems, found.segments, found.given) == (("A", "B"), (), True)
    assert found.system_scores.tolist() == [-1.0, -2.0]
    with pytest.raises(UnderstudyError, match="has the measures mqm, da, expected one"):
        read_judgments(path)
    with pytest.raises(UnderstudyError, match="Did you mean 'mqm'"):
        read_judgments(path, "mqn")
    wide = written(tmp_path / "z.tsv", "system\tseg\traw\tz\tn\nA\t1\t95\t0.5\t1\n")
    assert read_judgments(wide, "z").scores.tolist() == [[0.5]]


def test_a_row_for_every_answer_of_every_judge(tmp_path):
    """The table that holds all that judges can say: who answered which question how, of which translation."""
    rows = [
        ("A", 1, "ann", "adequacy", 4),
        ("A", 1, "ben", "adequacy", 2),
        ("A", 1, "ann", "fluency", 5),
        ("B", 1, "ann", "adequacy", 1),
        ("B", 2, "ben", "adequacy", 3),
        ("B", 2, "ben", "fluency", 2),
    ]
    text = "system\tseg\tjudge\tquestion\tscore\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)
    path = written(tmp_path / "answers.tsv", text)
    found = read_judgments(path, "adequacy")
    assert np.array_equal(found.scores, [[3.0, np.nan], [1.0, 3.0]], equal_nan=True)
    assert found.judges == ("ann", "ben")
    assert np.array_equal(
        read_judgments(path, "fluency").scores, [[5.0, np.nan], [np.nan, 2.0]], equal_nan=True
    )
    with pytest.raises(UnderstudyError, match="has the measures adequacy, fluency, expected one"):
        read_judgments(path)


def test_commas_may_separate(tmp_path):
    found = read_judgments(written(tmp_path / "h.csv", 'system,seg,score\n"a, b",1,0.5\nc,1,\n'))
    assert found.systems == ("a, b", "c")
    assert np.array_equal(found.scores, [[0.5], [np.nan]], equal_nan=True)


def test_the_layout_of_mt_metrics_eval(tmp_path):
    written(tmp_path / "human-scores/en-de.mqm.seg.score", "A\t-1\nA\tNone\nB -2\nB\t-4\n")
    written(tmp_path / "human-scores/en-de.mqm.sys.score", "A\t-1\nB\tNone\n")
    written(tmp_path / "human-scores/en-zh.mqm.sys.score", "A\t-1\n")
    written(tmp_path / "metric-scores/en-de/BLEU-refA.seg.score", "A\t10\nA\t20\nB\t30\nB\t40\n")
    written(tmp_path / "metric-scores/en-de/BLEU-refA.sys.score", "A\t16\nB\t36\n")
    written(tmp_path / "metric-scores/en-de/COMET-src.sys.score", "A\t0.5\nB\t0.6\n")
    human = read_judgments(tmp_path / "human-scores/en-de.mqm.seg.score")
    metrics = read_metric_scores(tmp_path / "metric-scores/en-de")
    assert human.name == "mqm"
    assert np.array_equal(human.scores, [[-1.0, np.nan], [-2.0, -4.0]], equal_nan=True)
    assert np.array_equal(human.system_scores, [-1.0, np.nan], equal_nan=True)
    assert sorted(metrics) == ["BLEU-refA", "COMET-src"]
    assert metrics["BLEU-refA"].system_scores.tolist() == [16.0, 36.0]
    assert metrics["COMET-src"].segments == ()
    matched = align(human, metrics)
    assert matched.unmatched == ()
    assert matched.pairings["COMET-src"].metric is None
    again = read_judgments(tmp_path / "human-scores/en-de.mqm.sys.score", "mqm")
    assert np.array_equal(again.scores, human.scores, equal_nan=True)
    assert list(read_metric_scores(f"{tmp_path}/metric-scores/en-de:COMET-src")) == ["COMET-src"]
    alone = read_metric_scores(tmp_path / "metric-scores/en-de/COMET-src.sys.score")
    assert alone["COMET-src"].system_scores.tolist() == [0.5, 0.6]
    with pytest.raises(UnderstudyError, match=r"unknown metric 'COMET-scr'\. Did you mean 'COMET-src'"):
        read_metric_scores(f"{tmp_path}/metric-scores/en-de:COMET-scr")
    with pytest.raises(UnderstudyError, match="unknown measure 'mqn'"):
        read_judgments(tmp_path / "human-scores/en-de.mqm.seg.score", "mqn")
    with pytest.raises(UnderstudyError, match=r"is a folder, .* e.g. '.*human-scores/en-de.mqm.seg.score'"):
        read_judgments(tmp_path)
    with pytest.raises(UnderstudyError, match=r"contains no mt-metrics-eval score files, NAME\.seg\.score"):
        read_metric_scores(tmp_path / "metric-scores")
    with pytest.raises(UnderstudyError, match="no such file"):
        read_judgments(tmp_path / "human-scores/en-de.da.seg.score")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("system\tseg\tscore\n", "has a header and no scores"),
        ("sys\tseg\tscore\nA\t1\t2\n", "line 1: columns sys, seg, score"),
        ("system\tseg\n A\t1\n", "line 1: no score column"),
        ("system\tseg\tscore\nA\t1\n", "line 2: 2 columns, expected 3"),
        ("system\tseg\tscore\nA\t1\t2\nA\tx\t2\n", "line 3: segment 'x'"),
        ("system\tseg\tscore\nA\t0\t2\n", "at least 1. Add 1 to every segment number."),
        ("system\tseg\tscore\nA\t99999999999999999999\t2\n", "line 2: segment '99999999999999999999'"),
        ("system\tseg\tscore\n\t1\t2\n", "line 2: no system name"),
        ("system\tseg\tscore\nA\t1\tgood\n", "line 2: score 'good'"),
        ("system\tseg\tscore\nA\t1\tinf\n", "line 2: score 'inf'"),
        ("system\tseg\tscore\nA\t1\t1_0\n", "line 2: score '1_0', expected a number"),
        (
            "system\tseg\tscore\nA\t1\t2e300\n",
            "line 2: score '2e300', expected an absolute value of at most 1e+100",
        ),
        ("system\tseg\tscore\nA\t1\t2e-300\nA\t2\t1e-300\n", "differ by at most 1e-300"),
        ("system\tseg\tscore\nA\t1\tnan\nA\t2\t\n", "all 2 values are missing"),
        ("A\t1\nA\t2\nB\t1\n", "'B' has 1 scores, 'A' has 2"),
        ("A\t1\nB\n", "line 2: 1 column, expected 2"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(tmp_path, text, said):
    path = written(tmp_path / "h.tsv", text)
    for read in (read_judgments, read_metric_scores):
        with pytest.raises(UnderstudyError) as error:
            read(path)
        assert said in str(error.value)
        assert "h.tsv" in str(error.value)
        assert "\n" not in str(error.value)


@needs_data
def test_the_published_judgments_have_the_published_means():
    for folder in ("wmt21.en-de", "wmt23.zh-en"):
        by_segment = read_judgments(DATA / folder / "human.mqm.seg.tsv.gz")
        of_systems = read_judgments(DATA / folder / "human.sys.tsv", "mqm")
        published = dict(zip(of_systems.systems, of_systems.system_scores, strict=True))
        assert sorted(by_segment.systems) == sorted(published)
        for system, score in zip(by_segment.systems, by_segment.system_scores, strict=True):
            assert abs(score - published[system]) < 5e-7


@needs_data
def test_published_metrics_beside_published_judgments():
    """Against scipy, on all segments and systems that have both."""
    from scipy import stats

    human = read_judgments(DATA / "wmt23.zh-en" / "human.mqm.seg.tsv.gz")
    matched = align(human, read_metric_scores(DATA / "wmt23.zh-en" / "auto.seg.tsv.gz"))
    assert len(matched.systems) == 15
    assert str(matched.unmatched[0]).startswith(
        "refA has human scores but no BLEU-refA scores; excluded. "
        "synthetic_ref has BLEU-refA scores but no human scores; excluded. "
    )
    pairing = matched.pairings["BERTscore-refA"]
    known = ~np.isnan(pairing.human) & ~np.isnan(pairing.metric)
    h, m = pairing.human[known], pairing.metric[known]
    assert len(h) == 15 * 1177
    for name, peer in (
        ("pearson", stats.pearsonr(h, m).statistic),
        ("spearman", stats.spearmanr(h, m).statistic),
        ("kendall-b", stats.kendalltau(h, m).statistic),
        ("kendall-c", stats.kendalltau(h, m, variant="c").statistic),
    ):
        assert abs(agreement(pairing, CoefficientSpec(name, "segment")).value - float(peer)) < 1e-9


@needs_data
def test_raters_are_read():
    path = DATA / "wmt23.zh-en" / "human.mqm.raters.tsv.gz"
    found = read_judgments(path)
    assert len(found.judges) == 8
    official = read_judgments(DATA / "wmt23.zh-en" / "human.mqm.seg.tsv.gz")
    rows = [found.systems.index(system) for system in official.systems]
    columns = [found.segments.index(segment) for segment in official.segments]
    same = np.abs(found.scores[np.ix_(rows, columns)] - official.scores) < 1e-6
    assert (
        same.sum() >= 18_541
    )  # of 18,832: the publisher's conversion lost a few ratings, as the data's README says


@needs_data
@pytest.mark.parametrize("metric", ["BLEU-refA", "BERTscore-refA"])
def test_a_part_of_the_published_scores_beside_the_definitions(metric):
    human = read_judgments(DATA / "wmt23.zh-en" / "human.mqm.seg.tsv.gz")
    whole = align(human, read_metric_scores(DATA / "wmt23.zh-en" / "auto.seg.tsv.gz")).pairings[metric]
    part = (slice(0, 15, 2), slice(0, 24))  # some of these segments were not judged
    pairing = PairedScores(whole.systems[part[0]], whole.human[part], whole.metric[part])
    human_scores, metric_scores = (
        [[None if math.isnan(score) else score for score in row] for row in matrix.tolist()]
        for matrix in (pairing.human, pairing.metric)
    )
    groups = reference.groups(human_scores, metric_scores, "segment")
    for name, level, expected in (
        ("acc-eq", "segment", reference.best_ties(groups)[0]),
        ("kendall-wmt12", "segment", reference.kendall_like(human_scores, metric_scores, "wmt12")),
        ("kendall-wmt13", "segment", reference.kendall_like(human_scores, metric_scores, "wmt13")),
        ("kendall-wmt14", "segment", reference.kendall_like(human_scores, metric_scores, "wmt14")),
        ("kendall-b", "segment", reference.mean_over_groups(groups, reference.tau_b)),
        ("kendall-c", "segment", reference.mean_over_groups(groups, reference.tau_c)),
        ("pdp", "segment", reference.difference_pearson(human_scores, metric_scores)),
    ):
        assert abs(agreement(pairing, CoefficientSpec(name, level, "segment")).value - expected) < 1e-9, name


def test_means_of_the_same_scores_tie_whatever_their_order(tmp_path):
    """(0.1 + 0.2) + 0.3 is not (0.3 + 0.2) + 0.1 in floating point."""
    scores = {"A": (0.1, 0.2, 0.3), "B": (0.3, 0.2, 0.1), "C": (0.2, 0.2, 0.2)}
    rows = [
        f"{system}\t1\tj{judge}\t{score}"
        for system, given in scores.items()
        for judge, score in enumerate(given)
    ]
    file = tmp_path / "human.tsv"
    file.write_text("\n".join(["system\tseg\tjudge\tscore", *rows]) + "\n")
    assert len(set(read_judgments(file).scores.ravel().tolist())) == 1


def test_a_rater_without_a_name_among_others_is_refused(tmp_path):
    rows = "system\tseg\tscore\trater\nA\t1\t2\tann\nA\t1\t2\t\n"
    with pytest.raises(UnderstudyError, match="line 3: no rater, but other lines have one"):
        read_judgments(written(tmp_path / "h.tsv", rows))
