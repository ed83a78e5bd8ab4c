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

Modules have sacreBLEU's names: `sacrebleu.metrics.BLEU` and `sacrebleu.BLEU` are the same class. After
`install()`, `import sacrebleu` gives this package, for programs that cannot be edited.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from understudy.compat.sacrebleu import compat, metrics, tokenizers, utils, version
from understudy.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from understudy.compat.sacrebleu.installation import install
from understudy.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from understudy.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from understudy.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from understudy.compat.sacrebleu.version import __version__

if TYPE_CHECKING:
    from understudy.compat.sacrebleu import dataset, significance
    from understudy.compat.sacrebleu.dataset import DATASETS

__description__ = "sacreBLEU's interface on understudy's metrics"

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "dataset",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "install",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "significance",
    "smart_open",
    "tokenizers",
    "utils",
    "version",
]


def __getattr__(name: str) -> Any:
    """Test sets and significance tests, loaded when they are used: scores do not need them."""
    if name in ("dataset", "significance"):
        return import_module(f"{__name__}.{name}")
    if name == "DATASETS":
        return import_module(f"{__name__}.dataset").DATASETS
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
