"""A few simple perturbations, in place of the catalog."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from understudy.probing.perturbations import responses
from understudy.probing.perturbations.perturbation import Change, Perturbation, Segment
from understudy.probing.perturbations.results import PerturbationFacts


def perturbation(
    name: str,
    apply: Change,
    *,
    harmless: bool = False,
    graded: bool = False,
    held_out: int | None = None,
    group: str = "words",
) -> Perturbation:
    facts = PerturbationFacts(name, group, harmless, "Changes words.", "none", graded)
    return Perturbation(facts, apply, held_out)


def _dropped(segment: Segment, strength: float, random: np.random.Generator) -> str:
    words = segment.text.split()
    dropped = set(random.permutation(len(words))[: max(1, round(strength * len(words)))].tolist())
    return " ".join(word for place, word in enumerate(words) if place not in dropped)


def _reversed(segment: Segment, *_: object) -> str | None:
    return " ".join(segment.text.split()[::-1])


def _other_words(segment: Segment, *_: object) -> str | None:
    """As many words, none of which is in a reference."""
    return " ".join("zzz" for _ in segment.text.split())


def _without_period(segment: Segment, *_: object) -> str | None:
    return segment.text.removesuffix(".").rstrip()


def _upper(segment: Segment, strength: float, _: np.random.Generator) -> str:
    words = segment.text.split()
    upper = max(1, round(strength * len(words)))
    return " ".join([*map(str.upper, words[:upper]), *words[upper:]])


def _first_reference(segment: Segment, *_: object) -> str | None:
    return segment.references[0]


DROP = perturbation("drop-words", _dropped, graded=True)
REVERSE = perturbation("reverse", _reversed)
OTHER_WORDS = perturbation("other-words", _other_words)
PERIOD = perturbation("period", _without_period, harmless=True)
UPPER = perturbation("upper", _upper, harmless=True, graded=True)
PARAPHRASE = perturbation("paraphrase", _first_reference, harmless=True, held_out=0, group="paraphrase")
ALL = (DROP, REVERSE, OTHER_WORDS, PERIOD, UPPER, PARAPHRASE)


def use(
    monkeypatch: pytest.MonkeyPatch, perturbations: Sequence[Perturbation] = ALL, **left_out: str
) -> None:
    """Let probe find these perturbations in place of the catalog."""
    monkeypatch.setattr(responses, "catalog", lambda _, **__: (list(perturbations), left_out))
