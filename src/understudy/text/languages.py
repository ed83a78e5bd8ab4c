"""Languages: which one a code means, and the tokenizer that the field uses for it."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from understudy.errors import BadParameter, MissingExtra
from understudy.text.tokenizers import is_installed, tokenizer

# sacreBLEU's rule; for all other languages it keeps its default, as every metric does here.
OF_SACREBLEU = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# Written without spaces between words, and sacreBLEU has no rule: of its tokenizers that need no model, only char suits
# them (its pull request 155 says so of Thai); BLEU of characters is as good as of words (Denoual and Lepage 2005). The
# subwords of spBLEU would be another choice, but a score must not depend on which model a machine happens to have.
BY_CHARACTERS = ("th", "lo", "km", "my", "bo", "dz", "shn", "nod", "tts", "mnw")
AS_CHINESE = ("yue", "wuu", "lzh", "gan", "hsn", "hak", "nan")  # written in the same characters
TOKENIZERS = {
    **OF_SACREBLEU,
    **dict.fromkeys(AS_CHINESE, OF_SACREBLEU["zh"]),
    **dict.fromkeys(BY_CHARACTERS, "char"),
}

NAMES = {
    "zh": "Chinese",
    "ja": "Japanese",
    "ko": "Korean",
    "th": "Thai",
    "lo": "Lao",
    "km": "Khmer",
    "my": "Burmese",
    "bo": "Tibetan",
    "dz": "Dzongkha",
    "shn": "Shan",
    "nod": "Northern Thai",
    "tts": "Isan",
    "mnw": "Mon",
    "yue": "Cantonese",
    "wuu": "Wu Chinese",
    "lzh": "Classical Chinese",
    "gan": "Gan Chinese",
    "hsn": "Xiang Chinese",
    "hak": "Hakka Chinese",
    "nan": "Min Nan Chinese",
}

# Codes of three letters, as in FLORES-200, and the codes of two by which the same languages are known here.
_SHORTER = {
    **dict.fromkeys(("zho", "chi", "cmn"), "zh"),
    **{"jpn": "ja", "kor": "ko", "tha": "th", "lao": "lo", "khm": "km", "dzo": "dz"},
    **dict.fromkeys(("mya", "bur"), "my"),
    **dict.fromkeys(("bod", "tib"), "bo"),
    **{
        "eng": "en",
        "spa": "es",
        "rus": "ru",
        "dan": "da",
        "fin": "fi",
        "hun": "hu",
        "ita": "it",
        "por": "pt",
    },
    **{"swe": "sv", "tur": "tr", "nor": "no", "nob": "no", "nno": "no", "nb": "no", "nn": "no"},
    **dict.fromkeys(("ces", "cze"), "cs"),
    **dict.fromkeys(("deu", "ger"), "de"),
    **dict.fromkeys(("fra", "fre"), "fr"),
    **dict.fromkeys(("nld", "dut"), "nl"),
    **dict.fromkeys(("ron", "rum"), "ro"),
}

# Codes of countries that are often given for a language's.
_COUNTRIES = {
    "cn": "Chinese is 'zh'",
    "jp": "Japanese is 'ja'",
    "kr": "Korean is 'ko', and Kanuri 'kau'",
}

FLORES_MODEL = "~/.sacrebleu/models/flores200sacrebleuspm"  # where sacreBLEU keeps it


class Language(NamedTuple):
    """The language that text is in."""

    code: str  # of ISO 639: the shortest there is, where that makes a difference here
    script: str = ""  # of ISO 15924, if it was given

    @property
    def with_script(self) -> str:
        """As parsers are named that are for one script, such as zh-hans."""
        return "-".join(filter(None, (self.code, self.script.lower())))


def language_of(text: str) -> Language:
    """The language of a code, which may name its script and region. Of a language pair the target language.

    >>> language_of("en-zh"), language_of("zho_Hans").code, language_of("pt-BR").code
    (Language(code='zh', script=''), 'zh', 'pt')
    """
    pieces = re.split("[-_]", text.lower() if text.isupper() else text)
    languages: list[list[str]] = []
    for piece in pieces:
        part = languages and (re.fullmatch("[A-Za-z]{4}", piece) or re.fullmatch("[A-Z]{2}|[0-9]{3}", piece))
        if part:
            languages[-1].append(piece)
        else:
            languages.append([piece])
    if len(languages) > 2 or not all(re.fullmatch("[A-Za-z]{2,3}", language) for language, *_ in languages):
        raise BadParameter(
            f"'{text}' is no language. Expected a code of ISO 639, such as zh, or a language pair, such as en-zh."
        )
    code = languages[-1][0].lower()
    if code in _COUNTRIES:
        raise BadParameter(
            f"'{code}' is the code of a country. Expected that of a language: {_COUNTRIES[code]}."
        )
    script = next((part for part in languages[-1][1:] if len(part) == 4), "")
    return Language(_SHORTER.get(code, code), script)


def field_tokenizer(language: str) -> str | None:
    """The name of the tokenizer that the field uses for a language; None if it has none but a metric's own. Refuses one
    that is not installed: another would give other scores.

    >>> field_tokenizer("en-zh"), field_tokenizer("tha_Thai"), field_tokenizer("de")
    ('zh', 'char', None)
    """
    code = language_of(language).code
    name = TOKENIZERS.get(code)
    if name is not None:
        try:
            tokenizer(name)
        except MissingExtra as error:
            raise MissingExtra(
                f"language '{code}': {error}, or choose a tokenizer: --tokenize char"
            ) from None
    return name


def working_tokenizers(code: str) -> list[str]:
    """The tokenizers that split text of a language and can be had on this machine, the field's own first."""
    found = [name for name in (TOKENIZERS.get(code),) if name is not None and is_installed(name)]
    model = os.path.expanduser(FLORES_MODEL)
    if is_installed("flores200") and os.path.isfile(model):
        found.append(f"flores200:{model}")
    return list(dict.fromkeys([*found, "char"]))
