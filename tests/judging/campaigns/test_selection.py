"""Selection of segments: what is chosen, and that it separates systems with fewer judgments than chance."""

from __future__ import annotations

import csv
import gzip
from itertools import combinations

import numpy as np
import pytest

from material.shared import needs
from material.wmt import DATA, lines, systems
from understudy import Corpus, score
from understudy.errors import BadParameter
from understudy.judging.campaigns.selection import segment_diversities, segment_variances, selected_segments

SMALL = Corpus.of_texts(
    {"a": ["Yes.", "The cat sat.", "It rained."], "b": ["Yes.", "A dog ran home.", "It rained today."]},
    ["Yes.", "The cat sat.", "It rained."],
)
EXAMPLES = [f"examples/system-{name}.en" for name in ("strong", "medium", "weak")]


def chosen(how: str, count: int, corpus: Corpus = SMALL, seed: int = 0, **options) -> list[int]:
    return selected_segments(corpus, how, count, np.random.default_rng(seed), **options)


def test_variance_prefers_the_segment_on_which_scores_differ_most():
    assert chosen("variance", 1) == [1]


def test_diversity_prefers_the_segment_on_which_outputs_differ_most():
    assert chosen("diversity", 1) == [1]


def test_all_is_all():
    assert chosen("all", 1) == [0, 1, 2]


def test_random_is_reproducible_and_depends_on_the_seed():
    corpus = Corpus.read(EXAMPLES, ["examples/reference-1.en"])
    assert (
        chosen("random", 20, corpus) == chosen("random", 20, corpus) != chosen("random", 20, corpus, seed=1)
    )


def test_variance_does_not_depend_on_the_seed():
    corpus = Corpus.read(EXAMPLES, ["examples/reference-1.en"])
    assert chosen("variance", 20, corpus) == chosen("variance", 20, corpus, seed=1)


def test_the_variance_is_that_of_the_metric():
    scores = score(EXAMPLES, ["examples/reference-1.en"], "bleu", level="segment")
    expected = np.var([system.segments[0] for system in scores.systems], axis=0)
    corpus = Corpus.read(EXAMPLES, ["examples/reference-1.en"])
    assert segment_variances(corpus, "bleu").tolist() == expected.tolist()


def test_identical_outputs_have_no_diversity():
    assert segment_diversities(Corpus.of_texts({"a": ["", "Yes."], "b": ["", "Yes."]})).tolist() == [0, 0]


def test_whole_documents_are_chosen():
    assert chosen("variance", 1, documents=[[0, 1], [2]]) == [0, 1]


def test_variance_without_references():
    corpus = Corpus.of_texts({"a": ["Yes."], "b": ["No."]})
    with pytest.raises(
        BadParameter, match=r"which needs references\. Add references, or use the selection diversity"
    ):
        chosen("variance", 1, corpus)


def test_one_system_has_no_variance():
    with pytest.raises(BadParameter, match=r"compares systems, but there is one\. Use the selection random"):
        chosen("variance", 1, Corpus.of_texts({"a": ["Yes."]}, ["Yes."]))


def separated(human: np.ndarray, segments: np.ndarray) -> float:
    """The share of pairs of systems with a significant difference (t above 1.96) in the order of all segments."""
    part, order = human[:, segments], human.mean(axis=1)
    found = []
    for first, second in combinations(range(len(human)), 2):
        difference = part[first] - part[second]
        t = difference.mean() / (difference.std(ddof=1) / np.sqrt(len(segments)))
        found.append(t * np.sign(order[first] - order[second]) > 1.96)
    return float(np.mean(found))


def at_random(human: np.ndarray, count: int) -> float:
    rng = np.random.default_rng(0)
    drawn = [rng.choice(human.shape[1], count, replace=False) for _ in range(100)]
    return float(np.mean([separated(human, segments) for segments in drawn]))


def test_variance_separates_more_systems_than_chance_on_synthetic_data():
    """Segments differ in how much they tell systems apart, and a metric sees that, with noise."""
    rng = np.random.default_rng(0)
    telling = rng.gamma(0.5, 2, 500)
    quality = np.linspace(-1, 1, 8)[:, None] * telling
    human = quality + rng.normal(0, 1, quality.shape)
    metric = quality + rng.normal(0, 1, quality.shape)
    best = np.argsort(-metric.var(axis=0), kind="stable")[:40]
    assert separated(human, best) > 1.3 * at_random(human, 40)


@needs(DATA / "wmt23.zh-en")
@pytest.mark.parametrize("count", [50, 100, 200])
@pytest.mark.parametrize("how", ["variance", "diversity"])
def test_selection_separates_more_systems_than_chance_on_real_data(how, count):
    """DA+SQM of WMT23 zh-en, by chrF. On its MQM scores selection by chrF gains nothing."""
    human, worth = judged(how)
    best = np.argsort(-worth, kind="stable")[:count]
    assert separated(human, best) > at_random(human, count)


def judged(how: str) -> tuple[np.ndarray, np.ndarray]:
    folder = DATA / "wmt23.zh-en"
    scores: dict[str, dict[int, float]] = {}
    with gzip.open(folder / "human.da-sqm.seg.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            scores.setdefault(row["system"], {})[int(row["seg"]) - 1] = float(row["score"])
    outputs = {name: texts for name, texts in systems("wmt23.zh-en").items() if name in scores}
    segments = sorted(set.intersection(*(set(scores[name]) for name in outputs)))
    corpus = Corpus.of_texts(
        {name: [texts[segment] for segment in segments] for name, texts in outputs.items()},
        [lines(folder / "refA.txt")[segment] for segment in segments],
    )
    worth = segment_variances(corpus) if how == "variance" else segment_diversities(corpus)
    return np.array([[scores[name][segment] for segment in segments] for name in outputs]), worth
