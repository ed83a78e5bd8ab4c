"""Bad input and usage: one line that says what to do, exit code 2, never a traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from material.optional import needs_packages

GOOD = ["system-weak.en", "-r", "reference-1.en"]
pytestmark = pytest.mark.usefixtures("examples")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "missing argument 'SYSTEM...'. Try 'understudy score --help'."),
        (["score", "system-weak.en"], "missing option '-r'"),
        (["score", *GOOD, "--formt", "json"], "unknown option '--formt'. Did you mean '--format' or"),
        (["score", *GOOD, "--json"], "unknown option '--json'. Use --format json. Try"),
        (["models", "--json"], "unknown option '--json'. Use --format json. Try"),
        (["models", "--latex"], "unknown option '--latex'. Try"),
        (
            ["track", "report", "-o", "x.html"],
            "'-o'. Give the file without it: understudy track report FILE. Try",
        ),
        (["judge", "restore", "-o", "x.html"], "unknown option '-o'. Try"),
        (["score", *GOOD, "--format", "xml"], "'xml' is not one of"),
        (["score", *GOOD, "--level", "document"], "'document' is not one of"),
        (["score", *GOOD, "--threads", "0"], "'--threads': expected an integer of at least 1, got '0'."),
        (["score", *GOOD, "--threads", "0"], "error: invalid value for '--threads'"),
        (["score", *GOOD, "--level"], "error: option '--level' requires an argument."),
        (["score", *GOOD, "-w", "two"], "'--width': expected an integer from 0 to 15, got 'two'."),
        (["completion", "bash", "zsh"], "got unexpected extra argument (zsh). Try"),
        (["compare", *GOOD, "--significance", "nan"], "expected a number between 0 and 1, got 'nan'."),
        (["compare", *GOOD, "--significance", "1"], "expected a number between 0 and 1, got '1'."),
        (["score", *GOOD, "--level"], "requires an argument. Try 'understudy score --help'."),
        (["score", *GOOD, "--fail-under", "high"], "'--fail-under': expected a number, got 'high'."),
        (["scroe"], "unknown command 'scroe'. Did you mean 'score'"),
        (["--verbos"], "--verbos"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
        (["completion"], "missing argument 'SHELL'. Choose from: bash, zsh, fish. Try"),
        (["explain"], "missing argument 'SYSTEM'."),
        (["metrics", "blue"], "unknown metric 'blue'. Did you mean 'bleu' or 'bleurt'?"),
        (["tokenize", "--tokenizer", "14a"], "unknown tokenizer '14a'. Did you mean '13a'?"),
    ],
)
def test_usage(fails, arguments: list[str], said: str) -> None:
    assert said in fails(*arguments)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("blue", "unknown metric 'blue'. Did you mean 'bleu' or 'bleurt'?"),
        ("", "unknown metric ''. Known: bertscore, bleu, bleurt, cder,"),
        ("bleu:tokenzie=intl", "bleu: unknown parameter 'tokenzie'. Did you mean 'tokenize'?"),
        ("bleu:tokenize=int", "unknown tokenizer 'int'. Did you mean 'intl'?"),
        ("bleu:max_order=four", "max_order=four: expected an integer"),
        ("bleu:max_order=0", "expected an integer from 1 to 100"),
        ("bleu:papineni", "unknown preset 'papineni'. Did you mean 'papineni2002'?"),
        ("bleu:lowercase=true,lowercase=false", "set twice"),
        pytest.param("bleu:tokenize=spm:no.model", "no.model", marks=needs_packages("sentencepiece")),
        ("bleu,chrf++,ter", "contains several metrics. Repeat -m for each: -m bleu -m chrf++ -m ter."),
        ("bleu,nonsense", "unknown metric 'bleu,nonsense'"),
    ],
)
def test_specs(fails, spec: str, said: str) -> None:
    assert said in fails("score", *GOOD, "-m", spec)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "--seed", "12345"], "--seed has no effect: add --ci, or omit it."),
        (
            ["score", "--samples", "10", "--interval", "bca", "--seed", "1"],
            "--interval, --samples and --seed have no effect: add --ci, or omit them.",
        ),
        (
            ["compare", "--lower-is-better", "x"],
            "--lower-is-better has no effect: add --scores, or omit it",
        ),
        (
            ["compare", "--test", "ttest", "--samples", "10"],
            "--samples has no effect: use --test auto, bootstrap, randomization, multeval or "
            "permutation, or omit it.",
        ),
        (
            ["compare", "--blocks", "20", "--block-size", "2"],
            "--blocks and --block-size have no effect: add --test blocks",
        ),
        (["compare", "--by-document"], "--by-document has no effect: add --test blocks, or omit it."),
        (
            ["compare", "--test", "blocks", "--by-document", "--block-size", "2"],
            "--block-size cannot be combined with --by-document. Omit one of them.",
        ),
        (
            ["compare", "--test", "blocks", "--blocks", "20", "--block-size", "2"],
            "--blocks cannot be combined with --block-size. Omit one of them.",
        ),
    ],
)
def test_options_that_change_nothing(fails, arguments: list[str], said: str) -> None:
    """Even if they say what is the default anyway."""
    verb, *more = arguments
    assert said in fails(verb, "system-strong.en", *GOOD, *more)


@pytest.mark.parametrize("more", [["-m", "bleu"], ["--tokenize", "13a"], ["--level", "corpus"], ["-r", "x"]])
def test_scores_have_no_text(fails, tmp_path, more: list[str]) -> None:
    (scores := tmp_path / "comet.tsv").write_text("a\tb\n1\t2\n2\t5\n1\t4\n")
    said = fails("compare", "--scores", str(scores), *more)
    assert "has no effect: give SYSTEM files instead of --scores, or omit it." in said


def test_a_metric_given_twice(fails) -> None:
    assert "metric 'bleu' is given twice. Omit one of them." in fails(
        "score", *GOOD, "-m", "bleu", "-m", "bleu:sacrebleu"
    )


def test_a_shorthand_without_effect(fails) -> None:
    said = "--parser has no effect: the metrics do not have this parameter, or set it themselves. Omit it."
    assert said in fails("score", *GOOD, "--parser", "english")


def test_a_missing_file(fails) -> None:
    assert "no such file: 'system-week.en'. Did you mean 'system-weak.en'" in fails(
        "score", "system-week.en", "-r", "reference-1.en"
    )
    assert "'nope'" in fails("score", "system-weak.en", "-r", "nope")
    assert "'nope'" in fails("tokenize", "nope")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_several_metrics_after_one_option(fails, command: str) -> None:
    said = "no such file: 'chrf++'. For a metric, repeat -m: -m chrf++."
    assert said in fails(command, *GOOD, "-m", "bleu", "chrf++", "ter")


def test_a_file_named_as_a_metric_is_a_file(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ter", "ref.txt"):
        Path(name).write_text("a cat\n")
    assert run("score", "ter", "-r", "ref.txt").exit_code == 0


def test_a_directory(fails, tmp_path: Path) -> None:
    assert "is a directory" in fails("score", str(tmp_path), "-r", "reference-1.en")


def test_unequal_lengths(fails, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("a\n" * 59)
    message = fails("score", str(short), "-r", "reference-1.en")
    assert " 59" in message
    assert " 60" in message
    assert "short.txt" in message
    assert "Was the last line lost?" in message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("latin1.txt", b"caf\xe9\n", "is not UTF-8"),
        ("utf16.txt", "a\n".encode("utf-16"), "UTF-16"),
        ("false.txt.gz", b"plain\n", "does not contain gzip data"),
        ("empty.txt", b"", "empty"),
    ],
)
def test_damaged_files(fails, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path, reference = tmp_path / name, tmp_path / "ref.txt"
    path.write_bytes(content)
    reference.write_bytes(content if name == "empty.txt" else b"a\n")
    assert said in fails("score", str(path), "-r", str(reference))


def test_an_empty_file_against_a_full_one(fails, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    message = fails("score", str(tmp_path / "empty.txt"), "-r", "reference-1.en")
    assert " 0." in message or " 0 segments" in message


def test_a_name_with_a_line_break_still_gives_one_line(fails) -> None:
    fails("score", "no\nsuch.txt", "-r", "reference-1.en")


@pytest.mark.parametrize("failure", [KeyboardInterrupt, EOFError])
def test_an_interrupt(run, monkeypatch, failure: type[BaseException]) -> None:
    def interrupted(*_arguments: Any, **_options: Any) -> None:
        raise failure

    monkeypatch.setattr("understudy.scoring.run.score", interrupted)
    result = run("score", *GOOD)
    assert result.exit_code == 130
    assert result.output.strip() == ""


def test_no_command_shows_the_help_and_fails(run) -> None:
    result = run()
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Commands:" in result.stderr


def test_an_option_for_all_metrics_names_the_one_that_refuses_it(fails) -> None:
    text = ["score", "system-weak.en", "-r", "reference-1.en"]
    said = fails(*text, "-m", "bleu", "-m", "pos-bleu", "--tokenize", "intl")
    assert (
        "--tokenize applies to all metrics, but is invalid for pos-bleu: tokenize='intl': expected none."
        in said
    )
    assert "-m NAME:tokenize=intl." in said
    assert "bleu: unknown tokenizer 'int'. Did you mean 'intl'?" in fails(*text, "--tokenize", "int")
