"""Language codes, and the standard tokenizer for each language."""

from __future__ import annotations

import re
from typing import NamedTuple

from understudy.errors import BadParameter, MissingExtra
from understudy.settings import check_name
from understudy.text.tokenizers import is_installed, tokenizer

# ISO 639-1.
CODES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
_FORMER = frozenset(("in", "iw", "ji", "mo", "sh"))  # withdrawn from ISO 639-1, but still in use

# sacreBLEU's rule. For all other languages it keeps its default, as every metric does here.
OF_SACREBLEU = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# Scripts without word boundaries, for which sacreBLEU has no rule. Of its tokenizers that need no model, only char is
# suitable (for Thai, see its pull request 155), and BLEU on characters is as good as on words (Denoual and Lepage
# 2005). spBLEU's subwords would be an alternative, but a score must not depend on which models are installed.
BY_CHARACTERS = ("th", "lo", "km", "my", "bo", "dz", "shn", "nod", "tts", "mnw")
_AS_CHINESE = ("yue", "wuu", "lzh", "gan", "hsn", "hak", "nan")  # written in the same characters
TOKENIZERS = {
    **OF_SACREBLEU,
    **dict.fromkeys(_AS_CHINESE, OF_SACREBLEU["zh"]),
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

# Three-letter codes, as in FLORES-200, and the two-letter codes used here.
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

# Country codes that are often mistaken for language codes.
_COUNTRIES = {
    "cn": "Chinese is 'zh'",
    "cz": "Czech is 'cs'",
    "dk": "Danish is 'da'",
    "gr": "Greek is 'el'",
    "jp": "Japanese is 'ja'",
    "kr": "Korean is 'ko', and Kanuri 'kau'",
    "ua": "Ukrainian is 'uk'",
}


class Language(NamedTuple):
    """A language, optionally with its script."""

    code: str  # ISO 639; two letters if there is a two-letter code
    script: str = ""  # ISO 15924, if given

    @property
    def with_script(self) -> str:
        """The name of parsers for one script, such as zh-hans."""
        return "-".join(filter(None, (self.code, self.script.lower())))


def language_of(text: str) -> Language:
    """The language of a code, which may include script and region; for a language pair, the target language.

    >>> language_of("en-zh"), language_of("zho_Hans").code, language_of("pt-BR").code
    (Language(code='zh', script=''), 'zh', 'pt')
    """
    *_, (code, *more) = _parts_of_pair(text)
    code = code.lower()
    script = next((part for part in more if len(part) == 4), "")
    return Language(_SHORTER.get(code, code), script)


def split_pair(text: str) -> tuple[str | None, str]:
    """The source language of a pair, None if it is not given, and the target language.

    >>> split_pair("pt-BR_zho_Hans"), split_pair("de")
    (('pt-BR', 'zho-Hans'), (None, 'de'))
    """
    *source, target = ("-".join(parts) for parts in _parts_of_pair(text))
    return (source[0] if source else None), target


def _parts_of_pair(text: str) -> list[list[str]]:
    """Code, script and region of one language or two."""
    check_name("lang", text)
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
            f"'{text}' is not a language code. Use an ISO 639 code, such as zh, or a language pair, such as "
            "en-zh."
        )
    if (code := languages[-1][0].lower()) in _COUNTRIES:
        raise BadParameter(f"'{code}' is a country code. Use a language code: {_COUNTRIES[code]}.")
    for language, *_ in languages:
        if len(language) == 2 and language.lower() not in CODES | _FORMER:
            raise BadParameter(
                f"unknown language code '{language}'. Use an ISO 639 code, such as de or yue; write a region in "
                "capitals, such as pt-BR."
            )
    return languages


def field_tokenizer(language: str) -> str | None:
    """The standard tokenizer for a language; None if the metric's default applies. Raises an error if it is not
    installed, because another tokenizer would give different scores.

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
                f"language '{code}': {error}. Or set a tokenizer, e.g. --tokenize char"
            ) from None
    return name


def working_tokenizers(code: str) -> list[str]:
    """The installed tokenizers that split text in a language, the standard one first."""
    from understudy.text.subword_models import is_here

    found = [name for name in (TOKENIZERS.get(code),) if name is not None and is_installed(name)]
    if is_installed("flores200") and is_here("flores200"):
        found.append("flores200")
    return list(dict.fromkeys([*found, "char"]))
