"""Questions to a language model as a judge, and an endpoint that does not wait long."""

from __future__ import annotations

from pathlib import Path

from understudy.language_models.endpoint import Endpoint, Patience
from understudy.language_models.judge import LanguageModelJudge, Texts

REFERENCE = "the cat sat on the mat"
QUICK = Patience(calls=4, first=0.001, longest=0.004, timeout=0.4)
JUDGE = LanguageModelJudge("model", "score")


def question(translation: str) -> Texts:
    return (("translation", translation), ("reference", REFERENCE))


def questions(number: int) -> list[Texts]:
    return [question(f"the cat sat {each}") for each in range(number)]


def endpoint(url: str | None, store: Path, **more) -> Endpoint:
    return Endpoint(url, replies=store, **{"patience": QUICK, **more})


def scores(verdicts) -> list[float]:
    return [verdict.score for verdict in verdicts.values()]
