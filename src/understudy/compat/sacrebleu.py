"""sacreBLEU's interface on understudy's metrics: the same calls, the same digits, the same signatures.

>>> import understudy.compat.sacrebleu as sacrebleu
>>> hypotheses = ["The cat sat on the mat."]
>>> references = [["The cat is on the mat."], ["A cat sat on the mat."]]
>>> sacrebleu.corpus_bleu(hypotheses, references)
BLEU = 88.01 100.0/100.0/80.0/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)

References are laid out as there: one list per reference, each with an entry for every segment, None where a
segment lacks that reference. What sacreBLEU 2.6.0 computes is computed here to the last digit, quirks
included. What it lets pass though it can only be a mistake is refused with an error that says so: columns
of different lengths, transposed references, a flat list of strings for references, a segment without any.

Signatures say `version:2.6.0`, the sacreBLEU whose behaviour this is, so that a score from here and one from
there carry the same string. understudy's own `BLEU` has signatures with its own version.

Here so far: BLEU. chrF, TER and significance tests will stand below it, in this file.
"""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from understudy.corpus.columns import References, as_hypotheses, as_references
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments, WrongType, did_you_mean
from understudy.metrics import bleu
from understudy.metrics.base import available_threads
from understudy.metrics.statistics import Statistics
from understudy.text.tokenizers import Tokenizer, tokenizer

__version__ = "2.6.0"  # of the sacreBLEU reproduced

__all__ = ["BLEU", "BLEUScore", "Signature", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

_logger = logging.getLogger("sacrebleu")  # where its users have set levels and handlers

# --- functions --------------------------------------------------------------------------------------------


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = "13a",
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a whole corpus."""
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = 0.1,
) -> BLEUScore:
    """BLEU of a corpus that is tokenized already: split at white space, smoothed with a floor."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = "13a",
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one segment.

    >>> sentence_bleu("The cat sat.", ["The cat sat.", "A cat was sitting."]).score
    100.00000000000004
    """
    metric = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)


# --- scores -----------------------------------------------------------------------------------------------


class Score:
    """A number with its name, printed as sacreBLEU prints it."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0  # of the bootstrap; -1 where there was none
        self._ci = -1.0

    @property
    def _verbose(self) -> str:
        return ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score as a line of text, as a bare number, or as JSON."""
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half_width}"
            number += f" ({interval})"
            fields |= {
                "confidence_mean": float(mean),
                "confidence_var": float(half_width),
                "confidence": interval,
            }
        if score_only:
            return number
        if is_json:
            fields |= {"verbose_score": self._verbose} if self._verbose else {}
            fields |= dict(choice.split(":", 1) for choice in signature.split("|") if choice)
            return json.dumps(fields, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        return f"{title} = {number} {self._verbose}".rstrip()

    def __repr__(self) -> str:
        return self.format()


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
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len

    @property
    def ratio(self) -> float:
        """The length of the hypotheses as a share of the references'."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def prec_str(self) -> str:
        """The precisions, readable."""
        return "/".join(f"{precision:.1f}" for precision in self.precisions)

    @property
    def _verbose(self) -> str:
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )


class _ScoreOfCounts(BLEUScore):
    """The score of counts. What else it is made of is computed when asked for: in a loop, few ask."""

    def __init__(
        self,
        metric: bleu.BLEU,
        statistics: Statistics,
        counts: list[int],
        totals: list[int],
        sys_len: int,
        ref_len: int,
    ) -> None:
        Score.__init__(self, "BLEU", metric.score(statistics).item())
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self._metric = metric
        self._statistics = statistics

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        if name == "precisions":
            self.precisions = self._metric.precisions(self._statistics).tolist()
        elif name == "bp":
            self.bp = self._metric.brevity_penalty(self._statistics).item()
        else:
            raise AttributeError(f"'BLEUScore' has no attribute '{name}'")
        return getattr(self, name)


