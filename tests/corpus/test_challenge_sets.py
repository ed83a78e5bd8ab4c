"""Challenge sets are read from tables of any format, in the layouts of DEMETR and ACES, and from memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from material.shared import SHARED, needs
from material.written_files import write, write_table
from understudy.corpus.challenge_sets import ChallengeSet, read_challenge_set
from understudy.errors import UnderstudyError

DEMETR = SHARED / "data" / "demetr"
COLUMNS = {
    "source": ["Er schlief.", "Sie kam."],
    "reference": ["He slept.", "She came."],
    "good": ["He was asleep.", "She arrived."],
    "incorrect": ["He was not asleep.", "She comes."],
    "phenomenon": ["negation", "tense"],
    "severity": ["Critical", "major"],
    "langpair": ["de-en", "de-en"],
}
OF_DEMETR = {
    "id": 7,
    "src_sent": "Er schlief.",
    "eng_sent": "He slept.",
    "mt_sent": "He was asleep.",
    "pert_sent": "He was not asleep.",
    "pert_check": True,
    "severity": "critical",
    "pert_id": 8,
    "pert_name": "critical_id8_negation",
    "lang_tag": "german",
}
OF_ACES = {
    "source": "Er schlief.",
    "good-translation": "He was asleep.",
    "incorrect-translation": "He was not asleep.",
    "reference": "He slept.",
    "phenomena": "addition",
    "langpair": "de-en",
}


def refusal(pairs: Any) -> str:
    """The message of the error, in one line."""
    with pytest.raises(UnderstudyError) as caught:
        read_challenge_set(pairs)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- formats -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["p.tsv", "p.csv", "p.jsonl", "p.parquet", "p.tsv.gz", "p.jsonl.xz"])
def test_every_format_gives_the_same_pairs(name: str) -> None:
    write_table(name, COLUMNS)
    expected = read_challenge_set(COLUMNS)
    found = read_challenge_set(name)
    assert [pair.good for pair in found.pairs] == COLUMNS["good"]
    assert [(p.references, p.phenomenon, p.severity, p.language, p.segment) for p in found.pairs] == [
        (p.references, p.phenomenon, p.severity, p.language, p.segment) for p in expected.pairs
    ]


def test_a_json_array_and_a_list_of_mappings_are_the_same() -> None:
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    write("p.json", json.dumps(rows, indent=1))
    assert [p.incorrect for p in read_challenge_set("p.json").pairs] == [
        p.incorrect for p in read_challenge_set(rows).pairs
    ]


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_data_frames(package: str) -> None:
    frames = pytest.importorskip(package)
    made = frames.table(COLUMNS) if package == "pyarrow" else frames.DataFrame(COLUMNS)
    assert [pair.good for pair in read_challenge_set(made).pairs] == COLUMNS["good"]


def test_a_missing_value_of_pandas_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**COLUMNS, "reference": [None, "She came."], "severity": [pandas.NA, "major"]})
    found = read_challenge_set(frame).pairs
    assert (found[0].references, found[0].severity) == ((), "")


def test_byte_order_mark_and_line_ends_of_windows() -> None:
    write("p.tsv", "\ufeffgood\tbad\r\na b\ta c\r\n")
    (pair,) = read_challenge_set("p.tsv").pairs
    assert (pair.good, pair.incorrect) == ("a b", "a c")


def test_a_null_character_is_text() -> None:
    write("p.tsv", "good\tbad\na\0b\tc\n")
    assert read_challenge_set("p.tsv").pairs[0].good == "a\0b"


@pytest.mark.parametrize(
    ("good", "incorrect", "phenomenon"),
    [
        ("good-translation", "incorrect-translation", "phenomena"),
        ("mt", "perturbed", "category"),
        ("Good Translation", "BAD", "Phenomenon"),
        ("hypothesis", "wrong", "error_type"),
    ],
)
def test_names_of_columns(good: str, incorrect: str, phenomenon: str) -> None:
    found = read_challenge_set([{good: "a", incorrect: "b", phenomenon: "negation"}])
    assert (found.pairs[0].good, found.pairs[0].incorrect, found.pairs[0].phenomenon) == (
        "a",
        "b",
        "negation",
    )
    assert (found.columns["good"], found.columns["phenomenon"]) == (good, phenomenon)


def test_a_category_counts_only_without_a_phenomenon() -> None:
    row = {"good": "a", "bad": "b", "category": "accuracy", "phenomenon": "negation"}
    assert read_challenge_set([row]).pairs[0].phenomenon == "negation"


def test_several_references_in_columns_or_in_a_list() -> None:
    in_columns = {"good": "a", "bad": "b", "ref1": "one", "ref_2": "two"}
    in_list = {"good": "a", "bad": "b", "references": ["one", "two"]}
    assert [p.references for p in read_challenge_set([in_columns, in_list]).pairs] == [("one", "two")] * 2


def test_an_empty_reference_is_none() -> None:
    write("p.tsv", "good\tbad\tref\na\tb\t\n")
    assert read_challenge_set("p.tsv").pairs[0].references == ()


def test_an_empty_incorrect_translation_is_one() -> None:
    assert read_challenge_set([{"good": "a", "bad": ""}]).pairs[0].incorrect == ""


def test_without_a_phenomenon_it_is_the_name_of_the_file() -> None:
    write("negation.tsv", "good\tbad\na\tb\n")
    assert read_challenge_set("negation.tsv").pairs[0].phenomenon == "negation"


def test_a_folder_has_its_tables_in_order_of_names_and_ignores_other_files(here: Path) -> None:
    (here / "set").mkdir()
    for name in ("set/b.tsv", "set/a.tsv"):
        write(name, f"good\tbad\n{name}\tx\n")
    write("set/LICENSE", "MIT")
    assert [pair.good for pair in read_challenge_set("set").pairs] == ["set/a.tsv", "set/b.tsv"]


def test_several_files_are_numbered_on() -> None:
    for name in ("a.tsv", "b.tsv"):
        write(name, "good\tbad\nx\ty\n")
    found = read_challenge_set(["a.tsv", Path("b.tsv")])
    assert [pair.number for pair in found.pairs] == [1, 2]
    assert (found.name, found.pairs[1].where) == ("a.tsv, b.tsv", "'b.tsv', line 2")


# --- segments and languages ----------------------------------------------------------------------------------


def test_pairs_with_the_same_source_are_of_the_same_segment() -> None:
    rows = [{"good": g, "bad": "x", "source": s, "ref": r} for g, s, r in ("aS1", "bS2", "cT1")]
    one, two, three = (pair.segment for pair in read_challenge_set(rows).pairs)
    assert one == two != three


def test_without_a_source_pairs_with_the_same_references_are() -> None:
    rows = [{"good": g, "bad": "x", "ref": r} for g, r in ("a1", "b1", "c2")]
    one, two, three = (pair.segment for pair in read_challenge_set(rows).pairs)
    assert one == two != three


def test_pairs_without_either_are_of_different_segments() -> None:
    one, two = read_challenge_set([{"good": "a", "bad": "b"}] * 2).pairs
    assert one.segment != two.segment


def test_a_column_of_segments_decides() -> None:
    rows = [{"good": "a", "bad": "b", "source": s, "seg": n} for s, n in (("S", 1), ("T", 1), ("S", 2))]
    assert [pair.segment for pair in read_challenge_set(rows).pairs] == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("said", "language"), [("en-de", "de"), ("zh", "zh"), ("eng_Latn-deu_Latn", "de"), ("klingon!", None)]
)
def test_the_language_is_the_target_language(said: str, language: str | None) -> None:
    assert read_challenge_set([{"good": "a", "bad": "b", "lang": said}]).pairs[0].language == language


# --- DEMETR and ACES -----------------------------------------------------------------------------------------


def test_the_layout_of_demetr() -> None:
    write("d.json", json.dumps([OF_DEMETR]))
    found = read_challenge_set("d.json")
    (pair,) = found.pairs
    assert found.layout == "demetr"
    assert (pair.good, pair.incorrect, pair.references) == (
        "He was asleep.",
        "He was not asleep.",
        ("He slept.",),
    )
    assert (pair.phenomenon, pair.severity, pair.language) == ("critical_id8_negation", "critical", "en")


def test_perturbations_that_do_not_apply_are_left_out_and_counted() -> None:
    found = read_challenge_set([OF_DEMETR, {**OF_DEMETR, "pert_check": False}, OF_DEMETR])
    assert (len(found.pairs), found.left_out, found.read) == (2, {"perturbation not applied": 1}, 3)
    assert [pair.number for pair in found.pairs] == [1, 3]


def test_the_reference_baseline_of_demetr_is_better_than_the_translation() -> None:
    row = {**OF_DEMETR, "pert_name": "base_id35_reference", "pert_sent": "He slept."}
    (pair,) = read_challenge_set([row]).pairs
    assert (pair.good, pair.incorrect) == ("He slept.", "He was asleep.")


def test_the_layout_of_aces() -> None:
    write("challenge_set.jsonl", json.dumps(OF_ACES) + "\n")
    found = read_challenge_set("challenge_set.jsonl")
    assert (found.layout, found.pairs[0].phenomenon, found.pairs[0].language) == ("aces", "addition", "en")


def test_span_aces_has_more_columns() -> None:
    more = {"incorrect-translation-annotated": "He was <v>not</v> asleep.", "annotation-method": "diff"}
    found = read_challenge_set([{**OF_ACES, **more}])
    assert (found.layout, found.pairs[0].incorrect) == ("aces", "He was not asleep.")


def test_scores_beside_the_translations() -> None:
    found = read_challenge_set([{**OF_ACES, "BLEU.-good": 3, "BLEU.-bad": "2.5", "x-good": 1}])
    assert {name: scores.tolist() for name, scores in found.scores.items()} == {"BLEU": [[3.0, 2.5]]}


@needs(DEMETR)
def test_the_published_files_of_demetr() -> None:
    found = read_challenge_set(DEMETR)
    assert (found.layout, found.read, len(found.pairs)) == ("demetr", 17_500, 15_771)
    assert len({pair.phenomenon for pair in found.pairs}) == 35  # two of them have the number 33
    assert len({pair.segment for pair in found.pairs}) == 500


# --- what is refused -----------------------------------------------------------------------------------------


def test_missing_columns() -> None:
    write("p.tsv", "source\tgood\na\tb\n")
    assert refusal("p.tsv") == (
        "'p.tsv': no column of the incorrect translation, expected incorrect, incorrect-translation, bad, "
        "bad-translation, bad-mt, wrong, perturbed, perturbed-translation, pert-sent, damaged. It has source, good. "
        "Rename the column."
    )


def test_two_columns_of_the_same_meaning() -> None:
    assert refusal([{"good": "a", "good-translation": "b", "bad": "c"}]) == (
        "'pairs': the columns 'good' and 'good-translation' have the same meaning. Remove one."
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "'p.tsv' is empty, expected a header line with the names of the columns."),
        ("good\tbad\n", "'p.tsv': no pairs of translations."),
        (
            "good\tbad\na\tb\tc\n",
            "'p.tsv', line 2: wrong number of fields, expected 2 as in the header, got 3.",
        ),
        (
            "good\tbad\na\tb\n\n",
            "'p.tsv', line 3: wrong number of fields, expected 2 as in the header, got 1.",
        ),
        ("good\tbad\n\tb\n", "'p.tsv', line 2: no good translation in 'good'."),
        ("good\tbad\tgood\na\tb\tc\n", "'p.tsv' has two columns named 'good'."),
        (
            "good\tbad\tpert_check\na\tb\tmaybe\n",
            "'p.tsv', line 2: 'pert_check' is 'maybe', expected true or false.",
        ),
        (
            "good\tbad\tx-good\tx-bad\na\tb\tmuch\t1\n",
            "'p.tsv', line 2: score 'much', expected a number, or None.",
        ),
    ],
)
def test_malformed_tables(content: str, message: str) -> None:
    write("p.tsv", content)
    assert refusal("p.tsv") == message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.jsonl", "", "'p.jsonl' is empty. Expected JSON lines (one object per line), or one JSON array."),
        ("p.json", "[]", "'p.json' is an empty JSON array, expected one entry per segment."),
        ("p.json", '["a"]', "'p.json', entry 1: expected an object, got a string."),
        (
            "p.json",
            '[{"good": "a", "bad": "b"}, 3]',
            "'p.json', entry 2: expected an object as in entry 1, got a number.",
        ),
        ("p.json", '[{"good": "a", "bad": 3}]', "'p.json', entry 1: 'bad' is int ('3'), expected a string."),
        (
            "p.json",
            '[{"good": "a", "bad": "b"}, {"good": "a"}]',
            "'p.json', entry 2: no incorrect translation in 'bad'.",
        ),
        (
            "p.json",
            '[{"good": "a", "bad": "\\ud800"}]',
            "'p.json', entry 1: 'bad' has a lone surrogate. Was a character split?",
        ),
    ],
)
def test_malformed_json(name: str, content: str, message: str) -> None:
    write(name, content)
    assert refusal(name) == message


def test_broken_json_names_the_line() -> None:
    write("p.jsonl", '{"good": "a", "bad": "b"}\n{"good": \n')
    assert refusal("p.jsonl").startswith("'p.jsonl', line 2, column 10: not valid JSON")


def test_files_that_are_no_tables(here: Path) -> None:
    write("p.txt", "good\tbad\na\tb\n")
    assert refusal("p.txt") == (
        "'p.txt' is not known to be a table. Use a name ending in .tsv, .csv, .jsonl, .ndjson, .json, .parquet, "
        ".arrow, .feather or .ipc."
    )
    (here / "set").mkdir()
    write("set/p.txt", "x")
    assert refusal("set").startswith("'set' has no tables in it")
    assert refusal("missing.tsv") == "no such file: 'missing.tsv'."


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "pairs: no pairs of translations, expected at least one."),
        ([3], "pairs, row 1: got int ('3'), expected a mapping with the keys good and incorrect."),
        (
            {"good": ["a"], "bad": ["b", "c"]},
            "pairs: column 'bad' has 2 rows, 'good' has 1.",
        ),
        (["a.tsv", 3], "pairs: got int ('3') among files, expected the path of a file."),
        (
            3,
            "pairs: got int ('3'), expected a file, a folder, a data frame, columns by name, or a list of mappings.",
        ),
    ],
)
def test_wrong_types(pairs: Any, message: str) -> None:
    assert refusal(pairs) == message


def test_all_pairs_left_out() -> None:
    assert refusal([{**OF_DEMETR, "pert_check": False}]) == (
        "'pairs': no pairs of translations, 1 left out: perturbation not applied."
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200) | st.text('good\tbad\n"ab,{}[]:\r\0', max_size=60).map(str.encode))
@pytest.mark.parametrize("name", ["h.tsv", "h.csv", "h.jsonl", "h.json"])
def test_any_bytes_are_pairs_or_an_error_of_one_line(name: str, content: bytes) -> None:
    Path(name).write_bytes(content)
    message = ""
    try:
        assert isinstance(read_challenge_set(name), ChallengeSet)
    except UnderstudyError as error:
        message = str(error)
    assert "\n" not in message


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.tuples(st.text(min_size=1), st.text(), st.text()).map(
            lambda texts: dict(zip(("good", "bad", "ref"), texts, strict=True))
        ),
        min_size=1,
    ).filter(lambda rows: "\ud800" not in str(rows))
)
def test_texts_come_back_as_they_were(rows: list[dict[str, str]]) -> None:
    text = json.dumps(rows, ensure_ascii=True)
    Path("r.json").write_text(text)
    found = read_challenge_set("r.json").pairs
    assert [(pair.good, pair.incorrect) for pair in found] == [(row["good"], row["bad"]) for row in rows]
