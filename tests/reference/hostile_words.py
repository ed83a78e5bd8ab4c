"""Segments made to be difficult: strange words in few kinds, so that they match now and then in odd places."""

from __future__ import annotations

import random

from hypothesis import strategies as st

WORDS = [
    *("a", "b", "the", "The", "THE", ",", ".", "-", "0", "x" * 8, "x" * 9, "y" + "x" * 8, "x" * 200),
    *("é", "e\u0301", "\u0301", "Straße", "STRASSE", "ß", "İ", "i̇", "ΑΣ", "ας"),
    *(
        "שלום",
        "עולם",
        "مرحبا",
        "\u202bab\u202c",
        "翻訳",
        "译",
        "한국어",
        "𠀀",
        "👩\u200d👩\u200d👧",
        "\ufeff",
        "\u200b",
    ),
    *("&amp;", "<skipped>", "\x00", "\x7f", "\ufffd", "\U0010ffff"),
]

word = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
        lambda text: not any(character.isspace() for character in text)
    ),
)


@st.composite
def pairs(draw: st.DrawFn, count: int, most_references: int = 1) -> list[tuple[list[str], list[list[str]]]]:
    """Hypotheses with their references, as lists of words: drawn words, arranged by a drawn random number."""
    vocabulary = draw(st.lists(word, min_size=1, max_size=12))
    generator = random.Random(draw(st.integers(0, 2**32)))

    def text() -> list[str]:
        length = generator.choice(
            [0, 1, 2, 5, 9, 20, 63, 64, 65, 130] if generator.random() < 0.3 else [3, 7]
        )
        return generator.choices(vocabulary, k=length)

    def damaged(words: list[str]) -> list[str]:
        words = list(words)
        for _ in range(generator.randrange(8)):
            place = generator.randrange(len(words) + 1)
            action = generator.randrange(4)
            if action == 0:
                words.insert(place, generator.choice(vocabulary))
            elif action == 1:
                del words[place : place + 1]
            elif action == 2:
                words[place : place + 1] = [generator.choice(vocabulary)]
            else:
                words = words[place:] + words[:place]
        return words

    made = []
    for _ in range(count):
        references = [text() for _ in range(generator.randint(1, most_references))]
        hypothesis = text() if generator.random() < 0.3 else damaged(generator.choice(references))
        made.append((hypothesis, references))
    return made
