"""`understudy parse` and `understudy trees`, with a parser that needs no model and with a real one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from material.optional import needs_packages
from material.parsers import FRENCH, FlatParser
from understudy.cli.parsers import complete_parser
from understudy.syntax import parsing

needs_french = needs_packages("spacy", FRENCH)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    """The user's folder of caches."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "understudy" / "parses-2.sqlite3"


@pytest.fixture
def flat(monkeypatch) -> FlatParser:
    """The parser that --parser auto takes."""
    made = FlatParser()
    monkeypatch.setitem(parsing._KINDS, "auto", ("", lambda _language, _keep_words: made))
    return made


@pytest.fixture
def text(tmp_path) -> str:
    path = tmp_path / "out.txt"
    path.write_text("a b\n\na b\nc\n")
    return str(path)


CONLLU = """\
# segments = 4
# parser = flat-1/flat
# segment = 1
# text = a b
1	a	_	X	X	_	0	root	_	_
2	b	_	X	X	_	1	dep	_	_

# segment = 3
# text = a b
1	a	_	X	X	_	0	root	_	_
2	b	_	X	X	_	1	dep	_	_

# segment = 4
# text = c
1	c	_	X	X	_	0	root	_	_

"""
BRACKETS = "(S (X a) (X b))\n()\n(S (X a) (X b))\n(S (X c))\n"


def test_dependencies_as_conllu(run, flat, text, tmp_path):
    done = run("parse", text, "-o", str(tmp_path / "trees.conllu"))
    assert (tmp_path / "trees.conllu").read_text() == CONLLU
    assert done.stdout == ""
    assert done.stderr == "understudy: parser flat\n"  # what auto took
    assert flat.asked == [["a b", "c"]]


@pytest.mark.usefixtures("flat")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], CONLLU),
        (["-o", "-"], CONLLU),
        (["--format", "conllu"], CONLLU),
        (["--format", "brackets"], BRACKETS),
    ],
)
def test_to_standard_output(run, text, arguments, expected):
    assert run("parse", text, *arguments).stdout == expected


@pytest.mark.usefixtures("flat")
@pytest.mark.parametrize("name", ["trees.ptb", "trees.mrg", "trees.PTB"])
def test_the_name_of_the_output_asks_for_brackets(run, text, tmp_path, name):
    run("parse", text, "-o", str(tmp_path / name))
    assert (tmp_path / name).read_text() == BRACKETS


@pytest.mark.usefixtures("flat")
def test_several_files_into_a_folder(run, text, tmp_path, fails):
    (tmp_path / "other.tsv").write_text("hyp\tref\nc\td\n")
    folder = tmp_path / "trees"
    run("parse", text, f"{tmp_path}/other.tsv:ref", "-o", str(folder), "-f", "brackets")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "out.ptb": BRACKETS,
        "other-ref.ptb": "(S (X d))\n",
    }
    assert "several input files need an output folder: -o FOLDER" in fails("parse", text, text)
    assert "two input files would both be written to" in fails("parse", text, text, "-o", str(folder))
    assert "need a folder" in fails("parse", text, f"{tmp_path}/other.tsv:ref", "-o", text)


@pytest.mark.usefixtures("flat")
def test_the_second_run_parses_nothing(run, flat, text, cache):
    first = run("parse", text)
    assert run("parse", text).stdout == first.stdout
    assert len(flat.asked) == 1
    info = run("parse", "--cache-info").stdout.splitlines()
    assert info[0].startswith(f"{cache}: 0.0 MB, texts: 2")
    assert info[1:] == ["           2  flat-1"]
    assert run("parse", text, "--no-cache").stdout == first.stdout
    assert len(flat.asked) == 2
    assert run("parse", "--clear-cache").stdout == f"{cache}: 0.0 MB, texts: 0\n"
    assert not cache.exists()


@pytest.mark.usefixtures("flat")
def test_no_cache_leaves_nothing_behind(run, text, cache):
    run("parse", text, "--no-cache")
    assert not cache.exists()


@pytest.mark.usefixtures("flat")
def test_a_broken_cache_is_said_once_and_stops_nobody(run, text, cache):
    cache.parent.mkdir(parents=True)
    cache.write_bytes(b"broken" * 1000)
    done = run("parse", text)
    assert done.stdout == CONLLU
    assert done.stderr.count("cannot be used") == 1
    assert done.exit_code == 0


