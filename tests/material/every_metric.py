"""Every metric of the registry, in its default form and in each of its presets, and made-up texts to count.

Nothing here knows any metric by name, but for those that are nothing without a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from material.learned_models import FEATURES, FITTED, PLAIN
from understudy import Metric, metric
from understudy.metrics.base.registry import metrics
from understudy.testing.texts import WORDS

METRICS = metrics()
# A learned metric has no default that can count: one that was learned stands for it.
LEARNED = {"learned": f"learned:model={PLAIN}", "learned-features": f"learned-features:model={FEATURES}"}
DEFAULTS = [metric(LEARNED.get(name, metric_class)) for name, metric_class in METRICS.items()]
PRESETS = [metric_class.preset(name) for metric_class in METRICS.values() for name in metric_class.presets]
# The laws are of text that is counted, and a tokenizer that nobody chose may have it refused: so it is chosen.
DEFAULTS, PRESETS = ([known.with_defaults_chosen() for known in several] for several in (DEFAULTS, PRESETS))
# A preset may name the default.
EVERY = list(dict.fromkeys([*DEFAULTS, *PRESETS, metric(f"learned:model={FITTED}")]))


def where_it_can_count(known: Sequence[Metric]) -> list[Any]:
    """The metrics; those that lack what they need on this machine are skipped, and say what it is."""
    return [
        pytest.param(law_of, id=law_of.spec, marks=pytest.mark.skipif(bool(lack), reason=lack))
        for law_of in known
        for lack in [law_of.missing]
    ]


every_metric = pytest.mark.parametrize("law_of", where_it_can_count(EVERY))
every_metric_with_references = pytest.mark.parametrize(
    "law_of", where_it_can_count([known for known in EVERY if known.reads_references])
)
every_default = pytest.mark.parametrize("law_of", where_it_can_count(DEFAULTS))

texts = st.lists(st.sampled_from(WORDS), max_size=9)
segments = st.tuples(texts.map(" ".join), st.lists(texts.map(" ".join), min_size=1, max_size=3))
corpora = st.lists(segments, min_size=1, max_size=8)
few_examples = settings(max_examples=20, deadline=None)
