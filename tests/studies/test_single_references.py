"""Single references: who is first with each of them alone, and whether they contradict each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from material.optional import needs_report
from material.wmt import DATA, needs_data, table
from understudy import Metric, References, UnderstudyError, score
from understudy._core import Column
from understudy.comparing.run import compare
from understudy.metrics.base.registry import metric as metric_of
from understudy.report.comparisons import render
from understudy.report.html_report import html_report
from understudy.scoring import system_statistics
from understudy.studies.references_study import study_references
from understudy.studies.single_references import OneReference, disagree

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")}
TWO = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def text(segment: int, own: str, share: float) -> str:
    """Words of the segment, of which a share is somebody's own."""
    generator = np.random.default_rng(segment)
    return " ".join(f"{word}{segment}{own if generator.random() < share else ''}" for word in WORDS)


@pytest.fixture
def contradicting(tmp_path: Path) -> tuple[dict[str, Path], list[Path]]:
    """The first reference shares wording with system a, the second with system b; c is between them."""
    for name, own, share in (
        ("a", "A", 0.4),
        ("b", "B", 0.3),
        ("c", "", 0.0),
        ("refA", "A", 0.5),
        ("refB", "B", 0.5),
    ):
        lines = "".join(f"{text(segment, own, share)}\n" for segment in range(120))
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    return {name: tmp_path / f"{name}.txt" for name in "abc"}, [tmp_path / "refA.txt", tmp_path / "refB.txt"]


def scores_with(
    reference: Path, systems: dict[str, Path], metric: str, level: str = "corpus"
) -> dict[str, float]:
    return {one.name: one.scores[0].value for one in score(systems, [reference], metric, level=level).systems}


@pytest.mark.parametrize("metric", ["bleu", "ter", "nist", "weighted-ngram", "chrf"])
@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_each_reference_scores_as_if_there_were_no_other(metric: str, level: str) -> None:
    (found,) = compare(FILES, TWO, metric, level=level).single_references
    assert [alone.reference for alone in found.references] == ["reference-1.en", "reference-2.en"]
    for reference, alone in zip(TWO, found.references, strict=True):
        assert alone.scores == pytest.approx(scores_with(reference, FILES, metric, level), rel=1e-12)
        assert alone.first == ("strong",)
    assert (found.first, found.contradiction, found.warnings) == (("strong",), None, [])


