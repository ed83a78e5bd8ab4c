"""The style guide, docs/style.md, as far as a program can check it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest

from understudy.cli import COMMANDS, program
from understudy.cli.option_groups import GROUPS, long_name

ROOT = Path(__file__).parents[2]

# Folders and files that follow the guide so far: to be extended until it is all of src, docs and README.md.
SCOPE = (
    "src/understudy/errors.py",
    "src/understudy/metrics",
    "src/understudy/text",
    "src/understudy/lexicon",
    "src/understudy/syntax",
    "src/understudy/corpus",
    "src/understudy/breakdown",
    "src/understudy/comparing",
    "src/understudy/fitness",
    "src/understudy/report",
    "src/understudy/resampling",
    "src/understudy/scoring",
    "src/understudy/studies",
    "src/understudy/trusting",
    "src/understudy/cli",
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
    "hang on",
    "hanging on",
    "hangs on",
    "hostile",
    "is no more than",
    "is said",
    "it is refused",
    "longest n-gram",
    "look at documents",
    "looks at documents",
    "metric of syntax",
    "metrics of syntax",
    "metrics of words",
    "penalty for brevity",
    "so often",
    "spaces between words for",
    "stand beside",
    "told apart",
    "usual panel",
    "what it sees",
    "where programs disagree",
    "which file is the",
    "white space",
    "who parsed",
    "whole number",
    "whole or not at all",
)

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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_avoided_phrases_do_not_return(path: Path) -> None:
    text = re.sub(r"[\s#]+", " ", path.read_text(encoding="utf-8")).lower()
    assert [phrase for phrase in AVOIDED if phrase in text] == [], "see docs/style.md"


def test_the_scope_exists() -> None:
    assert [entry for entry in SCOPE if not (ROOT / entry).exists()] == []
