"""METEOR: matches of words and phrases by form, stem and meaning, and how scattered they are."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column, MeteorMatcher
from understudy.corpus.columns import References
from understudy.errors import BadParameter, MissingFile, UnderstudyError
from understudy.lexicon import meteor_data, stems
from understudy.metrics.base import Metric
from understudy.metrics.best_reference import of_best_reference
from understudy.metrics.meteor_tasks import LANGUAGES, STAGES, TASKS, Task
from understudy.metrics.parameters import param
from understudy.metrics.statistics import Statistics
from understudy.text.tokenizers import tokenizer

Floats = NDArray[np.float64]

NORMALIZED = ("norm", "norm-nopunct")  # by METEOR itself
SPLIT = "split"  # at ASCII white space, as METEOR does without being asked to normalise


@dataclass(frozen=True, kw_only=True, repr=False)
class METEOR(Metric):
    """METEOR 1.5, every choice named. It needs METEOR's data: see `data`.

    >>> exact = METEOR(stages="exact", tokenize="13a", function_words="none")
    >>> exact.corpus(["the cat sat on the mat"], ["on the mat sat the cat"])
    <METEOR 47.77: corpus of 1 segment, 1 reference>
    """

    language: str = param("en", "the language, which decides the rest", choices=tuple(LANGUAGES))
    task: str | None = param(
        None,
        "what the parameters were fitted to: rankings, adequacy, edits, utility; li for any language, tune",
        choices=(None, *TASKS),
    )
    stages: str | None = param(None, "what matches, joined by +: exact, stem, synonym, paraphrase")
    weights: tuple[float, ...] | None = param(
        None, "of the stages, in their order; by default the task's first"
    )
    alpha: float | None = param(None, "how much recall weighs against precision, 0 to 1")
    beta: float | None = param(None, "the exponent of the fragmentation")
    gamma: float | None = param(None, "the most that fragmentation can cost, 0 to 1")
    delta: float | None = param(None, "how much content words weigh against function words, 0 to 1")
    tokenize: str = param(
        "norm",
        "METEOR's `norm` or `norm-nopunct`; `split` at ASCII white space; or any of `understudy tokenizers`",
    )
    lowercase: bool = param(True, "fold case, as Unicode does", choices=(True, False))
    characters: bool = param(
        False, "lengths and matches count characters, as METEOR does with -ch", choices=(False, True)
    )
    function_words: str = param(
        "meteor",
        "the list that METEOR takes, which is the English one; that of the `language`; `none`; or a file of words",
    )
    beam: int = param(40, "how many partial alignments are followed")
    data: str = param("", "METEOR's jar, or the folder that has it; by default that of pycocoevalcap")

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = (
        "The F-score of words and phrases that match a reference's in form, stem or meaning, with a penalty for "
        "being out of order."
    )
    formula: ClassVar[str] = (
        r"\left(1 - \gamma \left(\tfrac{\mathrm{chunks}}{m}\right)^\beta\right) \cdot "
        r"\frac{P \cdot R}{\alpha P + (1 - \alpha) R}, \quad "
        r"P = \frac{\sum_i w_i \left(\delta m_i(h_c) + (1 - \delta) m_i(h_f)\right)}"
        r"{\delta |h_c| + (1 - \delta) |h_f|}, \quad R \text{ likewise on the reference}"
    )
    citation: ClassVar[str] = (
        "Michael Denkowski and Alon Lavie: Meteor Universal: Language Specific Translation Evaluation for Any Target "
        "Language. WMT 2014. First: Satanjeev Banerjee and Alon Lavie: METEOR: An Automatic Metric for MT Evaluation "
        "with Improved Correlation with Human Judgments. ACL workshop 2005. As computed by METEOR 1.5."
    )
    not_for: ClassVar[str] = (
        "Comparing scores of different languages, tasks or data: each has its own parameters and scale."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "1.5": {},
        "adq": {"task": "adq"},
        "hter": {"task": "hter"},
        "util": {"task": "util"},
        "tune": {"task": "tune"},
        # What can be had without METEOR's data, and is not METEOR 1.5.
        "no-data": {"stages": "exact+stem", "tokenize": "13a", "function_words": "none"},
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta", "gamma", "delta"):
            value = getattr(self, name)
            if value is None:
                continue
            object.__setattr__(self, name, float(value))  # 1 and 1.0 are one metric, with one spec
            most = math.inf if name == "beta" else 1
            if not (0 <= value <= most and math.isfinite(value)):
                raise BadParameter(
                    f"{name}={value:g}: expected a number from 0{' to 1' if most == 1 else ''}."
                )
        if self.beam < 1:
            raise BadParameter(f"beam={self.beam}: expected at least 1.")
        self._check_stages()
        if self._task_or_none is None:
            raise BadParameter(f"task={self.task}: METEOR has no such parameters for '{self.language}'.")
        if self.tokenize in NORMALIZED and self._language.apostrophes is None:
            raise BadParameter(
                f"tokenize={self.tokenize}: METEOR has no normaliser for '{self.language}'. "
                "Choose another tokenizer, or tokenize=split for text that is cut into words already."
            )
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
            object.__setattr__(self, "weights", tuple(map(float, self.weights)))
            wanted = len(self.chosen_stages)
            if len(self.weights) != wanted or not all(0 <= weight < math.inf for weight in self.weights):
                raise BadParameter(
                    f"weights={'/'.join(map(str, self.weights))}: expected {wanted} numbers from 0, one for each "
                    f"stage of {'+'.join(self.chosen_stages)}."
                )

    # --- what the choices amount to ------------------------------------------------------------------------

    @property
    def _language(self) -> Any:
        return LANGUAGES[self.language]

    @property
    def _task_or_none(self) -> tuple[str, Task] | None:
        found: tuple[str, Task] | None = self._language.task(self.task)
        return found

    @property
    def chosen_stages(self) -> tuple[str, ...]:
        """The stages that look for matches, in their order."""
        stages: tuple[str, ...] = tuple(self.stages.split("+")) if self.stages else self._language.stages
        return stages

    @property
    def chosen(self) -> Task:
        """The parameters in force: the task's, where nothing else was said."""
        assert self._task_or_none is not None, "checked when it was made"
        _, task = self._task_or_none
        # As METEOR does, whichever stages were chosen: the first weight is the first stage's, and so on.
        weights = (*task.weights, 0.0, 0.0, 0.0)[: len(self.chosen_stages)]
        return Task(
            alpha=task.alpha if self.alpha is None else self.alpha,
            beta=task.beta if self.beta is None else self.beta,
            gamma=task.gamma if self.gamma is None else self.gamma,
            delta=task.delta if self.delta is None else self.delta,
            weights=weights if self.weights is None else self.weights,
        )

    @property
    def missing(self) -> str:
        try:
            _matcher_parts(self)
        except UnderstudyError as error:
            return str(error)
        return ""

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
            "chunks",  # none for a segment that matches whole, in one chunk
            "hyp_matches",
            "ref_matches",
        )

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        matcher = _matcher(self)
        prepared = self._prepare(hypotheses)
        columns = [self._prepare(column) for column in references.columns]
        rows = np.empty((len(columns), len(hypotheses), len(self.columns)), np.int64)
        words = matcher.vocabulary([prepared, *columns]) if self._stems_from_a_table else None
        stemmed = words and (words, stems.snowball(self._language.name)[0](words))
        matcher.count(prepared, columns, rows, stems=stemmed or None, threads=threads)
        return of_best_reference(self, rows, references)

    def align(self, hypothesis: str, reference: str) -> tuple[list[str], list[str], list[tuple[int, ...]]]:
        """The words of both texts, and of every match: where it starts in the reference, how many words it has
        there, the same of the hypothesis, and the number of its stage.

        >>> METEOR(stages="exact", tokenize="13a", function_words="none").align("a cat sat", "the cat")
        (['a', 'cat', 'sat'], ['the', 'cat'], [(1, 1, 1, 1, 0)])
        """
        texts = [self._prepare(Column.from_strings([text])) for text in (hypothesis, reference)]
        matcher = _matcher(self)
        words = matcher.vocabulary(texts) if self._stems_from_a_table else None
        stemmed = words and (words, stems.snowball(self._language.name)[0](words))
        return matcher.align(texts[0][0] or "", texts[1][0] or "", stems=stemmed or None)

    @property
    def _stems_from_a_table(self) -> bool:
        return "stem" in self.chosen_stages and self.language != "en"

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
        # In this order of operations, which decides the last digit and is METEOR's.
        inverse = (1 - alpha) / np.where(matching, precision, 1) + alpha / np.where(matching, recall, 1)
        return np.where(matching, 1 / inverse, 0.0)

    def precision(self, statistics: Statistics) -> Floats:
        """What matches of the hypothesis, by the weights of stages and of function words."""
        return self._share(statistics, "hyp")

    def recall(self, statistics: Statistics) -> Floats:
        """The same of the reference."""
        return self._share(statistics, "ref")

    def _share(self, statistics: Statistics, side: str) -> Floats:
        delta = self.chosen.delta
        length, function = statistics[f"{side}_length"], statistics[f"{side}_function"]
        whole = np.asarray(delta * (length - function) + (1 - delta) * function, dtype=np.float64)
        matched = np.zeros_like(whole)
        for kind, weight_of_kind in (("content", delta), ("function", 1 - delta)):
            for stage, weight in zip(self.chosen_stages, self.chosen.weights, strict=True):
                matched = matched + statistics[f"{stage}_{side}_{kind}"] * weight * weight_of_kind
        return np.divide(matched, whole, out=np.zeros_like(whole), where=whole > 0)

    def fragmentation_penalty(self, statistics: Statistics) -> Floats:
        """What is lost because the matches are not in one piece."""
        matches = (statistics["hyp_matches"] + statistics["ref_matches"]) / 2
        fragmentation = np.divide(
            statistics["chunks"], matches, out=np.zeros(np.shape(matches)), where=matches > 0
        )
        return self.chosen.gamma * _core.power(fragmentation, self.chosen.beta)

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
        used = _used_data(self)
        return {
            "lang": self.language,
            "task": self._task_or_none[0],
            "stages": "+".join(self.chosen_stages),
            "weights": "/".join(f"{weight:g}" for weight in chosen.weights),
            "params": "/".join(f"{number:g}" for number in numbers),
            "case": "lc" if self.lowercase else "mixed",
            "tok": tokens,
            **({"unit": "char"} if self.characters else {}),
            **({"stem": f"snowball-{stems.snowball(self._language.name)[1]}"} if self._has("stem") else {}),
            "function": _function_words(self)[1],
            **({"data": used} if used else {}),
            "beam": str(self.beam),
            "unicode": _core.UNICODE_VERSION,
        }

    def _has(self, stage: str) -> bool:
        return stage in self.chosen_stages


