"""The base of sacreBLEU's metric classes: scores, signatures, and references in its layout."""

from __future__ import annotations

import json
import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.compat.sacrebleu.samples import bootstrap_sums, named_seed
from understudy.compat.sacrebleu.utils import sacrelogger, sum_of_lists
from understudy.compat.sacrebleu.version import __version__
from understudy.corpus.columns import References, as_hypotheses, as_references, as_segment
from understudy.errors import BadInput, BadMetric, BadParameter, LengthMismatch, NoSegments, WrongType
from understudy.metrics.base import metric as base
from understudy.metrics.base.threads import available_threads
from understudy.wording import number_of

__all__ = ["Metric", "Score", "Signature", "sacrelogger"]


class Score:
    """A number with its name, printed as sacreBLEU prints it."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0  # of the bootstrap; -1 where there was none
        self._ci = -1.0
        self._verbose = ""  # what follows the number; subclasses set it

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score as a line of text, as a bare number, or as JSON."""
        number = f"{self.score:.{width}f}"
        interval = ""
        if self._mean > 0:
            interval = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"
        shown = f"{number} ({interval})" if interval else number
        if score_only:
            return shown
        if not is_json:
            title = f"{self.name}|{signature}" if signature else self.name
            return f"{title} = {shown} {self._verbose}".rstrip()
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if interval:
            fields |= {
                "confidence_mean": float(f"{self._mean:.{width}f}"),
                "confidence_var": float(f"{self._ci:.{width}f}"),
                "confidence": interval,
            }
        fields |= {"verbose_score": self._verbose} if self._verbose else {}
        fields |= dict(choice.split(":", 1) for choice in signature.split("|") if choice)
        return json.dumps(fields, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Iterable[Score]) -> None:
        """Notes the mean of other scores and half the width of their 95 % interval, which `format` then shows."""
        self._note_interval([other.score for other in scores])

    def _note_interval(self, scores: Sequence[Any]) -> None:
        ordered = sorted(scores)
        left_out = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - left_out - 1] - ordered[left_out])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The choices behind a score, from the attributes of a metric; `info` holds them by name, None for what does not
    apply.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise BadInput("the number of references is not known yet: score something first.")
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "seed": "rs",
        }
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def update(self, key: str, value: Any) -> None:
        """Adds a choice, or changes one."""
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        """All choices in one string, the version last."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{self._abbr.get(name, name) if short else name}:{_yes_or_no(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def __repr__(self) -> str:
        return self.format()


def _yes_or_no(value: Any) -> Any:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


S = TypeVar("S", bound=Score)

# What sacreBLEU's metrics call on the way to a score. Here, they do not.
_STEPS = (
    "_preprocess_segment",
    "_cache_references",
    "_extract_reference_info",
    "_extract_corpus_statistics",
    "_compute_segment_statistics",
    "_compute_score_from_stats",
    "_aggregate_and_compute",
    "_check_sentence_score_args",
    "_check_corpus_score_args",
    "_get_closest_ref_len",
    "_get_match_statistics",
    "_remove_punctuation",
    "_compute_f_score",
    "compute_bleu",
)


class Metric(ABC, Generic[S]):
    """The common base of the metrics: corpus and sentence scores, stored references, signature."""

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    def __init_subclass__(cls) -> None:
        """Refuses subclasses whose own steps would be ignored."""
        super().__init_subclass__()
        idle = [name for name in _STEPS if name in vars(cls)]
        if idle and not cls.__module__.startswith(f"{__package__}."):
            raise BadMetric(
                f"class '{cls.__name__}' defines {', '.join(idle)}, which has no effect here: statistics are counted "
                "in C++. Change the texts before they are scored, or derive from understudy.Metric."
            )

    def __init__(self, references: Sequence[Sequence[str | None]] | None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int
        self._ref_cache: References | None = None
        if references is not None:
            self._ref_cache = turned(references, None)
            self._note_number_of(self._ref_cache)

    @property
    @abstractmethod
    def _metric(self) -> base.Metric:
        """understudy's metric of the same choices. Asked anew each time: an attribute may be set at any time."""

    @abstractmethod
    def _score_of(self, row: list[Any]) -> S:
        """The score of one row of counts."""

    @abstractmethod
    def scores_of_samples(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        """The scores of sums in single precision [samples, K], rounded as sacreBLEU's arithmetic rounds them."""

    def scores_of_swaps(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of exact sums [samples, K]."""
        metric = self._metric
        return metric.score(metric.statistics_of(sums))

    def _rows(self, counts: NDArray[Any], references: References) -> NDArray[Any]:  # noqa: ARG002
        """sacreBLEU's statistics, from those of understudy's metric."""
        return counts

    @abstractmethod
    def _score_of_sample(self, sums: NDArray[np.float32]) -> S:
        """The score of one row of sums in single precision."""

    def _in_its_order(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Rows with the statistics in the order in which sacreBLEU has them."""
        return rows

    def _in_our_order(self, row: NDArray[Any]) -> NDArray[Any]:
        """The reverse, of one row."""
        return row

    def _sum(self, rows: NDArray[Any]) -> list[Any]:
        """The row of a corpus."""
        return (rows[0] if len(rows) == 1 else rows.sum(axis=0)).tolist()  # type: ignore[no-any-return]

    def _look_at(self, hypotheses: Column) -> None:
        """Warns of what looks wrong with a corpus."""

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> S:
        """The score of a corpus. With None for references, those given to the constructor are used.

        With `n_bootstrap` samples it has a confidence interval; see `understudy.compat.sacrebleu.significance`.
        """
        rows = self.count_rows(hypotheses, references)
        score = self.score_of_rows(rows)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            self.seed, number = named_seed()
            (sums,) = bootstrap_sums([rows], n_bootstrap, np.random.default_rng(number))
            score._note_interval(list(self.scores_of_samples(sums)))
        return score

    def count_rows(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> NDArray[Any]:
        """Statistics, one row per segment."""
        column, grouped = self._columns(hypotheses, references)
        self._look_at(column)
        return self._rows(self._metric.count(column, grouped, available_threads()), grouped)

    def _columns(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> tuple[Column, References]:
        column = as_hypotheses(hypotheses)
        if references is not None:
            grouped = turned(references, len(column))
        elif self._ref_cache is not None:
            grouped = as_references(self._ref_cache, len(column))
        else:
            raise BadInput(f"no references: give them here, or to {type(self).__name__}(references=...).")
        self._note_number_of(grouped)
        return column, grouped

    def score_of_rows(self, rows: NDArray[Any]) -> S:
        """The score of such rows together."""
        return self._score_of(self._sum(rows))

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> S:
        """The score of one segment against its references."""
        if not isinstance(hypothesis, str):
            raise WrongType(f"hypothesis: got {type(hypothesis).__name__}, expected one string.")
        if isinstance(references, str) or not isinstance(references, Iterable):
            raise WrongType(
                f"references: got {type(references).__name__}, expected a list of strings: write [reference]."
            )
        column, grouped = as_segment(hypothesis, list(references))
        self._note_number_of(grouped)
        counts = self._metric.count(column, grouped, 1)
        return self.score_of_rows(self._rows(counts, grouped))

    def sentence_scores(self, hypotheses: Sequence[str]) -> Iterable[S]:
        """The score of each segment against the references given to the constructor, counted all at once."""
        column, grouped = self._columns(hypotheses, None)
        return self._scores_of(self._rows(self._metric.count(column, grouped, available_threads()), grouped))

    def _scores_of(self, rows: NDArray[Any]) -> Iterable[S]:
        return (self.score_of_rows(rows[segment : segment + 1]) for segment in range(len(rows)))

    # --- not public, but other programs call it: to add up the statistics of parts, or of samples of their own ------

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> list[list[Any]]:
        """sacreBLEU's statistics, one list per segment."""
        return self._in_its_order(self.count_rows(hypotheses, references)).tolist()  # type: ignore[no-any-return]

    def _compute_score_from_stats(self, stats: Any) -> S:
        """The score of the sums of such statistics: a list or an array. Those of single precision are rounded to it."""
        row = self._in_our_order(np.asarray(stats))
        return self._score_of_sample(row) if row.dtype == np.float32 else self._score_of(row.tolist())

    def _aggregate_and_compute(self, stats: Any) -> S:
        """The score of such statistics together."""
        return self._compute_score_from_stats(sum_of_lists(stats))

    def get_signature(self) -> Signature:
        """The choices made, once a number of references is known."""
        return self._SIGNATURE_TYPE(vars(self))

    def _note_number_of(self, references: References) -> None:
        fewest, most = references.counts
        self.num_refs = most if fewest == most else -1


def check_tokenizer(current: object, own: object, metric: str) -> None:
    """Refuses a tokenizer that was set after construction: it is neither used here nor in the signature."""
    if current is not own:
        raise BadParameter(
            f"tokenizer: another one cannot be set here. Apply it to the texts, and use {metric}."
        )


def turned(references: Any, segments: int | None) -> References:
    """References grouped by segment, from one list per reference. `segments` says how long each must be."""
    if isinstance(references, (str, bytes)) or not isinstance(references, Iterable):
        raise WrongType(
            f"references: got {type(references).__name__}, expected a list of lists, one list per reference."
        )
    lists = [reference if isinstance(reference, str) else _listed(reference) for reference in references]
    if not lists:
        raise NoSegments("references: there are none.")
    if any(isinstance(reference, str) for reference in lists):
        raise WrongType(
            "references: got a flat list of strings, expected one list per reference. "
            "If there is one reference per segment, write [references]."
        )
    lengths = [len(reference) for reference in lists]
    expected = lengths[0] if segments is None else segments
    if any(length != expected for length in lengths):
        if len(lists) == expected and len(set(lengths)) == 1:
            raise BadInput(
                f"references look transposed: {len(lists):,} lists of {lengths[0]}, expected one list per "
                f"reference, each of {number_of(expected, 'segment')}. Turn them: list(zip(*references))."
            )
        number = next(number for number, length in enumerate(lengths) if length != expected)
        raise LengthMismatch(
            f"{'hypotheses have' if segments is not None else 'reference 1 has'} {number_of(expected, 'segment')}, "
            f"reference {number + 1} has {lengths[number]:,}. Was a line dropped?"
        )
    return as_references(list(zip(*lists, strict=True)), expected)


def _listed(reference: Any) -> list[Any]:
    if not isinstance(reference, Iterable):
        raise WrongType(
            f"references: got {type(reference).__name__} for a reference, expected a list of strings."
        )
    return list(reference)
