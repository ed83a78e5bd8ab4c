"""Error spans beside people's: against a count of every character, WMT's own scorer, and input that makes no sense."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.wmt import DATA, needs_data
from understudy import UnderstudyError, span_agreement
from understudy.corpus.error_spans import read_human_spans, read_predicted_spans
from understudy.report.spans import render

EXAMPLES = Path(__file__).parents[2] / "examples"
HEADER = "system\tseg\trater\tstart\tend\tseverity\n"

Span = tuple[int, int, str]  # start, end, severity
LENGTH = 12


def written(folder: Path, name: str, rows: list[tuple[object, ...]]) -> Path:
    """Rows of system, segment, rater, start, end and severity."""
    path = folder / name
    path.write_text(HEADER + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


def rows_of(annotations: dict[tuple[str, int, str], list[Span]]) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for key, spans in annotations.items():
        found += [(*key, *span) for span in spans] or [(*key, "", "", "no-error")]
    return found


# --- character by character ---------------------------------------------------------------------------------


def plain_counts(human: list[Span], predicted: list[Span], credit: float) -> tuple[float, int, int]:
    """What is right, how much is predicted and how much is there, as the task of WMT25 defines it."""
    right, marked, there = 0.0, 0, 0
    for place in range(LENGTH):
        one, other = (
            Counter(severity for start, end, severity in spans if start <= place < end)
            for spans in (human, predicted)
        )
        same = one & other
        right += same.total() + credit * min((one - same).total(), (other - same).total())
        marked, there = marked + other.total(), there + one.total()
    return right, marked, there


def plain_scores(right: float, marked: float, there: float) -> tuple[float, float, float]:
    precision, recall = right / marked if marked else 1.0, right / there if there else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def only(spans: list[Span], severity: str) -> list[Span]:
    return [span for span in spans if span[2] == severity]


def as_minor(spans: list[Span]) -> list[Span]:
    return [(start, end, "minor") for start, end, _ in spans]


SPAN = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH), st.sampled_from(["minor", "major"])).map(
    lambda drawn: (min(drawn[:2]), max(drawn[:2]), drawn[2])
)
SPANS = st.lists(SPAN, max_size=4)
TRANSLATION = st.tuples(st.lists(SPANS, min_size=1, max_size=3), SPANS)  # of raters, and predicted


@settings(max_examples=60, deadline=None)
@given(drawn=st.lists(TRANSLATION, min_size=1, max_size=4), credit=st.sampled_from([0.0, 0.5, 1.0]))
def test_every_character_is_counted(tmp_path_factory, drawn, credit):
    """Spans that overlap, are empty or the same, of several raters."""
    folder = tmp_path_factory.mktemp("spans")
    human = {
        ("s", number, f"r{rater}"): spans
        for number, (raters, _) in enumerate(drawn, start=1)
        for rater, spans in enumerate(raters)
    }
    predicted = {("s", number, ""): spans for number, (_, spans) in enumerate(drawn, start=1)}
    found = span_agreement(
        written(folder, "h.tsv", rows_of(human)),
        written(folder, "p.tsv", rows_of(predicted)),
        severity_credit=credit,
        samples=2,
    ).predictors[0]
    views = {
        "all": (lambda spans: spans, credit),
        "place": (as_minor, 1.0),
        "major": (lambda spans: only(spans, "major"), credit),
        "minor": (lambda spans: only(spans, "minor"), credit),
    }
    for kind, (view, own_credit) in views.items():
        of_raters = [
            [plain_counts(view(spans), view(predicted), own_credit) for spans in raters]
            for raters, predicted in drawn
        ]
        micro = plain_scores(*(sum(mean(one[i] for one in each) for each in of_raters) for i in range(3)))
        macro = [mean(mean(plain_scores(*one)[i] for one in each) for each in of_raters) for i in range(3)]
        for place, measure in enumerate(("precision", "recall", "f1")):
            assert found.of(measure, kind, "micro").value == pytest.approx(micro[place], abs=1e-12)
            assert found.of(measure, kind, "macro").value == pytest.approx(macro[place], abs=1e-12)


def test_major_errors_that_are_found_as_anything(tmp_path):
    human = written(tmp_path, "h.tsv", rows_of({("s", 1, ""): [(0, 4, "major"), (6, 8, "minor")]}))
    predicted = written(tmp_path, "p.tsv", rows_of({("s", 1, ""): [(2, 7, "minor")]}))
    found = span_agreement(human, predicted, samples=2).predictors[0]
    assert found.of("recall", "major-found").value == 0.5
    assert found.of("recall", "major").value == 0.0
    assert math.isnan(found.of("precision", "major-found").value)


def test_one_rater_is_every_rater_beside_every_other(tmp_path):
    """On the translations that several annotated. Each is in turn the one and the other: precision is recall."""
    spans = {"a": [(0, 4, "major")], "b": [(2, 6, "major")], "c": [(2, 4, "minor"), (8, 9, "minor")]}
    alone = {("s", 2, "a"): [(0, 1, "minor")]}
    human = written(
        tmp_path, "h.tsv", rows_of({("s", 1, rater): own for rater, own in spans.items()} | alone)
    )
    found = span_agreement(human, samples=2).one_rater
    assert found is not None
    pairs = [plain_counts(spans[one], spans[other], 0.5) for one in spans for other in spans if one != other]
    expected = plain_scores(*(sum(pair[i] for pair in pairs) for i in range(3)))
    assert [found.of(measure).value for measure in ("precision", "recall", "f1")] == pytest.approx(expected)
    assert found.translations == 1
    predicted = written(tmp_path, "p.tsv", rows_of({("s", 1, ""): [(0, 6, "major")], ("s", 2, ""): []}))
    both = span_agreement(human, predicted, samples=2)
    assert [each.translations for each in (*both.predictors, *both.alike)] == [2, 1]
    counts = [plain_counts(own, [(0, 6, "major")], 0.5) for own in spans.values()]
    expected = plain_scores(*(sum(pair[i] for pair in counts) for i in range(3)))
    assert both.alike[0].of("f1").value == pytest.approx(expected[2])


def table(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in gzip.decompress(path.read_bytes()).decode().split("\n")[1:-1]]


@needs_data
@pytest.mark.parametrize(
    ("people", "prediction", "credit", "expected"),
    [
        ("rater1", "rater2", 0.5, (0.20966514459665145, 0.4868814573137575, 0.2931090923970865)),
        ("rater3", "rater8", 0.5, (0.5138626040878123, 0.2894259979747375, 0.3702908185878422)),
        ("rater6", "rater4", 0.5, (0.4945292147376256, 0.43997086285676446, 0.46565741519484155)),
        ("rater6", "rater4", 1.0, (0.5494603647190175, 0.488841798556387, 0.517381553125876)),
    ],
)
def test_the_scorer_of_wmt25(tmp_path, people, prediction, credit, expected):
    """get_char_f1(lengths, errors_gold, errors_pred, partial_credit) of the task's scoring script (github:
    wmt-conference/wmt25-mteval @ d1f6ab9, scripts/scoring/task2/scoring_esa.py), on the 288 translations of WMT23
    Chinese-English that all eight raters annotated, with one rater as the gold standard and another as the prediction.
    """
    folder = DATA / "wmt23.zh-en"
    raters = defaultdict(set)
    for system, segment, rater, *_ in table(folder / "human.mqm.raters.tsv.gz"):
        raters[system, segment].add(rater)
    shared = {each for each, names in raters.items() if len(names) == 8}
    files = {
        who: written(
            tmp_path,
            f"{who}.tsv",
            [
                (system, segment, "", start, end, severity)
                for system, segment, rater, side, start, end, _, severity, _ in table(
                    folder / "human.mqm.errors.tsv.gz"
                )
                if rater == who and side == "target" and (system, segment) in shared
            ],
        )
        for who in (people, prediction)
    }
    annotated = [(system, int(segment), "") for system, segment in shared]
    found = span_agreement(
        files[people], files[prediction], annotated=annotated, severity_credit=credit, samples=2
    )
    values = [found.predictors[0].of(measure).value for measure in ("precision", "recall", "f1")]
    assert values == pytest.approx(expected, abs=1e-12)


def test_whoever_marks_everything_is_the_baseline(tmp_path):
    """It is there if all texts are."""
    spans: dict[tuple[str, int, str], list[Span]] = {("s", 1, ""): [(2, 5, "minor")], ("s", 2, ""): []}
    human = written(tmp_path, "h.tsv", rows_of(spans))
    predicted = written(tmp_path, "p.tsv", rows_of(spans))
    found = span_agreement(human, predicted, systems={"s": ["x" * 10, "x" * 5]}, samples=2)
    assert found.everything is not None
    assert [found.everything.of(measure).value for measure in ("precision", "recall")] == [0.2, 1.0]
    assert [each.name for each in found.predictors] == ["p"]
    assert found.pairs == ()
    assert span_agreement(human, predicted, samples=2).everything is None


# --- samples and tests --------------------------------------------------------------------------------------


def many(folder: Path, segments: int, right: float, seed: int) -> tuple[Path, Path]:
    """People mark the first half of every translation; a prediction is right in this share of segments."""
    generator = np.random.default_rng(seed)
    human = written(
        folder, "h.tsv", rows_of({("s", i, ""): [(0, 6, "minor")] for i in range(1, segments + 1)})
    )
    hits = generator.random(segments) < right
    predicted = {
        ("s", i, ""): [(0, 6, "minor") if hit else (6, 12, "minor")] for i, hit in enumerate(hits, start=1)
    }
    return human, written(folder, f"p{right}-{seed}.tsv", rows_of(predicted))


def test_intervals_are_those_of_a_share(tmp_path):
    """F1 is the share of segments that are right, whose standard error is known."""
    human, predicted = many(tmp_path, 400, 0.6, 1)
    found = span_agreement(human, predicted).predictors[0].of("f1")
    reach = 1.96 * math.sqrt(found.value * (1 - found.value) / 400)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(found.value - reach, abs=0.01)
    assert found.interval.high == pytest.approx(found.value + reach, abs=0.01)


def test_one_segment_has_no_interval(tmp_path):
    human, predicted = many(tmp_path, 1, 1.0, 1)
    assert span_agreement(human, predicted).predictors[0].of("f1").interval is None


def test_two_predictors_are_told_apart_if_they_differ(tmp_path):
    human, better = many(tmp_path, 200, 0.8, 1)
    _, worse = many(tmp_path, 200, 0.6, 2)
    (pair,) = span_agreement(human, {"better": better, "worse": worse}).pairs
    assert pair.significant
    assert pair.difference > 0
    _, same = many(tmp_path, 200, 0.8, 3)
    (pair,) = span_agreement(human, {"one": better, "other": same}).pairs
    assert not pair.significant


def test_the_test_rejects_as_often_as_it_says(tmp_path):
    """Two predictors that are equally good: at level 0.2, in 40 trials, between 1 and 16 times (binomial, 1e-4)."""
    found = 0
    for trial in range(40):
        human, one = many(tmp_path, 60, 0.7, 2 * trial)
        _, other = many(tmp_path, 60, 0.7, 2 * trial + 1)
        (pair,) = span_agreement(human, {"one": one, "other": other}, samples=99, significance=0.2).pairs
        found += pair.significant
    assert 1 <= found <= 16


# --- what is left out, and what is said ---------------------------------------------------------------------


def test_translations_without_errors_must_be_named(tmp_path):
    """Else nobody knows that a prediction there is wrong."""
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor")])
    predicted = written(tmp_path, "p.tsv", [("s", 1, "", 0, 4, "minor"), ("s", 2, "", 0, 4, "minor")])
    alone = span_agreement(human, predicted, samples=2)
    assert alone.predictors[0].of("precision").value == 1.0
    assert any("lists only translations with errors" in note for note in alone.notes)
    assert "1 spans of 'p' are in translations without human annotation; excluded." in alone.notes
    table = tmp_path / "all.tsv"
    table.write_text("system\tseg\tscore\ns\t1\t-1\ns\t2\t0\n")
    found = span_agreement(human, predicted, annotated=table, samples=2)
    assert found.predictors[0].of("precision").value == 0.5
    assert found.notes == []


@pytest.mark.parametrize(
    ("listed", "said"), [([("t", 1, ""), ("t", 2, "")], r"t \(segments 1 to 2\)"), ([], "none")]
)
def test_a_list_of_annotated_translations_without_any_that_has_spans(tmp_path, listed, said):
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor")])
    with pytest.raises(UnderstudyError, match=rf"no translation in common: .* has {said}, 'h' has s \("):
        span_agreement(human, human, annotated=listed)


def test_a_list_of_annotated_translations_that_lacks_some(tmp_path):
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor"), ("s", 2, "", 0, 4, "minor")])
    found = span_agreement(human, human, annotated=[("s", 1, ""), ("s", 3, "")], samples=2)
    assert found.translations == 3
    assert any(note.startswith("1 of 2 translations in 'h' are not in the list") for note in found.notes)


def test_raters_in_the_list_of_annotated_translations_alone(tmp_path):
    """Spans without a rater's name would be those of one rater more."""
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor")])
    with pytest.raises(UnderstudyError, match=r"has raters, e\.g\. 'a', but 'h' has none"):
        span_agreement(human, human, annotated=[("s", 1, "a")])


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"t": ["abcde"]}, "files for t, annotations for s. Use the same names"),
        ({"s": ["abcde"]}, "segment 2 of 's' is annotated, but its hypothesis file has 1 segment"),
    ],
)
def test_outputs_that_do_not_fit(tmp_path, texts, said):
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor"), ("s", 2, "", "", "", "no-error")])
    with pytest.raises(UnderstudyError, match=said):
        span_agreement(human, human, systems=texts)


