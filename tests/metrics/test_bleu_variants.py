"""Self-BLEU, POS-BLEU and round-trip BLEU: what is theirs beside BLEU's."""

from __future__ import annotations

import pytest

from material.parsers import needs_english
from understudy import BLEU, POSBLEU, ParsedColumn, RoundTripBLEU, SelfBLEU, UnderstudyError, metric
from understudy.errors import BadInput

TEXTS = ["the cat sat on the mat", "a cat sat on the mat", "it rained all day long", ""]


# --- Self-BLEU --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("brevity", ["closest", "shortest", "average"])
@pytest.mark.parametrize("copies", [1, 2])
def test_each_text_is_scored_against_the_others(brevity: str, copies: int) -> None:
    texts = TEXTS * copies
    expected = [
        BLEU(brevity=brevity).segments([text], [texts[:i] + texts[i + 1 :]])[0]
        for i, text in enumerate(texts)
    ]
    assert SelfBLEU(brevity=brevity).segments(texts).tolist() == expected


def test_a_set_of_copies_has_nothing_of_its_own() -> None:
    assert SelfBLEU().corpus(["the same words again and again"] * 3).value == pytest.approx(100, rel=1e-14)
    assert SelfBLEU().corpus(["a b c d", "e f g h"]).value == 0


def test_an_ngram_twice_in_a_text_and_once_elsewhere_counts_once() -> None:
    statistics = SelfBLEU(tokenize="none").statistics(["a b a b", "a b", "c"])
    assert statistics["match_2"].tolist() == [1, 1, 0]  # a b, once elsewhere; a b; nothing
    assert statistics["match_1"].tolist() == [2, 2, 0]
    assert statistics["ref_length"].tolist() == [2, 1, 2]  # for 2, 1 and 4 are nearest; 1 is nearer


def test_a_set_has_at_least_two_texts() -> None:
    with pytest.raises(UnderstudyError, match="at least 2, got 1"):
        SelfBLEU().corpus(["alone"])


@pytest.mark.parametrize("stranger", ["the cats sat", "mat mat mat", "a cat on the mat"])
def test_strangers_to_the_set_are_refused(stranger: str) -> None:
    """With a word that the set lacks, with a word too often, and with nothing new but the order."""
    with pytest.raises(UnderstudyError, match="segment 2 is not in the set"):
        SelfBLEU().fit(TEXTS).statistics([TEXTS[0], stranger])


# --- POS-BLEU: a worked example ---------------------------------------------------------------------------

REFERENCE = "the_DT old_JJ man_NN crossed_VBD the_DT bridge_NN"
# Its words are others, and its parts of speech the same, but for one at the end.
PARAPHRASE = "an_DT aged_JJ man_NN walked_VBD the_DT bridges_NNS"


def test_tags_of_a_paraphrase_match_where_its_words_do_not() -> None:
    """Tags: DT JJ NN VBD DT | NNS, so 5 of 6, 4 of 5, 3 of 4, 2 of 3.
    Words: man and the, 2 of 6; no two words in a row, so 1/2 of 1/5, 1/4 of 1/4, 1/8 of 1/3 by `exp`.
    """
    detail = POSBLEU(separator="_", word_weight=0.25).corpus([PARAPHRASE], [REFERENCE]).detail
    assert (detail["tags"]["matches"], detail["tags"]["totals"]) == ([5, 4, 3, 2], [6, 5, 4, 3])
    assert (detail["words"]["matches"], detail["words"]["totals"]) == ([2, 0, 0, 0], [6, 5, 4, 3])
    tags = 100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25
    words = 100 * (2 / 6 * (1 / 2 / 5) * (1 / 4 / 4) * (1 / 8 / 3)) ** 0.25
    assert detail["tags"]["bleu"] == pytest.approx(tags, rel=1e-14)
    assert detail["words"]["bleu"] == pytest.approx(words, rel=1e-14)
    score = POSBLEU(separator="_", word_weight=0.25).corpus([PARAPHRASE], [REFERENCE])
    assert score.value == pytest.approx(0.75 * tags + 0.25 * words, rel=1e-14)
    assert POSBLEU(separator="_").corpus([PARAPHRASE], [REFERENCE]).value == pytest.approx(tags, rel=1e-14)


def test_lines_of_tags_are_the_same_as_words_with_tags() -> None:
    tags = [" ".join(token.split("_")[1] for token in text.split()) for text in (PARAPHRASE, REFERENCE)]
    alone = POSBLEU().corpus([tags[0]], [tags[1]])
    assert alone.value == POSBLEU(separator="_").corpus([PARAPHRASE], [REFERENCE]).value
    assert alone.value == BLEU(tokenize="none").corpus([tags[0]], [tags[1]]).value


