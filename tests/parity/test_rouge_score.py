"""ROUGE against the rouge-score installed beside it: the same digits, in all kinds and measures."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("nltk")
pytest.importorskip("rouge_score")
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

from material.hostile import PIECES, thorough
from material.wmt import Sample, System, every_system
from understudy import ROUGE, _core

PEERS = {"1": "rouge1", "2": "rouge2", "3": "rouge3", "L": "rougeL", "Lsum": "rougeLsum"}
FIELDS = {"f1": "fmeasure", "precision": "precision", "recall": "recall"}

stemmed = pytest.mark.parametrize("use_stemmer", [False, True])


@cache
def peer(use_stemmer: bool) -> RougeScorer:
    return RougeScorer(list(PEERS.values()), use_stemmer=use_stemmer)


def compare(hypotheses: list[str], references: list[list[str]], use_stemmer: bool) -> None:
    expected = [
        peer(use_stemmer).score_multi(group, text) for text, group in zip(hypotheses, references, strict=True)
    ]
    for kind, name in PEERS.items():
        statistics = ROUGE(kind=kind, use_stemmer=use_stemmer).statistics(hypotheses, references)
        for measure, field in FIELDS.items():
            rouge = ROUGE(kind=kind, use_stemmer=use_stemmer, measure=measure)
            scores = rouge.score(statistics)
            theirs = [100 * getattr(score[name], field) for score in expected]
            for row, (mine, wanted) in enumerate(zip(scores.tolist(), theirs, strict=True)):
                # Scores below 2^-9 are kept to 2e-19, see metrics/base/averages.py.
                assert mine == wanted or abs(mine - wanted) < 1e-16, (kind, hypotheses[row], references[row])


ENDINGS = [
    "s",
    "es",
    "ing",
    "ed",
    "ational",
    "fulli",
    "alli",
    "logi",
    "y",
    "ness",
    "ion",
    "e",
    "ll",
    "ize",
    "ied",
]
WORDS = [
    "the",
    "cat",
    "cats",
    "running",
    "Runner",
    "happily",
    "skies",
    "national",
    "Kelvin K",
    "İstanbul",
    "naïve",
]

words = (
    st.sampled_from([*WORDS, *PIECES, "\n", "\n\n"])
    | st.tuples(st.text("abelnorstuxyz10", min_size=1, max_size=5), st.sampled_from(ENDINGS)).map("".join)
    | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """40 texts of drawn words in sentences, and one to three references that are damaged copies or other texts."""
    vocabulary = draw(st.lists(words, min_size=2, max_size=14))
    rng = random.Random(draw(st.integers(0, 2**32)))

    def text() -> str:
        return rng.choice((" ", " ", "\n", "")).join(
            rng.choices(vocabulary, k=rng.choice((0, 1, 2, 4, 7, 15)))
        )

    def damaged(original: str) -> str:
        pieces = [
            rng.choice(vocabulary) if rng.random() < 0.2 else piece
            for piece in original.split(" ")
            if rng.random() > 0.1
        ]
        return rng.choice((" ", " ", " ", "\n")).join(pieces)

    hypotheses = [text() for _ in range(40)]
    references = [
        [rng.choice((damaged(hypothesis), text())) for _ in range(rng.randint(1, 3))]
        for hypothesis in hypotheses
    ]
    return hypotheses, references


@stemmed
def test_hostile_text_scores_alike(use_stemmer: bool) -> None:
    pairs = 0

    @thorough(150)
    @given(corpora())
    def check(corpus: tuple[list[str], list[list[str]]]) -> None:
        nonlocal pairs
        compare(*corpus, use_stemmer)
        pairs += sum(map(len, corpus[1]))

    check()
    assert pairs >= 10_000


def test_tokens_alike() -> None:
    """Of hostile text; upper case that has ASCII letters below it (K, İ) included."""
    peers = {"rouge": DefaultTokenizer(False), "rouge-porter": DefaultTokenizer(True)}

    @thorough(400)
    @given(st.lists(words, max_size=12), st.sampled_from([" ", "", "\t"]))
    def check(pieces: list[str], between: str) -> None:
        text = between.join(pieces)
        for name, tokenizer in peers.items():
            assert _core.tokens(text, name) == tokenizer.tokenize(text)

    check()


def test_stems_alike() -> None:
    """Eighty thousand made-up words: all endings the rules know, behind stems of every form."""
    stemmer, rng = PorterStemmer(), random.Random(7)
    endings = [
        *(
            "",
            "s",
            "ss",
            "sses",
            "ies",
            "eed",
            "ed",
            "ing",
            "ied",
            "y",
            "ational",
            "tional",
            "enci",
            "anci",
            "izer",
        ),
        *(
            "bli",
            "alli",
            "entli",
            "eli",
            "ousli",
            "ization",
            "ation",
            "ator",
            "alism",
            "iveness",
            "fulness",
            "ousness",
        ),
        *(
            "aliti",
            "iviti",
            "biliti",
            "fulli",
            "logi",
            "icate",
            "ative",
            "alize",
            "iciti",
            "ical",
            "ful",
            "ness",
            "al",
        ),
        *(
            "ance",
            "ence",
            "er",
            "ic",
            "able",
            "ible",
            "ant",
            "ement",
            "ment",
            "ent",
            "ion",
            "sion",
            "tion",
            "ou",
            "ism",
        ),
        *("ate", "iti", "ous", "ive", "ize", "e", "ll", "lle", "at", "bl", "iz", "alalli", "allialli"),
    ]
    made = {
        "".join(rng.choices("aeiouybcdlnrstwxz5", k=rng.randrange(7)))
        + "".join(rng.sample(endings, rng.choice((1, 1, 2))))
        for _ in range(120_000)
    }
    irregular = [
        "skies",
        "dying",
        "lying",
        "tying",
        "news",
        "innings",
        "outings",
        "cannings",
        "howe",
        "succeed",
    ]
    made |= {"y" * n for n in range(1, 12)} | {*irregular, *(word + "s" for word in irregular)}
    made.discard("")
    assert len(made) > 80_000
    for word in made:
        expected = stemmer.stem(word) if len(word) > 3 else word
        assert _core.tokens(word, "rouge-porter") == [expected], word


@stemmed
@every_system
def test_real_systems(system: System, use_stemmer: bool, sample: Sample) -> None:
    """A sample of the segments, with up to three references."""
    compare(*system.segments(sample(40, first=system.number), references=3), use_stemmer)
