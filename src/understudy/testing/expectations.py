"""Expectations of the laws, and the errors of metrics that break them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.testing.texts import Corpus

Law = Callable[[Metric], None]
LawOfText = Callable[[Metric, Corpus], None]


class BrokenLaw(AssertionError):
    """A metric breaks a law that every metric must obey. The message names the law, the text, and the actual result."""


class Unexpected(Exception):
    """The violation of a law, in words. It becomes a `BrokenLaw`."""


def obey(law: Law | LawOfText, metric: Metric, *texts: Corpus) -> None:
    """Tries a law. A metric that fails in any way breaks it."""
    try:
        law(metric, *texts)
    except Exception as error:
        found = str(error) if isinstance(error, Unexpected) else f"raised {type(error).__name__}: {error}"
        text = [in_words(*segment) for corpus in texts for segment in corpus]
        sentence = " ".join((law.__doc__ or "").split())
        raise BrokenLaw(
            "\n  ".join([f"{metric!r} breaks the law {law.__name__}: {sentence}", found, *text])
        ) from (None if isinstance(error, Unexpected) else error)


def expect(holds: bool, what: str) -> None:
    """Says what is the matter unless all is well."""
    if not holds:
        raise Unexpected(what)


def expect_same(what: str, got: Any, expected: Any) -> None:
    """To the last bit, of numbers and arrays."""
    same = np.array_equal(got, expected) if isinstance(expected, np.ndarray) else got == expected
    expect(bool(same), f"{what}: got {_shown(got)}, expected {_shown(expected)}")


def expect_same_rows(what: str, got: Statistics, expected: Statistics, corpus: Corpus) -> None:
    """To the last bit, of the statistics of a corpus. Says of which segment they differ first."""
    expect_same(f"{what}, shape", got.array.shape, expected.array.shape)
    expect_same(f"{what}, type", got.array.dtype, expected.array.dtype)
    for (hypothesis, references), row, other in zip(corpus, got.array, expected.array, strict=True):
        expect(
            row.tobytes() == other.tobytes(),
            f"{what}: got {_shown(row)}, expected {_shown(other)}, of {', '.join(got.columns)} in\n"
            f"  {in_words(hypothesis, references)}",
        )


def expect_close(what: str, got: Any, expected: Any, *, relative: float = 1e-12) -> None:
    """But for rounding."""
    got, expected = np.asarray(got, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    close = got.shape == expected.shape and np.allclose(got, expected, rtol=relative, atol=1e-12)
    expect(bool(close), f"{what}: got {_shown(got)}, expected {_shown(expected)}")


def in_words(hypothesis: str, references: list[str]) -> str:
    """A segment as errors name it."""
    return f"hypothesis {hypothesis!r}, references {references!r}"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return np.array2string(value, threshold=50, separator=", ").replace("\n", "") or "nothing"
    return repr(value)