@pytest.mark.parametrize("separator", ["_", "/", "|", "##", "－"])
def test_a_word_may_hold_the_separator_too(separator: str) -> None:
    """The last one counts, as in 1/2/CD."""
    text = f"1{separator}2{separator}CD cups{separator}NNS"
    tagged = POSBLEU(separator=separator, word_weight=1)
    assert tagged.corpus([text], [text]).detail["tags"]["totals"][:2] == [2, 1]
    other = f"1{separator}3{separator}CD cups{separator}NNS"
    assert tagged.statistics([text], [other])["word_match_1"].tolist() == [1]
    assert tagged.statistics([text], [other])["match_1"].tolist() == [2]


def test_several_references_and_absent_ones() -> None:
    references = [[REFERENCE, PARAPHRASE], [REFERENCE]]
    scores = POSBLEU(separator="_").segments([PARAPHRASE, REFERENCE], references)
    assert scores.tolist() == pytest.approx([100, 100], rel=1e-14)


@pytest.mark.parametrize("token", ["cat", "_NN", "cat_", "_"])
def test_a_token_without_a_word_or_a_tag_is_refused(token: str) -> None:
    tagged = POSBLEU(separator="_")
    with pytest.raises(UnderstudyError, match=f"references: segment 2 has '{token}', expected WORD_TAG"):
        tagged.corpus([REFERENCE, REFERENCE], [REFERENCE, f"the_DT {token}"])
    with pytest.raises(UnderstudyError, match=f"hypotheses: segment 1 has '{token}'"):
        tagged.corpus([token], [REFERENCE])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("word_weight=0.5", "Set separator=_"),
        ("separator=_,word_weight=2", "from 0 to 1"),
        ("separator=_,word_weight=nan", "from 0 to 1"),
        ("tokenize=13a", "none"),
    ],
)
def test_settings_without_sense_are_refused(settings: str, said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        metric(f"pos-bleu:{settings}")


# --- round-trip BLEU --------------------------------------------------------------------------------------


def test_round_trip_bleu_is_bleu_under_a_name_that_says_what_was_compared() -> None:
    back, source = ["Die Katze saß auf der Matte."], ["Die Katze sitzt auf der Matte."]
    assert RoundTripBLEU().corpus(back, source).value == BLEU().corpus(back, source).value
    assert "|refs:source|" in str(RoundTripBLEU().signature())
    assert metric("round-trip-bleu:mteval-v13a") == RoundTripBLEU.preset("mteval-v13a")


# --- POS-BLEU of trees ------------------------------------------------------------------------------------

TREE = "(S (NP (DT The) (NN cat)) (VP (VBD sat)) (. .))"
OTHER = "(S (NP (DT The) (NN dog)) (VP (VBZ sits)) (. .))"


def test_tags_come_from_trees_where_there_are_trees():
    trees, others = ParsedColumn.from_brackets([TREE]), ParsedColumn.from_brackets([OTHER])
    by_hand = POSBLEU().corpus(["DT NN VBD ."], ["DT NN VBZ ."])
    score = POSBLEU().corpus(trees, others)
    assert score.value == by_hand.value
    assert score.signature.choices["trees"] == "given/collins"
    assert POSBLEU(pos="coarse").corpus(trees, others).value == pytest.approx(100.0)
    both = POSBLEU(parser="auto", word_weight=0.5).corpus(trees, others)
    words = BLEU(tokenize="none").corpus(["The cat sat ."], ["The dog sits ."])
    assert both.value == pytest.approx((by_hand.value + words.value) / 2)


@needs_english
def test_tags_come_from_a_parser():
    score = POSBLEU(parser="english").corpus(["I had a dog."], ["I have the dog."])
    assert score.value == POSBLEU().corpus(["PRP VBD DT NN ."], ["PRP VBP DT NN ."]).value
    assert score.signature.choices["trees"].endswith("/collins")
    assert score.signature.choices["tags"] == "parsed"


def test_trees_without_tags_are_refused():
    bare = ParsedColumn.from_conllu(["1\ta\t_\t_\t_\t_\t0\t_\t_\t_"])
    with pytest.raises(BadInput, match="segment 1: a word in its trees has no part-of-speech tag"):
        POSBLEU().corpus(bare, bare)
