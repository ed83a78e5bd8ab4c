"""The verb `probe`: input, refusals, progress and equal results."""

from __future__ import annotations

from pathlib import Path

import pytest

import understudy
from material import stand_in_perturbations as stand_ins
from understudy import Corpus, ParsedColumn, WeightedNgram
from understudy.probing.results import Probe
from understudy.probing.run import probe

SYSTEM, REFERENCES = "examples/system-medium.en", ["examples/reference-1.en", "examples/reference-2.en"]
TEXTS = ["The cat sat on the mat.", "It rained for three days."]
ANSWERS = [["A cat sat on the mat.", "The cat was on a mat."], ["It was raining for three days."]]


@pytest.fixture(autouse=True)
def few_perturbations(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch)


def perturbations(*given: object, **settings: object) -> Probe:
    return probe(*given, **{"what": "perturbations", **settings})  # type: ignore[arg-type]


def test_files_and_texts_give_the_same() -> None:
    lines = [Path(name).read_text(encoding="utf-8").splitlines() for name in (SYSTEM, *REFERENCES)]
    of_texts = perturbations({"system-medium.en": lines[0]}, list(zip(*lines[1:], strict=True)))
    assert perturbations([SYSTEM], REFERENCES) == of_texts


def test_the_same_seed_gives_equal_results() -> None:
    assert perturbations([SYSTEM], REFERENCES, seed=7) == perturbations([SYSTEM], REFERENCES, seed=7)


def test_another_seed_gives_other_results() -> None:
    assert perturbations([SYSTEM], REFERENCES, seed=7) != perturbations([SYSTEM], REFERENCES, seed=8)


def test_threads_do_not_matter() -> None:
    assert perturbations([SYSTEM], REFERENCES, threads=1) == perturbations([SYSTEM], REFERENCES, threads=2)


def test_a_metric_does_not_change_the_results_of_another() -> None:
    both = perturbations([SYSTEM], REFERENCES, ["bleu", "chrf"]).perturbations
    alone = perturbations([SYSTEM], REFERENCES, ["bleu"]).perturbations
    assert both is not None
    assert alone is not None
    assert [each for each in both.responses if each.metric == 0] == list(alone.responses)
    assert [each for each in both.blind_spots if each.metric == 0] == list(alone.blind_spots)


def test_the_scores_are_those_of_score() -> None:
    corpus = Corpus([SYSTEM], REFERENCES)
    specs = ["bleu", "nist", "ter"]
    assert (
        perturbations(corpus, metrics=specs).scores
        == understudy.score(corpus, metrics=specs).systems[0].scores
    )


def test_a_corpus_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus([SYSTEM], REFERENCES)
    understudy.score(corpus)
    counted: list[int] = []
    original = understudy.BLEU.count

    def counting(self: understudy.BLEU, hypotheses: object, *rest: object) -> object:
        counted.append(len(hypotheses))  # type: ignore[arg-type]
        return original(self, hypotheses, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(understudy.BLEU, "count", counting)
    stand_ins.use(monkeypatch, [])
    perturbations(corpus)
    assert counted == []


def test_several_systems_are_refused() -> None:
    with pytest.raises(ValueError, match=r"got 2 systems \(a, b\), expected one"):
        perturbations(Corpus.of_texts({"a": TEXTS, "b": TEXTS}, ANSWERS))


def test_training_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="'a' has 2 training runs, expected one"):
        perturbations(Corpus.of_texts({"a": [TEXTS, TEXTS]}, ANSWERS))


def test_references_are_needed() -> None:
    with pytest.raises(ValueError, match="probe needs references, but none are given"):
        perturbations(Corpus.of_texts({"a": TEXTS}))


def test_a_reference_free_metric_is_refused() -> None:
    with pytest.raises(ValueError, match="self-bleu does not compare hypotheses with references"):
        perturbations(Corpus.of_texts({"a": TEXTS}, ANSWERS), metrics=["bleu", "self-bleu"])


def test_trees_are_refused_by_metrics_that_need_trees_of_changed_text() -> None:
    trees = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD slept)) (. .))"])
    with pytest.raises(
        ValueError, match=r"stm: trees are given, but changed hypotheses have none\. Give text"
    ):
        perturbations({"a": trees}, {"b": trees}, "stm")


def test_words_are_read_from_trees() -> None:
    trees = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD slept)) (. .))"])
    text = ["I slept ."]
    assert perturbations({"a": trees}, {"b": trees}) == perturbations({"a": text}, {"b": text})


def test_documents_are_read_by_metrics_that_use_them() -> None:
    given = perturbations([SYSTEM], REFERENCES, WeightedNgram(), documents=["a"] * 30 + ["b"] * 30)
    without = perturbations([SYSTEM], REFERENCES, WeightedNgram())
    assert given.perturbations is not None
    assert without.perturbations is not None
    assert given.perturbations.responses[0].metric == without.perturbations.responses[0].metric
    assert given.perturbations.responses[0] != without.perturbations.responses[0]


def test_a_fit_is_that_of_the_original_references() -> None:
    """One segment alone would be fitted on its own references, in which every word is equally rare."""
    corpus = Corpus([SYSTEM], REFERENCES)
    found = perturbations(corpus, metrics="nist").perturbations
    assert found is not None
    assert corpus.references is not None
    for example in found.examples[:2]:
        fitted = understudy.NIST().fit(corpus.references)
        score = fitted.segment(example.after, corpus.references[example.segment]).value
        assert example.scores_after == (score,)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(TypeError, match=r"unknown option 'strenghts'\. Did you mean 'strengths'"):
        perturbations([SYSTEM], REFERENCES, strenghts=[1])


def test_the_language_is_that_of_the_files_or_given(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def catalog(language: str | None, **_: object) -> tuple[list[object], dict[str, str]]:
        asked.append(language)
        return [], {}

    monkeypatch.setattr("understudy.probing.perturbations.responses.catalog", catalog)
    perturbations([SYSTEM], REFERENCES)
    perturbations([SYSTEM], REFERENCES, lang="de-AT")
    perturbations(Corpus.of_texts({"a": TEXTS}, ANSWERS))
    assert asked == ["en", "de", None]


def test_progress_adds_up_to_the_steps_of_the_plan() -> None:
    done: list[int] = []
    found = perturbations([SYSTEM], REFERENCES, progress=done.append)
    assert sum(done) == found.plan.steps(60) == 60
    assert len(done) == len(stand_ins.ALL)


def test_text_that_the_tokenizer_cannot_split_is_refused() -> None:
    with pytest.raises(ValueError, match="Chinese"):
        perturbations(Corpus.of_texts({"a": ["猫坐在垫子上。"] * 10}, ["猫在垫子上。"] * 10))


def test_text_that_the_tokenizer_can_split_is_not_refused_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """One perturbation changes the few Chinese segments of an English test set."""
    chinese = stand_ins.perturbation("chinese", lambda segment, *_: segment.text.replace("猫", "狗"))
    stand_ins.use(monkeypatch, [chinese])
    corpus = Corpus.of_texts(
        {"a": [*TEXTS * 20, *["猫坐在垫子上。"] * 9]}, ["It rains today."] * 40 + ["猫在垫子上。"] * 9
    )
    found = perturbations(corpus).perturbations
    assert found is not None
    assert found.responses[0].changed == 9
