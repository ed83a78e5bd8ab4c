"""`understudy judge` on the command line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

pytest.importorskip("sqlalchemy", reason="needs sqlalchemy: pip install '.[test]'")

from understudy.cli import program

STRONG, WEAK, REFERENCE = (f"examples/{name}.en" for name in ("system-strong", "system-weak", "reference-1"))


def run(*arguments):
    return CliRunner().invoke(program, ["judge", *map(str, arguments)])


@pytest.fixture
def campaign(tmp_path):
    where = tmp_path / "c.campaign"
    made = run(
        "new",
        where,
        "--systems",
        STRONG,
        WEAK,
        "-r",
        REFERENCE,
        "--protocol",
        "adequacy-fluency",
        "--judges",
        3,
        "--lang",
        "de-en",
    )
    assert made.exit_code == 0, made.output
    return where


def test_a_crowd_has_one_link(tmp_path):
    where = tmp_path / "c.campaign"
    made = run(
        *("new", where, STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency"),
        *("--crowd", 7, "--participant-field", "who"),
    )
    assert made.exit_code == 0, made.output
    links = dict(re.findall(r"^(\w+)\t\t(\S+)$", made.output, re.M))
    assert list(links) == ["lead", "viewer", "crowd"]
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/\?who=ID#\S{44}", links["crowd"])
    assert "7 judges" in made.output
    assert "added 2 places for the crowd." in run("add-judges", where, 2).output


def test_new_prints_one_link_for_everyone(tmp_path):
    where = tmp_path / "c.campaign"
    made = run(
        "new", where, STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency", "--judges", "ann,bob"
    )
    rows = [line.split("\t") for line in made.stdout.splitlines()]
    assert [row[0] for row in rows] == ["name", "ann", "bob", "lead", "viewer"]
    assert all(re.fullmatch(r"http://127\.0\.0\.1:8000/#[\w-]{44}", row[2]) for row in rows[1:])


def test_links_in_a_file_are_for_the_owner_only(campaign, tmp_path):
    done = run("links", campaign, "judge-1", "--url", "https://judge.example.org/", "-o", tmp_path / "links")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "\thttps://judge.example.org/#" in (tmp_path / "links").read_text()
    assert stat.S_IMODE(os.stat(tmp_path / "links").st_mode) == 0o600


def test_status_add_and_revoke(campaign):
    assert "ann" in run("add-judges", campaign, "ann").stdout
    assert run("revoke", campaign, "judge-1").exit_code == 0
    shown = run("status", campaign).stdout
    assert "judge-1 (revoked)" in shown
    assert "0 of" in shown.splitlines()[-1]


def test_backup_restore_and_archive(campaign, tmp_path):
    assert run("backup", campaign, tmp_path / "copy").exit_code == 0
    assert run("restore", tmp_path / "copy", tmp_path / "again").exit_code == 0
    assert (
        run("status", tmp_path / "again").stdout.splitlines()[:3]
        == run("status", campaign).stdout.splitlines()[:3]
    )
    assert run("archive", campaign, tmp_path / "page.html").exit_code == 0
    assert "<h1>c</h1>" in (tmp_path / "page.html").read_text()


def test_check_finds_nothing(campaign):
    assert (run("check", campaign).exit_code, run("check", campaign).stdout) == (0, "No problems found.\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("status", "none"), "cannot open campaign 'none': No such file or directory."),
        (("status", REFERENCE), "is not a campaign."),
        (("revoke", "CAMPAIGN", "nobody"), "unknown judge 'nobody' in"),
        (("new", "CAMPAIGN", STRONG, "-r", REFERENCE, "--protocol", "adequacy-fluency"), "exists already."),
        (("new", "x", STRONG, "--protocol", "daa"), "unknown protocol 'daa'."),
        (("new", "x", "--protocol", "da"), "missing argument 'SYSTEM'."),
        (("backup", "CAMPAIGN", "CAMPAIGN"), "exists already."),
        (("serv", "CAMPAIGN"), "unknown command 'serv'. Did you mean 'serve'?"),
        (("serve", "CAMPAIGN", "--url", "ftp://x"), "--url 'ftp://x': expected http"),
        (("serve", "CAMPAIGN", "--host", "256.0.0.1"), "cannot listen on 256.0.0.1"),
    ],
)
def test_mistakes_get_one_line(campaign, arguments, problem):
    done = run(*(campaign if argument == "CAMPAIGN" else argument for argument in arguments))
    assert (done.exit_code, done.stdout) == (2, "")
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_serve_until_interrupted_and_only_once(campaign):
    pytest.importorskip("uvicorn", reason="needs uvicorn: pip install '.[test]'")
    command = [sys.executable, "-m", "understudy", "judge", "serve", str(campaign), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline())[0]
        assert urllib.request.urlopen(f"{address}/healthz").status == 200
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert second.stderr == (
            f"understudy: error: '{campaign}' is already being served. Stop the other server first.\n"
        )
        server.send_signal(signal.SIGINT)
        assert server.wait() in (0, 130)
        assert server.stderr.read().strip() == ""


def test_links_never_overwrite_a_campaign(campaign, tmp_path):
    """The answers of weeks are in it."""
    before = campaign.read_bytes()
    (tmp_path / "same").symlink_to(campaign)
    wal = tmp_path / "c.campaign-wal"
    wal.touch()
    for output in (campaign, tmp_path / "same", wal):
        for command in (("links", campaign), ("add-judges", campaign, "zoe"), ("archive", campaign, output)):
            refused = run(*command, *(() if command[0] == "archive" else ("-o", output)))
            assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
            assert "Use another file" in refused.output
    assert campaign.read_bytes() == before
    assert "zoe" not in run("status", campaign).output
    exported = run("export", "examples/judgments.tsv", "--to", tmp_path / "c.campaign")
    assert exported.exit_code == 2
    assert campaign.read_bytes() == before


def test_a_new_campaign_and_its_links_are_two_files(tmp_path):
    what = (STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency")
    where = tmp_path / "c.campaign"
    for output in (where, tmp_path / "nowhere" / "links.tsv", tmp_path):
        refused = run("new", where, *what, "-o", output)
        assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
        assert not where.exists()


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "ftp://x",
        "https://a.org/path",
        "https://a.org/?x=y",
        "https://a.org/#y",
        "https://[a",
        "http://u:p@a.org",
    ],
)
def test_links_lead_to_an_address_that_a_page_can_have(campaign, tmp_path, url):
    what = (STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency")
    for command in (("new", tmp_path / "other", *what), ("links", campaign), ("add-judges", campaign, "zoe")):
        refused = run(*command, "--url", url)
        assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
        assert f"--url '{url}': expected http:// or https:// and a host" in refused.output
    assert not (tmp_path / "other").exists()
    assert "zoe" not in run("status", campaign).output


def test_a_crowd_has_no_judges_of_its_own(tmp_path):
    what = (STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency")
    refused = run("new", tmp_path / "c", *what, "--crowd", 5, "--judges", 3)
    assert refused.exit_code == 2
    assert "--crowd and --judges cannot be combined" in refused.output


def test_without_a_command_there_is_help():
    shown = run()
    assert shown.exit_code == 2
    assert shown.output.startswith("Usage: ")
    assert shown.output.count("\n") > 10


@pytest.mark.parametrize("name", ["a\tb", "a\x1b[31mb", "a\nb", b"x\xff"])
def test_names_of_systems_that_no_table_can_hold(tmp_path, name):
    """Known before anyone judges: afterwards they cannot be changed."""
    file = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
    shutil.copy(os.fsencode(STRONG), file)
    refused = run(
        *("new", tmp_path / "c.campaign", "--systems", os.fsdecode(file), WEAK, "-r", REFERENCE),
        *("--protocol", "adequacy-fluency"),
    )
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
    assert "expected a name in UTF-8 without control characters" in refused.output
    assert not (tmp_path / "c.campaign").exists()


@pytest.mark.parametrize(
    "given",
    [("--weights", "major=10"), ("--weights", "x"), ("--kind", "spans"), ("--language-pair", "en-de")],
)
def test_options_for_files_are_not_ignored_for_a_campaign(campaign, tmp_path, given):
    for command in (("results", campaign), ("export", campaign, "--to", tmp_path / "x.tsv")):
        refused = run(*command, *given)
        assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
        assert "is for files of judgments only" in refused.output


def test_small_mistakes_of_new_get_one_line(tmp_path):
    (tmp_path / "empty").touch()
    what = ("new", tmp_path / "c", STRONG, WEAK, "-r", REFERENCE, "--protocol", "adequacy-fluency")
    for given, problem in (
        (("--judges", "-3"), "judge '-3': expected a name that does not begin with '-'"),
        (("--consent", tmp_path / "empty"), "is empty."),
        (("--documents",), "Give a table with a column `document` with --labels."),
    ):
        refused = run(*what, *given)
        assert (refused.exit_code, refused.output.count("\n")) == (2, 1), refused.output
        assert problem in refused.output


def test_a_campaign_is_no_file_to_import(campaign, tmp_path):
    refused = run("import", tmp_path / "new", campaign)
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert "is a campaign, expected files of judgments" in refused.output