def test_a_failure_leaves_no_output(run, flat, text, tmp_path, monkeypatch):
    def fail(*_arguments, **_settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(flat, "parse", fail)
    before = sorted(tmp_path.iterdir())
    assert run("parse", text, "-o", str(tmp_path / "trees.conllu")).exit_code == 130
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_refused(fails, flat, text, tmp_path):
    assert "missing argument 'FILE...'" in fails("parse")
    assert "do not take files" in fails("parse", text, "--cache-info")
    assert "unknown parser 'spaci'. Did you mean 'spacy'?" in fails("parse", text, "--parser", "spaci")
    assert "is one of the inputs" in fails("parse", text, "-o", text)
    assert "no such file" in fails("parse", str(tmp_path / "nothing.txt"))
    (tmp_path / "two.tsv").write_text("system-a\tsystem-b\nx\ty\n")
    assert "Use one of" in fails("parse", f"{tmp_path}/two.tsv:system-a,system-b")
    flat.schemes = {"dependencies": "flat"}
    said = fails("parse", text, "-f", "brackets")
    assert "the parser does not produce constituents, only dependencies. Use --format conllu" in said
    assert "parser 'flat' does not produce constituents. Use --kind dependencies" in fails(
        "trees", "a", "--kind", "both"
    )


def test_names_of_parsers_are_completed():
    offered = [item.value for item in complete_parser(None, None, "s")]
    assert {"spacy:", "stanza:"} <= set(offered)
    assert all(name.startswith("s") for name in offered)


# --- trees ---------------------------------------------------------------------------------------------------


def test_a_text_is_drawn_both_ways(run, flat):
    done = run("trees", "a b")
    assert done.stdout.splitlines() == [
        "a b",
        "",
        "S",
        "├─ X  a",
        "└─ X  b",
        "",
        "1 a     X  root",
        "└─ 2 b  X  dep",
    ]
    assert run("trees", "a b", "--kind", "constituents").stdout == "S\n├─ X  a\n└─ X  b\n"
    assert run("trees", "a b", "--kind", "dependencies", "--ascii").stdout.endswith("\n`- 2 b  X  dep\n")
    assert len(flat.asked) == 1


@pytest.mark.usefixtures("flat")
def test_files_and_standard_input(run, text):
    from_file = run("trees", text).stdout
    assert from_file.count("root\n") == 3
    assert run("trees", input="a b\n\na b\nc\n").stdout == from_file
    assert run("trees", "-", input="a b\n\na b\nc\n").stdout == from_file


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ("(S (NP (PRP I)) (VP (VBD slept)))", "S"),
        (" ( (S (NP (PRP I))))", None),
        ("(NN dog)\n(NN cat)", "NN  dog"),
        ("# text = Oui\n1\tOui\t_\tX\tX\t_\t0\troot\t_\t_\n\n", "Oui"),
        (
            "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tX\tX\t_\t2\tx\t_\t_\n2\tle\t_\tX\tX\t_\t0\troot\t_\t_\n",
            "de le",
        ),
    ],
)
def test_trees_that_are_given_need_no_parser(run, given, first):
    done = run("trees", given, input=given)
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    assert first is None or done.stdout.splitlines()[0] == first


@pytest.mark.usefixtures("flat")
def test_a_sentence_in_brackets_is_a_sentence(run):
    assert run("trees", "(He left.)", "--kind", "constituents").stdout.splitlines()[1] == "├─ X  (He"
    assert run("trees", "(NN left)", "--given", "text", "--kind", "constituents").stdout.startswith("S\n")


@pytest.mark.usefixtures("flat")
@pytest.mark.parametrize(
    "text", ["(I had a dog.)", "(He left", "(I think (so", "(EU (European Union) law) applies"]
)
def test_text_that_only_looks_like_brackets_is_parsed(run, text):
    done = run("trees", text, "--kind", "constituents")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[1].endswith(text.split()[0])


@pytest.mark.parametrize(
    "broken", ["(S (NN", "((S (NN", "(S (NP (PRP I)) (VP (VBD slept)) .", "(NP (DT a) (NN b)"]
)
def test_broken_brackets_are_not_taken_for_text(fails, broken):
    said = fails("trees", broken)
    assert "brackets: a" in said
    assert said.rstrip().endswith("If the input is text, use --given text")


