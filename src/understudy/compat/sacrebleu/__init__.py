"""sacreBLEU's interface on understudy's metrics: the same calls, the same digits, the same signatures.

>>> import understudy.compat.sacrebleu as sacrebleu
>>> hypotheses = ["The cat sat on the mat."]
>>> references = [["The cat is on the mat."], ["A cat sat on the mat."]]
>>> sacrebleu.corpus_bleu(hypotheses, references)
BLEU = 88.01 100.0/100.0/80.0/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)

References are laid out as there: one list per reference, each with an entry for every segment, None where a
segment lacks that reference. What sacreBLEU 2.6.0 computes is computed here to the last digit, quirks
included. What it lets pass though it can only be a mistake is refused with an error that says so: columns
of different lengths, transposed references, a flat list of strings for references, a segment without any, and text with
lone surrogates (halves of surrogate pairs, as `errors="surrogateescape"` leaves them), which UTF-8 cannot hold and
sacreBLEU scores as characters. A byte order mark (U+FEFF) at the start of the first segment is a character of it, here
as there: open files with `encoding="utf-8-sig"`. understudy's own readers of files leave it out, which sacreBLEU's
command line does not.

Signatures say `version:2.6.0`, the sacreBLEU whose behaviour this is, so that a score from here and one from
there carry the same string. understudy's own `BLEU` has signatures with its own version.

The modules have the names that code imports there: `sacrebleu.metrics.BLEU` and `sacrebleu.BLEU` are one.
Here so far: BLEU, chrF and TER, their confidence intervals, and paired tests in `sacrebleu.significance`.
"""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

from collections.abc import Sequence

from understudy.compat.sacrebleu import metrics, significance
from understudy.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from understudy.compat.sacrebleu.metrics.base import SACREBLEU_VERSION

__version__ = SACREBLEU_VERSION

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "significance",
]


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


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of a whole corpus; with word_order=2 it is chrF++."""
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of one segment.

    >>> sentence_chrf("The cat sat.", ["The cat sat down.", "A cat was sitting."]).score
    61.014971022305296
    """
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of a whole corpus."""
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one segment.

    >>> sentence_ter("The cat sat.", ["The cat sat down.", "A cat was sitting."])
    TER = 50.00
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)
