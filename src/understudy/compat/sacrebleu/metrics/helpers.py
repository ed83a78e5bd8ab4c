"""N-grams of words and characters, counted as sacreBLEU's helpers count them."""

from __future__ import annotations

from collections import Counter


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """The word n-grams of all orders from the one to the other, as tuples, and the number of words.

    >>> counts, words = extract_all_word_ngrams("a b a", 1, 2)
    >>> counts[("a",)], counts[("a", "b")], words
    (2, 1, 3)
    """
    words = line.split()
    orders = range(min_order, max_order + 1)
    return Counter(tuple(words[i : i + n]) for n in orders for i in range(len(words) - n + 1)), len(words)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """The n-grams of order `n`, with spaces between the tokens."""
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The character n-grams of order `n`.

    >>> extract_char_ngrams("a ba", 2) == {"ab": 1, "ba": 1}
    True
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """The character n-grams of all orders up to `max_order`, one counter for each."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
