"""ROUGE as Lin (2004) describes it and ROUGE-1.5.5 and rouge-score compute it: slow, obvious, of lists of tokens.

Nothing here is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Tokens = Sequence[str]
Counts = tuple[int, int, int]  # common, in the text, in the reference


def ngram_counts(text: Tokens, reference: Tokens, n: int) -> Counts:
    mine, theirs = (
        Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)) for tokens in (text, reference)
    )
    return (mine & theirs).total(), mine.total(), theirs.total()


def lcs_counts(text: Tokens, reference: Tokens) -> Counts:
    return len(subsequence(text, reference)), len(text), len(reference)


def subsequence(text: Tokens, reference: Tokens) -> list[int]:
    """Where in the reference the words of a longest common subsequence stand. Of several, the one found from the end
    by taking every match there is, and leaving out a word of the reference rather than one of the text.
    """
    longest = [[0] * (len(text) + 1) for _ in range(len(reference) + 1)]
    for i, theirs in enumerate(reference, start=1):
        for j, mine in enumerate(text, start=1):
            longest[i][j] = (
                longest[i - 1][j - 1] + 1 if theirs == mine else max(longest[i - 1][j], longest[i][j - 1])
            )
    found = []
    i, j = len(reference), len(text)
    while i and j:
        if reference[i - 1] == text[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif longest[i - 1][j] >= longest[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def union_counts(text: Sequence[Tokens], reference: Sequence[Tokens]) -> Counts:
    """Of sentences: the union of each reference sentence's subsequences; no word is hit more often than in the text."""
    have = Counter(word for sentence in text for word in sentence)
    hit: Counter[str] = Counter()
    for sentence in reference:
        places = {place for mine in text for place in subsequence(mine, sentence)}
        hit.update(sentence[place] for place in places)
    return (hit & have).total(), have.total(), sum(map(len, reference))


def skip_bigram_counts(
    text: Tokens, reference: Tokens, max_skip: int | None, singles: str = "none"
) -> Counts:
    """Pairs of words with at most so many others between them; `singles`: which words count beside them."""

    def listed(tokens: Tokens) -> Counter[tuple[str, ...]]:
        pairs = [
            (tokens[i], tokens[j])
            for i in range(len(tokens))
            for j in range(i + 1, len(tokens))
            if max_skip is None or j - i - 1 <= max_skip
        ]
        counted = {"none": [], "all": tokens, "all-but-last": tokens[:-1]}[singles]
        return Counter([*pairs, *((word,) for word in counted)])

    mine, theirs = listed(text), listed(reference)
    return (mine & theirs).total(), mine.total(), theirs.total()


def weighted_measures(
    every: Sequence[tuple[Tokens, Tokens]], weight: float, as_program: bool
) -> tuple[float, float, float]:
    """F1, precision and recall of ROUGE-W, of a text and its references together. As Lin has it; or as ROUGE-1.5.5,
    which takes the runs of the reference's words that are in the subsequence, and weights its length twice.
    """
    common = sum(weighted_subsequence(*pair, weight, as_program) for pair in every)
    in_text = sum(len(text) ** weight for text, _ in every)
    in_reference = sum(
        len(reference) ** (weight * weight if as_program else weight) for _, reference in every
    )
    precision, recall = (
        (common / whole) ** (1 / weight) if whole else 0.0 for whole in (in_text, in_reference)
    )
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f1, precision, recall


def weighted_subsequence(text: Tokens, reference: Tokens, weight: float, as_program: bool) -> float:
    """The table of Lin 2004, section 4, with the way that led to every cell: the places in the reference it took."""
    start: tuple[float, int, tuple[int, ...]] = (0.0, 0, ())
    best = [[start] * (len(text) + 1) for _ in range(len(reference) + 1)]
    for i, theirs in enumerate(reference, start=1):
        for j, mine in enumerate(text, start=1):
            sum_before, run, places = best[i - 1][j - 1]
            above, left = best[i - 1][j], best[i][j - 1]
            if theirs == mine:
                grown = sum_before + (run + 1) ** weight - run**weight
                best[i][j] = grown, run + 1, (*places, i)
            else:
                total, _, kept = above if above[0] >= left[0] else left
                best[i][j] = total, 0, kept
    total, _, places = best[-1][-1]
    if not as_program:
        return total
    starts = [place for place in places if place - 1 not in places]
    ends = [place for place in places if place + 1 not in places]
    return sum((end - first + 1) ** weight for first, end in zip(starts, ends, strict=True))


def measures(counts: Counts) -> tuple[Fraction, Fraction, Fraction]:
    """F1, precision, recall."""
    common, in_text, in_reference = counts
    if not common:
        return Fraction(0), Fraction(0), Fraction(0)
    precision, recall = Fraction(common, in_text), Fraction(common, in_reference)
    return 2 * precision * recall / (precision + recall), precision, recall


def pooled(every: Sequence[Counts]) -> Counts:
    return tuple(map(sum, zip(*every, strict=True)))  # type: ignore[return-value]
