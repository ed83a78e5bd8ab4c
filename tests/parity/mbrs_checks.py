"""mbrs' decoders: its own BLEU and chrF make the same choices as ours, and ours can be its metrics.

mbrs 0.1.8 needs numpy 1, so test_mbrs.py runs these in an environment of its own: make mbrs.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from material.wmt import needs_data, references_of, systems
from understudy import BLEU, CHRF, NBest, decide
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import torch
    from mbrs.decoders import DecoderAggregateMBR, DecoderMBR, DecoderPruningMBR
    from mbrs.metrics import MetricBLEU, MetricChrF, get_metric

from understudy.compat.mbrs import register_metrics

pytestmark = [needs_data, pytest.mark.filterwarnings("ignore")]

SETS = ["wmt21.en-de", "wmt23.zh-en"]
SINGLE_PRECISION = 1e-4  # utilities up to 100, of which mbrs keeps 24 bits


def candidates(folder: str, segments: int = 15) -> list[list[str]]:
    """All systems of a test set."""
    return [list(group) for group in list(zip(*systems(folder).values(), strict=True))[:segments]]


def theirs(spec: str) -> object:
    return (
        MetricBLEU(MetricBLEU.Config(num_workers=1))
        if spec == "bleu"
        else MetricChrF(MetricChrF.Config(num_workers=1))
    )


def ours(spec: str, name: str = "understudy") -> object:
    register_metrics()
    kind = get_metric(name)
    return kind(kind.Config(spec=spec, threads=1))


def metric_of(spec: str) -> Metric:
    return {"bleu": BLEU(), "chrf": CHRF()}[spec]


@pytest.mark.parametrize("folder", SETS)
@pytest.mark.parametrize("spec", ["chrf", "bleu"])
def test_the_same_choices(folder: str, spec: str) -> None:
    """Also where a list has the same text several times: mbrs compares each, we compare one. Texts that the metric
    cannot tell apart have equal utilities; then we choose the first, and mbrs any of them.
    """
    lists = candidates(folder)
    found = decide(lists, metrics=spec)
    decoder, with_ours = (DecoderMBR(DecoderMBR.Config(), metric) for metric in (theirs(spec), ours(spec)))
    for segment, group in enumerate(lists):
        exact = found.utilities[slice(*found.nbest.offsets[segment : segment + 2])]
        for each in (decoder, with_ours):
            output = each.decode(group, group)
            assert output.score[0] == pytest.approx(exact.max(), abs=SINGLE_PRECISION)
            assert exact.max() - exact[output.idx[0]] < SINGLE_PRECISION
            equals = np.flatnonzero(exact.max() - exact < SINGLE_PRECISION)
            if len({group[index] for index in equals}) == 1:
                assert output.sentence[0] == found.texts[segment]


@pytest.mark.parametrize("spec", ["chrf", "bleu"])
def test_the_same_pairs(spec: str) -> None:
    for group in candidates("wmt23.zh-en", 5):
        np.testing.assert_allclose(
            ours(spec).pairwise_scores(group, group),  # type: ignore[attr-defined]
            theirs(spec).pairwise_scores(group, group),  # type: ignore[attr-defined]
            rtol=1e-5,
            atol=1e-5,
        )


@pytest.mark.parametrize("spec", ["chrf", "bleu"])
def test_probabilities_of_references(spec: str) -> None:
    random = torch.Generator().manual_seed(1)
    for group in candidates("wmt23.zh-en", 5):
        lprobs = torch.randn(len(group), generator=random)
        expected = theirs(spec).expected_scores(group, group, reference_lprobs=lprobs)  # type: ignore[attr-defined]
        found = ours(spec).expected_scores(group, group, reference_lprobs=lprobs)  # type: ignore[attr-defined]
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)
        decided = decide(NBest.of_texts([group], scores=[lprobs.tolist()]), metrics=spec, posterior="score")
        np.testing.assert_allclose(decided.utilities, expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("spec", ["chrf", "bleu"])
def test_aggregated_references(spec: str) -> None:
    lists = candidates("wmt21.en-de", 20)
    found = decide(lists, metrics=spec, method="aggregated")
    decoders = [
        DecoderAggregateMBR(DecoderAggregateMBR.Config(), metric)
        for metric in (theirs(spec), ours(spec, "understudy_aggregatable"))
    ]
    for segment, group in enumerate(lists):
        exact = found.utilities[slice(*found.nbest.offsets[segment : segment + 2])]
        for decoder in decoders:
            output = decoder.decode(group, group)
            assert output.score[0] == pytest.approx(exact[output.idx[0]], abs=1e-3)
            assert exact.max() - exact[output.idx[0]] < 1e-3


def test_pruning_decoder_with_our_metric() -> None:
    """Samples differ, as generators do; both must nearly always find the exact choice."""
    lists = candidates("wmt21.en-de", 12)
    exact = decide(lists)
    decoders = [
        DecoderPruningMBR(DecoderPruningMBR.Config(), metric) for metric in (theirs("chrf"), ours("chrf"))
    ]
    their_own, with_ours = (
        [decoder.decode(group, group).sentence[0] for group in lists] for decoder in decoders
    )
    assert their_own == with_ours  # same generator, same scores
    pruned = decide(lists, method="pruned").texts
    for choices in (with_ours, pruned):
        assert np.mean([one == other for one, other in zip(choices, exact.texts, strict=True)]) > 0.8


def test_direction_and_corpus_score() -> None:
    metric = ours("ter")
    assert metric.HIGHER_IS_BETTER is False  # type: ignore[attr-defined]
    group = candidates("wmt23.zh-en", 1)[0]
    output = DecoderMBR(DecoderMBR.Config(), metric).decode(group, group)
    assert output.sentence == decide([group], metrics="ter").texts
    texts = next(iter(systems("wmt23.zh-en").values()))[:50]
    references = [column[:50] for column in references_of("wmt23.zh-en")]
    expected = theirs("chrf").corpus_score(texts, references)  # type: ignore[attr-defined]
    assert ours("chrf").corpus_score(texts, references) == pytest.approx(expected)  # type: ignore[attr-defined]


def test_metrics_that_read_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHRF, "reads_sources", True)
    group = ["a cat sat", "the cat sat", "the cat sat down"]
    for name, kind in (("understudy", DecoderMBR), ("understudy_aggregatable", DecoderAggregateMBR)):
        metric = ours("chrf", name)
        decoder = kind(kind.Config(), metric)
        assert decoder.decode(group, group, source="die Katze").sentence == [group[2]]
        with pytest.raises(BadParameter, match="reads the source text"):
            decoder.decode(group, group)
    assert metric.score(group[0], group[0], "die Katze") == 100  # type: ignore[attr-defined]
    assert metric.scores(group, group, ["die Katze"] * 3).tolist() == [100] * 3  # type: ignore[attr-defined]
    assert metric.corpus_score(group, [group], ["die Katze"] * 3) == 100  # type: ignore[attr-defined]
