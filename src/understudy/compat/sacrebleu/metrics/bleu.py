"""BLEU with sacreBLEU's parameters, attributes and digits."""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.compat.sacrebleu.metrics.base import Metric, Score, Signature, check_tokenizer
from understudy.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from understudy.compat.sacrebleu.samples import ROUNDED
from understudy.compat.sacrebleu.tokenizers.tokenizer_base import HouseTokenizer
from understudy.compat.sacrebleu.utils import my_log, sacrelogger, sum_of_lists
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics import bleu
from understudy.text.languages import NAMES, OF_SACREBLEU

__all__ = [
    "BLEU",
    "MAX_NGRAM_ORDER",
    "BLEUScore",
    "BLEUSignature",
    "Metric",
    "Score",
    "Signature",
    "extract_all_word_ngrams",
    "my_log",
    "sacrelogger",
    "sum_of_lists",
]

MAX_NGRAM_ORDER = 4

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}
_SUBWORDS = ("spm", "flores101", "flores200", "spBLEU-1K")


@functools.cache
def _get_tokenizer(name: str) -> Any:
    """The class of a tokenizer."""
    if name not in _TOKENIZERS:
        raise BadParameter(f"unknown tokenizer '{name}'. {did_you_mean(name, _TOKENIZERS)}")
    module, _, kind = _TOKENIZERS[name].partition(".")
    return getattr(import_module(f"understudy.compat.sacrebleu.tokenizers.{module}"), kind)


