"""spaCy's dependency parser with batched transitions.

In its own loop, spaCy 3.8 acquires Python's lock more than a hundred times per transition and text, which takes
longer than the transition. Here each transition is applied to all unfinished texts, with the same operations in the
same order, so that every score is bit-identical.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

_WORDS_AT_ONCE = 2000  # larger batches are no faster and need 13 KB per text


def take_steps_at_once(pipeline: Any) -> None:
    """Make the component `parser` of a pipeline use batched transitions from now on."""
    pipeline._components = [
        (name, _parser_class().of(component) if name == "parser" else component)
        for name, component in pipeline.components
    ]


@cache
def _parser_class() -> Any:
    from spacy.pipeline.dep_parser import DependencyParser  # type: ignore[import-not-found]  # compiled

    class StepsAtOnce(DependencyParser):  # type: ignore[misc]  # spaCy's types say Any
        """A parser for inference only, which always takes the best transition."""

        @classmethod
        def of(cls, parser: Any) -> Any:
            return cls(parser.vocab, parser.model, parser.name, moves=parser.moves)

        def pipe(self, docs: Iterable[Any], **_: Any) -> Iterator[Any]:
            for batch in _batches(docs):
                self.set_annotations(batch, self.predict(batch))
                yield from batch

        def greedy_parse(self, docs: list[Any], **_: Any) -> list[Any]:
            states: list[Any] = self.moves.init_batch(docs)
            network = self.model.predict(docs)
            unfinished = [state for state in states if not state.is_final()]
            while unfinished:
                unfinished = self.transition_states(unfinished, network.predict(unfinished))
            network.clear_memory()
            return states

    return StepsAtOnce


def _batches(docs: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    words = 0
    for doc in docs:
        if batch and words + len(doc) > _WORDS_AT_ONCE:
            yield batch
            batch, words = [], 0
        batch.append(doc)
        words += len(doc)
    if batch:
        yield batch
