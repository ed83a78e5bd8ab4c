"""Hugging Face `evaluate` and `datasets`: their own machinery around understudy's metrics."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from material.example_rows import (
    CHINESE,
    METRICS,
    OUTPUT,
    PAIRS,
    REFERENCE_1,
    REFERENCES,
    ROWS,
    by_system,
    corpus,
    expected_scores,
    segments,
)
from material.optional import ImportedWhenUsed, needs_packages
from understudy import metric
from understudy.compat import datasets as of_datasets
from understudy.compat.evaluate import load
from understudy.errors import BadInput, NoSegments, NoTokenizerChosen, UnknownParameter, WrongType

datasets = ImportedWhenUsed("datasets")
evaluate = ImportedWhenUsed("evaluate")

pytestmark = [needs_packages("datasets", "evaluate"), pytest.mark.xdist_group("torch")]

WEAK = OUTPUT["weak"]


@pytest.fixture
def cache(tmp_path):
    """Where `evaluate` keeps what is added."""
    return {"cache_dir": str(tmp_path)}


@pytest.mark.parametrize("spec", [*METRICS, "bleu:tokenize=intl", "rouge", "nist"])
def test_compute(spec, cache):
    module = load(spec, **cache)
    assert isinstance(module, evaluate.Metric)
    several = module.compute(predictions=WEAK, references=[list(pair) for pair in PAIRS])
    assert several["score"] == corpus(spec, "weak")
    one = module.compute(predictions=WEAK, references=REFERENCE_1)
    assert one["score"] == metric(spec).corpus(WEAK, REFERENCE_1).value
    assert one["signature"] == str(metric(spec).corpus(WEAK, REFERENCE_1).signature)


def test_arrays_and_columns_are_texts_as_in_the_library(cache):
    import numpy as np
    import pandas as pd

    for kind in (tuple, np.array, pd.Series):
        module = load("bleu", **cache)
        inputs = {"predictions": kind(WEAK), "references": kind(REFERENCE_1)}
        assert module.compute(**inputs)["score"] == metric("bleu").corpus(WEAK, REFERENCE_1).value
        module.add_batch(**inputs)
        module.add_batch(predictions=kind([]), references=kind([]))
        assert module.compute()["score"] == metric("bleu").corpus(WEAK, REFERENCE_1).value
        with pytest.raises(NoSegments):
            module.compute(predictions=kind([]), references=kind([]))


def test_the_keys_are_those_of_the_modules_of_the_library(cache):
    """Compared with sacreBLEU, which these modules call."""
    sacrebleu = pytest.importorskip("sacrebleu", reason="needs sacrebleu: pip install '.[test]'")
    inputs = {"predictions": WEAK, "references": REFERENCE_1}
    bleu = sacrebleu.corpus_bleu(WEAK, [REFERENCE_1])
    found = load("bleu", **cache).compute(**inputs)
    for key in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"):
        assert found[key] == getattr(bleu, key), key
    ter = sacrebleu.corpus_ter(WEAK, [REFERENCE_1])
    found = load("ter", **cache).compute(**inputs)
    assert (found["score"], found["num_edits"], found["ref_length"]) == (
        ter.score,
        ter.num_edits,
        ter.ref_length,
    )
    found = load("chrf++", **cache).compute(**inputs)
    assert found["score"] == sacrebleu.corpus_chrf(WEAK, [REFERENCE_1], word_order=2).score
    assert (found["char_order"], found["word_order"], found["beta"]) == (6, 2, 2)


def test_adding_and_combining(cache):
    module = load("ter", **cache)
    module.add(prediction=WEAK[0], reference=list(PAIRS[0]))
    module.add_batch(predictions=WEAK[1:], references=[list(pair) for pair in PAIRS[1:]])
    assert module.compute()["score"] == corpus("ter", "weak")
    combined = evaluate.combine([load("bleu", **cache), load("ter", **cache)])
    found = combined.compute(predictions=WEAK, references=REFERENCE_1)
    for spec in ("bleu", "ter"):
        assert found[f"{spec}_score"] == metric(spec).corpus(WEAK, REFERENCE_1).value


def test_nothing_to_score(cache):
    module = load("bleu", **cache)
    with pytest.raises(NoSegments, match="predictions: the list is empty, expected at least one hypothesis"):
        module.compute(predictions=[], references=[])
    module.add_batch(predictions=[], references=[])  # such as the last of a loader
    module.add_batch(predictions=WEAK, references=REFERENCE_1)
    module.add_batch(predictions=[], references=[])
    assert module.compute()["score"] == metric("bleu").corpus(WEAK, REFERENCE_1).value


def _one_process(process_id, part, cache):
    module = load("bleu", num_process=2, process_id=process_id, experiment_id="two", timeout=300, **cache)
    module.add_batch(predictions=WEAK[part], references=REFERENCE_1[part])
    return module.compute()


def test_several_processes(cache):
    """Each writes a file of its own, and the first reads all of them."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        first, second = pool.map(_one_process, (0, 1), (slice(0, 20), slice(20, 60)), (cache, cache))
    assert first["score"] == metric("bleu").corpus(WEAK, REFERENCE_1).value
    assert second is None


