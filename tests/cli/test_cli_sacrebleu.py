"""`understudy sacrebleu` where sacreBLEU fails or its score is wrong. tests/parity has where both print the same."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.conftest import EXAMPLES, Run, Shell
from material.command_files import write_files
from material.file_server import FileServer, served
from material.small_sets import SETS, contents
from understudy.compat.sacrebleu import DATASETS, dataset

Fails = Callable[..., str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with the files of the table of command lines."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("understudy.compat.sacrebleu.dataset.base.SACREBLEU_DIR", str(tmp_path / "cache"))
    for name in ("SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def doubted(run: Run, fails: Fails) -> Callable[..., str]:
    """`doubted(...)` scores with a warning, which it returns; with --strict, it is an error."""

    def call(*arguments: str, **extra: bytes) -> str:
        result = run("sacrebleu", *arguments, **extra)
        assert result.exit_code == 0, result.output
        assert result.stdout
        (warning,) = [line for line in result.stderr.splitlines() if line.startswith("understudy: warning: ")]
        refused = fails("sacrebleu", "--strict", *arguments, **extra)
        assert refused.strip().removeprefix("understudy: error: ") in warning
        return warning

    return call


# --- scores that are wrong in sacreBLEU, with a warning ----------------------------------------------------


def test_a_byte_order_mark_is_scored_as_text(doubted: Callable[..., str], run: Run, folder: Path) -> None:
    (folder / "marked.txt").write_bytes(b"\xef\xbb\xbf" + (folder / "one.ref").read_bytes())
    assert "byte order mark" in doubted("one.ref", "-i", "marked.txt", "-b")
    assert run("sacrebleu", "one.ref", "-i", "marked.txt", "-b").stdout == "80.9\n"
    cured = run("sacrebleu", "one.ref", "-i", "marked.txt", "-b", "-e", "utf-8-sig")
    assert cured.stdout == "100.0\n"


def test_an_empty_reference_counts(doubted: Callable[..., str], folder: Path) -> None:
    (folder / "half.ref").write_text("Yes.\n\n")
    assert "reference 2 has 1 empty line," in doubted("two.ref", "half.ref", "-i", "two.txt")


def test_the_reference_as_a_system(doubted: Callable[..., str]) -> None:
    assert "system 'ref.txt' is identical to reference 1." in doubted("ref.txt", "-i", "ref.txt")


def test_one_line_with_a_tab_is_two_systems(doubted: Callable[..., str]) -> None:
    assert "2 systems" in doubted("one.ref", input=b"The cat\tsat on the mat.\n")


def test_empty_standard_input(doubted: Callable[..., str]) -> None:
    assert "standard input is empty" in doubted("one.ref", input=b"")


def test_lines_that_end_at_carriage_returns(doubted: Callable[..., str]) -> None:
    assert "1 lines end at a carriage return" in doubted("two.ref", input=b"Yes.\rIt rained.\n")


def test_systems_of_another_length_beside_a_selection(doubted: Callable[..., str], folder: Path) -> None:
    (folder / "more.de").write_text(
        (folder / "set.de").read_text(encoding="utf-8") + "Mehr.\n", encoding="utf-8"
    )
    at = ["-t", "wmt18", "-l", "en-de", "--origlang", "en"]
    assert "has 5 segments, the test set has 4" in doubted(*at, "-i", "more.de")


def test_the_encoding_of_a_test_set(doubted: Callable[..., str]) -> None:
    at = ["-t", "wmt18", "-l", "en-de", "-e", "latin-1"]
    assert "which are UTF-8" in doubted(*at, "-i", "set.de")


def test_no_system(doubted: Callable[..., str], fails: Fails) -> None:
    assert "nothing to score" in doubted("ref.txt", "-i")
    assert "nothing to score" in fails("sacrebleu", "ref.txt", "--paired-bs", "-i")


def test_seed_0_is_none_in_paired_tests(doubted: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    assert "SACREBLEU_SEED=0" in doubted("ref.txt", "-i", "strong.txt", "weak.txt", "-pbs", "-pbsn", "9")


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ("-m bleu", "Use --tokenize zh."),
        ("-m bleu -l zh-en", "Use --tokenize zh."),
        ("-m ter", "Use --ter-normalized --ter-asian-support."),
        ("-m ter --ter-asian-support", "Use --ter-normalized --ter-asian-support."),
    ],
)
def test_chinese_that_is_not_split_into_words(options: str, remedy: str, doubted: Callable[..., str]) -> None:
    warning = doubted("zh.ref", "-i", "zh.good", *options.split())
    assert "the references are Chinese text" in warning
    assert warning.endswith(remedy)


@pytest.mark.parametrize(
    "options",
    ["-tok zh", "-l en-zh", "-tok char", "-m chrf -cw 2", "-m ter --ter-normalized --ter-asian-support"],
)
def test_chinese_that_is_split_into_words(options: str, run: Run) -> None:
    result = run("sacrebleu", "zh.ref", "-i", "zh.good", "--strict", *options.split())
    assert (result.exit_code, result.stderr) == (0, "")


def test_japanese_that_ter_cannot_split(doubted: Callable[..., str], folder: Path) -> None:
    (folder / "ja.ref").write_text("今日は天気がいいので公園に行きましょう。\n", encoding="utf-8")
    (folder / "ja.txt").write_text("明日は天気がいいので公園に行きましょう。\n", encoding="utf-8")
    at = ["ja.ref", "-i", "ja.txt", "-m", "ter"]
    assert doubted(*at, "--ter-normalized", "--ter-asian-support").endswith("into words first.")


def test_columns_that_are_scored_as_text(doubted: Callable[..., str], run: Run, folder: Path) -> None:
    assert "reference 1 has a tab in every line" in doubted("columns.tsv", "-i", "weak.txt")
    assert "system 'columns.tsv' has a tab in every line" in doubted("ref.txt", "-i", "columns.tsv")
    rows = (folder / "columns.tsv").read_text(encoding="utf-8").splitlines()
    rows[2] += "\tone more"
    (folder / "three.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    assert "line 3 of the references has more columns than --num-refs 2" in doubted(
        "three.tsv", "-nr", "2", "-i", "weak.txt"
    )
    for fine in ("columns.tsv -nr 2 -i weak.txt", "ref.txt -i spaces.txt"):
        assert not run("sacrebleu", "--strict", *fine.split()).stderr


# --- what sacreBLEU fails at -------------------------------------------------------------------------------


def test_json_of_paired_tests_for_every_metric(run: Run) -> None:
    result = run(
        "sacrebleu", "ref.txt", "-i", "strong.txt", "weak.txt", "-m", "chrf", "ter", "-pbs", "-pbsn", "40"
    )
    baseline, weak = json.loads(result.stdout)
    assert list(baseline) == ["system", "chrF2", "TER"]
    assert baseline["TER"]["p_value"] is None
    assert weak["chrF2"]["p_value"] == pytest.approx(1 / 41)
    assert abs(weak["TER"]["mean"] - weak["TER"]["score"]) < 3


def test_citations(run: Run, fails: Fails) -> None:
    assert run("sacrebleu", "--cite", "-t", "wmt18").stdout.startswith(
        "@inproceedings{bojar-etal-2018-findings,"
    )
    without = run("sacrebleu", "--cite", "-t", "mtnt2019")
    assert (without.exit_code, without.stdout) == (0, "")
    assert without.stderr == "sacreBLEU: No citation found for mtnt2019\n"
    assert "unknown test set 'nosuch'" in fails("sacrebleu", "--cite", "-t", "nosuch")


def test_a_carriage_return_inside_a_hypothesis(run: Run) -> None:
    given = run("sacrebleu", "two.ref", "-b", "-w", "4", input=b"Yes.\rIndeed.\nIt rained the whole day.\n")
    assert (given.exit_code, given.stderr) == (0, "")


def test_an_empty_last_column(run: Run) -> None:
    systems = run("sacrebleu", "two.ref", input=b"Yes.\t\nIt rained.\tRain.\n")
    assert [row["system"] for row in json.loads(systems.stdout)] == ["System 1", "System 2"]


def test_an_empty_last_reference(run: Run, folder: Path) -> None:
    (folder / "refs.tsv").write_text("Yes.\t\nIt rained all day long.\tRain.\n")
    result = run("sacrebleu", "refs.tsv", "-nr", "2", "-i", "two.txt")
    assert json.loads(result.stdout)["nrefs"] == "2"


def test_detail_of_one_language(run: Run) -> None:
    at = ["-t", "wmt18", "-l", "en-de", "-i", "set.de", "--detail"]
    whole, chosen = (
        [line.split() for line in run("sacrebleu", *at, *more).stdout.splitlines()[1:]]
        for more in ([], ["--origlang", "en"])
    )
    assert chosen == [line for line in whole if line[0] == "origlang=en"] != []


def test_names_that_look_like_numbers_are_printed_as_they_are(run: Run, folder: Path) -> None:
    for name in ("0.25", "0.75"):
        (folder / name).write_bytes((folder / "weak.txt").read_bytes())
    shown = run("sacrebleu", "ref.txt", "-i", "0.25", "0.75", "-f", "text").stdout
    assert "│     0.25 │" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("ref.txt -i missing.txt", "'missing.txt' cannot be read: No such file or directory."),
        ("ref.txt -i cache", "'cache' cannot be read: Is a directory."),
        ("ref.txt -i broken.gz", "'broken.gz' cannot be read: "),
        ("ref.txt -i cut.gz", "'cut.gz' cannot be read: "),
        ("latin1.ref -i two.txt", "'latin1.ref': line 1 is not valid utf-8. Use --encoding"),
        ("ref.txt -i strong.txt -e nosuch", "unknown encoding 'nosuch'"),
        ("ref.txt -i strong.txt -e hex", "unknown encoding 'hex'"),
        ("one.ref -i one.txt -e utf-16", "is not valid utf-16"),
        ("ref.txt -i strong.txt -m chrf --chrf-beta -2", "beta=-2"),
        ("ref.txt -i strong.txt -s floor -sv nan", "smooth_value=nan"),
        ("ref.txt -i strong.txt -w -1", "--width: got -1, expected at least 0."),
        ("ref.txt -i strong.txt -l de", "--language-pair: got 'de', expected source and target"),
        ("--list -l de", "--language-pair: got 'de', expected source and target"),
        ("ref.txt -i strong.txt -m chrf -cc -1", "char_order=-1"),
        ("ref.txt -i strong.txt --origlang en", "give a test set and a language pair"),
        ("-t wmt18 -l en-de -i set.de --subset (", "'(' is not a regular expression"),
        ("-t mtnt2019 -l en-fr -i german.txt --origlang en", "no original languages"),
        ("--download nosuch", "unknown test set 'nosuch'. Use --list to see all."),
        ("--download wmt18 -l xx-yy", "'xx-yy'"),
        ("--list -t nosuch -l en-de", "unknown test set 'nosuch'"),
        ("--list -t wmt18 -l xx-yy", "unknown language pair 'xx-yy'"),
        (
            "ref.txt -m",
            "argument --metrics/-m: expected at least one argument. Try 'understudy sacrebleu --help'.",
        ),
        ("ref.txt -pbs -par", "not allowed with argument"),
    ],
)
def test_errors_of_one_line(arguments: str, said: str, fails: Fails, folder: Path) -> None:
    (folder / "broken.gz").write_text("no archive")
    (folder / "cut.gz").write_bytes(gzip.compress(b"text\n" * 1000)[:30])
    assert said in fails("sacrebleu", *arguments.split())


def test_which_lines_do_not_fit(run: Run) -> None:
    short = run("sacrebleu", "ref.txt", "-i", "short.txt")
    assert (short.exit_code, short.stdout) == (1, "")
    assert "system 'short.txt' has 59 segments, reference 1 has 60. Was a line lost?" in short.stderr
    uneven = run("sacrebleu", "two.ref", input=b"One.\nTwo\tand three.\n")
    assert uneven.exit_code == 17
    assert "standard input: line 2 has 2 fields, line 1 has 1." in uneven.stderr


def test_an_unknown_set_to_list(run: Run) -> None:
    result = run("sacrebleu", "--list", "-t", "nosuch")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "unknown test set 'nosuch'" in result.stderr
    assert run("sacrebleu", "--list", "-t", "nosuch", "--strict").exit_code == 2


def test_help_and_version(run: Run) -> None:
    shown = run("sacrebleu", "--help")
    assert shown.exit_code == 0
    assert "--strict" in shown.stdout
    assert run("sacrebleu", "-V").stdout == "sacrebleu 2.6.0\n"


# --- downloads ---------------------------------------------------------------------------------------------


@pytest.fixture
def server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:  # noqa: ARG001
    """A publisher of two small sets."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with served() as running:
        running.files.update(contents())
        for name in ("plain", "xml"):
            facts = SETS[name].facts(name, running.address)
            made = getattr(dataset, SETS[name].sacrebleu)(
                name,
                data=[url for url, _ in facts["files"]],
                md5=[digest for _, digest in facts["files"]],
                langpairs=SETS[name].pairs,
                refs=facts.get("references", []),
            )
            monkeypatch.setitem(DATASETS, name, made)
        yield running


