"""METEOR's languages and tasks: the parameters its authors tuned to human judgments (Denkowski and Lavie 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STAGES = ("exact", "stem", "synonym", "paraphrase")

NORMALIZED = ("norm", "norm-nopunct")  # tokenizers: METEOR's own, with punctuation and without
SPLIT = "split"  # at ASCII whitespace, as METEOR does without -norm


@dataclass(frozen=True)
class MeteorParameters:
    """The parameters of one task in one language. The weights are those of the stages, in order."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


@dataclass(frozen=True)
class MeteorLanguage:
    """What METEOR has for a language."""

    name: str  # in the names of its files; also Snowball's
    stages: tuple[str, ...] = ("exact", "stem")
    apostrophes: str | None = None  # how the normalizer treats them; None: no normalizer
    tasks: Mapping[str, MeteorParameters] | None = None  # in addition to the tasks of all languages

    def task(self, name: str | None) -> tuple[str, MeteorParameters] | None:
        """The task of that name or, without a name, the default task of the language."""
        known = {**_EVERYWHERE, **(self.tasks or {})}
        chosen = name or ("rank" if self.tasks else "li")
        return (chosen, known[chosen]) if chosen in known else None


# For languages without tuned parameters, and for tuning systems.
_EVERYWHERE = {
    "li": MeteorParameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": MeteorParameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}

_WITH_PARAPHRASES = ("exact", "stem", "paraphrase")

LANGUAGES = {
    "en": MeteorLanguage(
        "english",
        STAGES,
        "english",
        {
            "rank": MeteorParameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
            "adq": MeteorParameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
            "hter": MeteorParameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
            "util": MeteorParameters(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
        },
    ),
    "cz": MeteorLanguage(
        "czech",
        ("exact", "paraphrase"),
        "apart",
        {"rank": MeteorParameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4))},
    ),
    "de": MeteorLanguage(
        "german",
        _WITH_PARAPHRASES,
        "apart",
        {"rank": MeteorParameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2))},
    ),
    "es": MeteorLanguage(
        "spanish",
        _WITH_PARAPHRASES,
        "apart",
        {"rank": MeteorParameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6))},
    ),
    "fr": MeteorLanguage(
        "french",
        _WITH_PARAPHRASES,
        "french",
        {"rank": MeteorParameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4))},
    ),
    "ru": MeteorLanguage(
        "russian",
        _WITH_PARAPHRASES,
        "apart",
        {"rank": MeteorParameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5))},
    ),
    "da": MeteorLanguage("danish"),
    "fi": MeteorLanguage("finnish"),
    "hu": MeteorLanguage("hungarian"),
    "it": MeteorLanguage("italian"),
    "nl": MeteorLanguage("dutch"),
    "no": MeteorLanguage("norwegian"),
    "pt": MeteorLanguage("portuguese"),
    "ro": MeteorLanguage("romanian"),
    "se": MeteorLanguage("swedish"),
    "tr": MeteorLanguage("turkish"),
    "other": MeteorLanguage("other", ("exact",)),
}
METEORS_CODES = {"cs": "cz", "sv": "se"}  # where they differ from ISO 639
TASKS = ("rank", "adq", "hter", "util", "li", "tune")
