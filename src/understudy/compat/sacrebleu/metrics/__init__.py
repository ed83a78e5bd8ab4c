"""The metrics under sacreBLEU's names."""

from understudy.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from understudy.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from understudy.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
