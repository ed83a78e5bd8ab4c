"""`understudy models`: the list, and models of tokenizers fetched from a server on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from material.file_server import FileServer, closed_address, served
from material.optional import needs_packages
from material.subwords import publish, small_model
from understudy.neural.file_hashes import _hash
from understudy.text.subword_models import PUBLISHED

pytestmark = [
    needs_packages("sentencepiece"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of SWIG, when sentencepiece is imported
]
FILE = "flores200sacrebleuspm"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr("understudy.text.environment", os.environ)
    return tmp_path / "models"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with served() as running:
        running.files[f"/{FILE}"] = small_model()
        publish(monkeypatch, "flores200", running.address, small_model())
        yield running


def test_fetched_listed_and_used(run, server: FileServer, folder: Path, examples: Path) -> None:  # noqa: ARG001
    done = run("models", "fetch", "flores200")
    assert (done.exit_code, done.stdout) == (0, f"{folder / FILE}\n")
    assert done.stderr == f"understudy: downloading {server.address}/{FILE}\n"
    assert os.listdir(folder) == [FILE]
    scored = run("score", "system-weak.en", "-r", "reference-1.en", "-m", "bleu:tokenize=flores200")
    assert "|tok:flores200|" in scored.stdout
    for command in (["models"], ["models", "list"]):
        shown = run(*command)
        assert shown.stdout.count("flores200") == 1
        assert f"Tokenizer models: {folder}." in shown.stdout
    (described,) = (
        each for each in json.loads(run("models", "-f", "json").stdout) if each["name"] == "flores200"
    )
    assert described["path"] == str(folder / FILE)
    assert f"sha256:{described['sha256']}" == PUBLISHED["flores200"].checksum


def test_without_any_model_the_list_says_so(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.neural.model_files.all_models", list)
    assert run("models").stdout.startswith("No models found.\nModels folder: ")
    assert not folder.exists()


def test_a_damaged_model_does_not_hide_the_others(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "understudy.neural.environment", {"UNDERSTUDY_MODELS": str(tmp_path), "HF_HOME": str(tmp_path / "hf")}
    )
    for name, config in (("damaged", "{"), ("fine", '{"model_type": "bert"}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config)
        (tmp_path / name / "model.safetensors").write_bytes(b"weights")
    shown = run("models")
    assert shown.exit_code == 0
    assert "\nfine " in shown.stdout
    assert "\ndamaged" not in shown.stdout
    assert shown.stderr.startswith("understudy: warning: damaged is damaged: '")
    assert shown.stderr.count("\n") == 1
    damaged, fine = json.loads(run("models", "-f", "json").stdout)[:2]
    assert (damaged["name"], damaged["sha256"]) == ("damaged", None)
    assert damaged["problem"].startswith(f"'{tmp_path / 'damaged' / 'config.json'}' cannot be read")
    assert (fine["name"], fine["problem"]) == ("fine", None)


def test_names_cannot_steer_the_terminal(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "understudy.neural.environment", {"UNDERSTUDY_MODELS": str(tmp_path), "HF_HOME": str(tmp_path / "hf")}
    )
    (tmp_path / "red\x1b[31m").mkdir()
    (tmp_path / "red\x1b[31m" / "config.json").write_text('{"model_type": "be\\u001b[2Jrt"}')
    (tmp_path / "red\x1b[31m" / "model.safetensors").write_bytes(b"weights")
    shown = run("models")
    assert "\nred\\x1b[31m " in shown.stdout
    assert " be\\x1b[2Jrt " in shown.stdout
    assert "\x1b" not in shown.stdout


def test_hashes_of_weights_are_kept(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "understudy.neural.environment", {"UNDERSTUDY_MODELS": str(tmp_path), "HF_HOME": str(tmp_path / "hf")}
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("understudy.neural.file_hashes._SETTLED", -1)
    (tmp_path / "some.ckpt").write_bytes(b"weights")
    _hash.cache_clear()
    run("models")
    hashes = run("models", "--cache-info").stdout.splitlines()[1:]
    assert hashes[-1].endswith("  sha256 of files")
    _hash.cache_clear()  # as in another process
    run("models")
    assert run("models", "--cache-info").stdout.splitlines()[1:] == hashes


def test_what_is_there_is_not_fetched_again(run, server: FileServer) -> None:
    for _ in range(2):
        assert run("models", "fetch", "flores200").exit_code == 0
    assert len(server.requests) == 1


def test_a_damaged_file_is_replaced(run, server: FileServer, folder: Path) -> None:
    folder.mkdir()
    (folder / FILE).write_bytes(small_model()[:1000])
    assert run("models", "fetch", "flores200").exit_code == 0
    assert (folder / FILE).read_bytes() == small_model()
    assert server.requests == [(f"/{FILE}", 0)]


def error_of(run, *arguments: str) -> str:
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.splitlines()[-1]


def test_a_broken_checksum(run, server: FileServer, folder: Path) -> None:
    server.files[f"/{FILE}"] = b"something else"
    assert "expected sha256:" in error_of(run, "models", "fetch", "flores200")
    assert os.listdir(folder) == []


def test_a_cut_connection_is_continued_by_the_next_command(run, server: FileServer, folder: Path) -> None:
    server.knows_ranges = False  # so that it is not continued at once
    server.cut_after = 4000
    said = error_of(run, "models", "fetch", "flores200")
    assert f"cut after 4,000 of {len(small_model()):,} bytes. The first 4,000 bytes are kept" in said
    server.knows_ranges, server.cut_after = True, None
    assert run("models", "fetch", "flores200").exit_code == 0
    assert server.requests[-1] == (f"/{FILE}", 4000)
    assert (folder / FILE).read_bytes() == small_model()


def test_no_network(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, "flores200", closed_address(), small_model())
    assert "could not be downloaded: Connection refused" in error_of(run, "models", "fetch", "flores200")
    assert os.listdir(folder) == []


def test_a_second_process_waits_and_uses_the_file(server: FileServer, folder: Path) -> None:
    program = (
        "import sys; from dataclasses import replace\n"
        "from understudy.cli import program\n"
        "from understudy.text.subword_models import PUBLISHED\n"
        "PUBLISHED['flores200'] = replace(PUBLISHED['flores200'], url=sys.argv[1], checksum=sys.argv[2])\n"
        "program(['models', 'fetch', 'flores200'])\n"
    )
    published = PUBLISHED["flores200"]
    server.gate.clear()
    both = [
        subprocess.Popen(
            [sys.executable, "-c", program, published.url, published.checksum],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    server.wait_for_a_request()
    server.gate.set()
    for process in both:
        output, errors = process.communicate(timeout=60)
        assert (output, process.returncode) == (f"{folder / FILE}\n", 0), errors
    assert len(server.requests) == 1
    assert os.listdir(folder) == [FILE]


def test_unknown_names_are_refused_before_anything_is_fetched(fails, folder: Path) -> None:
    assert "Did you mean 'flores200'" in fails("models", "fetch", "flores101", "flores2000")
    assert not folder.exists()


def test_without_a_checksum_what_is_there_stays(run, folder: Path) -> None:
    folder.mkdir()
    (folder / "spbleu-1k_tokenizer_spm.model").write_bytes(b"brought by hand")
    done = run("models", "fetch", "spBLEU-1K")
    assert done.exit_code == 0
    assert "no published checksum" in done.stderr
