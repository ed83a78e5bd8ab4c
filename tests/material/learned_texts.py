"""Texts on which learned metrics are compared with other programs."""

from __future__ import annotations

from pathlib import Path

from material.wmt import DATA, lines, systems

Columns = dict[str, list[str]]  # hypotheses (mt), references (ref) and sources (src), as COMET calls them

EXAMPLES = Path(__file__).parents[2] / "examples"

# Hypothesis, reference, source: empty ones, special tokens, forms that normalization changes, and over-long ones. Of
# two texts in one row, the reference is now the longer one, now the shorter.
HARD = [
    ("", "A text.", "Ein Text."),
    ("A text.", "", "Ein Text."),
    ("A text.", "The text.", ""),
    ("", "", ""),
    ("x", "x", "x"),
    ("  spaces  in   the text ", "spaces in the text", "Leerzeichen\u00a0im\u3000Text"),
    ("One <pad> two </s> three", "One two three <s> four", "Eins zwei <s> drei"),
    ("ﬁne ｆｕｌｌ width ²", "fine full width 2", "日本語のテキスト 中文"),
    ("emoji 🙂 and cafe\u0301", "emoji and café", "Emoji 🙂 und Café"),
    ("long " * 300, "short", "kurz"),
    ("short", "long words " * 150, "kurz"),
    ("short", "short", "lange Wörter " * 150),
    ("word and more words " * 60, "word and other words " * 60, "Wort und mehr Wörter " * 60),
    ("y" * 400, "z" * 300, "ä" * 500),
]


def example_texts() -> Columns:
    """Own sentences, which may be part of the repository: for stored numbers."""
    hypotheses, references, sources = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("system-weak.en", "reference-1.en", "source.de")
    )
    return _with_hard(hypotheses[::2], references[::2], sources[::2])


def real_texts(count: int = 400) -> Columns:
    """Half into English, half out of it."""
    columns = []
    for folder, step in (("wmt23.zh-en", 5), ("wmt21.en-de", 5)):
        names = sorted(systems(folder))
        hypotheses = [
            systems(folder)[names[row % len(names)]][row] for row in range(count // 2 * step)[::step]
        ]
        references, sources = (
            lines(DATA / folder / name)[: count // 2 * step : step] for name in ("refA.txt", "src.txt")
        )
        columns.append((hypotheses, references, sources))
    return _with_hard(*([*first, *second] for first, second in zip(*columns, strict=True)))


def _with_hard(hypotheses: list[str], references: list[str], sources: list[str]) -> Columns:
    rows = [*zip(hypotheses, references, sources, strict=True), *HARD]
    return {name: [row[place] for row in rows] for place, name in enumerate(("mt", "ref", "src"))}