def test_unknown_options_are_refused(cache):
    """The library ignores them, so a parameter of the metric would have no effect."""
    with pytest.raises(UnknownParameter, match=r"'tokenize'.* spec, such as 'bleu:lowercase=true'"):
        load("bleu", tokenize="intl", **cache)
    with pytest.raises(UnknownParameter, match=r"'num_proces'\. Did you mean 'num_process'"):
        load("bleu", num_proces=2, **cache)
    with pytest.raises(UnknownParameter, match="unknown option 'lowercase'"):
        load("bleu", **cache).compute(predictions=["a"], references=["a"], lowercase=True)


def test_refusals(cache):
    with pytest.raises(NoTokenizerChosen):
        load("bleu", **cache).compute(predictions=CHINESE["hyp"], references=CHINESE["ref1"])
    assert load("bleu", lang="zh", **cache).compute(predictions=CHINESE["hyp"], references=CHINESE["ref1"])[
        "score"
    ]
    with pytest.raises(ValueError, match="unknown metric"):
        load("bleau")


@pytest.mark.parametrize("streamed", [False, True])
def test_scores_of_datasets(streamed):
    dataset = datasets.Dataset.from_dict(ROWS)
    dataset = dataset.to_iterable_dataset(num_shards=3) if streamed else dataset
    rows = of_datasets.score(dataset, "hyp", ["ref1", "ref2"], metrics=METRICS, by="system")
    assert by_system(rows) == expected_scores()


def test_segment_scores_of_datasets():
    dataset = datasets.Dataset.from_dict({**ROWS, "refs": REFERENCES})
    datasets.disable_progress_bars()
    for references in (["ref1", "ref2"], "refs"):
        add_scores = of_datasets.SegmentScores(METRICS, "hyp", references)
        for given in (dataset, dataset.with_format("arrow")):
            scored = given.map(add_scores, batched=True, batch_size=50).with_format(None)
            for spec in METRICS:
                assert list(scored[spec]) == segments(spec)


def test_refusals_of_datasets():
    dataset = datasets.Dataset.from_dict({"hyp": ["a", None], "ref": ["a", "b"]})
    with pytest.raises(WrongType, match="segment 2 is None"):
        of_datasets.score(dataset, "hyp", "ref")
    with pytest.raises(BadInput, match=r"unknown column 'reff'\. Did you mean 'ref'\?"):
        of_datasets.score(dataset, "hyp", "reff")
    with pytest.raises(
        WrongType, match=r"got DatasetDict, expected one data set\. Use one of its splits: test"
    ):
        of_datasets.score(datasets.DatasetDict(test=dataset), "hyp", "ref")
