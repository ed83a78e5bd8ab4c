"""The metrics under the names that sacreBLEU gives them."""

from understudy.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore

METRICS = {"BLEU": BLEU}

__all__ = ["BLEU", "METRICS", "BLEUScore"]
