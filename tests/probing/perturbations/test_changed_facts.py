"""Numbers, dates, units and names."""

from __future__ import annotations

import re
import unicodedata

import pytest

from material.perturbations import perturbed

SEEDS = range(50)


def outside(pattern: str, text: str) -> list[str]:
    return re.split(pattern, text)


@pytest.mark.parametrize(
    "text",
    [
        "Das sind 1.234,56 Euro oder 7 %.",
        "他有5个，2021年有３個。",
        "東京に5km。",
        "كان ٢٥ يوما، أو 25.",
        "मैं २५ या 25 किलो।",
        "From 10:30 to 007, 0.5 and 0.",
    ],
)
def test_numbers_become_others_of_the_same_shape(text):
    for seed in SEEDS:
        after = perturbed("change-numbers", text, language=None, seed=seed)
        assert outside(r"\d+", after) == outside(r"\d+", text)
        for old, new in zip(re.findall(r"[\d.,:]*\d", text), re.findall(r"[\d.,:]*\d", after), strict=True):
            digits = [(a, b) for a, b in zip(old, new, strict=True) if a.isdecimal()]
            assert old != new
            assert all(ord(a) - unicodedata.decimal(a) == ord(b) - unicodedata.decimal(b) for a, b in digits)
            assert unicodedata.decimal(digits[0][1]) or not unicodedata.decimal(digits[0][0])


def test_years_stay_in_their_century():
    for seed in SEEDS:
        assert re.fullmatch("in (?!1985)19[0-9]{2}", perturbed("change-numbers", "in 1985", seed=seed))


@pytest.mark.parametrize("text", ["No digits.", "COVID-19", "B2", "the 1st", "½", ""])
def test_what_is_no_number_is_left_alone(text):
    assert perturbed("change-numbers", text) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("on 2021-03-04.", r"on (\d{4})-(0[1-9]|1[0-2])-([012]\d)\."),
        ("am 4.3.2021!", r"am ([1-9])\.([1-9])\.(\d{4})!"),
        ("on 12/25/2021", r"on (1[0-2])/([12]\d)/(\d{4})"),
        ("2021年3月14日。", r"(\d{4})年([1-9])月([12]\d)日。"),
        ("3月", r"([1-9])月"),
    ],
)
def test_one_part_of_a_date_becomes_another(text, form):
    old = re.fullmatch(form, text)
    for seed in SEEDS:
        new = re.fullmatch(form, perturbed("change-dates", text, language=None, seed=seed))
        assert sum(a != b for a, b in zip(old.groups(), new.groups(), strict=True)) == 1


@pytest.mark.parametrize("text", ["12.50", "192.168.1.10", "5/6", "99-99-2021", "No date."])
def test_what_is_no_date_is_left_alone(text):
    assert perturbed("change-dates", text) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("10 km", "10 (mm|cm)"),
        ("5kg.", "5(mg|g)\\."),
        ("3.5% more", "3.5‰ more"),
        ("It costs $5,000.", "It costs [€£¥₹₽]5,000\\."),
        ("5 € oder", "5 [$£¥₹₽] oder"),
        ("走了5km吧", "走了5(mm|cm)吧"),
        ("20 °C", "20 °F"),
    ],
)
def test_units_become_others_of_the_same_dimension(text, form):
    for seed in SEEDS:
        assert re.fullmatch(form, perturbed("change-units", text, language=None, seed=seed))


@pytest.mark.parametrize("text", ["km", "10 kmh", "the $ sign", "802.11g", "5G", "10 people"])
def test_what_is_no_unit_is_left_alone(text):
    assert perturbed("change-units", text) is None


@pytest.mark.parametrize(
    ("language", "name", "text", "form"),
    [
        ("en", "change-date-words", "In May, on MONDAY", r"In (?!May)[A-Z][a-z]+, on (?!MONDAY)[A-Z]+DAY"),
        ("de", "change-date-words", "Am Freitag im März.", r"Am (?!Freitag)\w+ im (?!März)\w+\."),
        (
            "zh",
            "change-date-words",
            "他在十一月来，一周一次。",
            "他在(?!十一月)[一二三四五六七八九十]+月来，一周一次。",
        ),
        ("ja", "change-date-words", "月曜日に", "[火水木金土日]曜日に"),
        ("ar", "change-date-words", "في مارس.", r"في (?!مارس)\w+\."),
        ("hi", "change-date-words", "सोमवार को।", "(?!सोमवार)[^ ]+वार को।"),
        ("en", "change-number-words", "Seven of the twelve", "(?!Seven)[A-Z][a-z]+ of the (?!twelve)[a-z]+"),
        ("fr", "change-number-words", "deux ou trois mille", r"(?!deux)\w+ ou (?!trois)\w+ cent"),
        ("es", "change-unit-words", "diez kilómetros", r"diez \w+metros|diez metros|diez milímetros"),
        ("en", "change-unit-words", "a mile and miles", r"a (?!mile)\w+ and (?!miles)\w+"),
        ("de", "change-names", "Anna fuhr nach Berlin.", r"(?!Anna)\w+ fuhr nach (?!Berlin)\w+\."),
        ("zh", "change-names", "他去了北京。", r"他去了(?!北京)\w+。"),
    ],
)
def test_listed_words_become_others_of_their_group(language, name, text, form):
    for seed in SEEDS:
        assert re.fullmatch(form, perturbed(name, text, language=language, seed=seed))


@pytest.mark.parametrize(
    ("language", "name", "text"),
    [
        ("en", "change-date-words", "They may march."),
        ("en", "change-number-words", "Often and tense"),
        ("de", "change-names", "Der Hund im Garten."),
        (
            "zh",
            "change-names",
            "发展中国家和罗马尼亚",
        ),  # developing countries and Romania, not China and Rome
        ("ja", "change-names", "インドネシア"),
        ("ar", "change-names", "علي الطاولة"),  # "on", as often written
        ("en", "change-unit-words", "It costs 5 pounds."),
        ("de", "change-unit-words", "Der Thermometer"),
    ],
)
def test_other_words_are_left_alone(language, name, text):
    assert perturbed(name, text, language=language) is None


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "He met Obama, and Anna.", "He met, and."),
        ("zh", "他去了北京。", "他去了。"),
        ("hi", "राम गया।", "गया।"),
    ],
)
def test_names_are_dropped(language, text, expected):
    assert perturbed("drop-names", text, language=language) == expected


def test_capitals_inside_a_sentence_are_names():
    after = perturbed("change-names", "He met Obama on Monday. Then NASA left.", other="And Leeds won.")
    assert after == "He met Leeds on Monday. Then NASA left."
