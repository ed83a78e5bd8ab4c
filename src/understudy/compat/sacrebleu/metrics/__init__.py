"""The metrics under the names that sacreBLEU gives them."""

from understudy.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from understudy.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore

METRICS = {"BLEU": BLEU, "CHRF": CHRF}

__all__ = ["BLEU", "CHRF", "METRICS", "BLEUScore", "CHRFScore"]
