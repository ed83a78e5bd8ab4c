"""TER's own choices: against the slow oracle, and where they mend what sacreBLEU does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.ter import Edits, Limits, ter_edits
from understudy import TER, UnderstudyError, metric
from understudy.metrics.base.statistics import Statistics


def counted(chosen: TER, hypothesis: list[str], reference: list[str]) -> Edits:
    row = chosen.statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
    found = Edits(*(int(row[name]) for name in ("insertions", "deletions", "substitutions", "shifts")))
    assert found.total == row["edits"]
    assert row["ref_length"] == 720720 * len(reference)
    return found


few_words = st.lists(st.sampled_from("abcdef"), max_size=14)
limits = st.builds(
    Limits,
    beam=st.sampled_from((0, 1, 2, 3, 5, 25)),
    beam_of=st.sampled_from(("places", "costs")),
    shifts=st.sampled_from(("tercom", "sacrebleu")),
    shift_size=st.sampled_from((0, 1, 2, 10)),
    shift_distance=st.sampled_from((0, 1, 3, 50)),
    candidates=st.sampled_from((0, 1, 5, 20, 1000)),
    keep_at_limit=st.booleans(),
)


@settings(max_examples=1200, deadline=None)
@given(few_words, few_words, limits)
def test_every_limit_means_what_the_oracle_says(
    hypothesis: list[str], reference: list[str], chosen: Limits
) -> None:
    ter = TER(
        beam=chosen.beam,
        beam_of=chosen.beam_of,
        shifts=chosen.shifts,
        max_shift_size=chosen.shift_size,
        max_shift_distance=chosen.shift_distance,
        max_candidates=chosen.candidates,
        at_limit="keep" if chosen.keep_at_limit else "discard",
    )
    assert counted(ter, hypothesis, reference) == ter_edits(hypothesis, reference, chosen)


@pytest.mark.parametrize("reference_length", [26, 30, 51, 52, 60, 64, 120])
def test_a_reference_so_long_that_the_beam_leaves_the_first_column_at_once(reference_length: int) -> None:
    reference = [f"w{i}" for i in range(reference_length)]
    for hypothesis in (["w9"], ["x", "w1"], ["w20", "x", "w3"], ["w25", "w24"]):
        for beam in (1, reference_length // 4, reference_length // 2, 25):
            chosen = Limits(beam=beam)
            assert counted(TER(beam=beam), hypothesis, reference) == ter_edits(hypothesis, reference, chosen)


@pytest.mark.parametrize("limit", ["beam", "max_shift_distance", "max_shift_size", "max_candidates"])
def test_a_limit_may_be_as_large_as_any_number(limit: str) -> None:
    def limited(largest: int) -> TER:
        chosen: dict[str, Any] = {limit: largest}
        return TER(**chosen)

    hypothesis, reference = list("cad"), list("abc")
    of_all = counted(limited(1000), hypothesis, reference)
    assert of_all == Edits(0, 0, 1, 1)
    for largest in (2**63 - 1, 2**63, 2**64 - 1):
        assert counted(limited(largest), hypothesis, reference) == of_all


@pytest.mark.parametrize("beam", [0, 2, 25, 40, 70])
@pytest.mark.parametrize("length", [63, 64, 129])
def test_texts_of_more_than_one_block(length: int, beam: int) -> None:
    rng = random.Random(length * beam)
    reference = [f"w{rng.randrange(90)}" for _ in range(length)]
    hypothesis = reference[40:60] + reference[:20] + ["x"] + reference[60:] + reference[25:40]
    chosen = Limits(beam=beam, candidates=6)
    assert counted(TER(beam=beam, max_candidates=6), hypothesis, reference) == ter_edits(
        hypothesis, reference, chosen
    )


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b c", "a b c", Edits(0, 0, 0, 0)),
        ("a x b c", "a b c", Edits(1, 0, 0, 0)),  # a word too many is inserted, as in word error rates
        ("a c", "a b c", Edits(0, 1, 0, 0)),
        ("a x c", "a b c", Edits(0, 0, 1, 0)),
        ("c d a b", "a b c d", Edits(0, 0, 0, 1)),
        ("a b", "", Edits(2, 0, 0, 0)),
        ("", "a b", Edits(0, 2, 0, 0)),
        ("", "", Edits(0, 0, 0, 0)),
    ],
)
def test_kinds_of_edits(hypothesis: str, reference: str, expected: Edits) -> None:
    assert counted(TER(), hypothesis.split(), reference.split()) == expected


def test_the_closest_reference_and_the_mean_length() -> None:
    score = TER().corpus(["a b c d"], [["x y", "a b c", "p q r s t"]])
    assert score.detail["edits"] == 1
    assert score.detail["ref_length"] == 10 / 3
    assert score.value == pytest.approx(30, rel=1e-15)
    assert str(score).startswith(
        "TER = 30.00 (1 edits: 1 ins, 0 del, 0 sub, 0 shifts; ref_len = 3.33333) [nrefs:3|"
    )


def test_scores_of_empty_references() -> None:
    assert TER().segments(["", "a", "a b c"], ["", "", ""]).tolist() == [0, 100, 100]
    assert TER().corpus(["", "a"], ["", "b"]).value == 100


def test_scores_of_sums_of_any_shape() -> None:
    rows = np.zeros((2, 3, 6), np.int64)
    rows[..., 0], rows[..., 1] = 3, 12 * 720720
    statistics = Statistics(rows, TER().columns, "ter", segments=6, references=(1, 1))
    assert TER().score(statistics).tolist() == [[25.0] * 3] * 2


@pytest.mark.parametrize("length", [40, 63, 64, 129, 513])
def test_the_beam_of_costs_in_short_and_long_texts(length: int) -> None:
    rng = random.Random(length)
    reference = [f"w{rng.randrange(length)}" for _ in range(length)]
    hypothesis = [f"w{rng.randrange(length)}" for _ in range(length // 3)] + reference[5:15] + reference[:3]
    found = []
    for beam in (1, 3, 20):
        chosen = Limits(beam=beam, beam_of="costs", candidates=12)
        ter = TER(beam=beam, beam_of="costs", max_candidates=12)
        found.append(counted(ter, hypothesis, reference))
        assert found[-1] == ter_edits(hypothesis, reference, chosen)
    assert found[0].total > found[-1].total  # a narrow beam misses the best


def test_a_phrase_shifted_into_itself() -> None:
    """Tercom 0.10.0 shifts "f e" behind "a" and then needs one more edit; sacreBLEU goes a word too far."""
    assert counted(TER(), list("feaec"), list("acfee")).total == 2
    assert counted(TER(shifts="sacrebleu"), list("feaec"), list("acfee")).total == 3


# --- what is mended ---------------------------------------------------------------------------------------


def ter(hypothesis: str, reference: str, **choices: Any) -> float:
    return TER(**choices).corpus([hypothesis], [reference]).value


def test_a_copy_has_no_edits() -> None:
    """sacreBLEU tokenizes references twice, and a second time cuts what the first has laid bare."""
    assert ter("Jim's, car", "Jim's, car", normalized=True) == 0
    assert ter("Jim's, car", "Jim's, car", normalized=True, references_twice=True) == 50


@pytest.mark.parametrize(
    ("text", "tercom", "sacrebleu"),
    [
        ("漢字はカタカナabc", ["漢", "字", "は", "カタカナ", "abc"], ["漢", "字", "はカタカナabc"]),
        ("aはbカ", ["a", "は", "b", "カ"], ["aはbカ"]),
        ("ㇰアㇱ", ["ㇰ", "ア", "ㇱ"], ["ㇰアㇱ"]),
        ("は、ー", ["は", "、", "ー"], ["は", "、", "ー"]),
        ("a<skipped> b", ["a", "b"], ["a", "<", "skipped", ">", "b"]),
        ("hyphen-\nated", ["hyphenated"], ["hyphen-", "ated"]),
        ("hyphen\n-ated", ["hyphen", "-ated"], ["hyphenated"]),
        ("Jim's (Bob's) x's. 'S", ["jim", "'s", "(", "bob", "'s", ")", "x's", ".", "'s"], None),
    ],
)
def test_tokens(text: str, tercom: list[str], sacrebleu: list[str] | None) -> None:
    chosen: dict[str, Any] = {"normalized": True, "asian_support": True}
    assert TER(**chosen).tokens(text) == tercom
    assert TER(**chosen, tokenize="tercom-sacrebleu").tokens(text) == (sacrebleu or tercom)


@pytest.mark.parametrize("text", ["the dog's\t", "the dog's\x1f\n", "the dog's\u3000", "a\n-\n"])
@pytest.mark.parametrize("tokenize", ["tercom", "tercom-sacrebleu"])
def test_white_space_at_the_end_makes_no_other_tokens(text: str, tokenize: str) -> None:
    """Counting does not see it."""
    metric = TER(normalized=True, tokenize=tokenize)
    assert metric.tokens(text) == metric.tokens(text.rstrip())
    assert metric.corpus([text], [text.rstrip()]).detail["edits"] == 0


def test_punctuation_is_dropped() -> None:
    text = "Well (he said): “no”, 3.5! 。「はい」？"
    assert TER(no_punct=True).tokens(text) == ["well", "he", "said", "“no”", "35", "。「はい」？"]
    assert TER(no_punct=True, asian_support=True).tokens(text)[-1] == "はい"
    assert TER(no_punct=True).tokens("?! (.)") == []


def test_other_tokenizers() -> None:
    """The same tokens as BLEU's, of which sacreBLEU's users ask."""
    assert ter("他去了。", "他来了。") == 100
    assert ter("他去了。", "他来了。", tokenize="zh") == 25
    assert TER(tokenize="zh").tokens("他去了A") == ["他", "去", "了", "a"]
    assert "|tok:zh|" in str(TER(tokenize="zh").signature((1, 1)))


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"tokenize": "13b"}, "unknown tokenizer '13b'"),
        ({"tokenize": "terkom"}, "unknown tokenizer 'terkom'. Did you mean 'tercom'"),
        (
            {"tokenize": "zh", "normalized": True},
            "normalized=true: only available with tokenize=tercom, got tokenize=zh",
        ),
        ({"tokenize": "zh", "references_twice": True}, "references_twice=true"),
        ({"beam": -1}, "beam=-1: expected an integer from 0 to "),
        ({"max_candidates": -5}, "max_candidates=-5"),
        ({"at_limit": "stop"}, "expected keep, discard"),
        ({"shifts": "mine"}, "expected tercom, sacrebleu"),
        ({"beam_of": "words"}, "expected places, costs"),
    ],
)
def test_refused(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        TER(**choices)


def test_the_white_space_of_java() -> None:
    """Java's \\s is ASCII's: the program takes a no-break space and U+001F for letters."""
    text = "a\u00a0b c\u2003d\u001fe"
    assert TER().tokens(text) == ["a", "b", "c", "d", "e"]
    every: list[dict[str, Any]] = [{}, {"normalized": True}, {"no_punct": True}]
    for choices in every:
        assert TER(tokenize="tercom-java", **choices).tokens(text) == ["a\u00a0b", "c\u2003d\u001fe"]
        assert TER.preset("tercom", **choices).corpus([text], ["a b c d e"]).detail["edits"] == 5
    # Nothing is cut off the end, so that "'s" is not at it.
    assert TER(tokenize="tercom-java", normalized=True).tokens("Jim's\t") == ["jim's"]
    assert TER(tokenize="tercom", normalized=True).tokens("Jim's\t") == ["jim", "'s"]


def test_signatures_tell_every_choice() -> None:
    assert str(TER(lowercase=False).signature((1, 1))).startswith(
        "nrefs:1|case:mixed|tok:tercom|norm:no|punct:yes|asian:no|reftok:once|shift:10/50-tercom|beam:25-places|"
        "limit:none|agg:"
    )
    specs = [
        *("lowercase=ascii", "tokenize=tercom-sacrebleu", "normalized=true", "asian_support=true"),
        *("no_punct=true", "references_twice=true", "max_shift_size=3", "max_shift_distance=9", "beam=0"),
        *("shifts=sacrebleu", "beam_of=costs", "tercom", "tokenize=tercom-java"),
        *("beam=9", "max_candidates=9", "max_candidates=9,at_limit=discard", "tokenize=13a", "sacrebleu"),
    ]
    signatures = {str(metric(f"ter:{spec}").signature((1, 1))) for spec in specs}
    assert len(signatures | {str(TER().signature((1, 1)))}) == len(specs) + 1
