"""English names of languages, for labels of scales such as "Flawless German", and for prompts."""

from __future__ import annotations

from understudy.text.languages import NAMES, language_of

_NAMES = {
    **NAMES,
    **{
        "af": "Afrikaans",
        "am": "Amharic",
        "ar": "Arabic",
        "bg": "Bulgarian",
        "bho": "Bhojpuri",
        "bn": "Bengali",
    },
    **{"ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek"},
    **{"en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish"},
    **{"fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew"},
    **{"hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian"},
    **{"is": "Icelandic", "it": "Italian", "iu": "Inuktitut", "ka": "Georgian", "kk": "Kazakh"},
    **{"kn": "Kannada", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam"},
    **{"mas": "Maasai", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "ne": "Nepali", "nl": "Dutch"},
    **{
        "no": "Norwegian",
        "pa": "Punjabi",
        "pl": "Polish",
        "ps": "Pashto",
        "pt": "Portuguese",
        "ro": "Romanian",
    },
    **{"ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "so": "Somali", "sq": "Albanian", "sr": "Serbian"},
    **{"sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "tl": "Tagalog", "tr": "Turkish"},
    **{"uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa", "yo": "Yoruba"},
    "zu": "Zulu",
}


def language_name(language: str) -> str | None:
    """The name of a language code, with or without script and region; None if it is not in the list.

    >>> language_name("pt-BR"), language_name("zho_Hans"), language_name("tlh")
    ('Portuguese', 'Chinese', None)
    """
    return _NAMES.get(language_of(language).code)
