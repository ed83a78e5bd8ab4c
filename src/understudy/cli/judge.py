"""`understudy judge`: human evaluation. The commands of this group are loaded when called."""

from __future__ import annotations

from importlib import import_module

import click

from understudy.errors import did_you_mean

# In the order of a campaign.
_COMMANDS = {
    "new": "understudy.cli.judge_new:new",
    "check": "understudy.cli.judge_serve:check",
    "links": "understudy.cli.judge_people:links",
    "serve": "understudy.cli.judge_serve:serve",
    "status": "understudy.cli.judge_serve:status",
    "add-judges": "understudy.cli.judge_people:add_judges",
    "revoke": "understudy.cli.judge_people:revoke",
    "import": "understudy.cli.judge_results:import_",
    "results": "understudy.cli.judge_results:results",
    "export": "understudy.cli.judge_results:export",
    "backup": "understudy.cli.judge_copies:backup",
    "restore": "understudy.cli.judge_copies:restore",
    "archive": "understudy.cli.judge_copies:archive",
}


class _JudgeGroup(click.Group):
    """Loads a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in _COMMANDS:
            module, _, attribute = _COMMANDS[name].partition(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        if not ctx.resilient_parsing and not name.startswith("-"):
            ctx.fail(f"unknown command '{name}'. {did_you_mean(name, _COMMANDS)}")
        return None


@click.group(cls=_JudgeGroup, epilog="Help for a command: understudy judge new --help")
def judge() -> None:
    """Human evaluation: judges open personal links in a browser, and their answers are stored in a campaign.

    \b
    understudy judge new wmt.campaign A.txt B.txt --source src.txt --protocol esa --judges 12
    understudy judge serve wmt.campaign
    understudy judge status wmt.campaign

    A campaign is one SQLite file, or a schema of a PostgreSQL database (new --database).
    """
