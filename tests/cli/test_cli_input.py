"""What users type and give by habit: files of pandas, several references after one -r, sacreBLEU's options."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

from material.optional import needs_packages
from understudy import metric
from understudy.cli.sacrebleu_flags import HINTS
from understudy.metrics.base.registry import metrics

GOOD = ["system-weak.en", "-r", "reference-1.en"]
pytestmark = pytest.mark.usefixtures("examples")


# --- TSV with quoted cells -------------------------------------------------------------------------------


def _table(path: Path, *, quoting: int) -> None:
    hypotheses, references = (Path(name).read_text("utf-8").splitlines() for name in (GOOD[0], GOOD[2]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", quoting=quoting, quotechar='"', escapechar="\\")  # type: ignore[arg-type]
        writer.writerow(["", "hyp", "ref"])
        for row, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
            writer.writerow([row, f'"{hypothesis}" said "he"', f'"{reference}" said "he"'])


@pytest.mark.parametrize("command", ["score", "compare", "explain", "trust", "parse"])
def test_every_command_that_reads_tables_has_the_switch(run, command: str) -> None:
    assert "--tsv-quoting [auto|csv|none]" in run(command, "--help").stdout


def test_quoted_tables_score_as_the_text_they_hold(run, fails, tmp_path: Path) -> None:
    quoted = tmp_path / "quoted.tsv"
    _table(quoted, quoting=csv.QUOTE_MINIMAL)
    texts = [tmp_path / "hyp.txt", tmp_path / "ref.txt"]
    for text, name in zip(texts, (GOOD[0], GOOD[2]), strict=True):
        lines = Path(name).read_text("utf-8").splitlines()
        text.write_text("".join(f'"{line}" said "he"\n' for line in lines), "utf-8")
    expected = run("score", str(texts[0]), "-r", str(texts[1]), "-q", "-w", "15").stdout
    own = ["score", str(quoted), "-r", str(quoted), "-q", "-w", "15"]
    assert run(*own).stdout == run(*own, "--tsv-quoting", "csv").stdout == expected
    assert run(*own, "--tsv-quoting", "none").stdout != expected
    assert "'cvs' is not one of 'auto', 'csv', 'none'" in fails(*own, "--tsv-quoting", "cvs")


def test_the_switch_ends_with_the_command(run, fails, tmp_path: Path) -> None:
    doubtful = tmp_path / "all.tsv"
    doubtful.write_text('hyp\tref\n"a b c d"\t"a b c d"\n', "utf-8")
    own = ["score", str(doubtful), "-r", str(doubtful), "-q"]
    assert run(*own, "--tsv-quoting", "none").exit_code == 0
    assert "Use --tsv-quoting csv if cells are quoted" in fails(*own)


# --- references among systems ----------------------------------------------------------------------------


NAMED = "is scored as a system, but is named like a reference. For a second reference, repeat -r:"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_system_that_is_named_like_a_reference_is_questioned(run, command: str) -> None:
    result = run(command, "system-weak.en", "-r", "reference-1.en", "reference-2.en")
    assert result.exit_code == 0
    assert result.stderr == (
        f"understudy: warning: 'reference-2.en' {NAMED} -r reference-1.en -r reference-2.en. "
        "To suppress this warning, use NAME=reference-2.en.\n"
    )
    assert run(command, "system-weak.en", "B=reference-2.en", "-r", "reference-1.en").stderr == ""


def test_trust_questions_systems_too(run) -> None:
    systems = ["system-weak.en", "system-strong.en", "system-medium.en"]
    judged = ["--human", "judgments.tsv", "--measure", "adequacy", "--samples", "10"]
    result = run("trust", *systems, "reference-2.en", "-r", "reference-1.en", *judged)
    assert result.exit_code == 0
    assert f"'reference-2.en' {NAMED}" in result.stderr


def test_a_copy_of_a_reference_is_questioned_whatever_its_name(run, tmp_path: Path) -> None:
    copy = tmp_path / "nmt.txt"
    copy.write_bytes(Path("reference-1.en").read_bytes())
    for written in (str(copy), f"mine={copy}"):
        result = run("score", written, "-r", "reference-2.en", "-r", "reference-1.en", "-q")
        assert result.stderr == (
            f"understudy: warning: '{copy}' is scored as a system, but is identical to the reference "
            "'reference-1.en'.\n"
        )


@pytest.mark.parametrize(
    "name", ["refB.txt", "wmt.ref", "newstest.refA.de", "Reference_2.txt.gz", "set.ref-01.txt"]
)
def test_names_of_references(run, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(Path("system-weak.en").read_bytes())
    if name.endswith(".gz"):
        (tmp_path / name).rename(tmp_path / name.removesuffix(".gz"))
        name = name.removesuffix(".gz")
    assert NAMED in run("score", str(tmp_path / name), "-r", "reference-1.en", "-q").stderr


@pytest.mark.parametrize(
    "name", ["refined.txt", "preference.txt", "system.en", "href2.txt", "refs-dir/nmt.txt"]
)
def test_names_of_systems(run, name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(Path("system-weak.en").read_bytes())
    assert run("score", str(tmp_path / name), "-r", "reference-1.en", "-q").stderr == ""


def test_a_reference_among_systems_is_questioned_and_alone_is_meant(run) -> None:
    systems = ["reference-1.en", "system-weak.en"]
    said = "'reference-1.en' is scored as a system, but is identical to the reference 'reference-1.en'."
    assert run("compare", *systems, "-r", "reference-1.en").stderr == f"understudy: warning: {said}\n"
    assert run("score", "reference-1.en", "-r", "reference-1.en").stderr == ""


def test_a_table_that_holds_system_and_reference_is_no_copy(run, tmp_path: Path) -> None:
    table = tmp_path / "all.tsv"
    table.write_text("hyp\tref\na b c d\ta b c e\n", "utf-8")
    assert run("score", str(table), "-r", str(table), "-q").stderr == ""


# --- sets of SGML, metrics and presets that do not exist -------------------------------------------------


def test_a_submission_in_a_source_set_is_scored_with_one_warning(run, tmp_path: Path) -> None:
    segments = [f"<seg id={row}>{text}</seg>" for row, text in enumerate(["a b c d", "e f g h"], start=1)]
    doc = f"<doc docid=d sysid=X>{''.join(segments)}</doc>"
    for name, tag in (("sys.sgm", "srcset"), ("gold.sgm", "refset")):
        (tmp_path / name).write_text(f"<{tag} setid=s>{doc}</{tag}>", "utf-8")
    system = str(tmp_path / "sys.sgm")
    # WNM looks at documents, for which the file is opened once more.
    result = run("score", system, "-r", str(tmp_path / "gold.sgm"), "-m", "bleu", "-m", "wnm", "-q")
    assert result.stdout.startswith("100.00\n")
    assert result.stderr == (
        f"understudy: warning: '{system}' contains a <srcset>, expected a <tstset>. Its only text is used as "
        f"a system.\n"
    )


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("xcomet-xl", "comet"),
        ("WMT22-cometkiwi-da:gpus=0", "comet"),
        ("unite", "comet"),
        ("bleurt-20", "bleurt"),
        ("metricx-24", "metricx"),
    ],
)
def test_models_are_given_to_metrics(fails, name: str, metric: str) -> None:
    short = name.partition(":")[0].lower()
    assert fails("score", *GOOD, "-m", name) == (
        f"understudy: error: '{short}' is a model, not a metric. Use {metric}:model={short} if it is on this machine "
        f"(see understudy models), or {metric}:model=FOLDER.\n"
    )


@needs_packages("torch", "transformers", "sentencepiece")  # a missing extra is named before a missing model
@pytest.mark.parametrize(
    "more", [[], GOOD[1:], ["--source", "source.de"], [*GOOD[1:], "--source", "source.de"]]
)
@pytest.mark.parametrize("name", ["comet", "metricx"])
def test_a_model_that_is_not_there_is_named_first(fails, name: str, more: list[str]) -> None:
    """It is not known whether such a model reads references or sources."""
    assert "no model 'nowhere' on this machine" in fails(
        "score", GOOD[0], "-m", f"{name}:model=nowhere", *more
    )


def test_another_spelling_of_a_learned_metric(fails) -> None:
    assert "Did you mean 'bertscore'" in fails("score", *GOOD, "-m", "bert-score")


@pytest.mark.parametrize("name", ["gemba-mqm", "moverscore", "prism", "yisi"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_neural_metrics_are_brought_as_scores(fails, command: str, name: str) -> None:
    said = fails(command, *GOOD, "-m", name)
    short = name.partition(":")[0].lower()
    assert said == (
        f"understudy: error: '{short}' is a neural metric, which is not built in. Compute segment scores with "
        f"its own program and use understudy compare --scores FILE or understudy trust --scores FILE. FILE is "
        f"TSV or CSV with columns system, seg and {short}.\n"
    )


@pytest.mark.parametrize("name", metrics())
def test_no_message_about_presets_ends_in_nothing(fails, name: str) -> None:
    said = fails("score", *GOOD, "-m", f"{name}:no-such")
    assert "unknown preset 'no-such'. " in said
    assert re.search(r"(Known: \S+.*|Did you mean .+\?|has no presets\. .+)\n$", said)
    assert "Known: ." not in fails("explain", *GOOD, "-m", name, "--against", "no-such")


def test_a_metric_without_presets_names_its_parameters(fails) -> None:
    assert fails("score", *GOOD, "-m", "cder:jiwer") == (
        "understudy: error: cder: unknown preset 'jiwer'. CDER has no presets. Its parameters are lowercase, "
        "tokenize, ref_length; use NAME=VALUE.\n"
    )


# --- sacreBLEU's options ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["-tok", "intl"],
            "-tok is a sacreBLEU option. Use --tokenize NAME for all metrics, or -m bleu:tokenize",
        ),
        (
            ["-i", "system-weak.en"],
            "-i is a sacreBLEU option. Systems are arguments, references follow -r",
        ),
        (["-lc"], "-lc is a sacreBLEU option. Use --lowercase"),
        (
            ["--chrf-word-order", "2"],
            "Use -m chrf:word_order=N, such as -m chrf:word_order=2, or -m chrf++ for short.",
        ),
        (["-cw", "2"], "-cw is a sacreBLEU option. Use -m chrf:word_order=N"),
        (["-b"], "-b is a sacreBLEU option. Use understudy score --quiet."),
        (["-qb"], "-b is a sacreBLEU option."),
        (["-ol", "en"], "-ol is a sacreBLEU option."),  # click would write to a file called l
        (
            ["--paired-bs-n=500"],
            "--paired-bs-n is a sacreBLEU option. Use understudy compare BASELINE SYSTEM",
        ),
        (["-ci"], "-ci is a sacreBLEU option. Use understudy score --ci."),
    ],
)
def test_options_of_sacrebleu(fails, arguments: list[str], said: str) -> None:
    assert said in fails("score", *GOOD, *arguments)


@pytest.mark.parametrize("command", ["score", "compare", "explain", "trust"])
def test_all_options_of_sacrebleu_are_known_or_answered(run, command: str) -> None:
    pytest.importorskip("sacrebleu")
    shown = subprocess.run(
        [sys.executable, "-m", "sacrebleu", "--help"], capture_output=True, text=True, check=True
    ).stdout
    theirs = {
        flag
        for line in re.findall(r"^  (-.*?)(?:  .*)?$", shown, re.MULTILINE)
        for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line)
    }
    assert {"-tok", "--tokenize", "--paired-bs-n", "-b", "--ter-no-punct", "-ol"} <= theirs
    assert set(HINTS) <= theirs
    ours = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", run(command, "--help").stdout))
    for flag in theirs - set(HINTS):
        assert flag in ours or flag in {"-V", "--version", "-q", "--quiet"}, flag
    for flag in set(HINTS) - ours:
        result = run(command, flag)
        assert result.exit_code == 2
        assert f"error: {flag} is a sacreBLEU option. " in result.stderr, flag


def test_other_unknown_options_are_what_they_were(fails) -> None:
    assert "unknown option '--formt'" in fails("score", *GOOD, "--formt")
    assert "unknown option '-x'" in fails("score", *GOOD, "-x")


def test_specs_in_hints_work() -> None:
    specs = [spec.strip(".,:") for hint in HINTS.values() for spec in re.findall(r"-m (\S+)", hint)]
    complete = [
        spec for spec in specs if not re.search(r"[A-Z]", spec) and spec != "for"
    ]  # "repeat -m for each"
    assert len(complete) > 15
    for spec in complete:
        metric(spec)
