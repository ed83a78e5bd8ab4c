"""`understudy score` and `compare` with trees: from files, from a parser, from several parsers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from material.optional import missing, needs_report
from material.parsers import FRENCH, SHARED_MODEL, FlatParser, opens, shared_english_model
from material.shared import without
from understudy.cli.progress import _LateBar, progress_of_part
from understudy.corpus.segment_sources import open_sources
from understudy.errors import MissingExtra
from understudy.syntax import parsing, tree_columns
from understudy.syntax.parse_cache import ParseCache
from understudy.syntax.parsing import Parse, PreparedParser

TREES = {
    "ref.ptb": "(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))))\n(S (NP (PRP I)) (VP (VBD slept)))\n",
    "old.ptb": "(S (NP (PRP I)) (VP (VBD had) (NP (NN dog))))\n()\n",
    "new.ptb": "(S (NP (PRP I)) (VP (VBD had) (NP (DT the) (NN dog))))\n(S (NP (PRP I)) (VP (VBD slept)))\n",
}


@dataclass
class ChainParser(FlatParser):
    """Every word hangs on the one before it."""

    name: str = "chain"
    signature: str = "chain-1"

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Callable[[int], None] | None = None
    ) -> list[Parse]:
        flat = super().parse(texts, threads=threads, progress=progress)
        return [
            Parse(
                tree.constituents,
                "".join(
                    f"{number}\t{word}\t_\tX\tX\t_\t{number - 1}\tdep\t_\t_\n"
                    for number, word in enumerate(text.split(), 1)
                ),
            )
            for text, tree in zip(texts, flat, strict=True)
        ]


@dataclass
class MuteParser(FlatParser):
    """Gives up on long texts."""

    name: str = "mute"
    signature: str = "mute-1"

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Callable[[int], None] | None = None
    ) -> list[Parse]:
        flat = super().parse(texts, threads=threads, progress=progress)
        return [
            Parse("", "") if len(text.split()) > 3 else tree for text, tree in zip(texts, flat, strict=True)
        ]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Trees and texts in the current directory; three parsers by name, of which `auto` takes the first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("understudy.syntax.tree_columns._LATELY", {})
    tree_columns.parser_named.cache_clear()
    parsers = {"auto": FlatParser(), "chain": ChainParser(), "mute": MuteParser()}
    for name, made in parsers.items():
        monkeypatch.setitem(parsing._KINDS, name, ("", opens(made)))
    for name, content in TREES.items():
        Path(name).write_text(content)
    Path("ref.txt").write_text("a b c d\ne f g\n")
    Path("flatter.txt").write_text("a c b d\ne f\n")  # all hang on the right word, in another order
    Path("closer.txt").write_text("b c d\nf g\n")  # a chain of three, on another first word
    yield tmp_path
    tree_columns.parser_named.cache_clear()  # others have real parsers by these names


def values(result) -> dict[str, dict[str, float]]:
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return {
        system["name"]: {score["spec"]: score["value"] for score in system["scores"]}
        for system in found["systems"]
    }


def test_trees_from_files_need_no_parser(run, monkeypatch) -> None:
    monkeypatch.setattr(parsing, "_KINDS", {})
    every = [option for name in ("stm", "tkm", "hwcm", "dstm", "dtkm", "bleu") for option in ("-m", name)]
    found = values(run("score", "old.ptb", "new.ptb", "ref.ptb", "-r", "ref.ptb", *every, "-f", "json"))
    assert set(found) == {"old", "new", "ref"}
    for name in ("stm", "tkm", "hwcm", "dstm", "dtkm"):
        assert max(found["old"][name], found["new"][name]) <= found["ref"][name] == pytest.approx(100)
    assert found["old"]["stm"] < found["new"]["stm"]
    assert found["new"]["stm"] == pytest.approx(100)  # the words make no difference to it
    assert found["new"]["bleu"] < 100


@pytest.mark.parametrize("level", ["corpus", "mean", "segment"])
def test_levels_and_intervals(run, level: str) -> None:
    result = run(
        "score", "old.ptb", "-r", "ref.ptb", "-m", "stm", "-m", "hwcm", "--level", level, "-f", "tsv"
    )
    assert result.exit_code == 0, result.stderr
    if level != "segment":
        assert "|trees:given/collins|" in result.stdout
        again = run("score", "old.ptb", "-r", "ref.ptb", "-m", "stm", "--level", level, "--ci", "-f", "tsv")
        assert again.exit_code == 0, again.stderr


@needs_report
def test_comparisons_keep_the_trees(run, monkeypatch) -> None:
    monkeypatch.setattr(parsing, "_KINDS", {})
    Path("more.ptb").write_text(TREES["new.ptb"])
    both = [
        "old.ptb",
        "new.ptb",
        "-r",
        "ref.ptb",
        "-r",
        "more.ptb",
        "-m",
        "stm",
        "-m",
        "dtkm",
        "--samples",
        "50",
    ]
    result = run("compare", *both, "--breakdown", "--references-study", "--draws", "3")
    assert result.exit_code == 0, result.stderr
    assert "I had a dog" in result.stdout
    assert "With 1 of 2 references, the ranking by STM is the same as with all" in result.stdout
    assert run("compare", *both, "--report", "report.html").exit_code == 0
    result = run("explain", "old.ptb", "-r", "ref.ptb", "-m", "stm", "--against", "stm:max_depth=2")
    assert "max_depth" in result.stdout, result.stderr


@needs_report
def test_a_report_has_the_trees_only_if_a_metric_compares_them(run, here) -> None:
    for metric, shown in (("stm", True), ("bleu", False)):
        target = here / f"{metric}.html"
        options = ("-m", metric, "--samples", "50", "--report", str(target))
        done = run("compare", "old.ptb", "new.ptb", "-r", "ref.ptb", *options)
        assert done.exit_code == 0, done.stderr
        assert (".tree-box" in target.read_text(encoding="utf-8")) == shown


def test_trees_and_text_do_not_mix(fails, monkeypatch) -> None:
    message = fails("score", "old.ptb", "-r", "ref.txt", "-m", "stm")
    assert "stm: trees from given and trees from flat-1/flat are not comparable. Parse all inputs" in message

    def missing(_language: str, _keep_words: bool) -> FlatParser:
        raise MissingExtra("no parser is installed.")

    monkeypatch.setitem(parsing._KINDS, "auto", ("", missing))
    tree_columns.parser_named.cache_clear()
    message = fails("score", "old.ptb", "-r", "ref.txt", "-m", "stm")
    assert (
        "stm: cannot compare trees with text. Give trees for all inputs (see `understudy parse`)" in message
    )
    assert fails("score", "ref.txt", "-r", "ref.txt", "-m", "stm").endswith(
        "error: no parser is installed.\n"
    )


def test_what_parse_writes_scores_as_the_text_does(run) -> None:
    for name in ("ref", "flatter"):
        assert run("parse", f"{name}.txt", "-o", f"{name}.conllu").exit_code == 0
    text = run("score", "flatter.txt", "-r", "ref.txt", "-m", "hwcm", "-f", "tsv")
    trees = run("score", "flatter.conllu", "-r", "ref.conllu", "-m", "hwcm", "-f", "tsv")
    assert text.stdout == trees.stdout
    assert "|trees:flat-1/flat|" in trees.stdout
    assert run("score", "flatter.conllu", "-r", "ref.txt", "-m", "hwcm", "-f", "tsv").stdout == text.stdout


def test_what_was_taken_is_said_once(run, monkeypatch) -> None:
    asked = ["flatter.txt", "closer.txt", "-r", "ref.txt", "-m", "hwcm", "-m", "dstm"]
    assert run("score", *asked).stderr == "understudy: parser flat\n"
    assert run("score", *asked, "--quiet").stderr == ""
    assert run("score", *asked, "--parser", "chain").stderr == ""
    assert run("score", "old.ptb", "-r", "ref.ptb", "-m", "hwcm").stderr == ""
    monkeypatch.setattr("understudy.syntax.tree_columns._LATELY", {})
    assert run("compare", *asked, "--samples", "20").stderr == "understudy: parser flat\n"


@pytest.mark.parametrize(
    "asked",
    [
        ["explain", "flatter.txt", "-m", "hwcm", "--against", "max_depth=2"],
        pytest.param(
            [
                "compare",
                "flatter.txt",
                "closer.txt",
                "-m",
                "hwcm",
                "--samples",
                "20",
                "--report",
                "report.html",
            ],
            marks=needs_report,
        ),
    ],
)
def test_every_parse_is_told_and_kept(run, here, monkeypatch, asked: list[str]) -> None:
    """Whatever a command does with trees: no text is parsed twice, even if nothing is left in memory."""
    monkeypatch.setattr("understudy.syntax.tree_columns._MOST", 0)
    _, open_flat = parsing._KINDS["auto"]
    flat = open_flat("en", False)
    assert isinstance(flat, FlatParser)
    done = run(*asked, "-r", "ref.txt")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == "understudy: parser flat\n"
    texts = [text for batch in flat.asked for text in batch]
    assert len(texts) == len(set(texts)) > 0
    cache = here / "cache" / "understudy" / "parses-2.sqlite3"
    assert cache.exists()
    cache.unlink()
    assert run(*asked, "-r", "ref.txt", "--no-cache").exit_code == 0
    assert not cache.exists()


def test_parses_are_kept_for_the_next_time(run, here, monkeypatch) -> None:
    asked = ["score", "flatter.txt", "-r", "ref.txt", "-m", "hwcm", "--parser", "chain"]
    cache = here / "cache" / "understudy" / "parses-2.sqlite3"
    assert run(*asked, "--no-cache").exit_code == 0
    assert not cache.exists()
    _, open_chain = parsing._KINDS["chain"]
    chain = open_chain("en", False)
    assert isinstance(chain, FlatParser)
    monkeypatch.setattr("understudy.syntax.tree_columns._LATELY", {})
    chain.asked.clear()
    first = run(*asked).stdout
    assert cache.exists()
    assert len(chain.asked) > 0
    monkeypatch.setattr("understudy.syntax.tree_columns._LATELY", {})
    chain.asked.clear()
    assert run(*asked).stdout == first
    assert chain.asked == []
    assert (ParseCache.default, PreparedParser.watch) == (None, None)


@pytest.mark.parametrize("level", ["corpus", "mean", "segment"])
def test_segments_without_a_tree_are_told(run, level: str) -> None:
    result = run("score", "flatter.txt", "-r", "ref.txt", "-m", "stm", "--parser", "mute", "--level", level)
    assert result.stderr == (
        "understudy: warning: flatter: 1 segment has text but no tree; STM counts no matches there.\n"
    )


def test_settings_in_a_spec_win(run, fails) -> None:
    result = run(
        "score",
        "closer.txt",
        "-r",
        "ref.txt",
        "-m",
        "hwcm:parser=chain",
        "-m",
        "hwcm",
        "--parser",
        "auto",
        "-f",
        "tsv",
    )
    assert ("trees:chain-1" in result.stdout, "trees:flat-1" in result.stdout) == (True, True)
    assert "--parser has no effect" in fails("score", "closer.txt", "-r", "ref.txt", "--parser", "auto")
    twice = fails(
        "score", "closer.txt", "-r", "ref.txt", "-m", "stm", "--parser", "chain", "--parser", "chain"
    )
    assert "metric 'stm:parser=chain' is given twice. Omit one of them." in twice


# --- several parsers -------------------------------------------------------------------------------------------

BOTH = ["-m", "hwcm:max_depth=2", "-m", "bleu", "--parser", "auto", "--parser", "chain"]


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
@pytest.mark.parametrize("verb", ["score", "compare"])
def test_how_scores_move_between_parsers(run, verb: str, format: str) -> None:
    result = run(verb, "flatter.txt", "closer.txt", "-r", "ref.txt", *BOTH, "-f", format)
    assert result.exit_code == 0, result.stderr
    assert "HWCM: flatter and closer change ranks across parsers" in result.stdout
    assert "scores differ by up to" in result.stdout


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_how_scores_move_as_json(run, verb: str) -> None:
    found = json.loads(run(verb, "flatter.txt", "closer.txt", "-r", "ref.txt", *BOTH, "-f", "json").stdout)
    (moved,) = found["parsers"]
    assert list(moved["scores"]) == ["auto", "chain"]
    assert len(moved["changed"]) == 1
    assert moved["tau"] == -1
    assert moved["spread"] > 0


def test_one_parser_does_not_move(run) -> None:
    result = run("score", "flatter.txt", "-r", "ref.txt", "-m", "hwcm", "--parser", "chain", "-f", "json")
    assert "parsers" not in json.loads(result.stdout)


# --- real parsers ----------------------------------------------------------------------------------------------


def test_english_by_spacy(run) -> None:
    pytest.importorskip("spacy")
    model = shared_english_model()
    if model is None:
        pytest.skip(without(SHARED_MODEL))
    Path("ref.txt").write_text("I had a dog.\nThe cat sat on the mat.\n")
    Path("one.txt").write_text("I had the dog.\nOn the mat sat the cat.\n")
    result = run(
        "score",
        "one.txt",
        "ref.txt",
        "-r",
        "ref.txt",
        "-m",
        "hwcm",
        "--parser",
        f"spacy:{model}",
        "-f",
        "json",
    )
    found = values(result)
    ((spec, copied),) = found["ref"].items()
    assert copied == pytest.approx(100)
    assert 0 < found["one"][spec] < 100


def test_french_by_spacy(run) -> None:
    if lack := missing("spacy", FRENCH):
        pytest.skip(lack)
    Path("ref.txt").write_text("Le chat dort sur le lit.\n")
    result = run(
        "score",
        "ref.txt",
        "-r",
        "ref.txt",
        "-m",
        "dstm",
        "--parser",
        f"spacy:{FRENCH}",
        "--lang",
        "fr",
        "-f",
        "tsv",
    )
    assert "\t100.0\t" in result.stdout, result.stderr
    assert "|trees:spacy-" in result.stdout


# --- progress --------------------------------------------------------------------------------------------------


def test_a_part_of_the_work_has_a_line_of_its_own() -> None:
    bar = _LateBar("scoring", lambda: 10)
    with bar.part("parsing", 4) as advance:
        advance(1)
        bar.show()
        shown = bar._bar
        advance(2)
        assert [(task.description, task.completed) for task in shown.tasks] == [
            ("scoring", 0),
            ("parsing", 3),
        ]
    assert [task.description for task in shown.tasks] == ["scoring"]
    bar.close()
    with progress_of_part("parsing", 4) as nobody:
        assert nobody is None


def test_a_file_of_trees_is_no_measure_of_segments() -> None:
    from understudy.cli.progress import estimated_segments

    assert estimated_segments(["ref.ptb", "ref.txt"]) == 2
    assert estimated_segments(["ref.ptb"]) is None
    (source,) = open_sources("ref.ptb", role="system")
    source.close()