@pytest.mark.parametrize("spec", ["chrf", "chrf++", "eed", "character", "meteor:no-data,language=en"])
def test_nothing_is_counted_twice_where_the_best_reference_counts(
    contradicting, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    systems, references = contradicting
    metric = metric_of(spec)
    assert metric.counts_single_references
    expected = [one.scores[0].value for one in score(systems, references, metric).systems]
    read, count = [], type(metric).count

    def counting(self: Metric, hypotheses: Column, alone: References, threads: int) -> NDArray[np.int64]:
        read.append(len(alone.columns))
        return count(self, hypotheses, alone, threads)

    monkeypatch.setattr(type(metric), "count", counting)
    found = compare(systems, references, metric)
    assert read == [1] * len(systems) * len(references)
    assert [system.score for system in found.metrics[0].systems] == expected
    assert "|nrefs:2|" in f"|{found.metrics[0].signature}"


def test_what_is_compared_is_what_the_verdict_is_about() -> None:
    """The block test compares means over blocks."""
    found = compare(FILES, TWO, test="blocks", block_size=6)
    for reference, alone in zip(TWO, found.single_references[0].references, strict=True):
        by_one = compare(FILES, [reference], test="blocks", block_size=6)
        assert alone.scores == {system.name: system.score for system in by_one.metrics[0].systems}


@needs_report
def test_references_that_contradict_each_other_are_told_in_the_report(contradicting) -> None:
    systems, references = contradicting
    page = html_report(compare(systems, references, ["bleu"], all_pairs=True))
    assert "Single references rank different systems first by BLEU" in page


def test_references_that_contradict_each_other_are_told(contradicting) -> None:
    systems, references = contradicting
    found = compare(systems, references, ["bleu", "ter"], all_pairs=True)
    for metric, alone in zip(found.metrics, found.single_references, strict=True):
        with_a, with_b = (scores_with(reference, systems, metric.spec) for reference in references)
        first, second = alone.references
        assert (first.reference, first.first) == ("refA", ("a",))
        assert (second.reference, second.first) == ("refB", ("b",))
        ranked = sorted(with_a.values(), reverse=metric.spec == "bleu")
        assert first.lead == pytest.approx(abs(ranked[0] - ranked[1]), rel=1e-9)
        assert alone.contradiction is not None
        assert alone.contradiction.significant
        assert alone.contradiction.systems == ("a", "b")
        assert alone.contradiction.references == ("refA", "refB")
        assert alone.contradiction.differences == pytest.approx(
            (abs(with_a["a"] - with_a["b"]), abs(with_b["a"] - with_b["b"])), rel=1e-9
        )
        reversed_pair = next(pair for pair in alone.reversed_pairs if {pair.better, pair.worse} == {"a", "b"})
        assert reversed_pair.better == alone.first[0]
        assert list(reversed_pair.ahead) == ["refB" if reversed_pair.better == "a" else "refA"]
        said = alone.warnings[0]
        assert said.startswith(
            f"Single references rank different systems first by {metric.label}: "
            f"a with refA (by {first.lead:.2f}); b with refB (by {second.lead:.2f}). "
            f"Both references together rank {alone.first[0]} first. This contradiction is significant: a is better "
            "than b by "
        )
        assert said in str(found)
        assert said in render(found)
    data = json.loads(render(found, "json"))["single_references"]
    assert [one["warnings"] for one in data] == [alone.warnings for alone in found.single_references]
    assert data[0]["references"][0]["scores"] == found.single_references[0].references[0].scores


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "blocks", "ttest", "wilcoxon", "permutation"])
def test_every_test_can_decide(contradicting, test: str) -> None:
    systems, references = contradicting
    (found,) = compare(
        systems, references, test=test, samples=400 if test == "bootstrap" else None
    ).single_references
    assert found.contradiction is not None
    assert found.contradiction.significant


@pytest.mark.filterwarnings("ignore:.*identical to the reference")  # which is the point of it
def test_chance_is_not_called_a_contradiction(tmp_path: Path) -> None:
    """Two systems that differ in one segment each."""
    lines = [text(segment, "", 0) for segment in range(100)]
    for name, changed in (("a", 3), ("b", 5), ("refA", 3), ("refB", 5)):
        own = [*lines[:changed], text(changed, "own", 1), *lines[changed + 1 :]]
        (tmp_path / name).write_text("\n".join(own) + "\n")
    (found,) = compare(
        [tmp_path / "a", tmp_path / "b"], [tmp_path / "refA", tmp_path / "refB"]
    ).single_references
    assert disagree(found.references)
    assert found.warnings[0].endswith(" This contradiction is not significant.")


def test_a_real_difference_that_a_reference_reverses_is_told(tmp_path: Path) -> None:
    """All references agree on who is best; of the others not. Systems copy so many segments of either reference."""
    for name, of_first, of_second in (
        *(("refA", 120, 0), ("refB", 0, 120)),
        *(("best", 60, 60), ("a", 36, 0), ("b", 6, 54)),
    ):
        owners = ["A"] * of_first + ["none"] * (120 - of_first - of_second) + ["B"] * of_second
        (tmp_path / name).write_text("".join(f"{text(row, own, 1)}\n" for row, own in enumerate(owners)))
    systems = [tmp_path / name for name in ("best", "a", "b")]
    references = [tmp_path / "refA", tmp_path / "refB"]
    (found,) = compare(systems, references, all_pairs=True).single_references
    assert [alone.first for alone in found.references] == [("best",), ("best",)]
    assert found.contradiction is None
    (pair,) = found.reversed_pairs
    assert (pair.better, pair.worse, pair.significant, list(pair.ahead)) == ("b", "a", True, ["refA"])
    assert found.warnings == [
        "Single references reverse 1 significant difference by BLEU: b is better than a with all references, but worse "
        f"with refA (by {pair.ahead['refA']:.2f})."
    ]


