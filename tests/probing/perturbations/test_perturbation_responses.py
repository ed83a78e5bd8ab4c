"""Responses to perturbations: the same numbers as the public scores of the changed texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from material import stand_in_perturbations as stand_ins
from understudy import BLEU, TER, Corpus, metric
from understudy.probing.perturbations.perturbation import Segment
from understudy.probing.perturbations.results import Perturbations, Response
from understudy.probing.run import probe

REFERENCES = ["examples/reference-1.en", "examples/reference-2.en"]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(["examples/system-medium.en"], REFERENCES)


def perturbed(corpus: Corpus, metrics: list[str], **plan: Any) -> Perturbations:
    found = probe(corpus, metrics=metrics, what="perturbations", **plan).perturbations
    assert found is not None
    return found


def texts(corpus: Corpus) -> list[str]:
    return [str(corpus["system-medium.en"][row]) for row in range(len(corpus))]


def references(corpus: Corpus) -> list[list[str]]:
    assert corpus.references is not None
    return [corpus.references[row] for row in range(len(corpus))]


def response(found: Perturbations, name: str, strength: float | None = None, metric: int = 0) -> Response:
    (only,) = [each for each in found.curve(name, metric) if each.strength == strength]
    return only


def _reversed(text: str) -> str:
    return " ".join(text.split()[::-1])


@pytest.mark.parametrize("spec", ["bleu", "ter", "length-ratio", "nist"])
def test_the_corpus_difference_is_that_of_the_public_scores(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    found = response(perturbed(corpus, [spec]), "reverse")
    changed = [_reversed(text) for text in texts(corpus)]
    known = metric(spec)
    expected = (
        known.corpus(changed, references(corpus)).value
        - known.corpus(texts(corpus), references(corpus)).value
    )
    assert found.corpus_difference == expected


def test_the_mean_difference_is_that_of_the_changed_segments(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.PERIOD])
    found = response(perturbed(corpus, ["bleu"]), "period")
    changed = [row for row, text in enumerate(texts(corpus)) if text.endswith(".")]
    differences = [
        BLEU().segment(texts(corpus)[row].removesuffix(".").rstrip(), references(corpus)[row]).value
        - BLEU().segment(texts(corpus)[row], references(corpus)[row]).value
        for row in changed
    ]
    assert found.changed == len(changed) < len(corpus)
    assert found.difference.value == pytest.approx(np.mean(differences), abs=1e-12)
    assert found.worse.value == np.mean([difference < -1e-9 for difference in differences])


def test_worse_follows_the_direction_of_the_metric(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.OTHER_WORDS])
    found = response(perturbed(corpus, ["ter"]), "other-words")
    assert found.difference.value > 0
    assert found.worse.value > 0.9


def test_shares_add_up_to_one(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch)
    for each in perturbed(corpus, ["bleu", "length-ratio"]).responses:
        assert each.worse.value + each.tied + each.better == pytest.approx(1)


def test_a_metric_of_length_ties_for_reversed_words(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    found = response(perturbed(corpus, ["length-ratio:tokenize=none"]), "reverse")
    assert (found.tied, found.difference.value) == (1.0, 0.0)


def test_a_paraphrase_and_the_original_are_scored_against_the_other_references(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.PARAPHRASE])
    found = response(perturbed(corpus, ["ter"]), "paraphrase")
    first, last = zip(*references(corpus), strict=True)
    differences = TER().segments(list(first), list(last)) - TER().segments(texts(corpus), list(last))
    changed = [row for row, text in enumerate(texts(corpus)) if text != first[row] != last[row]]
    assert found.changed == len(changed)
    assert found.difference.value == pytest.approx(differences[changed].mean())


def test_a_paraphrase_needs_a_second_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.PARAPHRASE])
    corpus = Corpus.of_texts({"a": ["one two", "three"]}, [["two", "two"], ["four"]])
    found = perturbed(corpus, ["bleu"])
    assert found.facts == ()
    assert found.left_out == {"paraphrase": "no segment has anything that it changes"}


def test_stronger_drops_cost_more(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.DROP])
    curve = perturbed(corpus, ["bleu"], strengths=[0.2, 0.5, 0.9]).curve("drop-words", 0)
    differences = [each.difference.value for each in curve]
    assert [each.strength for each in curve] == [0.2, 0.5, 0.9]
    assert differences == sorted(differences, reverse=True)


def test_unchanged_segments_and_repeated_texts_are_not_scored(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`upper` gives the same text at strengths that change as many words."""
    stand_ins.use(monkeypatch, [stand_ins.UPPER])
    counted: list[int] = []
    original = BLEU.statistics

    def counting(self: BLEU, hypotheses: object, *rest: object, **how: object) -> object:
        counted.append(len(hypotheses))  # type: ignore[arg-type]
        return original(self, hypotheses, *rest, **how)  # type: ignore[arg-type]

    perturbed(corpus, ["bleu"])  # counts the system, once for the corpus
    monkeypatch.setattr(BLEU, "statistics", counting)
    perturbed(corpus, ["bleu"], strengths=[0.001, 0.002])
    words = [text.split() for text in texts(corpus)]
    assert sum(counted) == sum(each[0] != each[0].upper() for each in words)


def test_at_level_corpus_the_difference_is_that_of_the_corpus_scores(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.DROP])
    for each in perturbed(corpus, ["bleu", "ter"], level="corpus").responses:
        assert each.difference.value == each.corpus_difference
        assert each.difference.interval is not None
        assert each.difference.interval.low < each.corpus_difference < each.difference.interval.high


def test_one_segment_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    corpus = Corpus.of_texts({"a": ["one two three"]}, ["one two four"])
    for level in ("segment", "corpus"):
        assert response(perturbed(corpus, ["bleu"], level=level), "reverse").difference.interval is None


def test_the_other_text_is_of_another_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Segment] = []
    stand_ins.use(monkeypatch, [stand_ins.perturbation("look", lambda segment, *_: seen.append(segment))])
    corpus = Corpus.of_texts({"a": ["one", "two", "two"]}, [["x", "y"]] * 3, sources=["eins", "zwei", "zwo"])
    assert perturbed(corpus, ["bleu"], lang="en").left_out == {
        "look": "no segment has anything that it changes"
    }
    assert [each.other for each in seen] == ["two", "one", "one"]
    assert seen[0].source == "eins"
    assert seen[0].references == ("x", "y")


def test_a_perturbation_left_out_cannot_be_requested(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.DROP], synonyms="WordNet is not installed.")
    with pytest.raises(ValueError, match=r"'synonyms' cannot be applied: WordNet is not installed\."):
        perturbed(corpus, ["bleu"], perturbations="synonyms")


def test_an_unknown_perturbation_is_refused(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.DROP])
    with pytest.raises(ValueError, match=r"unknown perturbation 'drop-word'\. Did you mean 'drop-words'"):
        perturbed(corpus, ["bleu"], perturbations="drop-word")


def test_harmless_changes_are_applied_beside_those_requested(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch)
    found = perturbed(corpus, ["bleu"], perturbations=["reverse"])
    assert [each.name for each in found.facts] == ["reverse", "period", "upper", "paraphrase"]
