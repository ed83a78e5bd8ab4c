"""`understudy judge`: human evaluation. The commands of this group are loaded when called."""

from __future__ import annotations

import click

from understudy.cli.lazy_group import LazyGroup

# In the order of a campaign.
_COMMANDS = {
    "new": "understudy.cli.judge_new:new",
    "check": "understudy.cli.judge_serve:check",
    "links": "understudy.cli.judge_people:links",
    "serve": "understudy.cli.judge_serve:serve",
    "status": "understudy.cli.judge_serve:status",
    "add-judges": "understudy.cli.judge_people:add_judges",
    "revoke": "understudy.cli.judge_people:revoke",
    "ask": "understudy.cli.judge_ask:ask",
    "import": "understudy.cli.judge_results:import_",
    "results": "understudy.cli.judge_results:results",
    "export": "understudy.cli.judge_results:export",
    "backup": "understudy.cli.judge_copies:backup",
    "restore": "understudy.cli.judge_copies:restore",
    "archive": "understudy.cli.judge_copies:archive",
}


class _JudgeGroup(LazyGroup):
    homes = _COMMANDS


@click.group(
    cls=_JudgeGroup, invoke_without_command=True, epilog="Help for a command: understudy judge new --help"
)
@click.pass_context
def judge(ctx: click.Context) -> None:
    """Human evaluation: judges open personal links in a browser, and their answers are stored in a campaign.

    \b
    understudy judge new wmt.campaign A.txt B.txt --source src.txt --protocol esa --judges 12
    understudy judge serve wmt.campaign
    understudy judge status wmt.campaign

    A campaign is one SQLite file, or a schema of a PostgreSQL database (new --database).
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
