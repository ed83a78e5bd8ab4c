"""`understudy score`: options and numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from understudy import BLEU, Corpus, score
from understudy.choices import INTERVAL_METHODS
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import panel

SYSTEM, REFERENCE = "system-weak.en", "reference-1.en"
pytestmark = pytest.mark.usefixtures("examples")


def scored(run, *arguments: str) -> list[dict]:
    """The first system's scores, by way of JSON."""
    result = run("score", SYSTEM, "-r", REFERENCE, *arguments, "-f", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["systems"][0]["scores"]


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_intervals(run, method: str) -> None:
    (plain,) = scored(run)
    (found,) = scored(run, "--ci", "--interval", method, "--samples", "200", "--seed", "7")
    assert found["value"] == plain["value"]
    assert found["interval"]["low"] < found["value"] < found["interval"]["high"]
    assert found["signature"].endswith(f"|ci:{method}-200-7")
    table = run("score", SYSTEM, "-r", REFERENCE, "--ci").stdout
    assert "95% CI" in table
    header, row = run("score", SYSTEM, "-r", REFERENCE, "-f", "tsv", "--ci").stdout.splitlines()
    assert len(header.split("\t")) == len(row.split("\t")) == 6
    assert (
        "--level corpus or mean" in run("score", SYSTEM, "-r", REFERENCE, "--level", "segment", "--ci").stderr
    )


def test_bleu_is_the_default(run) -> None:
    (found,) = scored(run)
    assert found["spec"] == "bleu"
    assert found["value"] == score([SYSTEM], [REFERENCE]).systems[0].scores[0].value


def test_what_reads_no_references_needs_none(run) -> None:
    found = json.loads(run("score", SYSTEM, "-m", "self-bleu", "-f", "json").stdout)
    assert (found["references"], found["segments"]) == (0, 60)
    beside = scored(run, "-m", "self-bleu", "-m", "bleu")
    assert [entry["signature"].partition("|")[0] for entry in beside] == ["nrefs:0", "nrefs:1"]
    assert beside[0] == found["systems"][0]["scores"][0]


@pytest.mark.parametrize("option", ["-r", "--refs", "--reference"])
def test_every_name_of_the_reference_option(run, option: str) -> None:
    result = run("score", SYSTEM, option, REFERENCE, option, "reference-2.en", "-q")
    expected = score([SYSTEM], [REFERENCE, "reference-2.en"]).systems[0].scores[0].value
    assert result.stdout == f"{expected:.2f}\n"


def test_several_metrics_in_their_order(run) -> None:
    found = scored(
        run, "-m", "bleu:papineni2002", "-m", "bleu", "--metric", "bleu:tokenize=intl,lowercase=true"
    )
    assert [entry["spec"] for entry in found] == [
        "bleu:papineni2002",
        "bleu",
        "bleu:lowercase=true,tokenize=intl",
    ]


def test_an_alias_is_a_metric(run) -> None:
    found = scored(run, "-m", "chrf++", "-m", "chrF+:beta=3", "-m", "chrf++:lowercase=true")
    assert [(entry["metric"], entry["spec"]) for entry in found] == [
        ("chrF++", "chrf++"),
        ("chrF3+", "chrf:word_order=1,beta=3.0"),
        ("chrF++", "chrf:word_order=2,lowercase=true"),
    ]
    (lowered,) = scored(run, "-m", "chrf++", "--lowercase")
    assert lowered == found[2]


@pytest.mark.parametrize(
    ("arguments", "metric"),
    [
        (["--tokenize", "intl"], BLEU(tokenize="intl")),
        (["--lowercase"], BLEU(lowercase=True)),
        (["--tokenize", "char", "--lowercase"], BLEU(tokenize="char", lowercase=True)),
        (["--tokenize", "char", "-m", "bleu:papineni2002"], BLEU.preset("papineni2002", tokenize="char")),
    ],
)
def test_shorthands_fill_in_what_a_metric_leaves_open(run, arguments: list[str], metric: Metric) -> None:
    assert scored(run, *arguments)[0]["spec"] == metric.spec


@pytest.mark.parametrize(
    ("own", "spec"), [("bleu:tokenize=13a", "bleu"), ("bleu:multi-bleu", "bleu:multi-bleu")]
)
def test_shorthands_leave_alone_what_a_metric_sets_itself(run, own: str, spec: str) -> None:
    first, second = scored(run, "--tokenize", "intl", "-m", own, "-m", "bleu")
    assert first["spec"] == spec
    assert second["spec"] == "bleu:tokenize=intl"


def test_a_shorthand_without_effect_is_refused(fails) -> None:
    message = fails("score", SYSTEM, "-r", REFERENCE, "-m", "bleu:lowercase=false", "--lowercase")
    assert "--lowercase has no effect" in message


def test_threads_do_not_matter(run) -> None:
    assert scored(run, "--threads", "1") == scored(run, "--threads", "3")


def test_a_system_can_be_named(run) -> None:
    result = run("score", f"nmt={SYSTEM}", "system-medium.en", "-r", REFERENCE, "-f", "tsv")
    names = [line.split("\t")[0] for line in result.stdout.splitlines()]
    assert names == ["system", "nmt", "system-medium.en"]


def test_a_file_whose_name_has_an_equals_sign_wins(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "b.txt", "ref.txt"):
        Path(name).write_text(f"this is the file {name}\n")
    result = run("score", "a=b.txt", "-r", "ref.txt", "-f", "tsv")
    assert result.stdout.splitlines()[1].startswith("a=b\t")


def test_a_missing_directory_with_an_equals_sign_is_named_in_full(fails) -> None:
    assert "'out/lr=0.1/nmt.txt'" in fails("score", "out/lr=0.1/nmt.txt", "-r", REFERENCE)


def test_the_same_name_twice_is_refused(fails) -> None:
    assert "two systems are named 'a'" in fails("score", f"a={SYSTEM}", "a=system-medium.en", "-r", REFERENCE)


def test_systems_by_name_in_the_library() -> None:
    result = score({"a": SYSTEM, "b": Path(SYSTEM)}, [REFERENCE])
    assert [system.name for system in result.systems] == ["a", "b"]
    assert result["a"].scores[0].value == result["b"].scores[0].value
    mixed = Corpus.read([SYSTEM, ("b", SYSTEM)], [REFERENCE])
    assert list(mixed.systems) == [SYSTEM, "b"]


def test_a_name_for_a_file_of_several_systems_is_refused(fails, tmp_path: Path) -> None:
    table = tmp_path / "all.tsv"
    table.write_text("one\ttwo\tref\na\tb\tc\n")
    message = fails("score", f"both={table}:one,two", "-r", f"{table}:ref")
    assert "contains 2 systems" in message


def test_columns_of_a_table(run, tmp_path: Path) -> None:
    table = tmp_path / "all.tsv"
    table.write_text("nmt\tref\nthe cat sat on the mat\tthe cat sat on the mat\n")
    assert run("score", f"{table}:nmt", "-r", f"{table}:ref", "-q").stdout == "100.00\n"


# --- standard input -------------------------------------------------------------------------------------


def test_standard_input_as_a_system(run, examples: Path) -> None:
    text = (examples / SYSTEM).read_bytes()
    direct = run("score", SYSTEM, "-r", REFERENCE, "-q").stdout
    assert run("score", "-", "-r", REFERENCE, "-q", input=text).stdout == direct
    assert run("score", "nmt=-", "-r", REFERENCE, "-q", input=text).stdout == direct


def test_standard_input_as_a_reference(run, examples: Path) -> None:
    text = (examples / REFERENCE).read_bytes()
    direct = run("score", SYSTEM, "-r", REFERENCE, "-q").stdout
    assert run("score", SYSTEM, "-r", "-", "-q", input=text).stdout == direct


@pytest.mark.parametrize(
    "inputs", [["-", "-", "-r", REFERENCE], ["a=-", "-r", "-"], [SYSTEM, "-r", "-", "-r", "-"]]
)
def test_standard_input_twice_is_refused(fails, inputs: list[str]) -> None:
    assert "standard input ('-') is given twice" in fails("score", *inputs, input=b"a\n")


# --- quiet, width, fail-under ---------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "shown"), [("0", "10"), ("1", "10.1"), ("4", "10.1052")])
def test_width(run, width: str, shown: str) -> None:
    assert run("score", SYSTEM, "-r", REFERENCE, "-q", "-w", width).stdout == f"{shown}\n"
    assert f" {shown} " in run("score", SYSTEM, "-r", REFERENCE, "--width", width).stdout


def test_quiet_gives_a_number_per_system_and_metric(run) -> None:
    result = run(
        "score", SYSTEM, "system-strong.en", "-r", REFERENCE, "-m", "bleu", "-m", "bleu:max_order=1", "-q"
    )
    values = [entry.value for system in _both() for entry in system.scores]
    assert result.stdout.split() == [f"{value:.2f}" for value in values]


def _both() -> list:
    return score([SYSTEM, "system-strong.en"], [REFERENCE], ["bleu", "bleu:max_order=1"]).systems


def test_quiet_at_level_segment(run) -> None:
    result = run("score", SYSTEM, "-r", REFERENCE, "-q", "--level", "segment", "-w", "15")
    values = score([SYSTEM], [REFERENCE], level="segment").systems[0].segments[0]
    assert [float(line) for line in result.stdout.split()] == pytest.approx(values.tolist(), abs=1e-14)


def test_quiet_and_a_format_contradict_each_other(fails) -> None:
    assert "Use one of" in fails("score", SYSTEM, "-r", REFERENCE, "-q", "-f", "json")


def test_fail_under_prints_and_then_fails(run) -> None:
    result = run("score", SYSTEM, "system-strong.en", "-r", REFERENCE, "--fail-under", "20")
    assert result.exit_code == 1
    assert "system-strong.en" in result.stdout
    assert result.stderr == "understudy: system-weak.en: BLEU 10.1052 is below 20\n"


def test_fail_under_passes_at_the_very_value(run) -> None:
    value = score([SYSTEM], [REFERENCE]).systems[0].scores[0].value
    assert run("score", SYSTEM, "-r", REFERENCE, "--fail-under", repr(value)).exit_code == 0


def test_fail_under_looks_at_the_first_metric_only(run) -> None:
    metrics = ["-m", "bleu:max_order=1", "-m", "bleu"]
    assert run("score", SYSTEM, "-r", REFERENCE, *metrics, "--fail-under", "40").exit_code == 0


def test_fail_under_is_above_where_lower_is_better(run, monkeypatch) -> None:
    monkeypatch.setattr(BLEU, "higher_is_better", False)
    result = run(
        "score", SYSTEM, "system-strong.en", "-r", REFERENCE, "--fail-under", "20", "--level", "mean"
    )
    assert result.exit_code == 1
    assert "system-strong.en: BLEU" in result.stderr
    assert "is above 20" in result.stderr
    assert "BLEU ↓" in result.stdout


def test_fail_under_is_further_from_a_target(run) -> None:
    ratio = ["-m", "length-ratio", "--fail-under"]
    value = score([SYSTEM], [REFERENCE], ["length-ratio"]).systems[0].scores[0].value
    assert value < 100
    assert run("score", SYSTEM, "-r", REFERENCE, *ratio, repr(value)).exit_code == 0
    # The threshold may lie on the other side of 100: what counts is the distance.
    assert run("score", SYSTEM, "-r", REFERENCE, *ratio, repr(201 - value)).exit_code == 0
    result = run("score", SYSTEM, "-r", REFERENCE, *ratio, "101")
    assert result.exit_code == 1
    assert f"length ratio {value:.4f} is further from 100 than 101" in result.stderr


# --- the usual panel --------------------------------------------------------------------------------------


def test_all_is_the_usual_panel(run) -> None:
    named = [piece for spec in panel() for piece in ("-m", spec)]
    assert named[:2] == ["-m", "bleu"]
    assert named[-1] == "length-ratio"
    arguments = ["score", SYSTEM, "-r", REFERENCE, "--format", "tsv"]
    assert run(*arguments, "-m", "all").stdout == run(*arguments, *named).stdout
    more = run(*arguments, "-m", "wer", "-m", "ALL").stdout.splitlines()
    assert len(more) == len(panel()) + 2
    assert "\twer\t" in more[1]
    assert [metric.spec for metric in score([SYSTEM], [REFERENCE], ["all", "per"]).metrics] == [
        *panel(),
        "per",
    ]


def test_the_panel_takes_the_options_for_all(run) -> None:
    lines = run("score", SYSTEM, "-r", REFERENCE, "-m", "all", "--tokenize", "intl", "-f", "tsv").stdout
    assert all("|tok:intl|" in line for line in lines.splitlines()[1:] if "|tok:" in line)
    assert "bleu:tokenize=intl" in lines


def test_the_panel_and_one_of_it(fails) -> None:
    assert "metric 'bleu' is given twice" in fails(
        "score", SYSTEM, "-r", REFERENCE, "-m", "all", "-m", "bleu"
    )


def test_the_panel_is_not_one_metric(fails) -> None:
    said = fails("metrics", "all")
    assert "'all' is the default panel" in said
    assert "bleu" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nan"], "expected a finite number"), (["20", "--level", "segment"], "--level corpus or mean")],
)
def test_a_fail_under_that_cannot_be_meant(fails, arguments: list[str], said: str) -> None:
    assert said in fails("score", SYSTEM, "-r", REFERENCE, "--fail-under", *arguments)


