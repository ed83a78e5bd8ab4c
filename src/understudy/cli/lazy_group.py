"""A group of commands, each loaded when it is called: start-up loads no other command."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar

import click

from understudy.errors import did_you_mean


class LazyGroup(click.Group):
    """`homes` has the module and the attribute of every command, in the order of the help."""

    homes: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.homes)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.homes:
            module, _, attribute = self.homes[name].partition(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        if not ctx.resilient_parsing and not name.startswith("-"):
            ctx.fail(f"unknown command '{name}'. {did_you_mean(name, self.homes)}")
        return None
