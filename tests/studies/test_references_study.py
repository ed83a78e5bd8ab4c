"""How many references: what is drawn, and whether the ranking holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from material.wmt import DATA, half_a_digit, needs_data, table
from understudy import BLEU, Corpus, UnderstudyError, score
from understudy.corpus.columns import as_references
from understudy.corpus.segment_label_files import read_labels
from understudy.resampling.rankings import kendall_tau, same_ranking
from understudy.studies.references_study import draw_references, study_references

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")}
TWO = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]

GRID = as_references([[f"{segment}{reference}" for reference in "abcd"] for segment in range(12)])
DOCUMENTS = ["x"] * 5 + ["y"] * 4 + ["x"] * 3


def drawn(count: int, documents: list[str] | None, seed: int = 1) -> list[list[str]]:
    found = draw_references(GRID, count, documents, np.random.default_rng(seed))
    return [found[row] for row in range(12)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("documents", [None, DOCUMENTS])
def test_so_many_different_references_of_the_segment_are_drawn(
    count: int, documents: list[str] | None
) -> None:
    for row, texts in enumerate(drawn(count, documents)):
        assert len(set(texts)) == len(texts) == count
        assert {text.rstrip("abcd") for text in texts} == {str(row)}


def test_a_document_keeps_its_references() -> None:
    letters = ["".join(text[-1] for text in texts) for texts in drawn(2, DOCUMENTS, seed=2)]
    assert len(set(letters[:5] + letters[9:])) == len(set(letters[5:9])) == 1
    assert len({"".join(text[-1] for text in texts) for texts in drawn(2, None)}) > 2


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(2, None) == drawn(2, None)
    assert drawn(2, None) != drawn(2, None, seed=2)


def test_who_has_fewer_references_keeps_what_it_has() -> None:
    ragged = as_references([["a", "b", "c"], ["d"]])
    found = draw_references(ragged, 2, None, np.random.default_rng(3))
    assert len(found[0]) == 2
    assert found[1] == ["d"]


@pytest.mark.parametrize("seed", range(5))
def test_tau_is_scipys(seed: int) -> None:
    one, other = np.random.default_rng(seed).integers(5, size=(2, 9)).astype(float)  # with ties
    assert kendall_tau(one, other) == pytest.approx(stats.kendalltau(one, other).statistic, rel=1e-12)


def test_rankings_of_equal_systems() -> None:
    same, ranked = np.ones(3), np.arange(3.0)
    assert kendall_tau(same, same) == 1
    assert kendall_tau(same, ranked) == 0
    assert kendall_tau(ranked, -ranked) == -1
    assert same_ranking(ranked, ranked * 7)
    assert not same_ranking(ranked, same)


def test_the_last_step_is_what_score_says() -> None:
    bleu, ter = study_references(FILES, TWO, ["bleu", "ter"], draws=3)
    expected = score(FILES, TWO, ["bleu", "ter"])
    for number, study in enumerate((bleu, ter)):
        every = study.steps[-1]
        assert (every.references, every.draws, every.tau, every.same_ranking) == (2, 1, 1, 1)
        assert every.scores == {system.name: system.scores[number].value for system in expected.systems}
    one = bleu.steps[0]
    assert one.draws == 3
    assert all(
        one.scores[name] < bleu.steps[-1].scores[name] for name in FILES
    )  # fewer references, lower BLEU
    assert one.same_ranking == ter.steps[0].same_ranking == 1
    assert (
        str(bleu)
        == "With 1 of 2 references, the ranking by BLEU is the same as with all references in all 3 draws."
    )


def test_a_draw_is_scored_as_if_there_were_no_other_references() -> None:
    """The mean of draws of one reference for the whole corpus, which has only two outcomes."""
    (study,) = study_references({"weak": FILES["weak"]}, TWO, documents=["all"] * 60, draws=8)
    corpus = Corpus.read([FILES["weak"]], TWO)
    alone = [BLEU().corpus(corpus["system-weak.en"], column).value for column in corpus.references.columns]
    mixtures = [(alone[0] * k + alone[1] * (8 - k)) / 8 for k in range(9)]
    assert min(abs(study.steps[0].scores["weak"] - mixture) for mixture in mixtures) < 1e-9
    assert study.unit == "document"


@pytest.mark.filterwarnings("ignore:.*identical to the reference")  # which is the point of it
def test_a_ranking_that_does_not_hold_is_said_so(tmp_path: Path) -> None:
    for name, text in {"a": "x x x x", "b": "y y y y", "r1": "x x x x", "r2": "y y y y y y"}.items():
        (tmp_path / name).write_text(f"{text}\n" * 4)
    (study,) = study_references(
        [tmp_path / "a", tmp_path / "b"], [tmp_path / "r1", tmp_path / "r2"], draws=30
    )
    assert study.steps[0].same_ranking < 1
    assert study.steps[0].deviations["a"] > 0
    assert str(study).startswith(
        "With fewer than 2 references, the ranking by BLEU may change: with 1 reference"
    )
    assert study.unit == "segment"


def test_one_reference_is_nothing_to_study() -> None:
    with pytest.raises(UnderstudyError, match=r"at least two references, got 1\. Add a reference"):
        study_references(FILES, TWO[:1])
    with pytest.raises(UnderstudyError, match=r"document labels: 2 segments, .* has 60"):
        study_references(FILES, TWO, documents=["a", "b"])


@needs_data
def test_real_references() -> None:
    """With all references BLEU is the published one; with fewer it is lower, and still tells good from bad."""
    folder = DATA / "wmt21.en-de"
    names = ("Facebook-AI", "UEdin", "BUPT_rush")
    systems = {name: folder / "systems" / f"{name}.txt.gz" for name in names}
    references = [folder / name for name in ("refA.txt", "refC.txt", "refD.txt")]
    (documents,) = read_labels(folder / "docs.tsv")
    (study,) = study_references(systems, references, documents=documents.labels, draws=4)
    published = {
        row["system"]: row["score"]
        for row in table(folder / "auto.sys.tsv")
        if (row["metric"], row["reference"]) == ("bleu", "all")
    }
    for name in names:
        one, two, three = (step.scores[name] for step in study.steps)
        assert one < two < three
        assert three == pytest.approx(float(published[name]), abs=half_a_digit(published[name]))
    assert [step.same_ranking for step in study.steps] == [1, 1, 1]
