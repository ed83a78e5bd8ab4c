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


def measures(counts: Counts) -> tuple[Fraction, Fraction, Fraction]:
    """F1, precision, recall."""
    common, in_text, in_reference = counts
    if not common:
        return Fraction(0), Fraction(0), Fraction(0)
    precision, recall = Fraction(common, in_text), Fraction(common, in_reference)
    return 2 * precision * recall / (precision + recall), precision, recall


def pooled(every: Sequence[Counts]) -> Counts:
    return tuple(map(sum, zip(*every, strict=True)))  # type: ignore[return-value]
