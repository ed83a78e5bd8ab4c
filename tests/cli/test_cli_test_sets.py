"""Test sets by name on the command line: -t in every verb, and `understudy data`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from material.file_server import FileServer, closed_address, served
from material.judged_set_folders import write_mt_metrics_eval
from material.small_sets import contents, listed_at, tgz
from understudy.corpus.test_sets.stored_sets import stored_set
from understudy.downloads import download

Run = Callable[..., Result]
Fails = Callable[..., str]
Shell = Callable[..., Any]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with served() as running:
        running.files.update(contents())
        listed_at(running.address, monkeypatch, home)
        yield running


@pytest.fixture
def stored(server: FileServer) -> FileServer:
    """With two sets on this machine."""
    stored_set("xml", "en-de").get(download)
    stored_set("sgm", "en-de").get(download)
    server.requests.clear()
    return server


@pytest.fixture
def system(tmp_path: Path, stored: FileServer) -> Path:  # noqa: ARG001
    """A system of the set xml."""
    path = tmp_path / "nmt.txt"
    path.write_text("Eine Katze saß.\nEs regnet.\nerstens <3\nzweites\n", encoding="utf-8")
    return path


def test_score(run: Run, system: Path) -> None:
    result = run("score", str(system), "-t", "xml", "-l", "en-de", "-m", "chrf", "-f", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["segments"] == 4
    assert found["test_set"]["name"] == "xml"
    assert found["test_set"]["citation"].startswith("@inproceedings{xml-2020,")
    reference = stored_set("xml", "en-de").path("ref:refA")
    plain = json.loads(run("score", str(system), "-r", str(reference), "-m", "chrf", "-f", "json").stdout)
    assert found["systems"] == plain["systems"]


def test_score_all_systems_of_the_set(run: Run, stored: FileServer) -> None:
    result = run("score", "-t", "xml", "-l", "en-de", "-f", "tsv")
    assert result.exit_code == 0, result.output
    assert [line.split("\t")[0] for line in result.stdout.splitlines()[1:]] == ["NMT", "ONLINE-A"]
    assert stored.requests == []


def test_table_and_latex_name_the_set(run: Run, system: Path) -> None:
    shown = run("score", str(system), "-t", "xml", "-l", "en-de", "--origlang", "de").stdout
    assert "2 segments of xml en-de (origlang de), 1 reference" in shown
    paper = run("score", str(system), "-t", "xml", "-l", "en-de", "-f", "latex").stdout
    assert r"4 segments of xml en-de~\cite{xml-2020}, 1 reference" in paper
    assert "% @inproceedings{xml-2020,\n" in paper


def test_several_sets(run: Run, fails: Fails, system: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.txt"
    both.write_text(system.read_text(encoding="utf-8") + "eins\nzwei\ndrei\nvier\nfünf\n", encoding="utf-8")
    result = run("score", str(both), "-t", "xml,sgm", "-l", "en-de", "-f", "json")
    assert json.loads(result.stdout)["segments"] == 9
    assert "'xml,sgm en-de' has 9" in fails("score", str(system), "-t", "xml,sgm", "-l", "en-de")


def test_further_references_are_said(run: Run, system: Path) -> None:
    result = run("score", str(system), "-t", "xml", "-l", "en-de", "-r", str(system))
    assert "1 reference of xml en-de, and 1 more from -r." in result.stderr
    assert "4 segments of xml en-de, 2 references" in result.stdout


def test_the_pair_selects_the_tokenizer(run: Run, stored: FileServer) -> None:  # noqa: ARG001
    result = run("score", "NMT", "-t", "xml", "-l", "en-de", "--format", "tsv")
    assert "tok:13a" in result.stdout


def test_compare_explain_and_probe(run: Run, system: Path) -> None:
    at = ["-t", "xml", "-l", "en-de"]
    compared = run("compare", "NMT", str(system), *at, "-f", "json")
    assert json.loads(compared.stdout)["test_set"]["pair"] == "en-de"
    explained = run("explain", str(system), *at, "--against", "nltk", "-f", "json")
    assert json.loads(explained.stdout)["test_set"]["name"] == "xml"
    probed = run("probe", "NMT", *at, "--what", "permutations")
    assert probed.exit_code == 0, probed.output
    assert "4 segments" in probed.stdout


def test_compare_breaks_down_by_domain(run: Run, stored: FileServer) -> None:  # noqa: ARG001
    result = run("compare", "-t", "xml", "-l", "en-de", "--breakdown")
    assert result.exit_code == 0, result.output
    assert "social" in result.stdout


def test_track_names_the_run_after_the_set(run: Run, system: Path, tmp_path: Path) -> None:
    track = str(tmp_path / "track.db")
    added = run("track", "add", "one", str(system), "-t", "xml", "-l", "en-de", "--track", track)
    assert "on test set xml en-de." in added.stderr
    again = run("track", "add", "two", "NMT", "-t", "xml", "-l", "en-de", "--track", track)
    assert again.exit_code == 0, again.output


def test_decide_and_tune_take_the_references(run: Run, stored: FileServer, tmp_path: Path) -> None:  # noqa: ARG001
    lists = tmp_path / "list.nbest"
    lists.write_text(
        "".join(
            f"{row} ||| {text} ||| lm= {score} tm= {row} ||| {score}\n"
            for row in range(4)
            for text, score in (("Eine Katze", -1), ("Es regnete heute.", -2))
        ),
        encoding="utf-8",
    )
    decided = run("decide", str(lists), "--method", "oracle", "-t", "xml", "-l", "en-de")
    assert decided.exit_code == 0, decided.output
    assert decided.stdout.splitlines()[:2] == ["Eine Katze", "Es regnete heute."]
    tuned = run("tune", str(lists), "-t", "xml", "-l", "en-de", "--restarts", "0", "--held-out", "0")
    assert tuned.exit_code == 0, tuned.output


def test_judge_new(run: Run, system: Path, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    made = run(
        *("judge", "new", str(tmp_path / "campaign"), str(system), "NMT", "-t", "xml", "-l", "en-de"),
        *("--protocol", "da", "--judges", "1", "--documents"),
    )
    assert made.exit_code == 0, made.output


def test_trust_with_other_human_scores(run: Run, system: Path, tmp_path: Path) -> None:
    human = tmp_path / "human.tsv"
    scores = {"NMT": [1, 2, 3, 5], "ONLINE-A": [2, 5, 3, 4], "nmt": [5, 4, 5, 3]}
    rows = [f"{name}\t{seg}\t{score}" for name, of in scores.items() for seg, score in enumerate(of, start=1)]
    human.write_text("\n".join(["system\tseg\tscore", *rows, ""]), encoding="utf-8")
    result = run(
        *("trust", str(system), "NMT", "ONLINE-A", "-t", "xml", "-l", "en-de", "--human", str(human)),
        *("--samples", "20", "-f", "json"),
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)


def test_folders_of_flores(run: Run, tmp_path: Path) -> None:
    (tmp_path / "devtest").mkdir()
    for language in ("eng_Latn", "zho_Hans"):
        text = "我 们。\n你好。\n" if language == "zho_Hans" else "We.\nHello.\n"
        (tmp_path / "devtest" / f"{language}.devtest").write_text(text, encoding="utf-8")
    output = tmp_path / "output.txt"
    output.write_text("我们。\n你好。\n", encoding="utf-8")
    result = run("score", str(output), "-t", f"flores200:{tmp_path}", "-l", "eng_Latn-zho_Hans", "-f", "tsv")
    assert result.exit_code == 0, result.output
    assert "tok:zh" in result.stdout
    echoed = run("data", "echo", f"flores200:{tmp_path}", "eng_Latn-zho_Hans", "all")
    assert echoed.stdout == "We.\t我 们。\nHello.\t你好。\n"


def test_judged_sets_in_one_command(run: Run, server: FileServer, home: Path, tmp_path: Path) -> None:
    folder = write_mt_metrics_eval(tmp_path / "judged-v2" / "wmt99")
    files = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    server.files["/judged-v2.tgz"] = tgz(files)
    at = ["-m", "bleu", "-m", "chrf", "--human", "mqm", "--samples", "50", "-f", "json"]
    by_name = run("trust", "-t", "mtme:wmt99:refA", "-l", "de-en", "--download", *at)
    assert by_name.exit_code == 0, by_name.output
    by_folder = run("trust", "--set", f"de-en={folder}", "-r", "refA", *at)
    assert json.loads(by_name.stdout)["tasks"] == json.loads(by_folder.stdout)["tasks"]
    assert (home / "data" / "judged-v2" / "wmt99").is_dir()
    scored = run("score", "-t", "mtme:wmt99:refA", "-l", "de-en", "-f", "tsv")
    assert scored.exit_code == 0, scored.output
    assert len(scored.stdout.splitlines()) == 7
    listed = run("data", "list").stdout
    assert "mtme:wmt99" in listed
    assert "de-en, en-cs" in run("data", "show", "mtme:wmt99").stdout
    assert run("data", "path", "mtme:wmt99", "de-en").stdout.strip() == str(home / "data/judged-v2/wmt99")


def test_several_judged_sets_are_folders(fails: Fails) -> None:
    said = fails("trust", "-t", "mtme:wmt98,mtme:wmt99", "--human", "mqm")
    assert "-t mtme:wmt98,mtme:wmt99: expected one test set with human scores. Use --set FOLDER" in said


def test_download_on_request(run: Run, fails: Fails, server: FileServer) -> None:
    at = ["-t", "xml", "-l", "en-de"]
    said = fails("score", "NMT", *at)
    assert "Get it with `understudy data get xml en-de`, or add --download." in said
    assert server.requests == []
    result = run("score", "NMT", *at, "--download", "--quiet")
    assert result.exit_code == 0, result.output
    assert f"downloading {server.address}/xml.tar.gz" in result.stderr


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["NMT", "-t", "xml"], "-t xml needs a language pair. Give it with -l, e.g. -l en-de"),
        (["NMT", "-t", "xml", "-l", "de"], "-t xml needs a language pair."),
        (["NMT", "-t", "xml", "-l", "de-en"], "test set 'xml': unknown language pair 'de-en'."),
        (
            ["NMT", "-t", "flores200", "-l", "en-de"],
            "unknown test set 'flores200'. Use flores200:FOLDER, with",
        ),
        (["NMT", "-t", "mtme", "-l", "en-de"], "unknown test set 'mtme'. Use mtme:NAME, e.g. mtme:wmt23."),
        (["NMT", "-t", "xmm", "-l", "en-de"], "unknown test set 'xmm'. Did you mean 'xml'"),
        (
            ["NMT2", "-t", "xml", "-l", "en-de"],
            "no such file: 'NMT2'. System 'NMT2' is unknown in test set xml en-de. Did you mean 'NMT'?",
        ),
        (
            ["NMT", "some.txt", "-t", "xml", "-l", "en-de"],
            "System 'some.txt' is unknown in test set xml en-de. Known: ",
        ),
        (
            ["NMT", "chrf", "-t", "xml", "-l", "en-de"],
            "no such file: 'chrf'. For a metric, repeat -m: -m chrf.",
        ),
        (["NMT", "./NMT2", "-t", "xml", "-l", "en-de"], "no such file: './NMT2'.\n"),
        (
            ["NMT", "-t", "xml", "-t", "sgm", "-l", "en-de"],
            "-t is given 2 times. Join test sets with commas: -t xml,sgm.",
        ),
        (["-t", "sgm", "-l", "en-de"], "missing argument 'SYSTEM...'. Test set sgm en-de has no systems."),
        (["NMT", "-r", "x", "--origlang", "en"], "--origlang has no effect: add -t"),
        (["NMT", "-r", "x", "--download"], "--download has no effect: add -t"),
        (["NMT", "-t", "xml", "-l", "en-de", "--source", "x"], "--source cannot be combined with -t"),
        (["NMT", "-t", "xml", "-l", "en-de", "--subset", "zzz"], "no segment with subset zzz"),
        (["NMT", "-ol", "en"], "-ol is a sacreBLEU option. Use --origlang CODE."),
        (["NMT", "--list"], "--list is a sacreBLEU option. Use understudy data list"),
    ],
)
def test_errors(fails: Fails, arguments: list[str], message: str) -> None:
    assert message in fails("score", *arguments)


# --- understudy data ------------------------------------------------------------------------------------------


def test_list(run: Run, stored: FileServer) -> None:  # noqa: ARG001
    lines = run("data", "list").stdout.splitlines()
    assert lines[0].split() == ["name", "pairs", "stored", "description"]
    assert [line.split()[:3] for line in lines[2:4]] == [["sgm", "1", "1"], ["sgm/tworefs", "1", "0"]]
    assert any("flores200:FOLDER" in line for line in lines)
    found = json.loads(run("data", "list", "-f", "json", "-l", "de-en").stdout)
    assert [each["name"] for each in found["sets"]] == ["iwslt", "plain"]
    stored_only = json.loads(run("data", "list", "-f", "json", "--stored").stdout)
    assert [(each["name"], each["stored"]) for each in stored_only["sets"]] == [
        ("sgm", ["en-de"]),
        ("xml", ["en-de"]),
    ]
    assert run("data", "list", "-l", "en-xx").stdout == "No test set has en-xx.\n"


def test_show(run: Run, fails: Fails, stored: FileServer) -> None:
    shown = run("data", "show", "xml").stdout
    assert f"{stored.address}/xml.tar.gz (MD5 " in shown
    assert "@inproceedings{xml-2020," in shown
    found = json.loads(run("data", "show", "sgm", "-f", "json").stdout)
    assert found["pairs"] == found["stored"] == ["en-de"]
    assert "federmann-etal-2022-ntrex" in run("data", "show", "ntrex:FOLDER").stdout
    assert "unknown test set 'mt'" in fails("data", "show", "mt")


def test_get(run: Run, server: FileServer, home: Path) -> None:
    result = run("data", "get", "plain")
    assert result.exit_code == 0, result.output
    assert result.stderr.endswith(f"plain is in {home / 'sets/plain'}: 2 language pairs.\n")
    assert (home / "sets/plain/plain.de-en.src").is_file()
    assert server.requests == [("/plain.zip", 0)]
    whole = (home / "sets/plain/plain.en-de.src").read_bytes()
    for asked, archive in ((1, contents()["/plain.zip"]), (2, b"damaged")):  # an intact one is not asked for
        (home / "sets/plain/plain.en-de.src").write_bytes(b"damaged\n")
        (home / "sets/plain/raw/plain.plain.zip").write_bytes(archive)
        run("data", "get", "plain", "en-de", "--again")
        assert len(server.requests) == asked
        assert (home / "sets/plain/plain.en-de.src").read_bytes() == whole


def test_get_without_a_network(fails: Fails, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed_at(closed_address(), monkeypatch, home)
    for name in ("xml", "mtme:wmt99"):
        result = run("data", "get", name)
        assert result.exit_code == 2
        assert "could not be downloaded: " in result.stderr.splitlines()[-1]
        assert "is not on this machine" in fails("score", "x", "-t", name, "-l", "en-de")
    assert not [path for path in home.rglob("*") if path.is_file()]


def test_a_file_that_was_saved_by_hand_is_found(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_at(closed_address(), monkeypatch, home)
    failed = run("data", "get", "plain", "en-de").stderr
    path = home / "sets/plain/raw/plain.plain.zip"
    assert failed.endswith(f"Try again, or save the file as '{path}' by hand.\n")
    path.write_bytes(contents()["/plain.zip"])
    assert run("data", "get", "plain", "en-de").exit_code == 0
    assert (home / "sets/plain/plain.en-de.src").is_file()


def test_only_commands_with_download_name_it(fails: Fails, server: FileServer) -> None:  # noqa: ARG001
    at = ["plain", "en-de"]
    assert fails("data", "echo", *at).endswith("`understudy data get plain en-de`, or add --download.\n")
    assert fails("data", "path", *at).endswith("`understudy data get plain en-de`.\n")
    for command in (["path", "mtme:wmt99", "en-de"], ["show", "mtme:wmt99"]):
        assert fails("data", *command).endswith("`understudy data get mtme:wmt99`.\n")


def test_path_and_echo(run: Run, fails: Fails, stored: FileServer, home: Path, tmp_path: Path) -> None:  # noqa: ARG001
    folder = home / "sets/xml"
    assert run("data", "path", "xml", "en-de", "src", "ref").stdout.splitlines() == [
        str(folder / "xml.en-de.src"),
        str(folder / "xml.en-de.ref-refA"),
    ]
    assert f"domain\t{folder / 'xml.en-de.domain'}\n" in run("data", "path", "xml", "en-de").stdout
    assert run("data", "echo", "xml", "en-de").stdout.splitlines()[0] == "A cat sat."
    echoed = run("data", "echo", "xml,sgm", "en-de", "src", "ref", "--origlang", "de")
    assert echoed.stdout.splitlines()[0] == "first <3\terstens <3"
    assert len(echoed.stdout.splitlines()) == 4
    run("data", "echo", "xml", "en-de", "ref", "-o", str(tmp_path / "ref.txt"))
    assert (tmp_path / "ref.txt").read_bytes() == (folder / "xml.en-de.ref-refA").read_bytes()
    assert "unknown field 'docs'" in fails("data", "echo", "xml", "en-de", "docs")
    assert "'all' cannot be combined" in fails("data", "echo", "xml", "en-de", "all", "src")


def test_the_environment_says_where(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "wmt20"
    folder.mkdir()
    for field in ("src", "ref", "docid", "genre", "origlang"):
        (folder / f"wmt20.de-en.{field}").write_text(f"{field}\n", encoding="utf-8")
    result = shell("data", "echo", "wmt20", "de-en", "all", environment={"SACREBLEU": str(tmp_path)})
    assert result.stdout.decode() == "src\tref\tdocid\tgenre\toriglang\n"
    missing = shell(
        "score", "README.md", "-t", "wmt21", "-l", "de-en", environment={"SACREBLEU": str(tmp_path)}
    )
    assert missing.returncode == 2
    assert str(tmp_path / "wmt21" / "wmt21.de-en.src") in missing.stderr.decode()