class BLEUSignature(Signature):
    """The choices behind BLEU."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        value = BLEU.SMOOTH_DEFAULTS[args["smooth_method"]]
        if value is not None and args["smooth_value"] is not None:
            value = args["smooth_value"]
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": args["smooth_method"] if value is None else f"{args['smooth_method']}[{value:.2f}]",
        }


class BLEUScore(Score):
    """BLEU and what it is made of."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join([f"{precision:.1f}" for precision in precisions])
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(Metric[BLEUScore]):
    """BLEU with sacreBLEU's parameters; see `understudy.BLEU` for more of them.

    >>> metric = BLEU(lowercase=True, effective_order=True)
    >>> metric.sentence_score("The cat sat.", ["the cat sat.", "A cat was sitting."]).counts
    [4, 3, 2, 1]
    >>> metric.get_signature()
    nrefs:2|case:lc|eff:yes|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        fitting = OF_SACREBLEU.get(trg_lang)
        if tokenize is None:
            tokenize = fitting or self.TOKENIZER_DEFAULT
        elif fitting and tokenize != fitting:
            sacrelogger.warning(
                "Consider using the '%s' or 'spm' tokenizer for %s.", fitting, NAMES[trg_lang]
            )
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self._force = force
        chosen: Any = _get_tokenizer(tokenize)() if tokenize in _TOKENIZERS else HouseTokenizer(tokenize)
        self._tokenize = f"spm:{chosen.path}" if tokenize in _SUBWORDS else tokenize
        self.tokenizer = chosen
        self._own_tokenizer = self.tokenizer
        _ = self._scorer  # refuses what it cannot take now rather than later
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """BLEU of one segment against its references."""
        if not self.effective_order:
            sacrelogger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU of counts: matches and n-grams of each order, and the two lengths.

        With add-k smoothing the counts in the result are the smoothed ones, as in sacreBLEU; those given stay
        as they are.

        >>> BLEU.compute_bleu([3, 1], [4, 3], 4, 4, smooth_method="add-k", max_ngram_order=2).counts
        [3, 2]
        """
        if min(len(correct), len(total)) < max_ngram_order:
            raise BadParameter(
                f"max_ngram_order={max_ngram_order}: got {len(correct)} counts and {len(total)} totals."
            )
        counts, totals = (np.asarray(numbers).tolist() for numbers in (correct, total))
        if min(sys_len, ref_len, *counts, *totals) < 0:
            raise BadParameter(
                f"correct={counts}, total={totals}, sys_len={sys_len}, ref_len={ref_len}: expected numbers from 0."
            )
        scorer = _scorer("none", False, smooth_method, smooth_value, max_ngram_order, bool(effective_order))
        return scorer.score(counts, totals, int(sys_len), int(ref_len))

    def _look_at(self, hypotheses: Column) -> None:
        if not self._force:
            _warn_of_tokenized(hypotheses[row] for row in range(len(hypotheses)))

    @property
    def _metric(self) -> bleu.BLEU:
        check_tokenizer(self.tokenizer, self._own_tokenizer, "BLEU(tokenize='none')")
        return self._scorer.metric

    def _scores_of(self, rows: NDArray[Any]) -> Iterable[BLEUScore]:
        return self._scorer.scores_of_texts(rows) if self._scorer.added is None else super()._scores_of(rows)

    def _score_of(self, row: list[Any]) -> BLEUScore:
        sys_len, ref_len, *rest = row
        matches, totals = rest[: self.max_ngram_order], rest[self.max_ngram_order :]
        return self._scorer.score(matches, totals, int(sys_len), int(ref_len))

    def _score_of_sample(self, sums: NDArray[np.float32]) -> BLEUScore:
        return self._scorer.single_precision_score(sums)

    def scores_of_samples(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        return self._scorer.single_precision_scores(sums)

    def scores_of_swaps(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        # In sacreBLEU, add-k adds to an array of integers, which drops the fraction of k.
        whole = self.smooth_method == "add-k" and self.smooth_value is not None
        scorer = self._scorer_with(int(self.smooth_value or 0) if whole else self.smooth_value)
        return scorer.metric.score(scorer.metric.statistics_of(sums))

    @property
    def _scorer(self) -> _Scorer:
        return self._scorer_with(self.smooth_value)

    def _scorer_with(self, smooth_value: float | None) -> _Scorer:
        return _scorer(
            self._tokenize,
            bool(self.lowercase),
            self.smooth_method,
            smooth_value,
            self.max_ngram_order,
            bool(self.effective_order),
        )


class _Scorer(NamedTuple):
    """A metric of understudy's, and how sacreBLEU differs from it where no text leads."""

    metric: bleu.BLEU
    smoothing: bleu.BLEU  # the same, but that it also smooths the first order
    added: float | None  # by add-k, to counts and totals from order 2 on

    def score(self, counts: list[Any], totals: list[Any], sys_len: int, ref_len: int) -> BLEUScore:
        """The score of counts, also of such as no text has."""
        orders = self._orders_looked_at(counts, totals)
        beyond = [0] * (self.metric.max_order - orders)
        row = [sys_len, ref_len, *counts[:orders], *beyond, *totals[:orders], *beyond]
        if self.added is not None and orders > 0:
            end = min(orders + 1, self.metric.max_order)  # the order at which it stops is added to as well
            counts, totals = (
                [numbers[0], *(n + self.added for n in numbers[1:end]), *numbers[end:]]
                for numbers in (counts, totals)
            )
        metric = self.smoothing if orders > 0 else self.metric
        statistics = metric.statistics_of(np.array(row))
        return BLEUScore(
            metric.score(statistics).item(),
            counts,
            totals,
            metric.precisions(statistics).tolist(),
            metric.brevity_penalty(statistics).item(),
            sys_len,
            ref_len,
        )

    def scores_of_texts(self, rows: NDArray[Any]) -> Iterable[BLEUScore]:
        """The scores of many rows of counts, such as texts have, without add-k: all at once."""
        looked_at = np.where(rows[:, 2 : 2 + self.metric.max_order].any(axis=1, keepdims=True), rows, 0)
        looked_at[:, :2] = rows[:, :2]
        statistics = self.metric.statistics_of(looked_at)
        matches, totals = np.split(rows[:, 2:], 2, axis=1)
        columns = (
            self.metric.score(statistics),
            matches,
            totals,
            self.metric.precisions(statistics),
            self.metric.brevity_penalty(statistics),
            *rows[:, :2].T,
        )
        return map(BLEUScore, *(column.tolist() for column in columns))

    def _orders_looked_at(self, counts: list[Any], totals: list[Any]) -> int:
        """sacreBLEU looks at none without a match of any order, and else at those before the first without n-grams."""
        most = self.metric.max_order
        if not any(counts):
            return 0
        stops = totals[: 1 if self.added else most]  # add-k leaves none without from order 2 on
        return stops.index(0) if 0 in stops else most

    def single_precision_scores(self, sums: NDArray[np.float32]) -> NDArray[np.float64]:
        """The scores of sums in single precision: the precisions are rounded to it too, what follows is not."""
        matches, totals = np.split(sums[:, 2:], 2, axis=1)
        statistics = self.metric.statistics_of(sums.astype(np.float64))
        return self.metric.combine(self._single_precisions(matches, totals).astype(np.float64), statistics)

    def single_precision_score(self, sums: NDArray[np.float32]) -> BLEUScore:
        """The score of one row of them."""
        matches, totals = np.split(sums[2:], 2)
        return BLEUScore(
            self.single_precision_scores(sums[np.newaxis]).item(),
            matches.tolist(),
            totals.tolist(),
            self._single_precisions(matches[np.newaxis], totals[np.newaxis])[0].tolist(),
            self.metric.brevity_penalty(self.metric.statistics_of(sums.astype(np.float64))).item(),
            int(sums[0]),
            int(sums[1]),
        )

    def _single_precisions(self, matches: NDArray[Any], totals: NDArray[Any]) -> NDArray[Any]:
        matched = matches.any(axis=1, keepdims=True)
        if self.added is not None:
            added = self.added * (np.arange(matches.shape[1]) > 0).astype(ROUNDED)
            matches, totals = (
                (counts.astype(ROUNDED) + added).astype(np.float32) for counts in (matches, totals)
            )
        matches, totals = matches.astype(ROUNDED), totals.astype(ROUNDED)
        without = (matches == 0) & (totals > 0)
        above, below = 100.0 * matches, totals
        if self.metric.smooth == "exp":
            above = np.where(without, ROUNDED(100), above)
            below = np.ldexp(totals, np.cumsum(without, axis=1))
            below = np.where(without, below, totals)
        elif self.metric.smooth == "floor":
            above = np.where(without, ROUNDED(100.0 * (self.metric.smooth_value or 0.0)), above)
        shares = np.divide(above, below, out=np.zeros_like(above), where=totals > 0)
        return np.where(matched, shares, ROUNDED(0))


@functools.lru_cache(maxsize=256, typed=True)  # adding 1.0 to a count is not adding 1
def _scorer(
    tokenize: str,
    lowercase: bool,
    smooth_method: str,
    smooth_value: float | None,
    max_ngram_order: int,
    effective_order: bool,
) -> _Scorer:
    if smooth_method not in BLEU.SMOOTH_DEFAULTS:
        raise BadParameter(
            f"unknown smooth_method '{smooth_method}'. {did_you_mean(smooth_method, BLEU.SMOOTH_DEFAULTS)}"
        )
    default = BLEU.SMOOTH_DEFAULTS[smooth_method]
    value = None if default is None else default if smooth_value is None else smooth_value
    metric = bleu.BLEU(
        tokenize=tokenize,
        lowercase=lowercase,
        smooth="none" if value == 0 else smooth_method,  # which is what smoothing by nothing comes to
        smooth_value=value or None,
        max_order=max_ngram_order,
        effective_order=effective_order,
    )
    smoothing = replace(metric, no_match="smooth")
    return _Scorer(metric, smoothing, value if smooth_method == "add-k" else None)


def _warn_of_tokenized(hypotheses: Iterable[str | None]) -> None:
    """A detokenized text has no space before its full stop."""
    tokenized = sum(text is not None and text.endswith(" .") for text in hypotheses)
    if tokenized >= 100:
        # sacreBLEU's lines, for programs that look for them in its log.
        sacrelogger.warning("That's 100 lines that end in a tokenized period ('.')")
        sacrelogger.warning(
            "It looks like you forgot to detokenize your test data, which may hurt your score."
        )
        sacrelogger.warning(
            "If you insist your data is detokenized, or don't care, you can suppress this message with the `force` "
            "parameter."
        )
