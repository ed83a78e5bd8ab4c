"""The style guide, docs/style.md, as far as a program can check it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import click
import pytest

from understudy.cli import COMMANDS, program
from understudy.cli.option_groups import GROUPS, long_name

ROOT = Path(__file__).parents[2]

# docs/style.md quotes the phrases that it replaces.
SCOPE = (
    "src/understudy",
    "docs/README.md",
    "docs/architecture.md",
    "docs/guide",
    "docs/metrics",
    "docs/tokenizers.md",
    "examples/README.md",
    "models/english/MODEL_CARD.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
)
AVOIDED = (
    "among equals",
    "as the paper has it",
    "called real",
    "cannot be meant",
    "changes nothing",
    "cut into words",
    "dealt",
    "every digit",
    "expects file paths",
    "hang on",
    "hanging on",
    "hangs on",
    "hostile",
    "is no more than",
    "is said",
    "it is refused",
    "laid out plainly",
    "longest n-gram",
    "look at documents",
    "looks at documents",
    "make it first",
    "metric of syntax",
    "metrics of syntax",
    "metrics of words",
    "penalty for brevity",
    "so often",
    "spaces between words for",
    "stand beside",
    "there is no file",
    "there is no folder",
    "told apart",
    "usual panel",
    "what it sees",
    "what people",
    "when scoring files",
    "where programs disagree",
    "which file is the",
    "white space",
    "who parsed",
    "whole number",
    "whole or not at all",
)

# The documentation uses American spelling. These are beginnings or parts of British words.
BRITISH = (
    "behaviour",
    "centre",
    "colour",
    "favour",
    "generalis",
    "honour",
    "labelled",
    "labelling",
    "learnt",
    "licence",
    "modelled",
    "neighbour",
    "normalis",
    "penalis",
    "recognis",
    "standardis",
    "summaris",
    "tokenis",
)
# Names in HTML and in the core that have it anyway.
SPELLED_SO = re.compile(r'aria-labelledby|"(length-scaled-)?neighbours"')

FILES = sorted(
    path
    for entry in SCOPE
    for path in ((ROOT / entry).rglob("*") if (ROOT / entry).is_dir() else [ROOT / entry])
    if path.suffix in (".py", ".md", ".html", ".js")
)
# A command keeps the help option that it was first asked for: that of the program has -h, too.
PROGRAM = click.Context(program, **program.context_settings)
OPTIONS = [
    pytest.param(name, option, id=f"{name} {long_name(option)}")
    for name in COMMANDS
    if (command := program.get_command(PROGRAM, name)) is not None
    for option in command.get_params(click.Context(command, parent=PROGRAM))
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_every_option_has_help(command: str, option: click.Option) -> None:
    assert option.help, f"understudy {command} {long_name(option)} has no help text."


@pytest.mark.parametrize("command", GROUPS)
def test_every_option_is_in_one_group(command: str) -> None:
    listed = [flag for flags in GROUPS[command].values() for flag in flags]
    assert len(listed) == len(set(listed))
    own: list[Any] = [param.values[1] for param in OPTIONS if param.values[0] == command]
    options = {long_name(option) for option in own}
    assert options <= set(listed), f"Add {options - set(listed)} to understudy.cli.option_groups.GROUPS."


@pytest.mark.parametrize("name", GROUPS)
def test_help_shows_all_groups_and_nothing_else(name: str) -> None:
    command = program.get_command(PROGRAM, name)
    assert command is not None
    shown = command.get_help(click.Context(command, parent=PROGRAM, info_name=name))
    assert re.findall(r"^(\w[\w ]*):$", shown, re.MULTILINE) == list(GROUPS[name])


def test_errors_call_unknown_names_unknown() -> None:
    texts = [
        "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        for path in (ROOT / "src" / "understudy").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr) and "did_you_mean(" in ast.unparse(node)
    ]
    said = [text for text in texts if len(text.split()) > 2]  # others continue another message
    assert len(said) > 20
    assert [text for text in said if "unknown" not in text] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_avoided_phrases_do_not_return(path: Path) -> None:
    text = re.sub(r"[\s#]+", " ", path.read_text(encoding="utf-8")).lower()
    assert [phrase for phrase in AVOIDED if phrase in text] == [], "see docs/style.md"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_spelling_is_american(path: Path) -> None:
    text = SPELLED_SO.sub("", path.read_text(encoding="utf-8")).lower()
    assert [word for word in BRITISH if word in text] == []


def test_the_scope_exists() -> None:
    assert [entry for entry in SCOPE if not (ROOT / entry).exists()] == []
