"""METEOR's languages and tasks: the parameters its authors tuned to human judgments (Denkowski and Lavie 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STAGES = ("exact", "stem", "synonym", "paraphrase")

NORMALIZED = ("norm", "norm-nopunct")  # tokenizers: METEOR's own, with punctuation and without
SPLIT = "split"  # at ASCII whitespace, as METEOR does without -norm


@dataclass(frozen=True)
class Task:
    """The parameters of one task in one language. The weights are those of the stages, in order."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Language:
    """What METEOR has for a language."""

    name: str  # in the names of its files; also Snowball's
    stages: tuple[str, ...] = ("exact", "stem")
    apostrophes: str | None = None  # how the normalizer treats them; None: no normalizer
    tasks: Mapping[str, Task] | None = None  # in addition to the tasks of all languages

    def task(self, name: str | None) -> tuple[str, Task] | None:
        """The task of that name or, without a name, the default task of the language."""
        known = {**_EVERYWHERE, **(self.tasks or {})}
        chosen = name or ("rank" if self.tasks else "li")
        return (chosen, known[chosen]) if chosen in known else None


# For languages without tuned parameters, and for tuning systems.
_EVERYWHERE = {
    "li": Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": Task(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}

_WITH_PARAPHRASES = ("exact", "stem", "paraphrase")

LANGUAGES = {
    "en": Language(
        "english",
        STAGES,
        "english",
        {
            "rank": Task(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
            "adq": Task(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
            "hter": Task(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
            "util": Task(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
        },
    ),
    "cz": Language(
        "czech",
        ("exact", "paraphrase"),
        "apart",
        {"rank": Task(0.95, 0.2, 0.6, 0.8, (1.0, 0.4))},
    ),
    "de": Language(
        "german", _WITH_PARAPHRASES, "apart", {"rank": Task(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2))}
    ),
    "es": Language(
        "spanish", _WITH_PARAPHRASES, "apart", {"rank": Task(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6))}
    ),
    "fr": Language(
        "french", _WITH_PARAPHRASES, "french", {"rank": Task(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4))}
    ),
    "ru": Language(
        "russian", _WITH_PARAPHRASES, "apart", {"rank": Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5))}
    ),
    "da": Language("danish"),
    "fi": Language("finnish"),
    "hu": Language("hungarian"),
    "it": Language("italian"),
    "nl": Language("dutch"),
    "no": Language("norwegian"),
    "pt": Language("portuguese"),
    "ro": Language("romanian"),
    "se": Language("swedish"),
    "tr": Language("turkish"),
    "other": Language("other", ("exact",)),
}
METEORS_CODES = {"cs": "cz", "sv": "se"}  # where they differ from ISO 639
TASKS = ("rank", "adq", "hter", "util", "li", "tune")