def one(reference: str, worths: Sequence[float], with_all: Sequence[float]) -> OneReference:
    systems = [f"s{number}" for number in range(len(worths))]
    return OneReference.of(reference, systems, np.array(worths), np.array(worths), np.array(with_all))


def test_ties_and_the_only_system() -> None:
    tied = one("r", [2.0, 2.0, 1.0], [3.0, 2.0, 1.0])
    assert (tied.first, tied.lead, tied.same_ranking) == (("s0", "s1"), 0.0, False)
    assert not disagree([tied, one("q", [1.0, 2.0, 0.0], [3.0, 2.0, 1.0])])
    assert disagree([tied, one("q", [1.0, 2.0, 3.0], [3.0, 2.0, 1.0])])
    unscored = one("n", [np.nan, 1.0, 2.0], [3.0, 2.0, 1.0])
    assert unscored.first == ()
    assert not disagree([tied, unscored])
    alone = one("r", [2.0], [2.0])
    assert (alone.first, alone.lead, alone.tau) == (("s0",), 0.0, 1.0)


def test_a_reference_that_ranks_all_alike_contradicts_nobody(contradicting, tmp_path: Path) -> None:
    systems, references = contradicting
    (nothing := tmp_path / "nothing.txt").write_text("nothing\n" * 120)
    (found,) = compare(systems, [nothing, *references]).single_references
    assert found.references[0].first == ("a", "b", "c")
    assert found.contradiction is not None
    assert set(found.contradiction.references) == {"refA", "refB"}
    assert "a, b and c (a tie) with nothing; a with refA (by " in found.warnings[0]
    assert compare(systems, [nothing, references[0]]).single_references[0].contradiction is None


# --- which references are whole ---------------------------------------------------------------------------


def rows(reference: Path, lacking: Sequence[int] = ()) -> list[str | None]:
    lines: list[str | None] = list(reference.read_text(encoding="utf-8").splitlines())
    for segment in lacking:
        lines[segment] = None
    return lines


@pytest.mark.parametrize("metric", ["bleu", "nist", "chrf"])
@pytest.mark.parametrize("chunk", [8192, 7])
def test_a_reference_that_lacks_a_segment_is_not_scored_alone(
    contradicting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metric: str, chunk: int
) -> None:
    monkeypatch.setattr(
        system_statistics, "CHUNK_SEGMENTS", chunk
    )  # the segment that lacks it comes in a later part
    systems, references = contradicting
    path = tmp_path / "partial.jsonl"
    path.write_text("".join(json.dumps({"ref": row}) + "\n" for row in rows(references[1], [100])))
    compared = compare(systems, [*references, path], metric)
    monkeypatch.undo()
    expected = score(systems, [*references, path], metric)
    assert [one.score for one in compared.metrics[0].systems] == [
        one.scores[0].value for one in expected.systems
    ]
    (found,) = compared.single_references
    assert [alone.reference for alone in found.references] == ["refA", "refB"]
    assert found.left_out == ["partial"]
    assert "All 3 references together rank" in found.warnings[0]
    for reference, alone in zip(references, found.references, strict=True):
        assert alone.scores == pytest.approx(scores_with(reference, systems, metric), rel=1e-12)
    assert compare(systems, [references[0], path], metric).single_references == []
    (study,) = study_references(systems, [*references, path], metric, draws=1)
    assert ([alone.reference for alone in study.alone], study.left_out) == (["refA", "refB"], ["partial"])
    (study,) = study_references(systems, [references[0], path], metric, draws=1)
    assert (study.alone, study.left_out) == ([], ["partial"])


def test_where_there_is_nothing_to_contradict() -> None:
    assert compare(FILES, TWO[:1]).single_references == []
    assert compare(FILES, TWO, ["length-ratio"]).single_references == []  # it ranks nobody
    assert [one.spec for one in compare(FILES, TWO, ["length-ratio", "bleu"]).single_references] == ["bleu"]


def test_references_of_one_name_are_told_apart(contradicting, tmp_path: Path) -> None:
    systems, references = contradicting
    same = []
    for folder, reference in zip("xy", references, strict=True):
        (tmp_path / folder).mkdir()
        same.append(reference.rename(tmp_path / folder / "ref.txt"))
    (found,) = compare(systems, same).single_references
    assert [alone.reference for alone in found.references] == list(map(str, same))


