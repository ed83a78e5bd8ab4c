"""Made-up trees of a text: phrases of three words, with tags by the length of a word."""

from __future__ import annotations

_TAGS = ("NN", "DT", "IN", "VBD", "JJ", "NNS", "RB")


def brackets_of(text: str) -> str:
    """On one line."""
    phrases = [" ".join(f"({tag} {word})" for word, tag in phrase) for phrase in _phrases(text)]
    return f"(S {' '.join(f'(NP {phrase})' for phrase in phrases)})"


def conllu_of(text: str) -> str:
    """The first word of a phrase is its head, and the first of all the root."""
    rows: list[str] = []
    for phrase in _phrases(text):
        first = len(rows) + 1
        for number, (word, tag) in enumerate(phrase, start=first):
            head = first if number > first else min(first - 1, 1)
            rows.append(f"{number}\t{word}\t_\tX\t{tag}\t_\t{head}\tdep\t_\t_\n")
    return "".join(rows)


def _phrases(text: str) -> list[list[tuple[str, str]]]:
    words = text.replace("(", "-LRB-").replace(")", "-RRB-").split()
    tagged = [(word, _TAGS[len(word) % len(_TAGS)]) for word in words]
    return [tagged[start : start + 3] for start in range(0, len(tagged), 3)]