def test_a_named_set_is_downloaded_once(run: Run, server: FileServer, folder: Path) -> None:
    (folder / "three.txt").write_text("Eins.\nZwei.\nVier.\n")
    at = ["sacrebleu", "-t", "plain", "-l", "en-de", "-i", "three.txt", "-b"]
    first, second = run(*at), run(*at)
    assert first.exit_code == 0, first.output
    assert first.stdout == second.stdout
    assert first.stderr == f"understudy: downloading {server.address}/plain.zip\n"
    assert second.stderr == ""
    assert [path for path, _ in server.requests] == ["/plain.zip"]


def test_download_list_and_echo_bring_a_set(run: Run, server: FileServer, folder: Path) -> None:
    assert run("sacrebleu", "--download", "plain").exit_code == 0
    assert (folder / "cache" / "plain" / "plain.de-en.src").read_text() == "Eins.\nZwei.\nDrei.\n"
    listed = run("sacrebleu", "--list", "-t", "xml").stdout
    assert listed == "en-de: src, ref:refA, ref:refB, docid, origlang, ONLINE-A, NMT, domain\n"
    assert (
        run("sacrebleu", "-t", "xml", "-l", "en-de", "--echo", "NMT").stdout
        == "Ein Kater saß.\nRegen.\nzuerst\ndann\n"
    )
    assert len(server.requests) == 2