def test_help_has_an_example_for_every_command(run: Callable) -> None:
    assert "understudy score nmt.txt -r ref.txt" in run("score", "--help").stdout
    for command in ("metrics", "tokenizers", "tokenize"):
        assert f"understudy {command}" in run(command, "-h").stdout


def test_letters_that_a_tokenizer_drops_are_told_of(run, tmp_path) -> None:
    russian, french = tmp_path / "ru.txt", tmp_path / "fr.txt"
    russian.write_text("Кошка сидела on the ковре.\n", encoding="utf-8")
    french.write_text("Le chat était assis sur le tapis de la maison.\n", encoding="utf-8")
    for stem in ("false", "true"):
        asked = ["score", str(russian), "-r", str(russian), "-m", f"rouge:use_stemmer={stem}", "-m", "bleu"]
        said = run(*asked).stderr
        assert "ROUGE-L (tokenizer rouge) discards 76% of the letters" in said  # 16 of 21
        assert "Use the tokenizer intl." in said
        assert "BLEU" not in said
    assert run("score", str(russian), "-r", str(russian), "-m", "rouge", "--tokenize", "intl").stderr == ""
    assert run("score", str(french), "-r", str(french), "-m", "rouge").stderr == ""


def test_words_are_not_taken_for_tags_in_silence(run, tmp_path) -> None:
    asked = ["score", SYSTEM, "-r", REFERENCE]
    said = run(*asked, "-m", "pos-bleu").stderr
    assert (
        f"'{REFERENCE}' appears to contain words, but POS-BLEU expects tags. Use pos-bleu:parser=auto" in said
    )
    tags = tmp_path / "tags.txt"
    penn = "CC CD DT EX FW IN JJ JJR JJS MD NN NNS NNP PDT POS PRP PRP$ RB RP SYM TO UH VB VBD VBG WDT WP WRB . ,"
    relations = (
        "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark nmod appos "
        "nummod acl amod det clf case conj cc fixed flat list parataxis compound orphan goeswith punct root dep"
    )
    positional = " ".join(
        f"NN{g}{n}{c}-----{p}----" for g in "MIFN" for n in "SP" for c in "1234567" for p in "AN"
    )
    tags.write_text(f"{penn}\n{penn.lower()}\n{relations}\n{positional}\n", encoding="utf-8")
    assert run("score", str(tags), "-r", str(tags), "-m", "pos-bleu").stderr == ""
