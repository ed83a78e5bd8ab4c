"""understudy: the workbench for evaluating machine translation.

Five questions, five verbs: score, compare, judge, trust, probe. The public names are all here; each is
loaded when it is first used, so that `import understudy` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparing.explanation import explain
    from understudy.comparing.run import compare
    from understudy.corpus.columns import References
    from understudy.corpus.corpus import Corpus
    from understudy.corpus.delimited import tsv_quoting
    from understudy.corpus.parsed import ParsedColumn
    from understudy.errors import UnderstudyError
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.registry import metric
    from understudy.metrics.base.score import Score
    from understudy.metrics.base.statistics import Statistics
    from understudy.metrics.bleu import BLEU
    from understudy.metrics.cder import CDER
    from understudy.metrics.cer import CER
    from understudy.metrics.character import CharacTER
    from understudy.metrics.chrf import CHRF
    from understudy.metrics.dstm import DSTM
    from understudy.metrics.dtkm import DTKM
    from understudy.metrics.eed import EED
    from understudy.metrics.exact_match import ExactMatch
    from understudy.metrics.gleu import GLEU
    from understudy.metrics.gtm import GTM
    from understudy.metrics.hwcm import HWCM
    from understudy.metrics.learned import Learned
    from understudy.metrics.length_ratio import LengthRatio
    from understudy.metrics.meteor import METEOR
    from understudy.metrics.nist import NIST
    from understudy.metrics.per import PER
    from understudy.metrics.pos_bleu import POSBLEU
    from understudy.metrics.ribes import RIBES
    from understudy.metrics.rouge import ROUGE
    from understudy.metrics.round_trip_bleu import RoundTripBLEU
    from understudy.metrics.self_bleu import SelfBLEU
    from understudy.metrics.stm import STM
    from understudy.metrics.ter import TER
    from understudy.metrics.tkm import TKM
    from understudy.metrics.weighted_ngram import WeightedNgram
    from understudy.metrics.wer import WER
    from understudy.scoring.run import score
    from understudy.syntax.tree_columns import parse
    from understudy.trusting.run import trust
    from understudy.trusting.sets.run import trust_sets
    from understudy.trusting.spans.run import span_agreement

_HOMES = {
    "BLEU": "understudy.metrics.bleu",
    "CDER": "understudy.metrics.cder",
    "CER": "understudy.metrics.cer",
    "CHRF": "understudy.metrics.chrf",
    "CharacTER": "understudy.metrics.character",
    "Corpus": "understudy.corpus.corpus",
    "DSTM": "understudy.metrics.dstm",
    "DTKM": "understudy.metrics.dtkm",
    "EED": "understudy.metrics.eed",
    "ExactMatch": "understudy.metrics.exact_match",
    "GLEU": "understudy.metrics.gleu",
    "GTM": "understudy.metrics.gtm",
    "HWCM": "understudy.metrics.hwcm",
    "Learned": "understudy.metrics.learned",
    "LengthRatio": "understudy.metrics.length_ratio",
    "METEOR": "understudy.metrics.meteor",
    "Metric": "understudy.metrics.base.metric",
    "NIST": "understudy.metrics.nist",
    "PER": "understudy.metrics.per",
    "POSBLEU": "understudy.metrics.pos_bleu",
    "ParsedColumn": "understudy.corpus.parsed",
    "RIBES": "understudy.metrics.ribes",
    "ROUGE": "understudy.metrics.rouge",
    "References": "understudy.corpus.columns",
    "RoundTripBLEU": "understudy.metrics.round_trip_bleu",
    "STM": "understudy.metrics.stm",
    "Score": "understudy.metrics.base.score",
    "SelfBLEU": "understudy.metrics.self_bleu",
    "Statistics": "understudy.metrics.base.statistics",
    "TER": "understudy.metrics.ter",
    "TKM": "understudy.metrics.tkm",
    "UnderstudyError": "understudy.errors",
    "WER": "understudy.metrics.wer",
    "WeightedNgram": "understudy.metrics.weighted_ngram",
    "compare": "understudy.comparing.run",
    "explain": "understudy.comparing.explanation",
    "metric": "understudy.metrics.base.registry",
    "parse": "understudy.syntax.tree_columns",
    "score": "understudy.scoring.run",
    "span_agreement": "understudy.trusting.spans.run",
    "trust": "understudy.trusting.run",
    "trust_sets": "understudy.trusting.sets.run",
    "tsv_quoting": "understudy.corpus.delimited",
}

__all__ = [
    "BLEU",
    "CDER",
    "CER",
    "CHRF",
    "DSTM",
    "DTKM",
    "EED",
    "GLEU",
    "GTM",
    "HWCM",
    "METEOR",
    "NIST",
    "PER",
    "POSBLEU",
    "RIBES",
    "ROUGE",
    "STM",
    "TER",
    "TKM",
    "WER",
    "CharacTER",
    "Corpus",
    "ExactMatch",
    "Learned",
    "LengthRatio",
    "Metric",
    "ParsedColumn",
    "References",
    "RoundTripBLEU",
    "Score",
    "SelfBLEU",
    "Statistics",
    "UnderstudyError",
    "WeightedNgram",
    "__version__",
    "compare",
    "explain",
    "metric",
    "parse",
    "score",
    "span_agreement",
    "trust",
    "trust_sets",
    "tsv_quoting",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'understudy' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
