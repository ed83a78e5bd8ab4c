"""The metrics under the names that sacreBLEU gives them."""

from understudy.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from understudy.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS = {"BLEU": BLEU, "TER": TER}

__all__ = ["BLEU", "METRICS", "TER", "BLEUScore", "TERScore"]
