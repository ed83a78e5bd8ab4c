"""Which texts are in scripts without spaces, and which tokenizers split them."""

from __future__ import annotations

import pytest

from material.optional import needs_packages
from understudy import BLEU, ROUGE, TER
from understudy.text.scripts import splits, unspaced_language
from understudy.text.tokenizers import tokenizer

# All say: "The weather is nice today. We go for a walk in the park.", or something like it.
TEXTS = {
    "zh": "今天天气很好，我们去公园散步。",
    "ja": "今日は天気がいいので、公園へ散歩に行きましょう。",
    "th": "วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะกัน",
    "lo": "ມື້ນີ້ອາກາດດີຫຼາຍ ພວກເຮົາໄປຍ່າງຫຼິ້ນຢູ່ສວນສາທາລະນະ",
    "km": "ថ្ងៃនេះអាកាសធាតុល្អណាស់ យើងទៅដើរលេងនៅសួនច្បារ",
    "my": "ဒီနေ့ ရာသီဥတုသာယာတယ်။ ကျွန်တော်တို့ပန်းခြံမှာလမ်းလျှောက်ကြမယ်။",
    "bo": "དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག ང་ཚོ་སྐྱེད་ཚལ་ལ་འཆམ་འཆམ་ལ་འགྲོ།",
}
# The same with spaces between words.
SPLIT = {
    "zh": "今天 天气 很 好 ， 我们 去 公园 散步 。",
    "ja": "今日 は 天気 が いい ので 、 公園 へ 散歩 に 行き ましょう 。",
    "th": "วันนี้ อากาศ ดี มาก เรา ไป เดินเล่น ที่ สวนสาธารณะ กัน",
    "lo": "ມື້ນີ້ ອາກາດ ດີ ຫຼາຍ ພວກເຮົາ ໄປ ຍ່າງ ຫຼິ້ນ ຢູ່ ສວນ ສາທາລະນະ",
    "km": "ថ្ងៃ នេះ អាកាសធាតុ ល្អ ណាស់ យើង ទៅ ដើរ លេង នៅ សួនច្បារ",
    "my": "ဒီ နေ့ ရာသီဥတု သာယာ တယ် ။ ကျွန်တော် တို့ ပန်းခြံ မှာ လမ်း လျှောက် ကြ မယ် ။",
}
WITH_SPACES = [
    "The weather is nice today.",
    "Le temps est beau aujourd’hui — très beau.",
    "Сегодня хорошая погода.",
    "오늘은 날씨가 좋네요. 산책하러 갑시다.",
    "الطقس جميل اليوم.",
    "आज मौसम अच्छा है।",
    "Hôm nay trời đẹp.",
    "",
    "3.5 %!",
]


@pytest.mark.parametrize("language", TEXTS)
def test_the_script_tells_the_language(language: str) -> None:
    assert unspaced_language([TEXTS[language]]) == language
    assert unspaced_language(["", TEXTS[language], "OK!"]) == language


@pytest.mark.parametrize("text", WITH_SPACES)
def test_other_scripts_have_spaces(text: str) -> None:
    assert unspaced_language([text]) is None


@pytest.mark.parametrize("language", TEXTS)
def test_who_splits_at_spaces_does_not_split_it(language: str) -> None:
    texts = [TEXTS[language]]
    for name in ("13a", "intl", "none", "jiwer"):
        # The mark between syllables of Tibetan is punctuation.
        assert splits(texts, tokenizer(name)) == ((name, language) == ("intl", "bo"))
    assert not splits(texts, TER().tokens)
    assert not splits(texts, ROUGE().tokens), "it drops all of it"
    assert splits(texts, tokenizer("char"))
    assert splits(texts, tokenizer("intl-mteval-split"))


@pytest.mark.parametrize("language", SPLIT)
def test_spaces_that_someone_put_between_words_are_enough(language: str) -> None:
    assert "".join(SPLIT[language].split()) == "".join(TEXTS[language].split())
    assert splits([SPLIT[language]], BLEU().tokens)


@needs_packages("MeCab", "ipadic")
def test_chinese_by_its_tokenizer_and_japanese_not() -> None:
    assert splits([TEXTS["zh"]], tokenizer("zh"))
    assert splits([TEXTS["ja"]], tokenizer("ja-mecab"))
    kana = "わたしはこどものころからねこがとてもすきです。"
    assert not splits([TEXTS["ja"], kana], tokenizer("zh"))
    assert unspaced_language([kana, TEXTS["ja"]]) == "ja"


def test_short_japanese_text_of_alternating_scripts() -> None:
    """Hardly two characters of one script stand side by side."""
    texts = ["猫が庭で鳴く。", "犬が外を走る。", "私は本を読む。"]
    assert unspaced_language(texts) == "ja"
    assert not splits(texts, BLEU().tokens)
    assert splits(["猫 が 庭 で 鳴く 。", "犬 が 外 を 走る 。"], BLEU().tokens)
    assert splits(texts, tokenizer("char"))


def test_a_japanese_name_makes_no_japanese_of_chinese() -> None:
    text = TEXTS["zh"] * 3
    assert unspaced_language([f"{text}の"]) == "zh"
    assert unspaced_language([f"{TEXTS['zh']}の"]) == "zh"
    assert unspaced_language(["東京都の新しい図書館"]) == "ja"


def test_chinese_in_english_is_english_up_to_three_characters_a_word() -> None:
    words = ["word"] * 5
    assert unspaced_language([" ".join([*words, "天" * 14])]) is None
    assert unspaced_language([" ".join([*words, "天" * 15])]) == "zh"
    # Over all texts, not in each.
    assert unspaced_language(["天" * 15, *words]) == "zh"
    assert unspaced_language(["天" * 14, *words]) is None
    assert unspaced_language(["President Xi (习近平) met Abe Shinzō (安倍 晋三) in 北京 on Monday."]) is None


def test_a_word_ends_at_one_place_in_ten_at_least() -> None:
    def text(words: int, length: int) -> str:
        return " ".join(["天" * length] * words)

    assert splits([text(10, 9)], str.split)  # 9 of 89 places
    assert not splits([text(10, 11)], str.split)  # 9 of 109


def test_a_few_characters_tell_nothing() -> None:
    assert splits(["天天天天天天"], str.split)
    assert not splits(["天天天天天天天"], str.split)
    assert splits(["天天天天天天"], lambda _text: [])
    assert not splits(["天天天天天天天"], lambda _text: [])
    assert splits([], str.split)
