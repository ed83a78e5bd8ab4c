"""Expected BLEU: a differentiable surrogate of BLEU, from token probabilities instead of tokens.

The count of an n-gram in the hypothesis is replaced by its expectation, if the tokens are drawn independently at every
position. Expected counts are clipped like counts, and BLEU is computed from their sums (Shao, Feng and Chen 2018,
"Greedy Search with Probabilistic N-gram Matching for Neural Machine Translation"; Zhukov, Golikov and Kretov 2017,
"Differentiable lower bound for expected BLEU score", derive expected counts for a bound).

It is not the expectation of BLEU: a clipped expectation is an upper bound of the expectation of the clipped count,
because min is concave, and BLEU is not linear in the counts. For probabilities of 0 and 1 it is BLEU.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy.errors import BadInput, BadParameter, LengthMismatch, MissingExtra, WrongType
from understudy.settings import Settings, check_choice, check_whole

if TYPE_CHECKING:
    from torch import Tensor

_MAX_ORDERS = 9
_SMOOTHINGS = ("none", "add-k", "add-k-all")
_AVERAGES = ("geometric", "arithmetic")
_BREVITIES = ("closest", "shortest")
_ROUNDING = 1e-3  # of probabilities, also in half precision


class ExpectedScores(NamedTuple):
    """Expected BLEU from 0 to 1. `statistics` [segments, 2 + 2N] has the columns of `understudy.BLEU`: lengths of
    hypothesis and reference, N clipped expected counts, N expected totals.
    """

    segments: Tensor  # [segments]
    corpus: Tensor  # from the sums of all segments' statistics
    statistics: Tensor


@dataclass(frozen=True, kw_only=True)
class ExpectedBLEU(Settings):
    """Expected BLEU of token probabilities. The parameters are those of `understudy.BLEU`.

    `brevity_sharpness` replaces the brevity penalty exp(k min(0, 1 - r/c)) by exp(-k softplus(b (r/c - 1)) / b), which
    has a gradient at every length and approaches the brevity penalty as b grows. k is `brevity_steepness`.
    """

    max_order: int = 4
    smooth: str = "add-k"
    smooth_value: float = 1.0  # k; ignored by "none"
    average: str = "geometric"
    brevity: str = "closest"
    brevity_steepness: float = 1.0
    brevity_sharpness: float | None = None

    def __post_init__(self) -> None:
        check_whole("max_order", self.max_order, most=_MAX_ORDERS)
        check_choice("smooth", self.smooth, _SMOOTHINGS)
        check_choice("average", self.average, _AVERAGES)
        check_choice("brevity", self.brevity, _BREVITIES)
        _check_positive("smooth_value", self.smooth_value)
        if self.brevity_steepness != 0:
            _check_positive("brevity_steepness", self.brevity_steepness, "of at least 0")
        if self.brevity_sharpness is not None:
            _check_positive("brevity_sharpness", self.brevity_sharpness)

    def __call__(
        self,
        probabilities: Tensor,
        references: Tensor,
        *,
        lengths: Tensor | None = None,
        end: int | None = None,
        log: bool = False,
    ) -> ExpectedScores:
        """The expected scores of `probabilities` [segments, positions, vocabulary], or log probabilities with `log`.

        `references` are token ids, [segments, tokens] or [segments, references, tokens]; ids below 0, such as -100, are
        padding. `lengths` [segments] are the lengths of the hypotheses; the default is all positions. `end` is the id
        of the end-of-sentence token: a hypothesis ends before its first one, with the probabilities given for it.
        """
        torch = _torch()
        given = _checked_probabilities(torch, probabilities)
        ids = _checked_references(torch, references, given, end)
        segments, positions, _ = given.shape
        inside = given.new_ones(segments, positions)
        if lengths is not None:
            inside = (
                torch.arange(positions, device=given.device)
                < _checked_lengths(torch, lengths, given).to(given.device)[:, None]
            ).to(given.dtype)

        present = ids >= 0
        flat = ids.clamp(min=0).flatten(1)
        matched = given.gather(2, flat[:, None, :].expand(-1, positions, -1))
        _check_range(matched, log)
        if log:
            matched = matched.exp()
        # [segments, positions, references, tokens]: the probability of each reference token at each position
        matched = matched.reshape(segments, positions, *ids.shape[1:]) * present[:, None].to(given.dtype)
        matched = matched * inside[:, :, None, None]

        # The probability that the hypothesis reaches a position, and that it goes beyond it.
        reached, passed = inside, inside
        if end is not None:
            ends = given[:, :, end]
            continues = 1 - (ends.exp() if log else ends)
            passed = continues.cumprod(1)
            reached = torch.cat([torch.ones_like(passed[:, :1]), passed[:, :-1]], 1)
            reached, passed = reached * inside, passed * inside

        clipped, totals = [], []
        # Products over the tokens of n-grams that start at each position: one factor more for each order.
        starts = matched * reached[:, :, None, None]
        same = (ids[:, :, :, None, None] == ids[:, None, None, :, :]) & present[:, :, :, None, None]
        extended = same
        for order in range(1, self.max_order + 1):
            if order > 1:
                starts = starts[:, :-1, :, :-1] * matched[:, order - 1 :, :, order - 1 :]
                extended = extended[:, :, :-1, :, :-1] & same[:, :, order - 1 :, :, order - 1 :]
            clipped.append(_clipped(torch, starts.sum(1), extended))
            totals.append(passed[:, order - 1 :].sum(1))

        hypothesis_lengths = passed.sum(1)
        reference_lengths = self._reference_lengths(present.sum(2), hypothesis_lengths)
        statistics = torch.stack([hypothesis_lengths, reference_lengths, *clipped, *totals], 1)
        return ExpectedScores(
            self._scores(torch, statistics, effective_order=True),
            self._scores(torch, statistics.sum(0, keepdim=True), effective_order=False)[0],
            statistics,
        )

    def _reference_lengths(self, lengths: Tensor, hypothesis_lengths: Tensor) -> Tensor:
        """The effective reference lengths; a reference of padding alone is absent."""
        missing = lengths == 0
        sortable = lengths.to(hypothesis_lengths.dtype).masked_fill(missing, math.inf)
        ascending = sortable.sort(1).values
        if self.brevity == "shortest":
            return ascending[:, 0]
        # Equal distance: the shorter reference wins, which is the first.
        nearest = (ascending - hypothesis_lengths.detach()[:, None]).abs().min(1, keepdim=True).indices
        chosen: Tensor = ascending.gather(1, nearest)[:, 0]
        return chosen

    def _scores(self, torch: Any, statistics: Tensor, *, effective_order: bool) -> Tensor:
        """BLEU of rows of statistics, with the formula of core/ngram/bleu_score.cpp."""
        length, reference_length = statistics[:, 0], statistics[:, 1]
        matches, totals = statistics[:, 2 : 2 + self.max_order], statistics[:, 2 + self.max_order :]
        if self.smooth != "none":
            added = torch.full_like(matches[:1], self.smooth_value)
            if self.smooth == "add-k":
                added[:, 0] = 0
            matches, totals = matches + added, totals + added
        counted = totals > 0
        if effective_order:
            counted[:, 0] = True
            orders = counted.sum(1)
        else:
            orders = torch.full_like(length, self.max_order)
            counted = torch.ones_like(counted)
        positive = (statistics[:, 2] > 0) & (length > 0)
        # Without a match in an order, the geometric average is 0; the logarithm of 1 stands in, so that no gradient is
        # NaN.
        usable = (matches > 0) & (totals > 0)
        safe_matches = torch.where(usable, matches, torch.ones_like(matches))
        safe_totals = torch.where(usable, totals, torch.ones_like(totals))
        if self.average == "geometric":
            logarithms = (safe_matches.log() - safe_totals.log()) * counted
            average = logarithms.sum(1) / orders
            positive &= (usable | ~counted).all(1)
        else:
            average = (torch.where(usable, safe_matches / safe_totals, 0.0) * counted).sum(1) / orders
        excess = reference_length / torch.where(length > 0, length, torch.ones_like(length)) - 1
        if self.brevity_sharpness is None:
            penalty = -excess.clamp(min=0)
        else:
            sharpness = self.brevity_sharpness
            penalty = -torch.nn.functional.softplus(sharpness * excess) / sharpness
        if self.brevity_steepness != 1:
            penalty = self.brevity_steepness * penalty
        score = (average + penalty).exp() if self.average == "geometric" else average * penalty.exp()
        scores: Tensor = torch.where(positive, score, 0.0)
        return scores


def _clipped(torch: Any, expected: Tensor, same: Tensor) -> Tensor:
    """The clipped expected counts [segments], from expected counts [segments, references, starts] and whether the
    n-grams at two starts are the same [segments, references, starts, references, starts].

    An n-gram that starts at m places in the references contributes 1/m of its clipped count at each.
    """
    in_each = same.sum(4)
    limit = in_each.amax(3).to(expected.dtype)
    places = in_each.sum(3).clamp(min=1)
    clipped: Tensor = (torch.minimum(expected, limit) / places).flatten(1).sum(1)
    return clipped


# --- checks: each error names the argument -----------------------------------------------------------------


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise MissingExtra.of("expected n-gram counts", "torch", "neural") from None
    return torch


def _check_positive(name: str, value: Any, allowed: str = "above 0") -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise BadParameter(f"{name}={value!r}: expected a number {allowed}.")


def _checked_probabilities(torch: Any, values: Any) -> Tensor:
    if not isinstance(values, torch.Tensor) or not values.is_floating_point() or values.dim() != 3:
        raise WrongType(
            f"probabilities: got {_described(values)}, expected a tensor of floating-point numbers, "
            "[segments, positions, vocabulary]."
        )
    if values.shape[0] == 0 or values.shape[1] == 0 or values.shape[2] == 0:
        raise BadInput(
            f"probabilities: got {_described(values)}, expected at least one entry in each dimension."
        )
    probabilities: Tensor = values
    # Sums of products in half precision would lose counts.
    return probabilities.float() if values.dtype in (torch.float16, torch.bfloat16) else probabilities


def _checked_references(torch: Any, values: Any, probabilities: Tensor, end: int | None) -> Tensor:
    """The token ids [segments, references, tokens]."""
    whole = isinstance(values, torch.Tensor) and not values.is_floating_point() and values.dtype != torch.bool
    if not whole or values.dim() not in (2, 3):
        raise WrongType(
            f"references: got {_described(values)}, expected a tensor of token ids, [segments, tokens] or "
            "[segments, references, tokens]."
        )
    ids: Tensor = (values[:, None] if values.dim() == 2 else values).to(probabilities.device).long()
    segments, _, vocabulary = probabilities.shape
    if len(ids) != segments:
        raise LengthMismatch(f"probabilities have {segments:,} segments, references have {len(ids):,}.")
    if end is not None:
        check_whole("end", end, least=0, most=vocabulary - 1)
        if (ids == end).any():
            raise BadInput(
                f"references: the end-of-sentence token {end} occurs in them. Replace it by padding, -100."
            )
    if ids.numel() and ids.max() >= vocabulary:
        raise BadInput(
            f"references: token id {ids.max().item()}, expected ids below {vocabulary}, the vocabulary."
        )
    present = ids >= 0
    if not present.flatten(1).any(1).all():
        segment = int((~present.flatten(1).any(1)).nonzero()[0, 0]) + 1
        raise BadInput(f"references: segment {segment} has no tokens.")
    if (present[..., 1:] & ~present[..., :-1]).any():
        raise BadInput("references: padding before a token. Padding must follow the tokens.")
    return ids


def _checked_lengths(torch: Any, values: Any, probabilities: Tensor) -> Tensor:
    segments, positions, _ = probabilities.shape
    if not isinstance(values, torch.Tensor) or values.shape != (segments,) or values.is_floating_point():
        raise WrongType(f"lengths: got {_described(values)}, expected a tensor of {segments:,} integers.")
    lengths: Tensor = values
    if (lengths < 0).any() or (lengths > positions).any():
        raise BadInput(
            f"lengths: expected numbers from 0 to {positions}, the positions of the probabilities."
        )
    return lengths


def _check_range(matched: Tensor, log: bool) -> None:
    """Logits would give a number, too."""
    values = matched.detach()
    least, most = (-math.inf, _ROUNDING) if log else (-_ROUNDING, 1 + _ROUNDING)
    if not ((values >= least) & (values <= most)).all():
        what = "log probabilities of at most 0" if log else "numbers from 0 to 1"
        cure = "log_softmax" if log else "softmax"
        raise BadInput(f"probabilities: expected {what}. Apply {cure} to logits.")


def _described(value: Any) -> str:
    shape = getattr(value, "shape", None)
    kind = type(value).__name__
    return kind if shape is None else f"{kind} of {value.dtype} with shape {list(shape)}"
