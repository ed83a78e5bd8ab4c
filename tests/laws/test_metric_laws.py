"""The laws of `understudy.testing` hold for every metric of the registry, in its default form and in each preset.

A new metric is under these laws as soon as it is registered: nothing here knows any metric by name. What differs
between metrics is asked of them (`worth`, `higher_is_better`, `target`, `sees_no`, `percent`, `below_zero`,
`best_reference`, `pools_references`, `reads_references`, `needs_fit`, `missing`, `full_marks`).
"""

from __future__ import annotations

import pytest
from hypothesis import given

from material.every_metric import corpora, every_default, every_metric, few_examples
from understudy.testing.check import LAWS, LAWS_OF_CLASSES, LAWS_OF_TEXT
from understudy.testing.expectations import obey


def each(laws):
    return pytest.mark.parametrize("law", laws, ids=lambda law: law.__name__)


@every_metric
@each(LAWS_OF_TEXT)
@few_examples
@given(corpus=corpora)
def test_whatever_the_text(law_of, law, corpus):
    obey(law, law_of, corpus)


@every_metric
@each(LAWS)
def test_every_metric(law_of, law):
    obey(law, law_of)


@every_default
@each(LAWS_OF_CLASSES)
def test_every_class(law_of, law):
    obey(law, law_of)
