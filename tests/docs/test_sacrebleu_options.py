"""The page for users of sacreBLEU: its table lists every option of sacreBLEU's command, and commands that exist."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import click
import pytest

from understudy import metric
from understudy.cli import NAME, program
from understudy.cli.sacrebleu.arguments import parser

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "sacrebleu.md"
OURS_ALONE = ["--strict"]


def rows() -> dict[tuple[str, ...], str]:
    """Own commands, by the names of an option."""
    section = PAGE.read_text(encoding="utf-8").partition("\n### Every option\n")[2].partition("\n### ")[0]
    found = re.findall(r"^\| (`-.*?`) \| (.*?) \|$", section, re.MULTILINE)
    return {tuple(re.findall("`(.*?)`", names)): own for names, own in found}


def names_of(made: argparse.ArgumentParser) -> set[tuple[str, ...]]:
    return {
        tuple(sorted(action.option_strings, key=lambda name: (name.startswith("--"), name)))
        for action in made._actions
        if action.option_strings
    }


def test_the_table_has_the_options_of_the_command() -> None:
    listed = [tuple(sorted(names, key=lambda name: (name.startswith("--"), name))) for names in rows()]
    assert len(listed) == len(set(listed))
    assert set(listed) == names_of(parser())


def test_the_command_has_the_options_of_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many values, the same type, choices and default, and the same exclusions."""
    if find_spec("sacrebleu") is None:
        pytest.skip("needs sacrebleu")
    their = parser_of_sacrebleu(monkeypatch)
    ours = parser()
    assert names_of(ours) == {*names_of(their), *((name,) for name in OURS_ALONE)}
    facts = [
        {
            tuple(action.option_strings): (
                type(action).__name__,
                action.dest,
                action.nargs,
                action.type if action.type is not str else None,  # which is argparse's default
                sorted(action.choices or ()),
                action.default,
            )
            for action in made._actions
            if action.option_strings != OURS_ALONE
        }
        for made in (ours, their)
    ]
    assert facts[0] == facts[1]
    exclusions = [
        [[action.dest for action in group._group_actions] for group in made._mutually_exclusive_groups]
        for made in (ours, their)
    ]
    assert exclusions[0] == exclusions[1] != []


def parser_of_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> argparse.ArgumentParser:
    made: list[argparse.ArgumentParser] = []

    def parse_args(self: argparse.ArgumentParser) -> argparse.Namespace:
        made.append(self)
        return argparse.Namespace(format="json")

    with monkeypatch.context() as patched:
        patched.setattr(argparse.ArgumentParser, "parse_args", parse_args)
        import_module("sacrebleu.sacrebleu").parse_args()
    return made[0]


@pytest.mark.parametrize("names", rows(), ids=lambda names: names[0])
def test_own_commands_exist(names: tuple[str, ...]) -> None:
    own = rows()[names]
    written = re.findall(rf"`{NAME} (.*?)`", own)
    assert written or own.startswith("none: ")
    for words in map(str.split, written):
        context = click.Context(program, info_name=NAME)
        command: click.Command = program
        while isinstance(command, click.Group) and not words[0].startswith("-"):
            found = command.get_command(context, words.pop(0))
            assert found is not None
            command = found
            context = click.Context(command, context)
        known = {flag for option in command.get_params(context) for flag in option.opts}
        assert {word for word in words if word.startswith("-")} <= known
        for flag, value in pairwise(words):
            if flag == "-m":
                assert metric(value)
