"""Text without spaces between words, in Python: refused where nobody chose a tokenizer, whoever counts it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import understudy
from understudy import BLEU, CER, CHRF, EED, METEOR, NIST, ROUGE, TER, WER, Learned, Metric, metric
from understudy.compat.sacrebleu import corpus_bleu, corpus_ter
from understudy.corpus.columns import as_hypotheses
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import NoLanguageChosen, NoTokenizerChosen
from understudy.metrics.base.parameters import Unchosen
from understudy.metrics.base.registry import metrics
from understudy.scoring.run import chosen_metrics

CHINESE = ["猫坐在垫子上，然后又走开了。", "天气很好，我们去公园散步。"]
ENGLISH = ["The cat sat on the mat.", "The weather is nice."]
EXAMPLES = Path(__file__).parents[2] / "examples" / "chinese"
SYSTEMS = {"good": EXAMPLES / "good.txt", "poor": EXAMPLES / "poor.txt"}
REFERENCE = EXAMPLES / "reference.txt"

OF_WORDS = {
    *("bleu", "cder", "character", "gleu", "gtm", "length-ratio", "meteor", "nist", "per", "ribes", "rouge"),
    *("round-trip-bleu", "self-bleu", "ter", "weighted-ngram", "wer"),
}


TAKEN_FOR_ENGLISH = {"bertscore", "meteor", "hwcm", "stm", "dstm", "tkm", "dtkm"}


def test_metrics_of_words_wait_for_a_tokenizer() -> None:
    assert {name for name, known in metrics().items() if known().undecided_reader is not None} == OF_WORDS


@pytest.mark.parametrize("name", sorted(OF_WORDS - {"meteor"}))
def test_every_metric_of_words_refuses_it(name: str) -> None:
    known: Any = metric(name)
    role = "references" if known.reads_references else "hypotheses"
    expected = (
        f"{role}: Chinese text, which the default tokenizer of {known.label} ({known.tokenize}) cannot split "
        f"into words. Set tokenize to zh or char; functions such as understudy.score also take lang='zh'."
    )
    for count in (known.corpus, known.segments, known.mean, known.statistics):
        with pytest.raises(NoTokenizerChosen) as refused:
            count(CHINESE, CHINESE)
        assert str(refused.value) == expected
    for suited in (known.for_language("zh"), replace(known, tokenize="zh"), known.with_defaults_chosen()):
        suited.corpus(CHINESE, CHINESE)


@pytest.mark.parametrize("known", [CHRF(), CHRF(word_order=2), CER(), EED(), metric("exact-match")])
def test_metrics_of_characters_and_whole_texts_do_not(known: Metric) -> None:
    assert known.for_language("zh") == known
    assert known.corpus(CHINESE, CHINESE).value == known.corpus(ENGLISH, ENGLISH).value


@pytest.mark.parametrize(
    "chosen", [BLEU(tokenize="13a"), metric("bleu:tokenize=13a"), BLEU.preset("mteval-v13a")]
)
def test_a_chosen_tokenizer_is_used(chosen: Metric) -> None:
    assert chosen.for_language("zh") == chosen
    assert chosen.corpus(CHINESE, CHINESE).value == pytest.approx(100 if chosen.spec != "bleu" else 0)


def test_what_is_unchosen_stays_so_in_copies() -> None:
    known = BLEU()
    for same in (
        replace(known, lowercase=True),
        copy.copy(known),
        pickle.loads(pickle.dumps(known)),
        known.for_segments(),
        known.for_language("en"),
        BLEU(tokenize=known.tokenize),
    ):
        assert isinstance(same.tokenize, Unchosen)
    assert BLEU() == BLEU(tokenize="13a")
    assert hash(BLEU()) == hash(BLEU(tokenize="13a"))
    assert BLEU(tokenize="13a").spec == "bleu"


def test_a_preset_has_chosen_unless_it_is_one_of_several_metrics() -> None:
    assert metric("rouge1").for_language("zh") == ROUGE(kind="1", tokenize="zh")
    assert metric("rouge:rouge1").for_language("zh") == ROUGE(kind="1", tokenize="zh")
    assert metric("bleu:sacrebleu").for_language("zh") == BLEU()
    assert metric("wnm").undecided_reader is None


def test_a_fitted_metric_stays_fitted() -> None:
    known = NIST().fit(ENGLISH)
    assert known.with_defaults_chosen().fitted_on == known.fitted_on != ""


def test_who_sets_up_a_metrics_own_tokenizer_has_chosen_it() -> None:
    for known in (TER(asian_support=True), TER(normalized=True), TER(no_punct=True), ROUGE(use_stemmer=True)):
        assert known.undecided_reader is None
        assert known.for_language("zh") == known


def test_a_learned_combination_keeps_the_tokenizers_it_was_learned_with() -> None:
    from material.learned_models import PLAIN

    known = metric(f"learned:model={PLAIN}")
    assert isinstance(known, Learned)
    assert known.for_language("zh") == known
    assert all(part.undecided_reader is None for part in known._parts)


def test_meteor() -> None:
    bare = METEOR(stages="exact", function_words="none")
    assert bare.for_language("zh") == replace(bare, language="other", tokenize="zh")
    assert bare.for_language("en-cs") == replace(bare, language="cz")
    assert replace(bare, language="de").for_language("fr").language == "de"
    assert replace(bare, tokenize="13a").for_language("th") == replace(bare, language="other", tokenize="13a")
    assert replace(bare, tokenize="13a").for_language("pl") == replace(bare, language="other", tokenize="13a")
    nobody = METEOR(stages="exact", function_words="none", language="other", tokenize=Unchosen("split"))
    with pytest.raises(NoTokenizerChosen, match=r"default tokenizer of METEOR \(split\) cannot split"):
        nobody.corpus(CHINESE, CHINESE)


def test_metrics_that_take_text_for_english_wait_for_a_language() -> None:
    undecided = {name for name, known in metrics().items() if known().undecided_language}
    assert undecided == TAKEN_FOR_ENGLISH
    assert metric("pos-bleu:parser=auto").undecided_language


@pytest.mark.parametrize(
    "known",
    [
        METEOR(stages="exact", function_words="none"),
        METEOR(stages="exact", function_words="none", tokenize="zh"),
        metric("hwcm"),
        metric("stm:parser=auto@words"),
        metric("pos-bleu:parser=auto"),
    ],
)
def test_they_refuse_text_that_cannot_be_english(known: Metric) -> None:
    if isinstance(known, METEOR) and known.missing:  # its own tokenizer reads its data
        pytest.skip(known.missing)
    for count in (known.corpus, known.segments, known.mean, known.statistics):
        with pytest.raises(NoLanguageChosen) as refused:
            count(CHINESE, CHINESE)
        assert str(refused.value) == (
            f"references: Chinese text, which {known.label} would treat as English. Use "
            f"metric.for_language('zh'); functions such as understudy.score also take lang='zh'."
        )
    assert not known.for_language("zh").undecided_language


def test_a_chosen_language_or_parser_is_taken() -> None:
    chosen = METEOR(stages="exact", function_words="none", language="en", tokenize="zh")
    assert chosen.corpus(CHINESE, CHINESE).value == pytest.approx(100)
    for spec in ("hwcm:parser=english", "hwcm:language=en", "pos-bleu:parser=english"):
        assert not metric(spec).undecided_language
    assert not metric("pos-bleu").takes_for_english(as_hypotheses(CHINESE))


def test_trees_are_of_no_language() -> None:
    tree = "(S (NP (NN 猫坐在垫子)) (VP (VV 上然后又走开了)))"
    parsed = ParsedColumn.from_brackets([tree])
    assert metric("stm").corpus(parsed, parsed).value == pytest.approx(100)


def test_syntax_is_parsed_in_the_target_language() -> None:
    assert metric("hwcm").for_language("en-fr") == metric("hwcm:language=fr")
    assert metric("pos-bleu:parser=auto").for_language("zh-hans") == metric(
        "pos-bleu:parser=auto,language=zh-hans"
    )
    assert metric("stm:language=de").for_language("fr") == metric("stm:language=de")


# --- files ------------------------------------------------------------------------------------------------------


def test_functions_on_files_refuse_it_and_take_a_language(tmp_path: Path) -> None:
    human = tmp_path / "human.tsv"
    human.write_text("system\tscore\ngood\t5\npoor\t2\n")
    good, poor = SYSTEMS["good"].read_text().splitlines(), SYSTEMS["poor"].read_text().splitlines()
    references = REFERENCE.read_text().splitlines()
    calls = [
        lambda **lang: understudy.score(SYSTEMS, REFERENCE, **lang),
        lambda **lang: understudy.compare(SYSTEMS, REFERENCE, samples=100, **lang),
        lambda **lang: understudy.trust(human, SYSTEMS, REFERENCE, samples=10, level="system", **lang),
        lambda **lang: understudy.explain(good, references, against="smooth=none", **lang),
    ]
    for call in calls:
        with pytest.raises(
            NoTokenizerChosen, match=r"Chinese text, which the default tokenizer of BLEU \(13a\)"
        ):
            call()
        assert call(lang="en-zh") is not None
    expected = [BLEU(tokenize="zh").corpus(system, references).value for system in (good, poor)]
    scores = understudy.score(SYSTEMS, REFERENCE, lang="zh")
    assert [system.scores[0].value for system in scores.systems] == expected
    assert expected[0] > expected[1]


def test_a_mapping_of_specs_and_metrics_is_for_one_language() -> None:
    found = chosen_metrics(["bleu", WER, TER(tokenize="char"), "chrf++"], "zho_Hans")
    assert found == [BLEU(tokenize="zh"), WER(tokenize="zh"), TER(tokenize="char"), CHRF(word_order=2)]


def test_the_error_survives_another_process() -> None:
    again = pickle.loads(pickle.dumps(NoTokenizerChosen("Set it.", "Use --set.")))
    assert (str(again), again.on_command_line) == ("Set it.", "Use --set.")


def test_one_segment_is_enough_if_it_is_long_enough() -> None:
    with pytest.raises(NoTokenizerChosen):
        BLEU().segments(["你好"], ["天气很好，我们去公园。"])
    assert BLEU().segments(["你好"], ["你好"])[0] == pytest.approx(100)  # which may be a word


def test_any_reference_counts_and_none_of_the_hypotheses() -> None:
    with pytest.raises(NoTokenizerChosen):
        BLEU().corpus(ENGLISH, [list(pair) for pair in zip(ENGLISH, CHINESE, strict=True)])
    assert BLEU().corpus(CHINESE, ENGLISH).value == 0


def test_the_facade_does_as_sacrebleu_does() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    assert corpus_bleu(CHINESE, [CHINESE]).score == sacrebleu.corpus_bleu(CHINESE, [CHINESE]).score
    assert corpus_ter(CHINESE, [CHINESE]).score == sacrebleu.corpus_ter(CHINESE, [CHINESE]).score
