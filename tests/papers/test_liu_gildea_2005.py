"""The numbers of Liu & Gildea 2005, from trees written by hand after the paper's figures."""

from __future__ import annotations

import pytest

from understudy import BLEU, HWCM, STM, TKM, ParsedColumn, References

FIGURE_2_HYPOTHESIS = "(S (NP (PRON)) (VP (V) (NP (PRON))))"
FIGURE_2_REFERENCE = "(S (NP (PRON)) (VP (V) (NP (ART) (N))))"


def test_figure_2_stm():
    score = STM(max_depth=3).corpus(
        ParsedColumn.from_brackets([FIGURE_2_HYPOTHESIS]), ParsedColumn.from_brackets([FIGURE_2_REFERENCE])
    )
    assert (score.detail["matches"], score.detail["totals"]) == ([6, 3, 1], [7, 4, 2])
    assert round(score.fraction, 3) == 0.702


def test_figure_2_kernel():
    pairs = [
        (FIGURE_2_HYPOTHESIS, FIGURE_2_REFERENCE, 7),
        (FIGURE_2_HYPOTHESIS, FIGURE_2_HYPOTHESIS, 12),
        (FIGURE_2_REFERENCE, FIGURE_2_REFERENCE, 10),
    ]
    for first, second, expected in pairs:
        assert TKM().kernel(first, second) == expected
    score = TKM().corpus(
        ParsedColumn.from_brackets([FIGURE_2_HYPOTHESIS]), ParsedColumn.from_brackets([FIGURE_2_REFERENCE])
    )
    assert score.fraction == pytest.approx(7 / 120**0.5, rel=1e-14)


# Figure 1: the trees of the introduction's example.
REFERENCE = "(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))"
HYPOTHESIS_1 = "(S (NP (PRP I)) (VP (VBP have) (NP (DT the) (NN dog))) (. .))"
HYPOTHESIS_2 = "(S (NP (NP (DT A) (NN dog)) (SBAR (S (NP (PRP I)) (VP (VBD had))))) (. .))"


def test_figure_1_stm_prefers_the_hypothesis_that_bleu_does_not():
    reference = ParsedColumn.from_brackets([REFERENCE])
    first, second = (ParsedColumn.from_brackets([tree]) for tree in (HYPOTHESIS_1, HYPOTHESIS_2))
    for metric in (STM(), STM(pos="coarse")):
        assert metric.corpus(first, reference).value > metric.corpus(second, reference).value
    assert STM(pos="coarse").corpus(first, reference).value == 100.0  # "exactly the same syntactic structure"
    bleu = BLEU(max_order=2, lowercase=True)
    assert bleu.corpus(first, reference).value < bleu.corpus(second, reference).value


def conllu(sentence: str, heads: str) -> str:
    rows = enumerate(zip(sentence.split(), heads.split(), strict=True), 1)
    return "\n".join(f"{number}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_" for number, (word, head) in rows)


def test_chains_of_the_red_pen():
    pen = ParsedColumn.from_conllu([conllu("I have a red pen", "2 0 5 5 2")])
    assert HWCM(max_depth=3).corpus(pen, pen).detail["totals"] == [5, 4, 2]


def test_table_7():
    """0.511 is the mean of 8/10 and 2/9: of the nine arcs of the hypothesis, "aboard <- plane" and "plane <- the" are
    in the first reference. A noun hangs on its preposition.
    """
    hypothesis = conllu("Diplomats will be aboard the plane to return home .", "3 3 0 3 6 4 8 3 8 3")
    references = [
        conllu("Diplomats are to come back home aboard the fifth plane .", "2 0 4 2 4 4 4 10 10 7 2"),
        conllu("Diplomatic staff would go home in a fifth plane .", "2 4 4 0 4 4 9 9 6 4"),
        conllu("Diplomatic staff will take the fifth plane home .", "2 4 4 0 7 7 4 4 4"),
    ]
    score = HWCM(max_depth=2).corpus(
        ParsedColumn.from_conllu([hypothesis]),
        References(tuple(ParsedColumn.from_conllu([reference]) for reference in references)),
    )
    assert (score.detail["matches"], score.detail["totals"]) == ([8, 2], [10, 9])
    assert round(score.fraction, 3) == 0.511
