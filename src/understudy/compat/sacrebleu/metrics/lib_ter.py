"""The edits of TER between lists of words, by understudy's search with sacreBLEU's rules."""

from __future__ import annotations

import functools

from understudy import _core
from understudy.corpus.columns import as_segment
from understudy.errors import BadInput
from understudy.metrics.ter import TER

_BEAM_WIDTH = 25


def translation_edit_rate(words_hyp: list[str], words_ref: list[str]) -> tuple[int, int]:
    """The number of edits and the number of words of the reference.

    >>> translation_edit_rate("on the mat the cat sat".split(), "the cat sat on the mat".split())
    (1, 6)
    """
    hypothesis, reference = _numbered(words_hyp, words_ref)
    # Words are written as numbers: a word of a list may hold spaces, one of a text may not.
    texts = [" ".join(map(str, numbers)) for numbers in (hypothesis, reference)]
    column, references = as_segment(texts[0], texts[1:])
    rows = _metric().count(column, references, 1)
    return int(rows[0, 0]), len(words_ref)


class BeamEditDistance:
    """The edit distance to a reference within TER's beam, and its trace; call it with the words of a hypothesis.

    >>> BeamEditDistance(["a", "b", "c"])(["a", "c"])
    (1, ' i ')
    """

    def __init__(self, words_ref: list[str]) -> None:
        self._words_ref = words_ref

    def __call__(self, words_hyp: list[str]) -> tuple[int, str]:
        """The distance, and an operation for each step: ' ' keeps a word, s substitutes, i inserts, d deletes one."""
        if not self._words_ref:
            return len(words_hyp), "d" * len(words_hyp)
        if not words_hyp:
            return len(self._words_ref), "i" * len(self._words_ref)
        hypothesis, reference = _numbered(words_hyp, self._words_ref)
        distance, aligned, wrong = _core.beam_alignment(hypothesis, reference, beam=_BEAM_WIDTH)
        return distance, _trace(aligned, wrong, len(hypothesis))


def _trace(aligned: list[int], wrong: list[int], length: int) -> str:
    """Of an alignment. A word of the reference that is aligned with one before has none of its own: it is inserted.
    No deletion is next to an insertion, because a substitution costs less than both.
    """
    steps, read = "", 0
    for place, is_wrong in zip(aligned, wrong, strict=True):
        if place < read:
            steps += "i"
        else:
            steps += "d" * (place - read) + ("s" if is_wrong else " ")
            read = place + 1
    return steps + "d" * (length - read)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """The alignment that a trace means: for each word of the reference, the last word of the hypothesis before it or
    in its place; then 1 for each wrong word of the reference, and for each wrong word of the hypothesis.

    >>> trace_to_alignment(" isd")
    ({0: 0, 1: 2, 2: 2}, [0, 1, 1], [0, 1, 1])
    """
    align: dict[int, int] = {}
    ref_err: list[int] = []
    hyp_err: list[int] = []
    for step in trace:
        if step not in " sid":
            raise BadInput(f"unknown operation '{step}' in a trace: expected ' ', s, i or d.")
        # The trace is of the way from the reference to the hypothesis.
        if step != "d":
            hyp_err.append(int(step != " "))
        if step != "i":
            align[len(ref_err)] = len(hyp_err) - 1
            ref_err.append(int(step != " "))
    return align, ref_err, hyp_err


def _numbered(hypothesis: list[str], reference: list[str]) -> tuple[list[int], list[int]]:
    """The words of the reference from 1 on; 0 for any other, which equals none of them."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(reference), start=1)}
    return [numbers.get(word, 0) for word in hypothesis], [numbers[word] for word in reference]


@functools.cache
def _metric() -> TER:
    return TER.preset("sacrebleu", tokenize="none", references_twice=False, lowercase=False)
