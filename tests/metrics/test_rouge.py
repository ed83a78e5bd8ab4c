"""ROUGE by hand, against its textbook version, and what it refuses."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference import rouge as textbook
from reference.hostile_words import pairs
from understudy import ROUGE, metric
from understudy.errors import BadParameter
from understudy.metrics.rouge import KINDS, MEASURES


def counts(kind, text, reference, separator="|"):
    if kind == "Lsum":
        return textbook.union_counts(
            *([part.split() for part in side.split(separator)] for side in (text, reference))
        )
    text, reference = text.split(), reference.split()
    if kind in ("S", "SU"):
        return textbook.skip_bigram_counts(text, reference, None, {"S": "none", "SU": "all"}[kind])
    return (
        textbook.lcs_counts(text, reference)
        if kind == "L"
        else textbook.ngram_counts(text, reference, int(kind))
    )


@pytest.mark.parametrize("kind", ["1", "2", "4", "L", "Lsum", "S", "SU"])
@pytest.mark.parametrize("multi_ref", ["max", "pool"])
def test_textbook(kind, multi_ref):
    """With up to three references of hostile words; for Lsum one of the words ends a sentence."""

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(made=pairs(24, most_references=3), measure=st.sampled_from(MEASURES), seed=st.integers(0, 99))
    def compare(made, measure, seed):
        words = sorted({word for h, _ in made for word in h}) or ["x"]
        end = f" {random.Random(seed).choice(words)} "
        rouge = ROUGE(kind=kind, multi_ref=multi_ref, measure=measure, tokenize="none", separator=end)
        made = [(" ".join(h), [" ".join(r) for r in rs]) for h, rs in made if len(h) < 30]
        scores = rouge.segments([h for h, _ in made], [rs for _, rs in made])
        for score, (hypothesis, references) in zip(scores, made, strict=True):
            every = [counts(kind, hypothesis, reference, end) for reference in references]
            every = [textbook.pooled(every)] if multi_ref == "pool" else every
            values = list(map(textbook.measures, every))
            best = max(f1 for f1, _, _ in values)
            # Of equal F1, rounding decides which reference counts.
            allowed = [100 * value[MEASURES.index(measure)] for value in values if value[0] == best]
            assert any(score == pytest.approx(value, rel=1e-14) for value in allowed)

    compare()


@pytest.mark.parametrize("rules", ["lin2004", "rouge-1.5.5"])
@pytest.mark.parametrize("max_skip", [-1, 0, 1, 4])
@pytest.mark.parametrize("kind", ["S", "SU"])
def test_skips(kind, max_skip, rules):
    singles = {"S": "none", "SU": {"lin2004": "all", "rouge-1.5.5": "all-but-last"}[rules]}[kind]
    rouge = ROUGE(kind=kind, max_skip=max_skip, rules=rules, tokenize="none")
    for hypothesis, reference in random_pairs(80):
        score = rouge.corpus([" ".join(hypothesis)], [" ".join(reference)])
        expected = textbook.skip_bigram_counts(
            hypothesis, reference, None if max_skip < 0 else max_skip, singles
        )
        assert_measures(score, map(float, textbook.measures(expected)))


@pytest.mark.parametrize("rules", ["lin2004", "rouge-1.5.5"])
@pytest.mark.parametrize("weight", [1.0, 1.2, 2.0])
def test_weighted_runs(weight, rules):
    rouge = ROUGE(kind="W", weight=weight, rules=rules, tokenize="none", multi_ref="pool")
    for (hypothesis, reference), (_, other) in itertools.pairwise(random_pairs(80)):
        score = rouge.corpus([" ".join(hypothesis)], [[" ".join(reference), " ".join(other)]])
        every = [(hypothesis, reference), (hypothesis, other)]
        assert_measures(score, textbook.weighted_measures(every, weight, rules == "rouge-1.5.5"))


def random_pairs(count: int) -> list[tuple[list[str], list[str]]]:
    rng = random.Random(count)
    made: list[tuple[list[str], list[str]]] = []
    for _ in range(count):
        vocabulary = [f"w{number}" for number in range(rng.choice((1, 2, 5, 20)))]
        one, other = (rng.choices(vocabulary, k=rng.choice((0, 1, 2, 5, 12, 20))) for _ in "ab")
        made.append((one, other))
    return made


def assert_measures(score, expected):
    found = [score.detail[measure] for measure in ("f1", "precision", "recall")]
    assert found == pytest.approx([100 * value for value in expected], rel=1e-12, abs=1e-12)


def test_weighted_runs_and_pairs_by_hand():
    """Lin 2004: of two texts with a subsequence of four words in common, the one that has it in one run is better
    (section 4); of three texts with two words in common, or the same words, pairs tell which is better (section 5).
    """
    reference = ["A B C D E F G"]
    together, apart = ["A B C D H I K"], ["A H B K C I D"]
    assert ROUGE(kind="L").segments(together, reference) == ROUGE(kind="L").segments(apart, reference)
    in_one_run, in_four = (
        ROUGE(kind="W", weight=2.0).segments(text, reference)[0] for text in (together, apart)
    )
    assert (in_one_run, in_four) == (pytest.approx(100 * 4 / 7), pytest.approx(100 * 2 / 7))
    texts = ["police kill the gunman", "the gunman kill police", "the gunman police killed"]
    scores = ROUGE(kind="S").segments(texts, ["police killed the gunman"] * 3)
    assert scores == pytest.approx([100 * 3 / 6, 100 * 1 / 6, 100 * 2 / 6])
    # Pairs tell nothing of a text turned round, its words do.
    turned = ["gunman the killed police"]
    assert ROUGE(kind="S").segments(turned, ["police killed the gunman"])[0] == 0
    assert ROUGE(kind="SU").segments(turned, ["police killed the gunman"])[0] == pytest.approx(40)


def test_what_rouge_155_does_otherwise():
    """The last word of a text counts in no other way than in pairs; and a copy has less than all of itself."""
    one_word = ["police"]
    assert ROUGE(kind="SU").segments(one_word, one_word)[0] == 100
    assert ROUGE.preset("rouge-1.5.5", kind="SU").segments(one_word, one_word)[0] == 0
    copy = ["police killed the gunman"]
    assert ROUGE(kind="W").segments(copy, copy)[0] == 100
    program = ROUGE.preset("rouge-1.5.5", kind="W").corpus(copy, copy)
    assert program.detail["precision"] == pytest.approx(100)
    assert program.detail["recall"] == pytest.approx(100 * 4 ** (1 - 1.2))


def test_by_hand():
    """The example of Lin 2004, section 3: both texts have half of the reference's bigrams, and one the longer common
    subsequence.
    """
    reference = ["police killed the gunman"]
    both = ["police kill the gunman", "the gunman kill police"]
    assert [ROUGE(kind="2").segments([text], reference)[0] for text in both] == pytest.approx([100 / 3] * 2)
    assert [ROUGE(kind="L").segments([text], reference)[0] for text in both] == [75, 50]
    # Section 3.2: the reference's sentence against two of the text, whose subsequences are 1 2 and 1 3 5: 4 words of 5
    # are hit, of 10 words in the text.
    score = ROUGE(kind="Lsum", separator="|").corpus(["w1 w2 w6 w7 w8|w1 w3 w8 w9 w5"], ["w1 w2 w3 w4 w5"])
    assert (score.detail["recall"], score.detail["precision"]) == (80, 40)


def test_sentences_end_where_they_are_said_to():
    text, reference = ["a b\nc d", "a b<n>c d", "a b\\nc d"], ["c d\na b", "c d<n>a b", "c d\\na b"]
    for number, separator in enumerate(["newline", "<n>", "\\n"]):
        scores = ROUGE(kind="Lsum", separator=separator).segments(text, reference)
        assert scores[number] == 100
        assert (scores < 100).sum() == 2
    assert metric("rougeLsum:separator=\\\\n") == ROUGE(kind="Lsum", separator="\\n")
    assert (ROUGE(kind="L").segments(text, reference) < 100).all()


def test_sentences_without_words():
    """They hit nothing and cost nothing, on either side."""
    rouge = ROUGE(kind="Lsum", separator="|")
    assert rouge.segments(["a b|!|c", "!|?", "a"], ["?|a b|c|.", "a|b", "!|?"]).tolist() == [100, 0, 0]


def test_sentences_of_foreign_tokenizers():
    """They would join the sentences, and are given one at a time."""
    pytest.importorskip("MeCab")
    rouge = ROUGE(kind="Lsum", tokenize="ja-mecab")
    assert rouge.segments(["猫が好き。\n犬が好き。"], ["犬が好き。\n猫が好き。"]).tolist() == [100]
    assert rouge.segments(["猫が好き。犬が好き。"], ["犬が好き。猫が好き。"])[0] < 100


def test_names_people_try():
    for kind in ("1", "2", "3", "4", "L", "Lsum"):
        for name in (
            f"rouge{kind}",
            f"ROUGE-{kind}",
            f"rouge-{kind}",
            f"rouge:kind={kind}",
            f"rouge:kind={kind.lower()}",
        ):
            assert metric(name) == ROUGE(kind=kind)
    for name, kind, skip in (
        *(("rougeW", "W", -1), ("ROUGE-W", "W", -1), ("rouge-w-1.2", "W", -1)),
        *(("rougeS", "S", -1), ("rougeS*", "S", -1), ("ROUGE-S4", "S", 4), ("rougeS9", "S", 9)),
        *(("rougeSU", "SU", -1), ("ROUGE-SU*", "SU", -1), ("rougeSU4", "SU", 4), ("rouge-su9", "SU", 9)),
    ):
        assert metric(name) == ROUGE(kind=kind, max_skip=skip)
    assert metric("rouge") == ROUGE(kind="L")
    assert KINDS == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "W", "S", "SU")
    labels = [metric(name).label for name in ("rougeW", "rougeS", "rougeSU4", "rougeW:weight=1.5")]
    assert labels == ["ROUGE-W-1.2", "ROUGE-S*", "ROUGE-SU4", "ROUGE-W-1.5"]


def test_other_scripts_need_another_tokenizer():
    text = ["Привет, мир!", "שלום עולם", "你好世界"]
    assert ROUGE().segments(text, text).tolist() == [0, 0, 0]
    assert ROUGE(tokenize="intl").segments(text, text).tolist() == [100, 100, 100]
    assert "tok:intl" in str(ROUGE(tokenize="intl").signature())


@pytest.mark.parametrize("kinds", [1, 3, 3000])
@pytest.mark.parametrize("kind", ["2", "L", "Lsum"])
def test_long_segments(kind, kinds):
    """5,000 words, in 50 sentences for Lsum; a text and what is left of it: a subsequence, by its length."""
    rng = random.Random(kinds)
    reference = [f"w{rng.randrange(kinds)}" for _ in range(5000)]
    text = [word for i, word in enumerate(reference) if i % 3]
    if kind == "L":
        expected = 2 * len(text) / (len(text) + len(reference))
        assert ROUGE(kind="L").segments([" ".join(text)], [" ".join(reference)])[0] == pytest.approx(
            100 * expected
        )
    joined = "\n".join(" ".join(reference[i : i + 100]) for i in range(0, 5000, 100))
    assert ROUGE(kind=kind).segments([joined], [joined]).tolist() == [100]
    assert ROUGE(kind=kind, multi_ref="pool").segments([joined], [[joined, joined]]).tolist() == [100]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kind": "0"}, "kind"),
        ({"measure": "f2"}, "measure"),
        ({"use_stemmer": True, "tokenize": "13a"}, "stemming is available only with tokenize=rouge"),
        ({"separator": ""}, "separator"),
        ({"weight": 1.5}, "weight=1.5: only available with kind=W, got kind=L"),
        ({"kind": "W", "max_skip": 4}, "max_skip=4: only available with kind=S and kind=SU, got kind=W"),
        ({"kind": "W", "weight": 0.9}, "weight=0.9: expected a number from 1 to 10"),
        ({"weight": float("nan")}, "weight"),
        ({"kind": "S", "max_skip": -2}, "max_skip"),
    ],
)
def test_bad_parameters(settings, said):
    with pytest.raises(BadParameter, match=said):
        ROUGE(**settings)


def test_the_length_of_n_grams_may_be_a_number():
    assert ROUGE(kind=2) == ROUGE(kind="2")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="kind='10': expected 1, 2, 3"):
        ROUGE(kind=10)  # type: ignore[arg-type]
