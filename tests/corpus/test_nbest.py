"""N-best lists: every format, there and back, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy import Corpus, NBest
from understudy.choices import NBEST_FORMATS
from understudy.errors import BadInput, NoSegments, UnderstudyError

MOSES = """\
0 ||| the house is small ||| LM= -1.2 -3.4 TM= -0.5 ||| -12.3
0 ||| the house is little ||| LM= -1.5 -3.5 TM= -0.75 ||| -12.5
1 |||  ||| LM= 0 0 TM= 1e-300 ||| 0.1
"""


def written(tmp_path: Path, text: str, name: str = "list.nbest") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def texts(nbest: NBest) -> list[list[str]]:
    return [nbest.segment(index) for index in range(len(nbest))]


def same(one: NBest, other: NBest) -> None:
    assert texts(one) == texts(other)
    assert one.feature_names == other.feature_names
    np.testing.assert_array_equal(one.features, other.features)
    for a, b in ((one.scores, other.scores), (one.weights, other.weights)):
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_array_equal(a, b)
    assert (one.alignments is None) == (other.alignments is None)
    if one.alignments is not None and other.alignments is not None:
        rows = range(len(one.texts))
        assert [one.alignments[row] for row in rows] == [other.alignments[row] for row in rows]


def test_moses(tmp_path: Path) -> None:
    nbest = NBest.read(written(tmp_path, MOSES))
    assert texts(nbest) == [["the house is small", "the house is little"], [""]]
    assert nbest.feature_names == ("LM_1", "LM_2", "TM")
    assert nbest.features.tolist() == [[-1.2, -3.4, -0.5], [-1.5, -3.5, -0.75], [0, 0, 1e-300]]
    assert nbest.scores is not None
    assert nbest.scores.tolist() == [-12.3, -12.5, 0.1]
    assert nbest.offsets.tolist() == [0, 2, 3]
    assert nbest.feature("TM").tolist() == [-0.5, -0.75, 1e-300]


def test_moses_is_written_as_it_was_read(tmp_path: Path) -> None:
    text = (
        "0 ||| a  b ||| LM= -1.5 TM= 0.1 0.2 ||| -3.0 ||| 0-0 1-1 ||| 0=0\n"
        "0 ||| c ||| LM= -1.25 TM= 0.1 0.2 ||| -4.0 ||| 0-0 ||| 0=0\n"
    )
    path = written(tmp_path, text)
    NBest.read(path).write(tmp_path / "again")
    assert (tmp_path / "again").read_text() == text


@pytest.mark.parametrize(
    ("line", "names", "values", "score"),
    [
        ("0 ||| t ||| LM: -1 TM: 2 3 ||| -5", ["LM", "TM_1", "TM_2"], [-1, 2, 3], -5),
        ("0 ||| t ||| Glue=1 LanguageModel=-12.5 ||| 3", ["Glue", "LanguageModel"], [1, -12.5], 3),
        ("0 ||| t ||| -1 -2 ||| 3", ["feature_1", "feature_2"], [-1, -2], 3),
        ("0 ||| t ||| -1.5", [], [], -1.5),
        ("0 ||| t", [], [], None),
        ("0 ||| t ||| LM= 2", ["LM"], [2], None),
        ("0 ||| t ||| 0-0 1-1 ||| F0= -1 ||| -2", ["F0"], [-1], -2),
        ("0 ||| t ||| a=b= 1 x:y=2 ||| 3", ["a=b", "x:y"], [1, 2], 3),
    ],
)
def test_what_other_decoders_write(
    tmp_path: Path, line: str, names: list[str], values: list[float], score: float | None
) -> None:
    nbest = NBest.read(written(tmp_path, line + "\n"))
    assert texts(nbest) == [["t"]]
    assert list(nbest.feature_names) == names
    assert nbest.features.tolist() == [values]
    assert (None if nbest.scores is None else nbest.scores.tolist()) == (None if score is None else [score])


def test_sparse_features_are_zero_where_missing(tmp_path: Path) -> None:
    nbest = NBest.read(written(tmp_path, "0 ||| a ||| LM= 1 x= 2\n0 ||| b ||| y= 3 LM= 4\n"))
    assert nbest.feature_names == ("LM", "x", "y")
    assert nbest.features.tolist() == [[1, 2, 0], [4, 0, 3]]


def test_table(tmp_path: Path) -> None:
    table = 'segment\tLM\thypothesis\tscore\tweight\n1\t-1.5\ta "b"\t-2\t0.5\n1\t-2\t\t-3\t0\n2\t0\tc\t1\t1\n'
    nbest = NBest.read(written(tmp_path, table, "list.tsv"))
    assert texts(nbest) == [['a "b"', ""], ["c"]]
    assert nbest.feature_names == ("LM",)
    assert nbest.weights is not None
    assert nbest.weights.tolist() == [0.5, 0, 1]
    same(nbest, NBest.read(written(tmp_path, table, "without-suffix")))
    same(
        nbest,
        NBest.read(written(tmp_path, table.replace("\t", ",").replace('a "b"', '"a ""b"""'), "list.csv")),
    )


