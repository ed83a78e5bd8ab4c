"""Choices against their definitions, by brute force."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from reference.decisions import best, best_combination, expected_utilities
from understudy import BLEU, NBest, decide, metric
from understudy.deciding.run import decide_in_parts
from understudy.deciding.utilities import _Search
from understudy.deciding.utility_matrix import UtilityMatrix
from understudy.errors import BadInput, BadParameter, InputWarning, LengthMismatch, MissingFile

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [(EXAMPLES / f"system-{name}.en") for name in ("weak", "medium", "rulebased", "strong")]
REFERENCES = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]

WORDS = st.sampled_from(["a", "the", "cat", "dog", "sat", "ran", "."])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
LISTS = st.lists(st.lists(TEXTS, min_size=1, max_size=6), min_size=1, max_size=3)


def examples() -> NBest:
    return NBest.of_systems(SYSTEMS)


def examples_as_lists() -> list[list[str]]:
    nbest = examples()
    return [nbest.segment(number) for number in range(len(nbest))]


def references() -> list[list[str]]:
    columns = [path.read_text(encoding="utf-8").splitlines() for path in REFERENCES]
    return [list(group) for group in zip(*columns, strict=True)]


@given(LISTS, st.sampled_from(["chrf", "bleu", "ter", "wer", "length-ratio"]), st.data())
def test_minimum_bayes_risk_by_definition(lists: list[list[str]], spec: str, data: st.DataObject) -> None:
    utility = metric(spec)
    weights = [[data.draw(st.sampled_from([0.25, 1.0, 3.0])) for _ in group] for group in lists]
    found = decide(NBest.of_texts(lists, weights=weights), metrics=spec)
    for segment, group in enumerate(lists):
        expected = expected_utilities(
            group, group, weights[segment], lambda h, r: utility.worth(utility.segment(h, r).value)
        )
        index = found.indices[segment]
        assert index is not None
        assert index - 1 == best(expected)
        rows = slice(*found.nbest.offsets[segment : segment + 2])
        np.testing.assert_allclose(
            found.utilities[rows] * (-1 if utility.higher_is_better is False else 1),
            [float(u) for u in expected],
        )


@given(LISTS, st.floats(0.1, 10), st.data())
def test_posterior_of_model_scores(lists: list[list[str]], temperature: float, data: st.DataObject) -> None:
    scores = [[data.draw(st.floats(-20, 0)) for _ in group] for group in lists]
    found = decide(NBest.of_texts(lists, scores=scores), posterior="score", temperature=temperature)
    weights = [[math.exp((score - max(group)) / temperature) for score in group] for group in scores]
    same = decide(NBest.of_texts(lists, weights=weights))
    np.testing.assert_allclose(found.utilities, same.utilities)


def test_other_pseudo_references() -> None:
    lists, samples = [["a cat", "a dog"], ["x", "y"]], [["the dog", "one dog"], ["y"]]
    assert decide(lists, samples_from=samples).texts == ["a dog", "y"]
    with pytest.raises(LengthMismatch, match="has 2 segments, the n-best list has 1"):
        decide(lists, samples_from=[["y"]])


@pytest.mark.parametrize("spec", ["chrf", "bleu"])
def test_centroids_between_aggregated_and_exact(spec: str) -> None:
    nbest = examples()
    aggregated = decide(nbest, metrics=spec, method="aggregated")
    exact = decide(nbest, metrics=spec)
    one, all_of_them = (decide(nbest, metrics=spec, method="centroid", clusters=k) for k in (1, 100))
    np.testing.assert_allclose(one.utilities, aggregated.utilities, rtol=1e-12)
    assert one.texts == aggregated.texts
    np.testing.assert_allclose(all_of_them.utilities, exact.utilities, rtol=1e-12)
    assert all_of_them.texts == exact.texts
    assert exact.texts != aggregated.texts
    two = decide(nbest, metrics=spec, method="centroid", clusters=2)
    assert not np.allclose(two.utilities, one.utilities)
    assert two.scores_computed < exact.scores_computed
    np.testing.assert_array_equal(
        two.utilities, decide(nbest, metrics=spec, method="centroid", clusters=2).utilities
    )


def many_candidates(segments: int = 6, count: int = 60) -> NBest:
    """Candidates that are random mixtures of the words of several translations: near each other, and all different."""
    random = np.random.default_rng(1)
    columns = [path.read_text(encoding="utf-8").splitlines() for path in SYSTEMS]
    lists = []
    for segment in range(segments):
        texts = [column[segment].split() for column in columns]
        group = []
        for _ in range(count):
            base = list(texts[random.choice([1, 3, 3, 2])])
            for _ in range(random.integers(0, 4)):
                other = texts[random.integers(4)]
                base[random.integers(len(base))] = other[random.integers(len(other))]
            group.append(" ".join(base))
        lists.append(group)
    return NBest.of_texts(lists)


def test_pruning_finds_the_exact_choice() -> None:
    nbest = many_candidates()
    exact = decide(nbest)
    runs = [decide(nbest, method="pruned", seed=seed) for seed in range(10)]
    agreed = np.mean([run.chosen == exact.chosen for run in runs])
    assert agreed > 0.8
    assert all(run.scores_computed < 0.7 * run.pairs for run in runs)
    # Not the same texts, but as good: the choice is nearly the best by exact utility.
    for run in runs:
        lost = exact.utilities[exact.chosen] - exact.utilities[run.chosen]
        assert lost.max() < 1
    careful = decide(nbest, method="pruned", alpha=1 - 1e-12, seed=0)
    careless = decide(nbest, method="pruned", alpha=0.5, seed=0)
    assert careless.scores_computed < runs[0].scores_computed < careful.scores_computed
    same = decide(nbest, method="pruned", seed=3)
    np.testing.assert_array_equal(same.utilities, runs[3].utilities)
    assert any((run.utilities != runs[0].utilities).any() for run in runs)


def test_pruning_with_few_references_is_exact() -> None:
    nbest = examples()
    np.testing.assert_allclose(decide(nbest, method="pruned").utilities, decide(nbest).utilities, rtol=1e-12)


def test_a_pruned_candidate_is_never_chosen() -> None:
    found = decide(many_candidates(), method="pruned", alpha=0.5)
    firsts = found.order[found.nbest.offsets[:-1]]
    np.testing.assert_array_equal(firsts, found.chosen)


@pytest.mark.parametrize("spec", ["chrf", "bleu", "ter"])
def test_oracle_by_segments(spec: str) -> None:
    utility, lists = metric(spec), examples()
    found = decide(lists, REFERENCES, spec, method="oracle")
    for segment, group in enumerate(references()):
        scores = [utility.worth(utility.segment(text, group).value) for text in lists.segment(segment)]
        assert found.texts[segment] == lists.segment(segment)[int(np.argmax(scores))]
    (totals,) = found.totals
    assert totals.scores["oracle"].value == utility.corpus(found.texts, references()).value
    assert totals.scores["chosen"] == totals.scores["oracle"]
    first = [lists.segment(segment)[0] for segment in range(len(lists))]
    assert totals.scores["first"].value == utility.corpus(first, references()).value


def test_oracle_by_corpus_score() -> None:
    """As good as the best of all combinations, on lists short enough to try them all."""
    lists = [examples().segment(segment) for segment in range(12, 18)]
    groups = [group[:1] for group in references()[12:18]]
    found = decide(lists, groups, "bleu", method="oracle", level="corpus")
    best_of_all = best_combination(lists, lambda texts: BLEU().corpus(list(texts), groups).value)
    by_segments = decide(lists, groups, "bleu", method="oracle")
    scores = [
        BLEU().corpus(list(texts), groups).value for texts in (by_segments.texts, found.texts, best_of_all)
    ]
    assert scores == sorted(scores)
    assert scores[1] == pytest.approx(scores[2])
    assert scores[0] < scores[1]


def test_rerank() -> None:
    nbest = NBest.of_texts(
        [["a", "b", "c"]], scores=[[1, 3, 2]], features={"LM": [[0.5, 0, 1]], "TM": [[1, 2, 0]]}
    )
    assert decide(nbest, method="rerank").texts == ["b"]
    assert decide(nbest, method="rerank", weights={"LM": 4, "TM": 1}).texts == ["c"]
    assert decide(nbest, method="rerank", weights={"weights": {"LM": 0, "TM": -1}}).texts == ["c"]
    with pytest.warns(InputWarning, match="1 feature without a weight count 0: TM"):
        assert decide(nbest, method="rerank", weights={"LM": -1}).texts == ["b"]
    with pytest.raises(BadParameter, match=r"unknown feature 'LMM' in the n-best list\. Did you mean 'LM'"):
        decide(nbest, method="rerank", weights={"LMM": 1})
    with pytest.raises(BadInput, match="no model scores"):
        decide([["a"]], method="rerank")


def test_several_metrics() -> None:
    nbest = examples()
    chrf, ter = decide(nbest, metrics="chrf"), decide(nbest, metrics="ter")
    both = decide(nbest, metrics=["chrf", "ter"], metric_weights=(2, 0.5))
    np.testing.assert_allclose(both.utilities, 2 * chrf.utilities - 0.5 * ter.utilities)
    with pytest.raises(BadParameter, match="metric_weights has 1 entries, expected 2"):
        decide(nbest, metrics=["chrf", "ter"], metric_weights=(2,))


def test_the_first_of_equals_wins() -> None:
    found = decide([["b a", "a b", "a b"], ["x", "y"]], metrics="bleu")
    assert found.indices == [2, 1]
    assert decide([["a", "b"]], [["c"]], method="oracle").indices == [1]
    assert found.order.tolist() == [1, 2, 0, 3, 4]


def test_matrix(tmp_path: Path) -> None:
    nbest, path = examples(), tmp_path / "matrix.npz"
    exact = decide(nbest, metrics=["chrf", "ter"], save_matrix=path)
    again = decide(nbest, metrics=["chrf", "ter"], matrix=path)
    np.testing.assert_array_equal(exact.utilities, again.utilities)
    assert again.scores_computed == 0
    matrix = UtilityMatrix.read(path)
    expected = metric("chrf").pairwise(list(dict.fromkeys(nbest.segment(0))))
    np.testing.assert_array_equal(matrix.matrices[0][0], expected)
    np.testing.assert_allclose(
        decide(nbest, metrics=["chrf", "ter"], matrix=matrix).utilities, exact.utilities
    )
    with pytest.raises(BadInput, match=r"matrix.npz' was computed with other metrics: chrf"):
        decide(nbest, metrics=["chrf"], matrix=path)
    with pytest.raises(BadInput, match=r"matrix.npz' was computed for other texts"):
        decide(NBest.of_systems(SYSTEMS[:3]), metrics=["chrf", "ter"], matrix=path)
    with pytest.raises(BadParameter, match="is for method='mbr'"):
        decide(nbest, matrix=path, method="aggregated")
    with pytest.raises(MissingFile):
        decide(nbest, matrix=tmp_path / "none.npz")
    for junk in (b"", b"junk", path.read_bytes()[:300]):
        (tmp_path / "junk.npz").write_bytes(junk)
        with pytest.raises(BadInput, match="is not a utility matrix"):
            decide(nbest, matrix=tmp_path / "junk.npz")


@pytest.mark.parametrize("method", ["mbr", "aggregated", "pruned", "centroid", "oracle", "rerank"])
def test_parts_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setattr("understudy.deciding.run._CANDIDATES_AT_ONCE", 50)
    nbest = many_candidates(segments=5, count=30)
    path = tmp_path / "list.nbest"
    nbest.with_features({"LM": np.arange(150.0)}).write(path)
    lines = [group[0] for group in references()[:5]]
    how: dict[str, Any] = {"method": method, **({"weights": {"LM": 1.0}} if method == "rerank" else {})}
    parts = list(decide_in_parts(path, lines, ["bleu"], **how))
    assert (len(parts) > 1) == (method != "rerank")
    whole = decide(path, lines, ["bleu"], **how)
    assert [text for part in parts for text in part.texts] == whole.texts
    np.testing.assert_array_equal(np.concatenate([part.utilities for part in parts]), whole.utilities)
    summary = parts[0].summary()
    for part in parts[1:]:
        summary += part.summary()
    expected = whole.summary().to_dict()
    assert summary.to_dict() == {**expected, "mean utility": pytest.approx(expected["mean utility"])}
    with pytest.raises(LengthMismatch, match="5 segments, references have 6"):
        list(decide_in_parts(path, [*lines, "x"], ["bleu"], **how))


def test_threads_make_no_difference() -> None:
    nbest = many_candidates(segments=3)
    for method in ("mbr", "aggregated", "pruned", "centroid"):
        one, two = (decide(nbest, method=method, threads=threads) for threads in (1, 2))
        np.testing.assert_array_equal(one.utilities, two.utilities)


def test_segments_without_candidates(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("1 ||| a cat\n1 ||| the cat\n3 ||| a dog\n")
    found = decide(path, [["x"], ["the cat"], ["y"], ["a dog"]], gaps="empty")
    assert found.texts == ["", "the cat", "", "a dog"]
    assert found.indices == [None, 2, None, 1]
    (totals,) = found.totals
    chrf = metric("chrf")
    assert (
        totals.scores["chosen"].value
        == chrf.corpus(found.texts, [["x"], ["the cat"], ["y"], ["a dog"]]).value
    )
    assert found.summary().empty == 2


def test_ranked_list() -> None:
    found = decide([["x", "a b", "a c"], ["d"]])
    ranked = found.ranked()
    assert ranked.segment(0) == ["a b", "a c", "x"]
    assert ranked.feature("index").tolist() == [2, 3, 1, 1]
    again = decide(ranked)
    assert again.ranked().feature_names == ("utility", "index")


def test_to_dict_is_json() -> None:
    found = json.loads(json.dumps(decide([["a", "b"], ["c"]], [["a"], ["c"]]).to_dict()))
    assert found["segments"][0]["index"] == 1
    assert found["summary"]["corpus scores"][0]["metric"] == "chrf"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"method": "best"}, "method='best': expected mbr, aggregated"),
        ({"method": "oracle"}, "method='oracle' needs references"),
        ({"metrics": "self-bleu"}, "self-bleu reads no references"),
        ({"metrics": "ter", "method": "aggregated"}, "ter cannot aggregate references"),
        ({"temperature": 0}, "temperature=0: expected a number above 0"),
        (
            {"metric_weights": [1e308]},
            r"metric_weights=1e\+308: expected a number above 0 and of at most 1e\+100",
        ),
        ({"alpha": 1}, "alpha=1: expected a number between 0 and 1"),
        ({"clusters": 0}, "clusters=0: expected an integer of at least 1"),
        ({"posterior": "score"}, "has no model scores for the posterior"),
        ({"posterior": "weight"}, "has no weights for the posterior"),
        ({"weights": {"LM": math.nan}}, "the weight of 'LM' is nan"),
        ({"metod": "mbr"}, "unknown option 'metod'. Did you mean 'method'"),
    ],
)
def test_refused(how: dict[str, object], message: str) -> None:
    with pytest.raises((BadInput, BadParameter), match=message):
        decide([["a", "b"]], **how)  # type: ignore[arg-type]


def test_a_metric_with_a_fit_counts_every_occurrence() -> None:
    lists = [group + group[:1] * 3 for group in examples_as_lists()]
    nist = metric("nist")
    expected = np.concatenate(nist.expected_utility(lists))
    for method in ("mbr", "pruned"):  # few references: nothing is pruned
        np.testing.assert_allclose(decide(lists, metrics="nist", method=method).utilities, expected)
    once = [list(dict.fromkeys(group)) for group in lists]
    assert decide(lists, metrics="nist").utilities[0] != decide(once, metrics="nist").utilities[0]


def test_pruning_compares_a_text_once() -> None:
    lists = [group * 6 for group in examples_as_lists()]
    exact, pruned = (decide(lists, method=method) for method in ("mbr", "pruned"))
    assert pruned.pairs == exact.pairs == exact.scores_computed
    assert pruned.scores_computed <= exact.scores_computed


def test_reranking_in_any_unit() -> None:
    """Sums that differ by rounding are equal; small ones that differ are not."""
    sums = NBest.of_texts([["a", "b"]], features={"x": [[0.1 + 0.2, 0.3]], "y": [[-0.3, -0.3]]})
    assert decide(sums, method="rerank", weights={"x": 1.0, "y": 1.0}).indices == [1]
    turned = NBest.of_texts([["a", "b"]], features={"x": [[0.3, 0.1 + 0.2]], "y": [[-0.3, -0.3]]})
    assert decide(turned, method="rerank", weights={"x": 1.0, "y": 1.0}).indices == [1]
    small = NBest.of_texts([["a", "b"]], features={"x": [[1e-15, 2e-15]]})
    assert decide(small, method="rerank", weights={"x": 1.0}).indices == [2]
    small = NBest.of_texts([["a", "b"]], scores=[[1e-15, 2e-15]])
    assert decide(small, method="rerank").indices == [2]


def test_the_utility_by_a_metric_with_a_target_is_named() -> None:
    found = decide([["a b", "a b c d"]], metrics="length-ratio")
    assert found.utility_is == found.to_dict()["utility"] == "-|length-ratio - 100| (higher is better)"
    assert found.utilities.tolist() == [-25.0, -50.0]
    assert "mean utility \u2191" in found.to_markdown()


def test_a_matrix_of_a_metric_with_another_fit_is_refused(tmp_path: Path) -> None:
    """How often a text occurs changes the fit, not the texts that are compared."""
    lists = examples_as_lists()[:6]
    repeated = [group + group[:1] for group in lists]
    decide(repeated, metrics="nist", save_matrix=tmp_path / "nist.npz")
    found = decide(repeated, metrics="nist", matrix=tmp_path / "nist.npz")
    np.testing.assert_array_equal(found.utilities, decide(repeated, metrics="nist").utilities)
    with pytest.raises(BadInput, match=r"computed with other metrics: nist .* fitted on"):
        decide(lists, metrics="nist", matrix=tmp_path / "nist.npz")


def test_a_source_text_that_is_too_short_for_a_file_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("understudy.deciding.run._CANDIDATES_AT_ONCE", 4)
    path = tmp_path / "list.nbest"
    path.write_text("".join(f"{row // 2} ||| text {row}\n" for row in range(20)))
    for count, said in (
        (5, "has 6 segments or more, the source text has 5"),
        (12, "has 10 segments, .* has 12"),
    ):
        with pytest.raises(LengthMismatch, match=said):
            list(decide_in_parts(path, sources=np.array([f"source {row}" for row in range(count)])))


def test_pruning_does_not_depend_on_threads_of_matrix_products(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    prune = _Search.prune

    def observed(search: _Search) -> None:
        found.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        prune(search)

    monkeypatch.setattr(_Search, "prune", observed)
    with threadpool_limits(limits=2, user_api="blas"):
        decide(examples_as_lists()[:3], method="pruned")
    assert found
    assert set(found) == {1}


def test_a_segment_without_candidates_is_refused_unless_it_may_be_empty() -> None:
    with pytest.raises(BadInput, match=r"segment 2 has no candidates\. Use gaps='empty'"):
        decide([["a"], [], ["b"]])
    assert decide([["a"], [], ["b"]], gaps="empty").texts == ["a", "", "b"]
    with pytest.raises(BadParameter, match="gaps"):
        decide([["a"]], gaps="nosuch")