# --- the study --------------------------------------------------------------------------------------------


def test_the_study_tries_whole_references(contradicting) -> None:
    systems, references = contradicting
    bleu, ter = study_references(systems, references, ["bleu", "ter"], draws=5)
    for study in (bleu, ter):
        for reference, alone in zip(references, study.alone, strict=True):
            assert alone.scores == scores_with(reference, systems, study.spec)
        assert [alone.first for alone in study.alone] == [("a",), ("b",)]
        assert f"Single references rank different systems first by {study.metric}: a with refA" in str(study)
    assert study.first == study_references(systems, references, "ter", draws=1)[0].first
    with pytest.raises(UnderstudyError, match="at least two"):
        study_references(systems, references[:1])


def test_a_stable_mixture_is_no_claim_of_stability(contradicting) -> None:
    """With one reference drawn for each segment the ranking holds; with none of the whole ones it does."""
    systems, references = contradicting
    (study,) = study_references({name: systems[name] for name in "ab"}, references, draws=10)
    assert study.steps[0].same_ranking == 1
    assert not all(alone.same_ranking for alone in study.alone)
    claim = "with 1 of 2 references, the ranking by BLEU is the same as with all references in all 10 draws."
    assert str(study).endswith(f"Random selection of references per segment hides this: {claim}")


def test_lower_ranks_that_differ_are_told_too() -> None:
    same, other = one("r", [3.0, 2.0, 1.0], [3.0, 2.0, 1.0]), one("q", [3.0, 1.0, 2.0], [3.0, 2.0, 1.0])
    (study,) = study_references(FILES, TWO, draws=1)
    told = str(type(study)(**{**vars(study), "alone": [same, other]}))
    assert told.startswith(
        "The ranking by BLEU with q alone differs from the ranking with all references. "
        "Kendall's tau with the ranking by all references: 0.33 to 1.00. Random selection of references per segment "
        "hides this: with 1 of"
    )


def test_the_study_follows_the_level() -> None:
    (study,) = study_references(FILES, TWO, "bleu", level="mean", draws=1)
    assert study.alone[0].scores == scores_with(TWO[0], FILES, "bleu", "mean")
    assert study.steps[-1].scores == {
        one.name: one.scores[0].value for one in score(FILES, TWO, "bleu", level="mean").systems
    }


# --- real references --------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_wmt19_references_contradict_each_other(metric: str) -> None:
    """The official reference ranks MSRA.MADL first, and so do all four together; each of the others ranks Facebook_FAIR
    first, as the human scores do (Freitag et al. 2020).
    """
    folder = DATA / "wmt19.en-de.multiref"
    names = ("MSRA.MADL.6926", "Facebook_FAIR.6862", "JHU.6819", "online-X.0")
    human = {row["system"]: float(row["score"]) for row in table(folder / "human.sys.tsv")}
    assert max(names, key=lambda name: human[name]) == "Facebook_FAIR.6862"
    systems = {name: folder / "systems" / f"{name}.txt.gz" for name in names}
    references = [folder / f"ref.{name}.txt.gz" for name in ("wmt", "ar", "wmtp", "arp")]
    found = compare(systems, references, metric)
    (alone,) = found.single_references
    assert {one.reference: one.first for one in alone.references} == {
        "ref.wmt": ("MSRA.MADL.6926",),
        "ref.ar": ("Facebook_FAIR.6862",),
        "ref.wmtp": ("Facebook_FAIR.6862",),
        "ref.arp": ("Facebook_FAIR.6862",),
    }
    assert alone.first == ("MSRA.MADL.6926",)
    assert (found.pairs[0].better == "MSRA.MADL.6926") == (
        metric != "chrf"
    )  # significantly, with all references
    assert alone.contradiction is not None
    assert alone.contradiction.significant
    (study,) = study_references(systems, references, metric, draws=1)
    assert study.alone == alone.references
    assert str(study).startswith("Single references rank different systems first by")