# --- the resources that the choices need ---------------------------------------------------------------------


_WORD_LISTS = ("meteor", "language")


def _word_list(metric: METEOR) -> str:
    # METEOR sets its list before it knows the language, and never again.
    language = "english" if metric.function_words == "meteor" else metric._language.name
    return f"function/{language}.words"


def _used_names(metric: METEOR) -> tuple[str, ...]:
    """Which files of METEOR's jar it reads."""
    language = metric._language.name
    names = []
    if metric.function_words in _WORD_LISTS:
        names.append(_word_list(metric))
    if metric.tokenize in NORMALIZED:
        names.append(f"nonbreaking/{language}.prefixes")
    if "synonym" in metric.chosen_stages:
        names += [f"synonym/{language}.exceptions", f"synonym/{language}.synsets"]
    return tuple(names)


def _matcher_parts(metric: METEOR) -> tuple[meteor_data.MeteorData | None, tuple[Path, ...]]:
    """METEOR's data as far as it needs them, all of which are there."""
    paraphrases = "paraphrase" in metric.chosen_stages
    if not _used_names(metric) and not paraphrases:
        return None, ()
    found = meteor_data.meteor_data(metric.data)
    found.require(_used_names(metric))
    return found, (found.paraphrase_file(metric.language),) if paraphrases else ()


