"""sacreBLEU's interface on understudy's metrics: the same calls, digits and signatures.

>>> import understudy.compat.sacrebleu as sacrebleu
>>> hypotheses = ["The cat sat on the mat."]
>>> references = [["The cat is on the mat."], ["A cat sat on the mat."]]
>>> sacrebleu.corpus_bleu(hypotheses, references)
BLEU = 88.01 100.0/100.0/80.0/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)

References are in sacreBLEU's layout: one list per reference, with one entry per segment, and None where a segment lacks
that reference. Scores are identical to sacreBLEU 2.6.0 to the last digit, including its bugs. Input that sacreBLEU
accepts although it must be a mistake raises an error: columns of different lengths, transposed references, a flat list
of strings as references, a segment without references, and text with lone surrogates (as produced by
`errors="surrogateescape"`), which UTF-8 cannot encode. As in sacreBLEU, a byte order mark (U+FEFF) at the start of the
first segment is part of the text; open files with `encoding="utf-8-sig"`. understudy's own file readers remove it,
sacreBLEU's command line does not.

Signatures contain `version:2.6.0`, the version of sacreBLEU whose behavior this is, so that a score has the same
signature here and there. understudy's own `BLEU` has signatures with its own version.

Modules have sacreBLEU's names: `sacrebleu.metrics.BLEU` and `sacrebleu.BLEU` are the same class. Included are BLEU,
chrF and TER, their confidence intervals, and the paired tests of `sacrebleu.significance`.
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
    """BLEU of a tokenized corpus: split at whitespace, with floor smoothing."""
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
