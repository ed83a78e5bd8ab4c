"""`understudy track`: scores over time. The commands of this group are loaded when called."""

from __future__ import annotations

import click

from understudy.cli.lazy_group import LazyGroup

_COMMANDS = {
    "add": "understudy.cli.track_runs:add",
    "list": "understudy.cli.track_runs:list_",
    "show": "understudy.cli.track_results:show",
    "compare": "understudy.cli.track_results:compare",
    "report": "understudy.cli.track_results:report",
    "check": "understudy.cli.track_check:check",
    "rename": "understudy.cli.track_runs:rename",
    "remove": "understudy.cli.track_runs:remove",
    "import": "understudy.cli.track_runs:import_",
}


class _TrackGroup(LazyGroup):
    homes = _COMMANDS


@click.group(
    cls=_TrackGroup, invoke_without_command=True, epilog="Help for a command: understudy track add --help"
)
@click.pass_context
def track(ctx: click.Context) -> None:
    """Scores over time: keep the counts of every run, test each change, and check a run before a release.

    \b
    understudy track add run-1 out/run-1.txt -r ref.txt -m bleu -m chrf --note "baseline"
    understudy track add run-2 out/run-2.txt -r ref.txt -m bleu -m chrf --note "more data"
    understudy track show
    understudy track check --baseline best

    A track is one SQLite file. It has counts, not texts, so that paired tests are possible at any later time.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
