"""Expected BLEU: BLEU itself where probabilities are 0 and 1, and the stated bound where they are not."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest

from material.optional import missing
from material.with_torch import torch_or_skip
from understudy import BLEU, ExpectedBLEU
from understudy.errors import BadInput, BadParameter, LengthMismatch, WrongType

torch = torch_or_skip()

VOCABULARY, END, POSITIONS = 7, 7, 12
KINDS = list(itertools.product(["none", "add-k", "add-k-all"], ["closest", "shortest"]))


def text(ids):
    return " ".join(f"w{token}" for token in ids)


def padded(references, tokens=14, most=3):
    ids = torch.full((len(references), most, tokens), -100)
    for segment, group in enumerate(references):
        for number, reference in enumerate(group):
            ids[segment, number, : len(reference)] = torch.tensor(reference)
    return ids


def one_hot(hypotheses, positions=POSITIONS):
    """Probabilities of 0 and 1; all positions after the last token are the end of the sentence."""
    filled = [[*tokens, *[END] * (positions - len(tokens))] for tokens in hypotheses]
    return torch.nn.functional.one_hot(torch.tensor(filled), VOCABULARY + 1).double()


def made_up(seed, segments=40):
    generator = random.Random(seed)

    def tokens(least, most):
        return [generator.randrange(VOCABULARY) for _ in range(generator.randint(least, most))]

    hypotheses = [tokens(0, POSITIONS) for _ in range(segments)]
    references = [[tokens(1, 14) for _ in range(generator.randint(1, 3))] for _ in range(segments)]
    # Some copies, so that high orders match.
    for segment in range(0, segments, 4):
        hypotheses[segment] = references[segment][0][: POSITIONS - 1]
    return hypotheses, references


def soft(seed=0, segments=5, positions=6, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    logits = scale * torch.randn(
        segments, positions, VOCABULARY + 1, generator=generator, dtype=torch.float64
    )
    return logits.softmax(-1)


# --- probabilities of 0 and 1: the exact metric ------------------------------------------------------------


@pytest.mark.parametrize(("smooth", "brevity"), KINDS)
@pytest.mark.parametrize(
    ("max_order", "formula"),
    [
        (1, {}),
        (4, {}),
        (4, {"average": "arithmetic", "brevity_steepness": 2.0}),
        (3, {"brevity_steepness": 0}),
    ],
)
def test_it_is_bleu_of_the_tokens(smooth, brevity, max_order, formula):
    hypotheses, references = made_up(1)
    same = {"smooth": smooth, "brevity": brevity, "max_order": max_order, **formula}
    exact = BLEU(tokenize="none", **same)
    counted = exact.statistics(
        [text(tokens) for tokens in hypotheses], [[text(tokens) for tokens in group] for group in references]
    )
    expected = ExpectedBLEU(**same)
    lengths = torch.tensor([len(tokens) for tokens in hypotheses])
    for ending in ({"lengths": lengths}, {"end": END}, {"lengths": lengths, "end": END}):
        got = expected(one_hot(hypotheses), padded(references), **ending)
        assert got.statistics.numpy() == pytest.approx(counted.array, abs=1e-12)
        assert got.segments.numpy() == pytest.approx(exact.segment_scores(counted) / 100, abs=1e-12)
        assert got.corpus.item() == pytest.approx(exact.corpus_score(counted).value / 100, abs=1e-12)


@pytest.mark.parametrize(("smooth", "method", "value"), [("none", "none", None), ("add-k", "add-k", 1)])
def test_it_is_sacrebleu_of_the_tokens(smooth, method, value):
    sacrebleu = pytest.importorskip("sacrebleu.metrics", reason=missing("sacrebleu"))
    hypotheses, references = made_up(2)
    settings = {"tokenize": "none", "smooth_method": method, "smooth_value": value}
    got = ExpectedBLEU(smooth=smooth)(one_hot(hypotheses).float(), padded(references), end=END)
    texts = [text(tokens) for tokens in hypotheses]
    groups = [[text(tokens) for tokens in group] for group in references]
    sentence = sacrebleu.BLEU(effective_order=True, **settings)
    for score, hypothesis, group in zip(got.segments.tolist(), texts, groups, strict=True):
        assert score == pytest.approx(sentence.sentence_score(hypothesis, group).score / 100, abs=1e-6)
    columns = [[group[number] if number < len(group) else None for group in groups] for number in range(3)]
    corpus = sacrebleu.BLEU(force=True, **settings).corpus_score(texts, columns)
    assert got.corpus.item() == pytest.approx(corpus.score / 100, abs=1e-6)


def test_log_probabilities_and_half_precision():
    hypotheses, references = made_up(3)
    ids = padded(references)
    exact = ExpectedBLEU()(one_hot(hypotheses), ids, end=END)
    logarithms = (0.98 * one_hot(hypotheses) + 0.02 / (VOCABULARY + 1)).log()
    assert torch.allclose(
        ExpectedBLEU()(logarithms, ids, end=END, log=True).segments,
        ExpectedBLEU()(logarithms.exp(), ids, end=END).segments,
    )
    impossible = one_hot(hypotheses).log()  # minus infinity
    assert torch.allclose(ExpectedBLEU()(impossible, ids, end=END, log=True).segments, exact.segments)
    half = ExpectedBLEU()(one_hot(hypotheses).to(torch.bfloat16), ids, end=END)
    assert half.segments.dtype == torch.float32
    assert torch.allclose(half.segments.double(), exact.segments, atol=1e-6)


# --- in between: expectations, by brute force ---------------------------------------------------------------


def every_text(probabilities, end):
    """Every sequence that can be drawn, up to its end, and its probability: the positions are independent."""
    positions, tokens = probabilities.shape
    for drawn in itertools.product(range(tokens), repeat=positions):
        chance = math.prod(probabilities[position, token].item() for position, token in enumerate(drawn))
        yield (drawn[: drawn.index(end)] if end in drawn else drawn), chance


def ngrams(tokens, order):
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


@pytest.mark.parametrize("end", [None, 3])
def test_counts_are_expectations_of_every_text(end):
    """Before clipping the counts are exact; clipped, they are an upper bound; lengths and totals are exact."""
    probabilities = torch.tensor(
        [
            [0.5, 0.2, 0.2, 0.1],
            [0.1, 0.6, 0.2, 0.1],
            [0.3, 0.1, 0.3, 0.3],
            [0.4, 0.1, 0.4, 0.1],
            [0.7, 0.1, 0.1, 0.1],
        ],
        dtype=torch.float64,
    )
    references = [[0, 1, 0, 2], [1, 0, 1]]
    got = ExpectedBLEU(max_order=2)(probabilities[None], padded([references], 4, 2), end=end)
    length, _, *rest = got.statistics[0].tolist()
    drawn = list(every_text(probabilities, end))
    assert sum(chance for _, chance in drawn) == pytest.approx(1)
    assert length == pytest.approx(sum(chance * len(tokens) for tokens, chance in drawn))
    for order, clipped, total in zip((1, 2), rest[:2], rest[2:], strict=True):
        assert total == pytest.approx(
            sum(chance * max(len(tokens) - order + 1, 0) for tokens, chance in drawn)
        )
        limits = ngrams(references[0], order) | ngrams(references[1], order)
        counts = {
            ngram: sum(chance * ngrams(tokens, order)[ngram] for tokens, chance in drawn) for ngram in limits
        }
        assert clipped == pytest.approx(sum(min(counts[ngram], limits[ngram]) for ngram in limits))
        exact = sum(chance * sum((ngrams(tokens, order) & limits).values()) for tokens, chance in drawn)
        assert clipped >= exact - 1e-12
        if order == 1:
            assert clipped > exact + 0.05  # a bound, and not equal


def test_sampled_texts_agree_with_the_counts():
    """The same for longer texts, by Monte Carlo: the surrogate is no lower than the mean, within its standard error."""
    probabilities = soft(seed=4, segments=1, positions=8, scale=2.0)
    reference = [0, 1, 2, 3, 0, 4, 5]
    got = ExpectedBLEU(max_order=3)(probabilities, torch.tensor([reference]), end=END).statistics[0]
    generator = torch.Generator().manual_seed(5)
    samples = 4000
    drawn = torch.multinomial(probabilities[0], samples, replacement=True, generator=generator).T.tolist()
    texts = [tokens[: tokens.index(END)] if END in tokens else tokens for tokens in drawn]
    for order in (1, 2, 3):
        limits = ngrams(reference, order)
        clipped = torch.tensor([float(sum((ngrams(tokens, order) & limits).values())) for tokens in texts])
        free = torch.tensor(
            [float(sum(ngrams(tokens, order)[ngram] for ngram in limits)) for tokens in texts]
        )
        error = 4 * (free.std().item() + 0.05) / math.sqrt(samples)
        surrogate = got[1 + order].item()
        assert clipped.mean().item() - error <= surrogate <= free.mean().item() + error


# --- gradients ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("smooth", ["none", "add-k", "add-k-all"])
@pytest.mark.parametrize("sharpness", [None, 5.0])
def test_gradients(smooth, sharpness):
    """Checked against finite differences, in double precision, at random points away from the kinks."""
    expected = ExpectedBLEU(smooth=smooth, brevity_sharpness=sharpness, max_order=3)
    references = padded([[[0, 1, 2, 0, 1], [3, 1]], [[4, 5, 5, 6, 1, 2, 3, 0]], [[2, 2]]], 8, 2)
    logits = torch.randn(
        3,
        6,
        VOCABULARY + 1,
        generator=torch.Generator().manual_seed(6),
        dtype=torch.float64,
        requires_grad=True,
    )

    def scores(logits):
        by_end = expected(logits.softmax(-1), references, end=END)
        by_length = expected(logits.log_softmax(-1), references, lengths=torch.tensor([6, 4, 3]), log=True)
        return by_end.segments, by_end.corpus, by_length.segments, by_length.corpus

    assert torch.autograd.gradcheck(scores, (logits,))


def test_no_gradient_is_nan_where_nothing_matches():
    probabilities = one_hot([[0, 1], [], [2]]).requires_grad_()
    for smooth, average in itertools.product(("none", "add-k", "add-k-all"), ("geometric", "arithmetic")):
        got = ExpectedBLEU(smooth=smooth, average=average)(
            probabilities, padded([[[5, 6]], [[1]], [[2]]]), end=END
        )
        (gradient,) = torch.autograd.grad(got.segments.sum() + got.corpus, probabilities)
        assert gradient.isfinite().all()
        assert got.segments[:2].tolist() == [0, 0]


def test_the_smooth_brevity_penalty_approaches_the_clipped_one():
    probabilities = one_hot([[0, 1, 2], [0, 1, 2, 3, 4, 5]])
    references = padded([[[0, 1, 2, 3]], [[0, 1, 2, 3]]])
    clipped = ExpectedBLEU()(probabilities, references, end=END).segments
    distances = [
        (ExpectedBLEU(brevity_sharpness=b)(probabilities, references, end=END).segments - clipped).abs().max()
        for b in (2.0, 10.0, 200.0)
    ]
    assert distances[0] > distances[1] > distances[2]
    assert distances[2] < 1e-3


# --- invariances ---------------------------------------------------------------------------------------------


def test_a_segment_scores_the_same_in_any_batch_and_with_any_padding():
    probabilities = soft(segments=4)
    groups = [[[0, 1, 2]], [[3, 3, 4, 1], [5, 6]], [[6]], [[1, 2, 3, 4, 5]]]
    lengths = torch.tensor([6, 5, 2, 0])
    whole = ExpectedBLEU()(probabilities, padded(groups, 5, 2), lengths=lengths).segments
    wider = torch.cat([probabilities, soft(seed=9, segments=4, positions=5)], 1)
    assert torch.allclose(
        ExpectedBLEU()(wider, padded(groups, 14, 3), lengths=lengths).segments, whole, rtol=1e-12
    )
    for segment in range(4):
        one = slice(segment, segment + 1)
        alone = ExpectedBLEU()(probabilities[one], padded(groups[one], 5, 2), lengths=lengths[one])
        assert alone.segments.item() == pytest.approx(whole[segment].item(), rel=1e-12)


def test_the_order_of_references_does_not_matter():
    groups = [[[0, 1, 2], [2, 2, 1], [4]], [[3, 3, 4, 1], [5, 6], [6, 5]]]
    turned = [group[::-1] for group in groups]
    probabilities = soft(segments=2)
    for brevity in ("closest", "shortest"):
        scores = [
            ExpectedBLEU(brevity=brevity)(probabilities, padded(order), end=END).segments
            for order in (groups, turned)
        ]
        assert torch.allclose(*scores, rtol=1e-12)


def test_one_reference_needs_no_dimension():
    references = torch.tensor([[0, 1, -100], [2, 3, 4]])
    probabilities = soft(segments=2)
    flat, grouped = (ExpectedBLEU()(probabilities, ids).segments for ids in (references, references[:, None]))
    assert flat.tolist() == grouped.tolist()


def test_the_vocabulary_is_read_where_references_are_only():
    """No tensor of positions x vocabulary x positions: 64 x 50,000 x 64 numbers would be 800 MB for one segment."""
    kept = []
    probabilities = torch.full((1, 64, 50_000), 2e-5, requires_grad=True)

    def keep(saved):
        if saved.data_ptr() != probabilities.data_ptr():  # the input itself is kept, too, and not copied
            kept.append(saved.numel())
        return saved

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda saved: saved):
        ExpectedBLEU()(probabilities, torch.arange(64)[None])
    assert max(kept) <= 64 * 64


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_order": 0}, "max_order=0: expected an integer from 1 to 9"),
        ({"smooth": "exp"}, "expected none, add-k, add-k-all"),
        ({"smooth_value": 0}, "smooth_value=0: expected a number above 0"),
        ({"brevity": "average"}, "expected closest, shortest"),
        ({"brevity_sharpness": math.nan}, "brevity_sharpness=nan"),
        ({"brevity_steepness": -1}, "brevity_steepness=-1: expected a number of at least 0"),
        ({"average": "harmonic"}, "expected geometric, arithmetic"),
        ({"order": 4}, "unknown option 'order'"),
    ],
)
def test_settings_that_are_refused(settings, message):
    with pytest.raises(BadParameter, match=message):
        ExpectedBLEU(**settings)


PROBABILITIES = soft(segments=2)
IDS = torch.tensor([[0, 1], [2, 3]])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([[0.5]], IDS), {}, WrongType, "probabilities: got list"),
        ((PROBABILITIES[0], IDS), {}, WrongType, r"with shape \[6, 8\], expected a tensor of floating-point"),
        ((PROBABILITIES.long(), IDS), {}, WrongType, "probabilities: got Tensor of torch.int64"),
        ((PROBABILITIES[:, :0], IDS), {}, BadInput, "at least one entry"),
        ((PROBABILITIES * 50, IDS), {}, BadInput, "numbers from 0 to 1. Apply softmax"),
        ((PROBABILITIES.log(), IDS), {}, BadInput, "numbers from 0 to 1"),
        ((PROBABILITIES, IDS), {"log": True}, BadInput, "at most 0. Apply log_softmax"),
        ((PROBABILITIES * math.nan, IDS), {}, BadInput, "numbers from 0 to 1"),
        ((PROBABILITIES, IDS.double()), {}, WrongType, "references: got Tensor of torch.float64"),
        ((PROBABILITIES, IDS[0]), {}, WrongType, "references: got Tensor"),
        ((PROBABILITIES, IDS[:1]), {}, LengthMismatch, "probabilities have 2 segments, references have 1"),
        ((PROBABILITIES, IDS + 6), {}, BadInput, "token id 9, expected ids below 8"),
        ((PROBABILITIES, torch.tensor([[0, 1], [-1, -1]])), {}, BadInput, "segment 2 has no tokens"),
        ((PROBABILITIES, torch.tensor([[0, 1], [-1, 2]])), {}, BadInput, "padding before a token"),
        ((PROBABILITIES, IDS), {"end": 3}, BadInput, "the end-of-sentence token 3 occurs"),
        ((PROBABILITIES, IDS), {"end": 8}, BadParameter, "end=8: expected an integer from 0 to 7"),
        (
            (PROBABILITIES, IDS),
            {"lengths": torch.tensor([7, 1])},
            BadInput,
            "lengths: expected numbers from 0 to 6",
        ),
        ((PROBABILITIES, IDS), {"lengths": torch.tensor([1.0, 1.0])}, WrongType, "lengths: got"),
        ((PROBABILITIES, IDS), {"lengths": [1, 1]}, WrongType, "lengths: got list"),
    ],
)
def test_input_that_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        ExpectedBLEU()(*arguments, **options)
