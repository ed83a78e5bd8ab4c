"""What test_lighteval.py runs in the environment of lighteval: its own functions around understudy's metrics."""

from __future__ import annotations

import pytest
from lighteval.logging.info_loggers import MetricsLogger
from lighteval.metrics import apply_metric
from lighteval.metrics.metrics import Metrics
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

from material.example_rows import CHINESE, METRICS, OUTPUT, PAIRS, corpus
from understudy import metric
from understudy.compat.lighteval import corpus_metric, sample_metric
from understudy.errors import BadParameter, NoTokenizerChosen

WEAK = OUTPUT["weak"]


class Task:
    """What the logger asks a task for."""

    def __init__(self, metrics):
        self.metrics = metrics

    def aggregation(self):
        return {
            name: function
            for each in self.metrics
            for name, function in each.get_corpus_aggregations().items()
        }


def aggregated(metrics, hypotheses, references, samples=0):
    """From samples to the results of a task, as in lighteval's pipeline."""
    docs = [
        Doc(query="", choices=list(golds), gold_index=[*range(len(golds))], task_name="tiny|0")
        for golds in references
    ]
    responses = [ModelResponse(text=[text]) for text in hypotheses]
    logger = MetricsLogger()
    for sample in apply_metric(responses, docs, metrics):
        logger.log("tiny|0", sample)
    logger.aggregate({"tiny|0": Task(metrics)}, bootstrap_iters=samples)
    return logger.metric_aggregated["tiny|0"]


@pytest.mark.parametrize("spec", METRICS)
def test_scores_and_directions(spec):
    of_corpus, of_samples = corpus_metric(spec), sample_metric(spec)
    found = aggregated([of_corpus, of_samples], WEAK, PAIRS)
    assert found[f"understudy_{spec}_corpus"] == corpus(spec, "weak")
    assert found[f"understudy_{spec}_segment"] == metric(spec).mean(WEAK, PAIRS).value
    assert of_corpus.higher_is_better is of_samples.higher_is_better is (spec != "ter")


def test_bootstrap_samples_of_a_corpus_score():
    """By default, lighteval computes them in other processes, for the standard error."""
    found = aggregated([corpus_metric("ter")], WEAK, PAIRS, samples=10)
    assert found["understudy_ter_corpus"] == corpus("ter", "weak")
    assert 0 < found["understudy_ter_corpus_stderr"] < 5


def test_one_reference_gives_the_digits_of_the_library():
    own = Metrics.bleu.value.corpus_level_fn
    own.get_metric = lambda: __import__("sacrebleu").BLEU()  # without a download of NLTK data
    one = [pair[:1] for pair in PAIRS]
    found = aggregated([corpus_metric("bleu"), Metrics.bleu.value], WEAK, one)
    assert found["understudy_bleu_corpus"] == pytest.approx(found["bleu"], rel=1e-12)


def test_refusals():
    with pytest.raises(NoTokenizerChosen):
        aggregated([corpus_metric("bleu")], CHINESE["hyp"], [CHINESE["ref1"]])
    assert (
        aggregated([corpus_metric("bleu", lang="zh", name="x")], CHINESE["hyp"], [CHINESE["ref1"]])["x"] > 0
    )
    with pytest.raises(BadParameter, match="closer they are to 100"):
        corpus_metric("length-ratio")