class Signature:
    """The choices behind a score; `info` holds them by name, None for what does not apply."""

    _SHORT: ClassVar[Mapping[str, str]] = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "seed": "rs",
        "case": "c",
        "eff": "e",
        "smooth": "s",
    }

    def __init__(self, num_refs: int, choices: Mapping[str, str]) -> None:
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if num_refs == -1 else num_refs,
            **dict.fromkeys(("bs", "ar", "seed", "test", "lang", "origlang", "subset")),
            **choices,
        }

    def update(self, key: str, value: Any) -> None:
        """Adds a choice, or changes one."""
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        """All choices in one string, the version last."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{self._SHORT.get(name, name) if short else name}:{_yes_or_no(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def __repr__(self) -> str:
        return self.format()


def _yes_or_no(value: Any) -> Any:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


# --- BLEU -------------------------------------------------------------------------------------------------


class BLEU:
    """BLEU with sacreBLEU's parameters; see `understudy.BLEU` for more of them.

    >>> metric = BLEU(lowercase=True, effective_order=True)
    >>> metric.sentence_score("The cat sat.", ["the cat sat.", "A cat was sitting."]).counts
    [4, 3, 2, 1]
    >>> metric.get_signature()
    nrefs:2|case:lc|eff:yes|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = (
        *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
        *("spm", "flores101", "flores200", "spBLEU-1K"),
    )
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_OF_LANGUAGE: ClassVar[Mapping[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        fitting = self._TOKENIZER_OF_LANGUAGE.get(trg_lang)
        if tokenize is None:
            tokenize = fitting or self.TOKENIZER_DEFAULT
        elif fitting and tokenize != fitting:
            _logger.warning(
                "tokenizer '%s' for target language '%s': '%s' fits it.", tokenize, trg_lang, fitting
            )
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.n_bootstrap: int | None = None
        self.seed: int | None = None
        self.num_refs: int
        self._force = force
        self._tokenize = tokenize
        self.tokenizer = _CallableTokenizer(tokenizer(self._scorer.metric.tokenize))
        self.tokenizer_signature = self.tokenizer.signature()
        self._ref_cache: References | None = None
        if references is not None:
            self._ref_cache = _turned(references, None)
            self._note_number_of(self._ref_cache)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """BLEU of a corpus. With None for references, those given to the constructor are used."""
        if n_bootstrap > 1:
            # the place for the bootstrap
            raise BadParameter(
                "n_bootstrap: intervals come with significance testing (`understudy compare`)."
            )
        column = as_hypotheses(hypotheses)
        if references is not None:
            grouped = _turned(references, len(column))
        elif self._ref_cache is not None:
            grouped = as_references(self._ref_cache, len(column))
        else:
            raise BadInput("no references: give them here, or to BLEU(references=...).")
        self._note_number_of(grouped)
        if not self._force:
            _warn_of_tokenized(column[row] for row in range(len(column)))
        scorer = self._scorer
        return scorer.score(scorer.metric.count(column, grouped, available_threads()).sum(axis=0).tolist())

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """BLEU of one segment against its references."""
        if not self.effective_order:
            _logger.warning("BLEU of single segments without effective_order=True is 0 for the short ones.")
        if not isinstance(hypothesis, str):
            raise WrongType(f"hypothesis: got {type(hypothesis).__name__}, expected one string.")
        if isinstance(references, str) or not isinstance(references, Iterable):
            raise WrongType(
                f"references: got {type(references).__name__}, expected a list of strings: write [reference]."
            )
        grouped = as_references([list(references)], 1)
        self._note_number_of(grouped)
        scorer = self._scorer
        return scorer.score(scorer.metric.count(as_hypotheses([hypothesis]), grouped, 1)[0].tolist())

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
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
        scorer = _scorer("none", False, smooth_method, smooth_value, max_ngram_order, bool(effective_order))
        counts, totals = (np.asarray(numbers)[:max_ngram_order].tolist() for numbers in (correct, total))
        return scorer.score([int(sys_len), int(ref_len), *counts, *totals])

    def get_signature(self) -> Signature:
        """The choices made, once a number of references is known."""
        if not hasattr(self, "num_refs"):
            raise BadInput("the number of references is not known yet: score something first.")
        value = self.SMOOTH_DEFAULTS[self.smooth_method]
        if value is not None and self.smooth_value is not None:
            value = self.smooth_value
        return Signature(
            self.num_refs,
            {
                "case": "lc" if self.lowercase else "mixed",
                "eff": "yes" if self.effective_order else "no",
                "tok": self.tokenizer_signature,
                "smooth": self.smooth_method if value is None else f"{self.smooth_method}[{value:.2f}]",
            },
        )

    @property
    def _scorer(self) -> _Scorer:
        # Looked up anew, because an attribute may be set at any time; the table remembers.
        return _scorer(
            self._tokenize,
            bool(self.lowercase),
            self.smooth_method,
            self.smooth_value,
            self.max_ngram_order,
            bool(self.effective_order),
        )

    def _note_number_of(self, references: References) -> None:
        fewest, most = references.counts
        self.num_refs = most if fewest == most else -1


class _Scorer(NamedTuple):
    """A metric of understudy's, with what its statistics need said each time."""

    metric: bleu.BLEU
    columns: tuple[str, ...]
    spec: str
    added: float | None  # by add-k, to counts and totals from order 2 on

    def score(self, row: list[Any]) -> BLEUScore:
        """The score of one row of counts."""
        statistics = Statistics(np.array(row), self.columns, self.spec, segments=1, references=(1, 1))
        sys_len, ref_len, *rest = row
        counts, totals = rest[: self.metric.max_order], rest[self.metric.max_order :]
        if self.added is not None and any(counts):
            counts, totals = ([first, *(n + self.added for n in rest)] for first, *rest in (counts, totals))
        return _ScoreOfCounts(self.metric, statistics, counts, totals, sys_len, ref_len)


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
            f"no smooth_method '{smooth_method}'. {did_you_mean(smooth_method, BLEU.SMOOTH_DEFAULTS)}"
        )
    if tokenize in ("spm", "flores101", "flores200", "spBLEU-1K"):
        raise BadParameter(
            f"tokenizer '{tokenize}': sacreBLEU downloads its model, understudy does not. Give the file: "
            f"tokenize='{'flores200' if tokenize == 'flores200' else 'spm'}:/path/to/model'."
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
    return _Scorer(metric, metric.columns, metric.spec, value if smooth_method == "add-k" else None)


class _CallableTokenizer:
    """A tokenizer as sacreBLEU's are called: text to text, with spaces between the tokens."""

    def __init__(self, tokens_of: Tokenizer) -> None:
        self._tokens_of = tokens_of

    def __call__(self, line: str) -> str:
        return " ".join(self._tokens_of(line))

    def signature(self) -> str:
        return self._tokens_of.signature


def _turned(references: Any, segments: int | None) -> References:
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
                f"reference, each of {expected:,} segments. Turn them: list(zip(*references))."
            )
        number = next(number for number, length in enumerate(lengths) if length != expected)
        raise LengthMismatch(
            f"{'hypotheses have' if segments is not None else 'reference 1 has'} {expected:,} segments, "
            f"reference {number + 1} has {lengths[number]:,}. Was a line dropped?"
        )
    return as_references(list(zip(*lists, strict=True)), expected)


def _listed(reference: Any) -> list[Any]:
    if not isinstance(reference, Iterable):
        raise WrongType(
            f"references: got {type(reference).__name__} for a reference, expected a list of strings."
        )
    return list(reference)


def _warn_of_tokenized(hypotheses: Iterable[str | None]) -> None:
    """A detokenized text has no space before its full stop."""
    tokenized = sum(text is not None and text.endswith(" .") for text in hypotheses)
    if tokenized >= 100:
        _logger.warning(
            "%d hypotheses end in ' .', as if tokenized. Scores are comparable for detokenized text only; "
            "force=True says that it is meant so.",
            tokenized,
        )


# --- chrF, TER and significance tests belong here ---------------------------------------------------------
