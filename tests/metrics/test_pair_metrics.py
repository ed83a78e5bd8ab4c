"""Metrics of pairs, by a toy model: references and sources, several references, the cache, the batch size, errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from understudy import Corpus, compare, decide, score, trust
from understudy.errors import BadInput, BadParameter, LengthMismatch, ModelWarning, OutOfMemory, WrongType
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.pair_metric import PairMetric
from understudy.neural.pairs import Pair
from understudy.neural.score_cache import ScoreCache
from understudy.neural.scored_pairs import PairScorer
from understudy.report.decision_tables import headline
from understudy.testing import check_metric
from understudy.version import __version__


class ToyModel:
    """The lengths of the texts of a pair, and their sum."""

    values = ("sum", "hypothesis", "reference", "source")

    def __init__(self, memory: int = 1000, version: str = "1") -> None:
        self.memory = memory
        self.identity = {"model": "toy", "version": version}
        self.scored: list[Pair] = []

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> np.ndarray:
        if batch_size > self.memory:
            raise OutOfMemory("no memory left.")
        self.scored += pairs
        lengths = np.array([[float(len(text or "")) for text in pair] for pair in pairs])
        return np.column_stack([lengths.sum(axis=1), lengths])


@pytest.fixture
def toy():
    """A metric that reads references and sources."""
    model = ToyModel()

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Toy(PairMetric):
        name: ClassVar[str] = "toy-pairs"
        title: ClassVar[str] = "Toy"
        summary: ClassVar[str] = "Lengths."
        formula: ClassVar[str] = "n"
        citation: ClassVar[str] = "none"
        not_for: ClassVar[str] = "anything"
        percent: ClassVar[bool] = False
        reads_sources: ClassVar[bool] = True

        @property
        def values(self):
            return ToyModel.values

        def values_of(self, pairs, threads):
            return PairScorer(model, self.label, batch_size=8).values(pairs, threads=threads)

    # Where pickle looks for it. Defined in the module, it would be a metric for all other tests.
    Toy.__qualname__ = "Toy"
    globals()["Toy"] = Toy
    yield Toy(), model
    del globals()["Toy"]
    METRICS_BY_NAME.pop("toy-pairs", None)


HYPOTHESES = ["a", "bb", "ccc", "bb"]
REFERENCES = [["xxxx", "x"], ["y"], ["", "zz"], ["y"]]
SOURCES = ["s", "t", "", "t"]


def test_segments_are_scored_with_their_references_and_sources(toy):
    metric, model = toy
    assert metric.segments(HYPOTHESES, REFERENCES, sources=SOURCES).tolist() == [6, 4, 5, 4]
    assert metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES).value == 19 / 4
    assert metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES).detail["reference"] == (4 + 1 + 2 + 1) / 4
    assert Pair("bb", "y", "t") in model.scored
    assert len(model.scored) == 2 * 5 + 5  # equal pairs once in each of three calls


def test_several_references_can_be_averaged(toy):
    from dataclasses import replace

    metric = replace(toy[0], multi="mean")
    assert metric.segments(HYPOTHESES, REFERENCES, sources=SOURCES).tolist() == [4.5, 4, 4, 4]
    assert metric.segment("a", ["xxxx", "x"], "s").value == 4.5


def test_sources_are_asked_for(toy):
    metric, _ = toy
    with pytest.raises(
        BadParameter, match=r"toy-pairs reads the source text, but none is given. Add it with sources="
    ):
        metric.corpus(HYPOTHESES, REFERENCES)
    for function in (score, compare):
        with pytest.raises(BadParameter, match="reads the source text"):
            function(Corpus.of_texts({"a": HYPOTHESES, "b": HYPOTHESES}, REFERENCES), metrics=metric)
    with pytest.raises(LengthMismatch, match="sources: got 3 segments, expected 4"):
        metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES[:3])
    with pytest.raises(WrongType, match="sources: segment 2 is None"):
        metric.corpus(HYPOTHESES, REFERENCES, sources=["s", None, "", "t"])


def test_verbs_hand_on_the_sources(toy, tmp_path):
    metric, _ = toy
    expected = 19 / 4
    # Arrays, because a list of short words could be file names.
    systems = {"a": np.array(HYPOTHESES), "b": np.array(["d" * len(text) for text in HYPOTHESES])}
    sources = np.array(SOURCES)
    assert score(systems, REFERENCES, metric, sources=sources)["a"].scores[0].value == expected
    compared = compare(systems, REFERENCES, metric, sources=sources)
    assert compared.metrics[0].systems[0].score == expected
    corpus = Corpus(systems, REFERENCES, sources=sources)
    assert score(corpus, metrics=metric)["b"].scores[0].value == expected
    files = {}
    for name, texts in {
        **{run: list(found) for run, found in systems.items()},
        "src": SOURCES,
        "ref": [row[0] for row in REFERENCES],
    }.items():
        files[name] = tmp_path / f"{name}.txt"
        files[name].write_text("".join(f"{text}\n" for text in texts))
    read = score([files["a"]], [files["ref"]], metric, sources=files["src"])
    assert (
        read.systems[0].scores[0].value
        == metric.corpus(HYPOTHESES, [r[0] for r in REFERENCES], sources=sources).value
    )
    human = tmp_path / "human.tsv"
    human.write_text("system\tseg\tscore\na\t1\t1\na\t2\t2\nb\t1\t3\nb\t2\t4\n")
    found = trust(human, systems, REFERENCES, metric, sources=sources, samples=10)
    assert found.metrics[0].name == "Toy"


def test_candidates_are_scored_with_the_source_of_their_segment(toy):
    metric, _ = toy
    matrices = metric.pairwise([["a", "bb"], ["ccc"]], [["x"], ["yy", "z"]], sources=["ssss", ""])
    assert [matrix.tolist() for matrix in matrices] == [[[6], [7]], [[5, 4]]]
    assert metric.pairwise(["a", "bb"], sources="ss").tolist() == [[4, 5], [5, 6]]
    with pytest.raises(BadParameter, match="reads the source text"):
        metric.pairwise(["a", "bb"])
    with pytest.raises(LengthMismatch, match="sources: got 1 text, expected 2"):
        metric.expected_utility([["a"], ["b"]], sources=["s"])


def test_values_that_are_no_numbers_are_an_error(toy, monkeypatch):
    metric, model = toy
    monkeypatch.setattr(model, "score", lambda pairs, batch_size: np.full((len(pairs), 4), math.nan))  # noqa: ARG005
    with pytest.raises(BadInput, match="no sum for segment 1: got nan"):
        metric.corpus(HYPOTHESES, REFERENCES, sources=SOURCES)


@pytest.fixture
def cache(tmp_path):
    def complain(message):
        raise AssertionError(message)

    return ScoreCache(tmp_path / "scores.sqlite3", complain=complain)


PAIRS = [
    Pair("a", "b", None),
    Pair("a", None, "b"),
    Pair("ab", "", None),
    Pair("a", "b", ""),
    Pair("\u2028;3;", "x", "y"),
]


def test_cached_pairs_are_not_scored_again(cache):
    first, second = ToyModel(), ToyModel()
    values = PairScorer(first, "Toy", batch_size=2, cache=cache).values(PAIRS * 2, threads=1)
    assert len(first.scored) == 5
    assert set(first.scored) == set(PAIRS)
    again = PairScorer(second, "Toy", batch_size=7, cache=cache).values(PAIRS[::-1], threads=1)
    assert second.scored == []
    assert again.tolist() == values[:5][::-1].tolist()
    other = ToyModel(version="2")
    PairScorer(other, "Toy", batch_size=2, cache=cache).values(PAIRS[:1], threads=1)
    assert other.scored == PAIRS[:1]
    found = {
        f"model:toy|version:{model}|understudy:{__version__}": count for model, count in ((1, 5), (2, 1))
    }
    assert cache.info().entries == found


def test_scores_of_another_version_are_not_used(cache, monkeypatch):
    """Signatures have the version of understudy."""
    PairScorer(ToyModel(), "Toy", batch_size=2, cache=cache).values(PAIRS, threads=1)
    monkeypatch.setattr("understudy.neural.scored_pairs.__version__", "99")
    model = ToyModel()
    PairScorer(model, "Toy", batch_size=2, cache=cache).values(PAIRS, threads=1)
    assert set(model.scored) == set(PAIRS)


def test_an_interrupted_run_goes_on(cache):
    class Interrupted(ToyModel):
        def score(self, pairs, *, batch_size):
            if len(self.scored) > 1000:
                raise KeyboardInterrupt
            return super().score(pairs, batch_size=batch_size)

    pairs = [Pair(f"{number}", "x") for number in range(3000)]
    broken = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        PairScorer(broken, "Toy", batch_size=8, cache=cache).values(pairs, threads=1)
    whole = ToyModel()
    PairScorer(whole, "Toy", batch_size=8, cache=cache).values(pairs, threads=1)
    assert len(broken.scored) > 1000
    assert sorted(broken.scored + whole.scored) == sorted(pairs)


def test_out_of_memory_halves_the_batch_once():
    scorer = PairScorer(ToyModel(memory=4), "Toy", batch_size=8)
    with pytest.warns(ModelWarning, match=r"Toy ran out of memory; the batch size is now 4\."):
        assert len(scorer.values(PAIRS, threads=1)) == 5
    scorer = PairScorer(ToyModel(memory=1), "Toy", batch_size=8)
    with (
        pytest.warns(ModelWarning, match="now 4"),
        pytest.raises(OutOfMemory, match="ran out of memory with batches of 4: no memory left"),
    ):
        scorer.values(PAIRS, threads=1)


def test_a_damaged_cache_is_said_and_not_used(tmp_path):
    path = Path(tmp_path / "scores.sqlite3")
    path.write_bytes(b"no database" * 100)
    complaints: list[str] = []
    cache = ScoreCache(path, complain=complaints.append)
    assert len(PairScorer(ToyModel(), "Toy", batch_size=2, cache=cache).values(PAIRS, threads=1)) == 5
    assert len(complaints) == 1
    assert "understudy models --clear-cache" in complaints[0]


def test_damaged_scores_are_said_and_not_used(tmp_path):
    import sqlite3
    from contextlib import closing

    path = tmp_path / "scores.sqlite3"
    complaints: list[str] = []
    PairScorer(ToyModel(), "Toy", batch_size=2, cache=ScoreCache(path)).values(PAIRS, threads=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET content = zeroblob(40) WHERE rowid = 2")
    model = ToyModel()
    cache = ScoreCache(path, complain=complaints.append)
    assert len(PairScorer(model, "Toy", batch_size=2, cache=cache).values(PAIRS, threads=1)) == len(PAIRS)
    assert set(model.scored) == set(PAIRS)
    assert len(complaints) == 1


def test_deciding_with_sources_and_without_references(toy):
    metric, _ = toy
    lists = [["a", "bb"], ["ccc", "c"]]
    assert decide(lists, metrics=metric, sources=np.array(["s", "tt"])).texts == ["bb", "ccc"]
    for method in ("pruned", "oracle"):
        references = [["x"], ["y"]] if method == "oracle" else None
        found = decide(lists, references, metric, sources=np.array(["s", "tt"]), method=method)
        assert found.texts == ["bb", "ccc"]
    with pytest.raises(BadParameter, match="reads the source text"):
        decide(lists, metrics=metric)
    with pytest.raises(LengthMismatch, match=r"has 2 segments, the source text has 1\."):
        decide(lists, metrics=metric, sources=["The only one."])
    with pytest.raises(BadParameter, match="expected a reference-free metric") as error:
        decide(lists, metrics=metric, sources=np.array(["s", "tt"]), method="qe")
    assert "for --method qe. Use --method mbr" in error.value.on_command_line


def test_deciding_by_a_reference_free_metric(toy, monkeypatch):
    metric, model = toy
    monkeypatch.setattr(type(metric), "reads_references", False)
    lists = [["a", "bb"], ["ccc", "c"], ["d", "e"]]
    found = decide(lists, metrics=metric, sources=np.array(["s", "tt", "u"]), method="qe")
    assert (found.texts, found.utilities.tolist()) == (["bb", "ccc", "d"], [2, 3, 5, 3, 2, 2])
    assert {pair.reference for pair in model.scored} == {None}
    assert headline(found) == "Choice by reference-free metrics, utility toy-pairs. 3 segments, 6 candidates."
    with pytest.raises(BadParameter, match="method='qe' reads no references"):
        decide(lists, [["x"], ["y"], ["z"]], metric, sources=np.array(["s", "tt", "u"]), method="qe")
    with pytest.raises(BadParameter, match="Use method='qe', or a metric such as chrf"):
        decide(lists, metrics=metric, sources=np.array(["s", "tt", "u"]))
    with pytest.raises(BadParameter, match="scores a set of texts as a whole"):
        decide(lists, metrics="self-bleu", method="qe")


def test_the_laws_hold_with_sources(toy, monkeypatch):
    """For a score that is best for a copy: the similarity of the words."""
    metric, _ = toy

    def similarities(pairs, threads):  # noqa: ARG001
        assert all(pair.source for pair in pairs)
        ratios = [
            SequenceMatcher(None, pair.hypothesis.split(), pair.reference.split()).ratio() for pair in pairs
        ]
        return np.array([[ratio] * 4 for ratio in ratios])

    monkeypatch.setattr(type(metric), "values_of", staticmethod(similarities))
    check_metric(metric)
