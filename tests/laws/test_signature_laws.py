"""Laws of signatures, where numbers count that no preset sets."""

from __future__ import annotations

import pytest

from material.every_metric import where_it_can_count
from understudy import BLEU, METEOR, POSBLEU, RoundTripBLEU, SelfBLEU
from understudy.testing.expectations import obey
from understudy.testing.signature_laws import one_signature_one_score, signatures

OTHERS = [
    BLEU(smooth="floor"),
    BLEU(average="arithmetic", brevity_steepness=0.5),
    SelfBLEU(average="arithmetic", brevity_steepness=0.5),
    RoundTripBLEU(average="arithmetic"),
    POSBLEU(separator="_"),
    METEOR.preset("no-data", weights=(1.0, 0.5)),
]


@pytest.mark.parametrize("law_of", where_it_can_count(OTHERS))
def test_numbers_that_no_preset_sets(law_of):
    obey(one_signature_one_score, law_of)


def test_weights_are_written_with_all_their_digits():
    one, other = (METEOR.preset("no-data", weights=(1.0, value)) for value in (0.6, 0.60000001))
    assert signatures(one) != signatures(other)
    assert "weights:1/0.6|" in str(one.signature())