def test_json_lines(tmp_path: Path) -> None:
    expected = NBest.of_texts([["a", "b"], ["c"]], scores=[[1, 2], [3]], features={"LM": [[0.1, 0.2], [0.3]]})
    rows = [
        {"segment": segment, "text": text, "features": {"LM": lm}, "score": score}
        for segment, text, lm, score in ((0, "a", 0.1, 1), (0, "b", 0.2, 2), (1, "c", 0.3, 3))
    ]
    same(expected, NBest.read(written(tmp_path, "\n".join(map(json.dumps, rows)))))
    grouped = [{"candidates": rows[:2]}, {"candidates": rows[2:]}]
    same(expected, NBest.read(written(tmp_path, "\n".join(map(json.dumps, grouped)))))
    lists = [{"candidates": ["a", "b"], "scores": [1, 2]}, {"candidates": ["c"], "scores": [3]}]
    expected = NBest.of_texts([["a", "b"], ["c"]], scores=[[1, 2], [3]])
    same(expected, NBest.read(written(tmp_path, "\n".join(map(json.dumps, lists)))))
    expected = NBest.of_texts([["a", "b"], ["c"]])
    same(expected, NBest.read(written(tmp_path, '["a", "b"]\n["c"]\n')))
    same(expected, NBest.read(written(tmp_path, '[["a", "b"], ["c"]]')))


def test_plain_text(tmp_path: Path) -> None:
    path = written(tmp_path, "a\nb\n\nd ||| e\n")
    assert texts(NBest.read(path, candidates_per_segment=2)) == [["a", "b"], ["", "d ||| e"]]
    with pytest.raises(BadInput, match="4 lines, which is not a multiple of 3"):
        NBest.read(path, candidates_per_segment=3)


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "list.nbest.gz"
    path.write_bytes(gzip.compress(MOSES.encode()))
    same(NBest.read(path), NBest.read(written(tmp_path, MOSES)))


def test_gaps(tmp_path: Path) -> None:
    path = written(tmp_path, "1 ||| a\n4 ||| b\n")
    with pytest.raises(BadInput, match="line 1: the first segment is 1, expected 0"):
        NBest.read(path)
    with pytest.raises(BadInput, match="line 2: segment 4 follows segment 0"):
        NBest.read(written(tmp_path, "0 ||| a\n4 ||| b\n"))
    nbest = NBest.read(written(tmp_path, "1 ||| a\n4 ||| b\n"), gaps="empty")
    assert texts(nbest) == [[], ["a"], [], [], ["b"]]
    for format in ("moses", "tsv", "jsonl", "jsonl-segments"):
        nbest.write(tmp_path / "again", format=format)
        same(nbest, NBest.read(tmp_path / "again", gaps="empty"))
    segments = written(tmp_path, '{"candidates": ["a"]}\n{"candidates": []}\n')
    with pytest.raises(BadInput, match="line 2: the segment has no candidates"):
        NBest.read(segments)
    last_empty = NBest.read(segments, gaps="empty")
    assert texts(last_empty) == [["a"], []]
    with pytest.raises(BadInput, match="the last segment has no candidates"):
        last_empty.write(tmp_path / "again")


@pytest.mark.parametrize("candidates", [1, 2, 3, 100])
def test_parts_are_whole_segments(tmp_path: Path, candidates: int) -> None:
    lines = [
        f"{segment} ||| text {k} ||| LM= {k}" for segment in (0, 1, 2, 5, 6) for k in range(segment % 3 + 1)
    ]
    path = written(tmp_path, "\n".join(lines))
    parts = list(NBest.read_in_parts(path, candidates=candidates, gaps="empty"))
    whole = NBest.read(path, gaps="empty")
    assert [segment for part in parts for segment in texts(part)] == texts(whole)
    assert all(len(part.texts) >= candidates for part in parts[:-1])
    if candidates == 1:
        assert len(parts) == 5


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=8
) | st.sampled_from(['"', '"a"', "a\tb", "'a", " a ", "||", "a|||b", '"a ""b"""', "\u2028", ""])


