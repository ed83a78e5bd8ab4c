"""understudy: the workbench for evaluating machine translation.

Five questions, five verbs: score, compare, judge, trust, probe. The public names are all here; each is
loaded when it is first used, so that `import understudy` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.corpus.columns import References
    from understudy.corpus.corpus import Corpus
    from understudy.errors import UnderstudyError
    from understudy.metrics.base import Metric
    from understudy.metrics.bleu import BLEU
    from understudy.metrics.nist import NIST
    from understudy.metrics.registry import metric
    from understudy.metrics.score import Score
    from understudy.metrics.scoring import score
    from understudy.metrics.statistics import Statistics

_HOMES = {
    "BLEU": "understudy.metrics.bleu",
    "Corpus": "understudy.corpus.corpus",
    "Metric": "understudy.metrics.base",
    "NIST": "understudy.metrics.nist",
    "References": "understudy.corpus.columns",
    "Score": "understudy.metrics.score",
    "Statistics": "understudy.metrics.statistics",
    "UnderstudyError": "understudy.errors",
    "metric": "understudy.metrics.registry",
    "score": "understudy.metrics.scoring",
}

__all__ = [
    "BLEU",
    "NIST",
    "Corpus",
    "Metric",
    "References",
    "Score",
    "Statistics",
    "UnderstudyError",
    "__version__",
    "metric",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'understudy' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
