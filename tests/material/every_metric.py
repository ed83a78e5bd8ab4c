"""Every metric of the registry, in its default form and in each of its presets, and texts for them to count.

Nothing here knows any metric by name, but for one that is nothing without a file.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from material.learned_models import FITTED, PLAIN
from understudy import Metric, metric
from understudy.metrics.base.registry import metrics

METRICS = metrics()
# A learned combination has no default that can count: one that was learned stands for it.
DEFAULTS = [
    metric(f"learned:model={PLAIN}") if name == "learned" else metric_class()
    for name, metric_class in METRICS.items()
]
PRESETS = [metric_class.preset(name) for metric_class in METRICS.values() for name in metric_class.presets]
# The laws are of text that is counted, and a tokenizer that nobody chose may have it refused: so it is chosen.
DEFAULTS, PRESETS = ([known.with_defaults_chosen() for known in several] for several in (DEFAULTS, PRESETS))
# A preset may name the default.
EVERY = list(dict.fromkeys([*DEFAULTS, *PRESETS, metric(f"learned:model={FITTED}")]))


def where_it_can_count(known: list[Metric]) -> list[Any]:
    """The metrics; those that lack what they need on this machine are skipped, and say what it is."""
    return [
        pytest.param(law_of, id=law_of.spec, marks=pytest.mark.skipif(bool(lack), reason=lack))
        for law_of in known
        for lack in [law_of.missing]
    ]


every_metric = pytest.mark.parametrize("law_of", where_it_can_count(EVERY))
every_metric_with_references = pytest.mark.parametrize(
    "law_of", where_it_can_count([known for known in EVERY if known.reads_references])
)
every_default = pytest.mark.parametrize("law_of", where_it_can_count(DEFAULTS))

REFERENCES = [
    ["The old man walked slowly across the bridge.", "An elderly man was slowly crossing the bridge."],
    ["Nobody knew where the letter had come from.", "No one knew from where the letter had come."],
    ["In 2019, about 3.5 million people lived there.", "Some 3.5 million people lived there in 2019."],
    ["The committee will meet again next Tuesday.", "The committee meets again on Tuesday next week."],
    ["She said that the results were not surprising.", "The results were no surprise, she said."],
    ["Prices rose by 4% while wages stayed the same.", "Wages stood still while prices went up by 4%."],
]
FIRST = [group[0] for group in REFERENCES]
SYSTEM = [
    "The old man went slowly over the bridge.",
    "Nobody knew where from the letter came.",
    "In 2019 lived there about 3.5 million people.",
    "The committee will meet on Tuesday.",
    "The results, she said, were not surprising.",
    "Prices rose 4% and wages stayed the same.",
]

texts = st.lists(
    st.sampled_from(["the", "cat", "sat", "Mat", ",", "3.5", "Straße", "他去了", "&amp;", "x-y"]), max_size=9
)
segments = st.tuples(texts.map(" ".join), st.lists(texts.map(" ".join), min_size=1, max_size=3))
corpora = st.lists(segments, min_size=1, max_size=5)
few_examples = settings(max_examples=20, deadline=None)


def ready(law_of: Metric, hypotheses: Any, references: Any) -> Metric:
    """The metric as it can count: one that needs to know the whole set of what it reads has been told."""
    return law_of.fit(references if law_of.reads_references else hypotheses)


def enough(law_of: Metric, segments: list[Any]) -> bool:
    """Whether there is what the metric compares: at least two texts if it compares texts with one another."""
    return law_of.reads_references or len(segments) > 1


def expected_references(law_of: Metric) -> tuple[int, int]:
    return (2, 2) if law_of.reads_references else (0, 0)


def split(corpus: list[Any]) -> tuple[list[str], list[list[str]]]:
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


def random_corpus(size: int) -> tuple[list[str], list[list[str]]]:
    generator = random.Random(size)
    vocabulary = [f"word{i}" for i in range(15)] + ["the", "a", ".", ",", "Ünder"]

    def sentence() -> str:
        return " ".join(generator.choices(vocabulary, k=generator.randrange(25)))

    return [sentence() for _ in range(size)], [
        [sentence() for _ in range(generator.randrange(1, 4))] for _ in range(size)
    ]