def _used_data(metric: METEOR) -> str:
    found, files = _matcher_parts(metric)
    return f"meteor-{meteor_data.digest(found, _used_names(metric), files)}" if found else ""


def _function_words(metric: METEOR) -> tuple[list[str], str]:
    """The function words, and what they are called in a signature."""
    if metric.function_words == "none":
        return [], "none"
    if metric.function_words in _WORD_LISTS:
        return meteor_data.meteor_data(metric.data).lines(_word_list(metric)), metric.function_words
    path = Path(metric.function_words).expanduser()
    if not path.is_file():
        raise MissingFile(
            f"no file of function words '{path}'. Write function_words=FILE, meteor, language or none."
        )
    words = path.read_text(encoding="utf-8").splitlines()
    return words, meteor_data.text_digest(words)


@functools.lru_cache(maxsize=4)
def _matcher(metric: METEOR) -> MeteorMatcher:
    found, files = _matcher_parts(metric)
    language = metric._language
    normalizes = metric.tokenize in NORMALIZED
    prefixes, number_prefixes = found.prefixes(language.name) if normalizes and found else ([], [])
    return MeteorMatcher(
        apostrophes=language.apostrophes if normalizes else None,
        punctuation=metric.tokenize != "norm-nopunct",
        prefixes=prefixes,
        number_prefixes=number_prefixes,
        letter_case="lower" if metric.lowercase else "keep",
        stages=list(metric.chosen_stages),
        function_words=_function_words(metric)[0],
        english_stems=metric.language == "en",
        synonyms=meteor_data.synonyms(found, language.name) if metric._has("synonym") and found else None,
        paraphrases=meteor_data.paraphrases(files[0]) if files else None,
        characters=metric.characters,
        beam=metric.beam,
    )
