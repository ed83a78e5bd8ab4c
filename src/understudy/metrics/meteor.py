"""METEOR: F-mean of exact, stem, synonym and paraphrase matches with a fragmentation penalty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter, UnderstudyError
from understudy.metrics.base import meteor_greedy
from understudy.metrics.base import meteor_resources as resources
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.meteor_tasks import (
    LANGUAGES,
    METEORS_CODES,
    NORMALIZED,
    SPLIT,
    STAGES,
    TASKS,
    MeteorLanguage,
    MeteorParameters,
)
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Unchosen, all_digits, param
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import Reader
from understudy.text.languages import field_tokenizer, language_of
from understudy.text.tokenizers import tokenizer

# With several thousand, a repetitive text can have more steps at one word than the core can represent.
_MOST_PATHS = 1000

_OF_2005 = {
    "stages": "exact+stem+synonym",
    "weights": (1.0, 1.0, 1.0),
    "alpha": 0.9,
    "beta": 3.0,
    "gamma": 0.5,
    "delta": 0.5,
    "function_words": "none",
    "stemmer": "porter",
    "copies_are_free": False,
}


@dataclass(frozen=True, kw_only=True, repr=False)
class METEOR(Metric):
    """METEOR 1.5. It needs METEOR's data: see `data`.

    >>> exact = METEOR(stages="exact", tokenize="13a", function_words="none")
    >>> exact.corpus(["the cat sat on the mat"], ["on the mat sat the cat"])
    <METEOR 47.77: corpus of 1 segment, 1 reference>
    """

    language: str = param(
        Unchosen("en"), "language, which determines the other defaults", choices=tuple(LANGUAGES)
    )
    task: str | None = param(
        None,
        "task to which the parameters were tuned: ranking, adequacy, edits (HTER), utility; li for "
        "language-independent parameters, tune for system tuning",
        choices=(None, *TASKS),
    )
    stages: str | None = param(None, "matchers, joined by +: exact, stem, synonym, paraphrase")
    weights: tuple[float, ...] | None = param(
        None, "weight of each stage, in order (default: the first weights of the task)"
    )
    alpha: float | None = param(None, "weight of recall against precision, 0 to 1")
    beta: float | None = param(None, "exponent of the fragmentation penalty")
    gamma: float | None = param(None, "maximum fragmentation penalty, 0 to 1")
    delta: float | None = param(None, "weight of content words against function words, 0 to 1")
    tokenize: str = param(
        Unchosen("norm"),
        "METEOR's `norm` or `norm-nopunct`; `split` at ASCII whitespace; or a tokenizer of `understudy "
        "tokenizers`",
    )
    lowercase: bool = param(True, "lowercase text first (Unicode)", choices=(True, False))
    characters: bool = param(
        False, "count lengths and matches in characters, as METEOR's option -ch does", choices=(False, True)
    )
    function_words: str = param(
        "meteor",
        "function word list: `meteor`, the English list that METEOR always uses; `language`, that of the "
        "language; `none`; or a file",
    )
    stemmer: str = param(
        "snowball",
        "stemmer: Snowball for the language, or NLTK's Porter stemmer",
        choices=("snowball", "porter"),
    )
    synonyms: str = param(
        "meteor",
        "synonyms: METEOR's table; the installed `wordnet`, or wordnet:FOLDER; or wn:LEXICON from the package wn",
    )
    copies_are_free: bool = param(
        True, "no penalty for a segment that matches completely in one chunk", choices=(True, False)
    )
    alignment: str = param(
        "beam",
        "alignment search: METEOR's beam search, or NLTK's greedy search, stage by stage from the last word",
        choices=("beam", "greedy"),
    )
    beam: int = param(40, "beam width: number of partial alignments kept", between=(1, _MOST_PATHS))
    data: str = param("", "METEOR's jar or its folder (default: the jar in pycocoevalcap)")

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = (
        "F-mean of exact, stem, synonym and paraphrase matches with a fragmentation penalty."
    )
    formula: ClassVar[str] = (
        r"\left(1 - \gamma \left(\tfrac{\mathrm{chunks}}{m}\right)^\beta\right) \cdot "
        r"\frac{P \cdot R}{\alpha P + (1 - \alpha) R}, \quad "
        r"P = \frac{\sum_i w_i \left(\delta m_i(h_c) + (1 - \delta) m_i(h_f)\right)}"
        r"{\delta |h_c| + (1 - \delta) |h_f|}, \quad R \text{ likewise on the reference}"
    )
    citation: ClassVar[str] = (
        "Michael Denkowski and Alon Lavie: Meteor Universal: Language Specific Translation Evaluation for Any "
        "Target Language. WMT 2014. Original version: Satanjeev Banerjee and Alon Lavie: METEOR: An Automatic "
        "Metric for MT Evaluation with Improved Correlation with Human Judgments. ACL workshop 2005. As computed "
        "by METEOR 1.5."
    )
    not_for: ClassVar[str] = (
        "Comparing scores across languages, tasks or data: each has its own parameters and scale."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "1.5": {},
        "adq": {"task": "adq"},
        "hter": {"task": "hter"},
        "util": {"task": "util"},
        "tune": {"task": "tune"},
        # The parameters and stages of Banerjee and Lavie (2005), with the search and synonyms of METEOR 1.5.
        "2005": {**_OF_2005, "tokenize": "norm"},
        # nltk.translate.meteor_score: input is tokenized.
        "nltk": {**_OF_2005, "tokenize": "none", "synonyms": "wordnet", "alignment": "greedy"},
        # Works without METEOR's data, but is not METEOR 1.5.
        "no-data": {"stages": "exact+stem", "tokenize": "13a", "function_words": "none"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "1.5": "METEOR 1.5 with -norm",
        "nltk": "NLTK 3.10, meteor_score, at segment level",
    }
    best_reference: ClassVar[bool] = True
    counts_single_references: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta", "gamma", "delta"):
            value = getattr(self, name)
            if value is None:
                continue
            most = math.inf if name == "beta" else 1
            if not (0 <= value <= most and math.isfinite(value)):
                raise BadParameter(
                    f"{name}={value:g}: expected a number {'from 0 to 1' if most == 1 else 'of at least 0'}."
                )
        self._check_stages()
        if self._task_or_none is None:
            raise BadParameter(
                f"task={self.task}: METEOR has no parameters for this task in '{self.language}'."
            )
        if self.tokenize in NORMALIZED and self.chosen_language.apostrophes is None:
            raise BadParameter(
                f"tokenize={self.tokenize}: METEOR has no normalizer for '{self.language}'. Use another "
                "tokenizer, or tokenize=split for tokenized text."
            )
        if self.stemmer == "porter" and self.language != "en":
            raise BadParameter(
                f"stemmer=porter: only English is supported, got '{self.language}'. The presets nltk and 2005 use it. "
                "For other languages, use meteor without a preset, which is METEOR 1.5."
            )
        kind, _, _ = self.synonyms.partition(":")
        if kind not in ("meteor", "wordnet", "wn") or self.synonyms.startswith("meteor:"):
            raise BadParameter(
                f"synonyms={self.synonyms}: expected meteor, wordnet, wordnet:FOLDER or wn:LEXICON."
            )
        if self.alignment == "greedy" and ("paraphrase" in self.chosen_stages or self.characters):
            raise BadParameter(
                "alignment=greedy: not available with paraphrase matching or character counts."
            )
        if self.alignment == "greedy" and self.has("synonym") and self.synonyms == "meteor":
            raise BadParameter("alignment=greedy: synonyms must come from WordNet. Set synonyms=wordnet.")
        if self.tokenize not in (*NORMALIZED, SPLIT):
            tokenizer(self.tokenize)  # fails now rather than in the middle of a file

    def _check_stages(self) -> None:
        if self.stages is not None:
            given = self.stages.split("+")
            ordered = [stage for stage in STAGES if stage in given]
            if given != ordered:
                raise BadParameter(
                    f"stages={self.stages}: expected some of {'+'.join(STAGES)}, in this order, joined by +."
                )
        if self.weights is not None:
            wanted = len(self.chosen_stages)
            if len(self.weights) != wanted or not all(0 <= weight <= 1 for weight in self.weights):
                raise BadParameter(
                    f"weights={'/'.join(map(str, self.weights))}: expected {wanted} numbers from 0 to 1, one for each "
                    f"stage of {'+'.join(self.chosen_stages)}."
                )

    @property
    def undecided_reader(self) -> Reader | None:
        return self if isinstance(self.tokenize, Unchosen) else None

    @property
    def undecided_language(self) -> bool:
        return isinstance(self.language, Unchosen)

    def for_language(self, language: str) -> METEOR:
        code = language_of(language).code
        fitting = field_tokenizer(language) if self.undecided_reader is not None else None
        changes = {} if fitting is None else {"tokenize": fitting}
        if isinstance(self.language, Unchosen):
            known = METEORS_CODES.get(code, code)
            changes["language"] = known if known in LANGUAGES else "other"
            if known not in LANGUAGES and fitting is None and self.tokenize in NORMALIZED:
                raise BadParameter(
                    f"METEOR has no normalizer for '{code}'. Set a tokenizer, e.g. meteor:tokenize=13a."
                )
        return replace(self, **changes)  # type: ignore[arg-type]

    # --- what the choices amount to ------------------------------------------------------------------------

    @property
    def chosen_language(self) -> MeteorLanguage:
        """What METEOR has for the language."""
        return LANGUAGES[self.language]

    @property
    def _task_or_none(self) -> tuple[str, MeteorParameters] | None:
        return self.chosen_language.task(self.task)

    @property
    def chosen_stages(self) -> tuple[str, ...]:
        """The matching stages, in order."""
        return tuple(self.stages.split("+")) if self.stages else self.chosen_language.stages

    @property
    def chosen(self) -> MeteorParameters:
        """The parameters used: those of the task, unless set explicitly."""
        assert self._task_or_none is not None, "checked when it was made"
        _, task = self._task_or_none
        # As in METEOR, whichever stages are used: the first weight is that of the first stage, and so on.
        weights = (*task.weights, 0.0, 0.0, 0.0)[: len(self.chosen_stages)]
        return MeteorParameters(
            alpha=task.alpha if self.alpha is None else self.alpha,
            beta=task.beta if self.beta is None else self.beta,
            gamma=task.gamma if self.gamma is None else self.gamma,
            delta=task.delta if self.delta is None else self.delta,
            weights=weights if self.weights is None else self.weights,
        )

    @property
    def missing(self) -> str:
        try:
            resources.check(self)
        except UnderstudyError as error:
            return str(error)
        return ""

    @property
    def full_marks(self) -> bool:
        return self.copies_are_free

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return (
            "hyp_length",
            "ref_length",
            "hyp_function",
            "ref_function",
            *(
                f"{stage}_{side}_{kind}"
                for stage in STAGES
                for kind in ("content", "function")
                for side in ("hyp", "ref")
            ),
            "chunks",  # none for a segment that matches completely in one chunk
            "hyp_matches",
            "ref_matches",
        )

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        prepared = self._prepare(hypotheses)
        columns = [self._prepare(column) for column in references.columns]
        rows = np.zeros((len(columns), len(hypotheses), len(self.columns)), np.int64)
        if self.alignment == "greedy":
            self._count_greedily(prepared, columns, rows)
        else:
            matcher = resources.matcher(self)
            matcher.count(prepared, columns, rows, stems=self._stems([prepared, *columns]), threads=threads)
        return of_best_reference(self, rows, references)

    def _count_greedily(self, hypotheses: Column, columns: list[Column], rows: NDArray[np.int64]) -> None:
        matcher = resources.matcher(self)
        function_words = frozenset(resources.function_words(self)[0])
        stem = resources.stemmer(self).stem
        synonyms = resources.wordnet_of(self).synonyms if self.has("synonym") else frozenset
        for row, hypothesis in enumerate(matcher.words(hypotheses[i] or "") for i in range(len(hypotheses))):
            for which, column in enumerate(columns):
                if (text := column[row]) is not None:
                    reference = matcher.words(text)
                    found = meteor_greedy.greedy_matches(
                        hypothesis, reference, self.chosen_stages, stem, synonyms
                    )
                    rows[which, row] = meteor_greedy.row(
                        hypothesis,
                        reference,
                        found,
                        lambda word: word.lower() in function_words,
                        self.copies_are_free,
                    )

    def align(self, hypothesis: str, reference: str) -> tuple[list[str], list[str], list[tuple[int, ...]]]:
        """The words of both texts, and the matches that METEOR's search selects: start and length in the reference,
        start and length in the hypothesis, and the number of the stage.

        >>> METEOR(stages="exact", tokenize="13a", function_words="none").align("a cat sat", "the cat")
        (['a', 'cat', 'sat'], ['the', 'cat'], [(1, 1, 1, 1, 0)])
        """
        texts = [self._prepare(Column.from_strings([text])) for text in (hypothesis, reference)]
        return resources.matcher(self).align(texts[0][0] or "", texts[1][0] or "", stems=self._stems(texts))

    def tokens(self, text: str) -> list[str]:
        """The words of a text."""
        return resources.matcher(self).words(self._prepare(Column.from_strings([text]))[0] or "")

    def _stems(self, columns: list[Column]) -> tuple[list[str], list[str]] | None:
        """The stems of all words, if the stemmer is not part of the core."""
        if not self.has("stem") or (self.language == "en" and self.stemmer == "snowball"):
            return None
        words = resources.matcher(self).vocabulary(columns)
        stem = resources.stemmer(self).stem
        return words, [stem(word) for word in words]

    def _prepare(self, column: Column) -> Column:
        if self.tokenize in (*NORMALIZED, SPLIT):
            return column
        cut = tokenizer(self.tokenize)
        texts = (column[row] for row in range(len(column)))
        return Column.from_strings([None if text is None else " ".join(cut(text)) for text in texts])

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * self.f_mean(statistics) * (1 - self.fragmentation_penalty(statistics))

    def f_mean(self, statistics: Statistics) -> Floats:
        """The harmonic mean of precision and recall, weighted by alpha; 0 where nothing matches."""
        precision, recall = self.precision(statistics), self.recall(statistics)
        matching = (precision > 0) & (recall > 0)
        alpha = self.chosen.alpha
        # The order of operations is METEOR's; it affects the last digit.
        inverse = (1 - alpha) / np.where(matching, precision, 1) + alpha / np.where(matching, recall, 1)
        return np.where(matching, 1 / inverse, 0.0)

    def precision(self, statistics: Statistics) -> Floats:
        """Matched words of the hypothesis, weighted by stage and by function-word status."""
        return self._share(statistics, "hyp")

    def recall(self, statistics: Statistics) -> Floats:
        """The same for the reference."""
        return self._share(statistics, "ref")

    def _share(self, statistics: Statistics, side: str) -> Floats:
        delta = self.chosen.delta
        length, function = statistics[f"{side}_length"], statistics[f"{side}_function"]
        whole = np.asarray(delta * (length - function) + (1 - delta) * function, dtype=np.float64)
        matched = np.zeros_like(whole)
        for kind, weight_of_kind in (("content", delta), ("function", 1 - delta)):
            for stage, weight in zip(self.chosen_stages, self.chosen.weights, strict=True):
                matched = matched + statistics[f"{stage}_{side}_{kind}"] * weight * weight_of_kind
        return ratio_or_zero(matched, whole)

    def fragmentation_penalty(self, statistics: Statistics) -> Floats:
        """The fragmentation penalty."""
        matches = (statistics["hyp_matches"] + statistics["ref_matches"]) / 2
        return self.chosen.gamma * _core.power(ratio_or_zero(statistics["chunks"], matches), self.chosen.beta)

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {
            "precision": 100 * self.precision(totals).item(),
            "recall": 100 * self.recall(totals).item(),
            "f_mean": 100 * self.f_mean(totals).item(),
            "fragmentation_penalty": self.fragmentation_penalty(totals).item(),
            **{name: totals[name].item() for name in totals.columns},
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"(P = {detail['precision']:.1f} R = {detail['recall']:.1f} "
            f"penalty = {detail['fragmentation_penalty']:.3f} chunks = {detail['chunks']})"
        )

    def choices(self) -> dict[str, str]:
        assert self._task_or_none is not None, "checked when it was made"
        chosen = self.chosen
        numbers = (chosen.alpha, chosen.beta, chosen.gamma, chosen.delta)
        tokens = (
            self.tokenize if self.tokenize in (*NORMALIZED, SPLIT) else tokenizer(self.tokenize).signature
        )
        used = resources.data_digest(self)
        return {
            "lang": self.language,
            "task": self._task_or_none[0],
            "stages": "+".join(self.chosen_stages),
            "weights": "/".join(map(all_digits, chosen.weights)),
            "params": "/".join(map(all_digits, numbers)),
            "case": "lc" if self.lowercase else "mixed",
            "tok": tokens,
            **({"unit": "char"} if self.characters else {}),
            **({"stem": resources.stemmer(self).signature} if self.has("stem") else {}),
            **({"syn": resources.synonyms_signature(self)} if self.has("synonym") else {}),
            "function": resources.function_words(self)[1],
            **({"data": used} if used else {}),
            "copies": "free" if self.copies_are_free else "counted",
            "align": f"beam-{self.beam}" if self.alignment == "beam" else self.alignment,
            "unicode": _core.UNICODE_VERSION,
        }

    def has(self, stage: str) -> bool:
        """Whether the stage is used."""
        return stage in self.chosen_stages