@given(st.data())
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever a format takes, it gives back; what it does not take is refused, and nothing is written."""
    lists = data.draw(st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=3))

    def numbers() -> list[list[float]]:
        return [[data.draw(NUMBERS) for _ in group] for group in lists]

    nbest = NBest.of_texts(
        lists,
        scores=numbers() if data.draw(st.booleans()) else None,
        features={
            name: numbers() for name in data.draw(st.sampled_from([[], ["LM"], ["a_1", "a_2"], ["x", "y_1"]]))
        },
    )
    folder = tmp_path_factory.mktemp("nbest")
    for format in NBEST_FORMATS:
        path = folder / f"list.{format}.{'tsv' if format == 'tsv' else 'out'}"
        try:
            nbest.write(path, format=format)
        except BadInput as error:
            assert format not in ("jsonl", "jsonl-segments"), error  # noqa: PT017
            assert not path.exists()
            continue
        if format != "text":
            same(nbest, NBest.read(path))
        elif len(lists[0]):
            assert texts(NBest.read(path, candidates_per_segment=len(lists[0]))) == lists


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "a", "is empty, expected an n-best list"),
        ("hello\n", "a", "line 1: not an n-best list"),
        ("0 ||| a\n\n", "a", "line 2: the line is empty"),
        ("0 ||| a\nb\n", "a", r"line 2: no '\|\|\|' found"),
        ("x ||| a\n", "a", "line 1: got 'x', expected the number of the segment"),
        ("-1 ||| a\n", "a", "line 1: got '-1', expected the number of the segment"),
        ("1 ||| a\n0 ||| b\n", "a", "line 1: the first segment is 1, expected 0"),
        ("0 ||| a\n1 ||| b\n0 ||| c\n", "a", "line 3: segment 0 follows segment 1. Sort the list"),
        (
            "0 ||| a ||| b ||| LM= 1 ||| 2\n",
            "a",
            r"line 1: 'b' is not a feature.*Does the text contain '\|\|\|'",
        ),
        ("0 ||| a ||| LM= ||| 2\n", "a", "line 1: feature 'LM' has no value"),
        ("0 ||| a ||| LM= 1 LM= 2\n", "a", "line 1: feature 'LM' is repeated"),
        ("0 ||| a ||| LM= nan\n", "a", "line 1: feature 'LM' is nan, expected a finite number"),
        ("0 ||| a ||| LM= 1\n0 ||| b ||| LM= -inf\n", "a", "line 2: feature 'LM' is -inf, expected a finite"),
        ("0 ||| a ||| LM= 1 ||| 1e999\n", "a", "line 1: the score is inf"),
        ("0 ||| a ||| LM= 1 ||| x\n", "a", "line 1: the score is 'x', expected a number"),
        ("0 ||| a ||| L= 1 T= 2\n0 ||| b ||| L= 1_0 T= 2\n", "a", "line 2: '1_0' is not a feature"),
        ("0 ||| a ||| TM= 1 2\n0 ||| b ||| TM= 1\n", "a", "line 2: feature 'TM' has 0 values, expected 2"),
        ("0 ||| a ||| TM= 1\n0 ||| b ||| TM= 1 2\n", "a", "line 2: feature 'TM' has 2 values"),
        ("0 ||| a ||| TM= 1\n0 ||| b\n", "a", "line 2: the candidate has no features, unlike those before"),
        ("0 ||| a\n0 ||| b ||| TM= 1\n", "a", "line 2: the candidate has features, unlike those before"),
        ("0 ||| a ||| 1\n0 ||| b\n", "a", "line 2: the candidate has no score, unlike those before"),
        ("0 ||| a\n0 ||| b ||| 1\n", "a", "line 2: the candidate has a score, unlike those before"),
        ("segment\tLM\n", "a.tsv", "no column is named 'text', found 'segment', 'LM'"),
        ("segment\ttext\tLM\n1\ta\tx\n", "a.tsv", "line 2: feature 'LM' is 'x', expected a number"),
        ("segment\ttext\tLM\n1\ta\n", "a.tsv", "line 2: wrong number of fields, expected 3"),
        ("segment\ttext\n", "a.tsv", "has no candidates"),
        ("segment\ttext\tweight\n1\ta\t-1\n", "a.tsv", "line 2: the weight is -1.0, expected at least 0"),
        ('{"text": "a"}\n', "a.jsonl", "line 1: 'segment' is missing"),
        ('{"segment": 1}\n', "a.jsonl", "line 1: 'text' is missing"),
        ('{"segment": 1, "text": 5}\n', "a.jsonl", "line 1: 'text' is a number, expected a string"),
        ('{"segment": 1.5, "text": "a"}\n', "a.jsonl", "line 1: 'segment' is 1.5"),
        ('{"segment": 1, "text": "\\ud800"}\n', "a.jsonl", "lone surrogate"),
        ('{"segment": 1, "text": "a", "features": {"LM": "x"}}\n', "a.jsonl", "feature 'LM' is a string"),
        ('{"segment": 1, "text": "a", "features": {"LM": NaN}}\n', "a.jsonl", "feature 'LM' is nan"),
        ('{"candidates": "a"}\n', "a.jsonl", "'candidates' is a string, expected a list"),
        ('{"candidates": ["a", 3]}\n', "a.jsonl", "line 1, candidate 2: got a number"),
        ('{"candidates": ["a"], "scores": [1, 2]}\n', "a.jsonl", "'scores' is not a list of 1 numbers"),
        ('{"candidates": ["a"]\n', "a.jsonl", "line 1, column 21: not valid JSON"),
        ("3\n", "a.jsonl", "line 1: got a number"),
        ("\udcff\udcfe\0a\0", "a", "is UTF-16, expected UTF-8"),
        ("0 ||| a\n0 ||| \udc80\n", "a", "line 2: byte 0x80"),
    ],
)
def test_refused(tmp_path: Path, text: str, name: str, message: str) -> None:
    with pytest.raises(UnderstudyError, match=message) as raised:
        NBest.read(written(tmp_path, text, name))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["a", "a.tsv", "a.jsonl"])
@given(junk=st.binary(max_size=40))
def test_junk_raises_our_errors_only(
    tmp_path_factory: pytest.TempPathFactory, name: str, junk: bytes
) -> None:
    path = tmp_path_factory.mktemp("junk") / name
    path.write_bytes(junk)
    with pytest.raises(UnderstudyError):
        NBest.read(path)


def test_made_in_python() -> None:
    with pytest.raises(NoSegments):
        NBest.of_texts([])
    with pytest.raises(UnderstudyError, match="scores: segment 2 has 1 value, but 2 candidates"):
        NBest.of_texts([["a"], ["b", "c"]], scores=[[1], [2]])
    with pytest.raises(UnderstudyError, match="LM: segment 2 has the value nan"):
        NBest.of_texts([["a"], ["b"]], features={"LM": [[1], [float("nan")]]})
    with pytest.raises(UnderstudyError, match="weights: got -1, expected at least 0"):
        NBest.of_texts([["a"]], weights=[[-1]])
    with pytest.raises(UnderstudyError, match="segment 1"):
        NBest.of_texts(["a"])
    nbest = NBest.of_systems(Corpus.of_texts({"x": ["a", "b"], "y": ["c", "d"]}))
    assert texts(nbest) == [["a", "c"], ["b", "d"]]


def test_csv_is_read_but_not_written(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    with pytest.raises(BadInput, match=r"not written as CSV\. Use the suffix \.tsv or \.jsonl"):
        NBest.of_texts([["a", "b"]]).write(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ({"text": "c", "features": {"LM": [1, 2]}, "score": 1}, "has no weight"),
        ({"text": "c", "features": {"LM": [1, 2]}, "weight": 1}, "has no score"),
        (
            {"text": "c", "features": {"LM": [1, 2]}, "score": 1, "weight": 1, "alignment": "0-0"},
            "has an alignment",
        ),
        ({"text": "c", "score": 1, "weight": 1}, "has no features"),
        (
            {"text": "c", "features": {"LM": 1}, "score": 1, "weight": 1},
            "feature 'LM' has 0 values, expected 2",
        ),
    ],
)
def test_all_parts_have_the_same_columns(tmp_path: Path, last: dict[str, object], said: str) -> None:
    first = {"text": "a", "features": {"LM": [1, 2]}, "score": 1, "weight": 2}
    rows = [{"segment": 1, **first}, {"segment": 2, **first, "text": "b"}, {"segment": 3, **last}]
    path = written(tmp_path, "\n".join(map(json.dumps, rows)), "list.jsonl")
    for parts in (lambda: [NBest.read(path)], lambda: list(NBest.read_in_parts(path, candidates=1))):
        with pytest.raises(BadInput, match=f"line 3: .*{said}"):
            parts()