def test_echo_brings_a_set_whose_fields_are_known(run: Run, server: FileServer) -> None:
    result = run("sacrebleu", "-t", "plain", "-l", "de-en", "--echo", "src")
    assert (result.exit_code, result.stdout) == (0, "Eins.\nZwei.\nDrei.\n"), result.output
    assert result.stderr == f"understudy: downloading {server.address}/plain.zip\n"


def test_a_download_that_fails_leaves_nothing(run: Run, server: FileServer, folder: Path) -> None:
    server.files["/plain.zip"] = b"something else"
    result = run("sacrebleu", "-t", "plain", "-l", "en-de", "-i", "two.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    begun, error = result.stderr.splitlines()
    assert "has the checksum md5:" in error
    left = [path for path in (folder / "cache" / "plain").rglob("*") if path.is_file()]
    assert [path for path in left if path.suffix != ".lock"] == []
    assert begun.endswith("/plain.zip")


def test_no_network(run: Run, server: FileServer) -> None:
    server.shutdown()
    server.server_close()
    result = run("sacrebleu", "-t", "plain", "-l", "en-de", "-i", "two.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "could not be downloaded" in result.stderr.splitlines()[-1]


# --- as a program ------------------------------------------------------------------------------------------


def test_all_entry_points(shell: Shell) -> None:
    arguments = ["reference-1.en", "-i", "system-strong.en", "-b"]
    installed = "from understudy.compat.sacrebleu import install; install(); import sacrebleu.sacrebleu as s; s.main()"
    programs = [
        subprocess.run(
            [sys.executable, *how, *arguments], capture_output=True, check=True, cwd=EXAMPLES
        ).stdout
        for how in (["-m", "understudy.compat.sacrebleu"], ["-c", installed])
    ]
    assert [shell("sacrebleu", *arguments).stdout, *programs] == [b"57.8\n"] * 3


def test_a_closed_pipe(shell: Shell) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [sys.executable, "-m", "understudy", "sacrebleu", "reference-1.en", "-i", "system-strong.en", "-sl"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        cwd=EXAMPLES,
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (141, b"")
    assert shell("sacrebleu", "reference-1.en", stdin=subprocess.DEVNULL).returncode == 1


def test_an_interrupt() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "understudy", "sacrebleu", "reference-1.en", "-q"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=EXAMPLES,
    )
    assert process.stdin is not None
    process.stdin.write(b"a\n" * 200_000)  # more than a pipe holds: once it is written, the program reads
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said.strip()) == (130, b"")


def test_no_sacrebleu_is_loaded(folder: Path) -> None:
    """Nor what scores of files do not need."""
    code = (
        "import sys; sys.argv = ['understudy', 'sacrebleu', 'one.ref', '-i', 'one.txt']\n"
        "from understudy.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    loaded = run.stdout.split()
    unneeded = {
        "sacrebleu",
        "tabulate",
        "colorama",
        "understudy.compat.sacrebleu.dataset",
        "understudy.downloads",
    }
    assert "understudy.compat.sacrebleu.metrics" in loaded
    assert unneeded.isdisjoint(loaded)