def test_a_name_promises_the_same_trees_to_all_commands(run, fails, tmp_path):
    """One node is a tree in a file of trees, and a broken file of trees is no text."""
    (one := tmp_path / "one.ptb").write_text("(nn dog)\n")
    assert run("trees", str(one)).stdout == "nn  dog\n"
    (broken := tmp_path / "broken.conllu").write_text("1\tdog\t_\tNOUN\tNN\t_\t_\troot\t_\t_\n")
    said = f"'{broken}', line 1: expected the number of the head in column 7, got '_'."
    assert said in fails("trees", str(broken))
    assert said in fails("score", str(broken), "-r", str(broken))
    (short := tmp_path / "short.conllu").write_text("1\tdog\n")
    assert f"'{short}', line 1: " in fails("trees", str(short))
    assert "standard input, line 1: expected the number" in fails("trees", input=broken.read_text())


def test_sentences_of_conllu_are_drawn_however_many_lines_lie_between(run):
    spaced = CONLLU.replace("\n\n", "\n\n\n\n").replace("\n", "\r\n")
    assert run("trees", input=spaced).stdout == run("trees", input=CONLLU).stdout
    assert run("trees", input=CONLLU).stdout.count("root") == 3


DOG = "(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))))"
ARCS = """\
I had a dog

2 had      VBD  root
├─ 1 I     PRP  NP/S/VP
└─ 4 dog   NN   NP/VP/VBD
   └─ 3 a  DT   DT/NP/NN
"""


def test_dependencies_of_brackets_are_those_of_the_head_rules(run, monkeypatch, tmp_path):
    monkeypatch.setattr(parsing, "_KINDS", {})
    assert run("trees", DOG, "--kind", "dependencies").stdout == ARCS
    (tmp_path / "two.ptb").write_text(f"{DOG}\n()\n{DOG}\n")
    assert run("trees", str(tmp_path / "two.ptb"), "--kind", "dependencies").stdout == f"{ARCS}\n{ARCS}"
    words, arcs = ARCS.split("\n", 1)
    both = run("trees", DOG, "--kind", "both").stdout
    assert both == f"{words}\n\n{run('trees', DOG).stdout}{arcs}"
    assert run("trees", DOG).stdout == run("trees", DOG, "--kind", "constituents").stdout


def test_what_trees_refuses(fails):
    for kind in ("constituents", "both"):
        said = "contains dependencies, which cannot be converted to constituents. Give trees in brackets"
        assert said in fails("trees", "--kind", kind, input=CONLLU)
    assert "an opening bracket without a closing one, at character 1" in fails(
        "trees", "(S (NN a)", "--given", "brackets"
    )


def test_a_terminal_without_boxes(shell):
    done = shell("trees", "(S (NN a) (NN b))", environment={"PYTHONIOENCODING": "ascii"})
    assert done.stdout == b"S\n|- NN  a\n`- NN  b\n"


def test_a_deep_tree(run):
    deep = "(A " * 2000 + "(B w)" + ")" * 2000
    assert run("trees", input=deep).stdout.count("A ─ ") == 2000


@needs_french
def test_a_real_parser_end_to_end(run, tmp_path):
    path = tmp_path / "sortie.fr"
    path.write_text("Le président a parlé.\n\nIl pleut.\n")
    target = tmp_path / "arbres.conllu"
    done = run("parse", str(path), "--lang", "fr", "-o", str(target))
    assert done.stderr == f"understudy: parser spacy:{FRENCH}\n"
    written = target.read_text()
    assert written.startswith("# segments = 3\n# parser = spacy-")
    assert [line for line in written.splitlines() if line.startswith(("# segment ", "# text"))] == [
        "# segment = 1",
        "# text = Le président a parlé.",
        "# segment = 3",
        "# text = Il pleut.",
    ]
    drawn = run("trees", str(target)).stdout
    assert "président  NOUN   nsubj" in drawn


@pytest.mark.parametrize("command", ["parse", "trees"])
def test_an_unknown_language_is_refused(fails, tmp_path, command):
    (text := tmp_path / "nmt.txt").write_text("Hallo\n")
    assert "--lang: unknown language code 'xx'." in fails(command, str(text), "--lang", "xx")


def test_a_region_is_not_part_of_the_language_of_a_parser(run, monkeypatch):
    asked = []

    def opened(language: str, _keep_words: bool) -> FlatParser:
        asked.append(language)
        return FlatParser()

    monkeypatch.setitem(parsing._KINDS, "auto", ("", opened))
    assert run("trees", "a b", "--lang", "pt-BR", "--kind", "dependencies").exit_code == 0
    assert asked == ["pt"]