def test_outputs_and_annotations_of_other_systems_are_noted(tmp_path):
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor"), ("t", 1, "", "", "", "no-error")])
    found = span_agreement(human, human, systems={"s": ["abcde"], "u": ["abcde"]}, samples=2)
    assert found.notes == [
        "No hypotheses of t: its spans are not checked, and no baseline is shown.",
        "No annotated translation of u.",
    ]


def test_spans_that_are_left_out_are_counted(tmp_path):
    path = tmp_path / "h.tsv"
    path.write_text(
        "system\tseg\tside\tstart\tend\tseverity\ns\t1\tsource\t0\t90\tmajor\ns\t1\ttarget\t0\t4\tcritical\n"
        "s\t1\ttarget\t3\t3\tminor\ns\t1\ttarget\t0\t9\tneutral\n"
    )
    found = read_human_spans(path, {"s": ["abcdefghi"]})
    assert found.left_out == {"in the source": 1, "without a character": 1, "of severity neutral": 1}
    assert found.major.tolist() == [True]


def test_json_lines(tmp_path):
    path = tmp_path / "p.jsonl"
    rows = [
        {"system": "s", "seg": 1, "start": 2, "end": 5, "severity": "major"},
        {"system": "s", "segment": 2, "severity": "no-error"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (found,) = read_predicted_spans(path).values()
    assert found.annotations == (("s", 1, ""), ("s", 2, ""))
    assert (found.start.tolist(), found.end.tolist()) == ([2], [5])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "s\t1\t\t5\t4\tminor",
            "line 2: span from 5 to 4, expected an end at or after the start",
        ),
        ("s\t1\t\t-1\t4\tminor", "line 2: start '-1', expected a character offset of at least 0"),
        ("s\t1\t\t1\t4.5\tminor", "line 2: end '4.5'"),
        ("s\t1\t\t1\t99999999999999999999\tminor", "line 2: end '99999999999999999999'"),
        ("s\t1\t\t\t\tminor", "line 2: start ''.*severity no-error"),
        ("s\t0\t\t1\t4\tminor", "line 2: segment '0', expected an integer of at least 1"),
        ("s\t1\t\t1\t4\tmajro", "line 2: unknown severity 'majro'. Did you mean 'major'"),
        ("s\t1\t\t1\t12\tminor", "ends at character 12 of segment 1 of 's', which has 11 characters"),
        ("s\t3\t\t1\t2\tminor", "segment 3 of 's', which has 2 segments"),
        ("s\t1\t\t1\tminor", "line 2: 5 columns, expected 6"),
        ("\t1\t\t1\t2\tminor", "line 2: no system name"),
        (
            "s\t1\t\t1\t2\tminor\ns\t1\t\t\t\tno-error",
            "line 3: a translation is marked as no-error, but line 2 has an",
        ),
    ],
)
def test_rows_that_make_no_sense(tmp_path, row, said):
    path = tmp_path / "h.tsv"
    path.write_text(HEADER + row + "\n")
    with pytest.raises(UnderstudyError, match=said) as error:
        read_human_spans(path, {"s": ["hello world", "x"]})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("h.tsv", "system\tseg\tstart\tend\ns\t1\t0\t1\n", "line 1: no column 'severity'"),
        (
            "h.tsv",
            "system\tseg\tsegment\tstart\tend\tseverity\n",
            "'seg' and 'segment' have the same meaning",
        ),
        ("h.tsv", "", "is empty"),
        ("h.tsv", HEADER, "has no annotated translation"),
        ("h.jsonl", "{]\n", "line 1: not JSON"),
        ("h.jsonl", '{"system": ["s"], "seg": 1}\n', "line 1: \\['s'\\] as 'system', expected a string"),
        ("h.jsonl", "3\n", "line 1: not a JSON object"),
        ("h.jsonl", '{"system": "s", "seg": 1, "start": 1, "end": 2}\n', "line 1: no 'severity'"),
        ("h.tsv", f"{HEADER}s\t1\ta\t0\t1\tminor\n", "'h' has no translation annotated by two raters"),
        (
            "h.tsv",
            f"{HEADER}s\t1\ta\t0\t1\tminor\ns\t1\t\t0\t1\tminor\n",
            "line 3: no rater, but other lines have one",
        ),
    ],
)
def test_files_that_make_no_sense(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(UnderstudyError, match=said) as error:
        span_agreement(tmp_path / name)
    assert "\n" not in str(error.value)


def test_predictions_that_do_not_fit(tmp_path):
    human = written(tmp_path, "h.tsv", [("s", 1, "", 0, 4, "minor")])
    other = written(tmp_path, "p.tsv", [("t", 1, "", 0, 4, "minor")])
    with pytest.raises(UnderstudyError, match=r"has no annotated translation.*systems: s; 'p' has t"):
        span_agreement(human, other)
    two = written(tmp_path, "two.tsv", [("s", 1, "a", 0, 4, "minor"), ("s", 1, "b", 0, 4, "minor")])
    with pytest.raises(UnderstudyError, match="has spans of 2 raters, expected one predictor"):
        span_agreement(human, two)
    good = written(tmp_path, "good.tsv", [("s", 1, "", 0, 4, "minor")])
    with pytest.raises(UnderstudyError, match="two predictions are named 'good'"):
        span_agreement(human, [good, good])
    with pytest.raises(UnderstudyError, match="severity_credit=2: expected a number from 0 to 1"):
        span_agreement(human, good, severity_credit=2)


# --- as it is shown -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def examples():
    return span_agreement(EXAMPLES / "spans.tsv", EXAMPLES / "spans-predicted.tsv", samples=100)


def test_the_table_and_json_show_what_was_found(examples):
    value = examples.predictors[1].of("f1").value
    assert f"{value:.3f} (" in next(line for line in render(examples).split("\n") if line.startswith("eager"))
    data = json.loads(render(examples, "json"))
    assert data["predictors"][1]["values"][2]["value"] == value
    assert data["one_rater"]["values"][2]["value"] == examples.one_rater.of("f1").value
    header, *rows = [line.split("\t") for line in render(examples, "tsv").split("\n")]
    assert all(len(row) == len(header) for row in rows)
    assert [row for row in rows if row[0] == "eager"][2][5] == repr(value)


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_formats_for_papers(examples, format):
    assert "cautious" in render(examples, format)


def test_the_same_seed_gives_the_same_digits(examples):
    again = span_agreement(EXAMPLES / "spans.tsv", EXAMPLES / "spans-predicted.tsv", samples=100)
    assert render(again, "json") == render(examples, "json")


def test_the_example_spans_lie_within_the_example_texts():
    systems = sorted(EXAMPLES.glob("system-*.en"))
    found = span_agreement(
        EXAMPLES / "spans.tsv", EXAMPLES / "spans-predicted.tsv", systems=systems, samples=2
    )
    assert found.systems == tuple(path.name for path in systems)
