"""`understudy data`: test sets by name. The commands of this group are loaded when called."""

from __future__ import annotations

import click

from understudy.cli.lazy_group import LazyGroup

_COMMANDS = {
    "list": "understudy.cli.data_sets:list_",
    "show": "understudy.cli.data_sets:show",
    "get": "understudy.cli.data_sets:get",
    "path": "understudy.cli.data_sets:path",
    "echo": "understudy.cli.data_sets:echo",
}


class _DataGroup(LazyGroup):
    homes = _COMMANDS


@click.group(
    cls=_DataGroup, invoke_without_command=True, epilog="Help for a command: understudy data get --help"
)
@click.pass_context
def data(ctx: click.Context) -> None:
    """Test sets by name: those of sacreBLEU, and the human scores of mt-metrics-eval.

    \b
    understudy data list -l en-de
    understudy data get wmt23 en-de
    understudy data echo wmt23 en-de src > source.txt
    understudy score nmt.txt -t wmt23 -l en-de

    Test sets are stored in sacreBLEU's folder (SACREBLEU, or ~/.sacrebleu), and shared with it. Nothing is downloaded
    unless you ask for it, with `data get` or --download.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
