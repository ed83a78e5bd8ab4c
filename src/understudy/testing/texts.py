"""Texts for the laws."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric

Corpus = list[tuple[str, list[str]]]  # of each segment the hypothesis and the references

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
_SOURCE = "Der Text, aus dem alle Segmente übersetzt sind."  # the same for all: laws reorder segments
PROSE: Corpus = list(zip(SYSTEM, REFERENCES, strict=True))
DOCUMENTS = ["a", "b", "a", "c", "b", "a"]  # of the prose

# What made-up segments are made of: few words, so that texts share some, and texts that are hard to read.
WORDS = ("the", "cat", "sat", "Mat", ",", "3.5", "Straße", "他去了", "&amp;", "x-y")


def split(corpus: Corpus) -> tuple[list[str], list[list[str]]]:
    """The hypotheses and the references of a corpus."""
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


def given(metric: Metric, hypotheses: Any, references: Any) -> dict[str, Any]:
    """The texts as arguments of a metric, with a source text for each segment if it reads that."""
    texts = {"hypotheses": hypotheses, "references": references}
    return {**texts, "sources": [_SOURCE] * len(hypotheses)} if metric.reads_sources else texts


def made_up(number: int) -> Corpus:
    """The corpus of that number: up to 6 segments with up to 3 references, any of them empty."""
    generator = random.Random(number)

    def text() -> str:
        return " ".join(generator.choices(WORDS, k=generator.randrange(10)))

    return [
        (text(), [text() for _ in range(generator.randint(1, 3))]) for _ in range(generator.randint(1, 6))
    ]


def long_corpus(segments: int) -> Corpus:
    """A random corpus with this many segments, for laws of threads and chunks."""
    generator = random.Random(segments)
    vocabulary = [f"word{i}" for i in range(15)] + ["the", "a", ".", ",", "Ünder"]

    def text() -> str:
        return " ".join(generator.choices(vocabulary, k=generator.randrange(25)))

    return [(text(), [text() for _ in range(generator.randrange(1, 4))]) for _ in range(segments)]
