"""`understudy sacrebleu`: sacreBLEU's command line. Its standard output and exit codes are those of sacreBLEU 2.6.0.

sacreBLEU's parser is argparse's, and so is this one: abbreviated options and options with a variable number of values
mean the same.
"""

from __future__ import annotations

import click


class _Unparsed(click.Command):
    """A command whose arguments are read by another parser, `--` and `--help` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["arguments"] = args
        return []


@click.command("sacrebleu", cls=_Unparsed, add_help_option=False)
def sacrebleu(*, arguments: list[str]) -> int:
    """Run sacreBLEU's command line, with the same output.

    \b
    understudy sacrebleu reference.txt -i system.txt -m bleu chrf ter
    understudy sacrebleu -t wmt23 -l en-de -i system.txt -b
    """
    from understudy.cli.sacrebleu.run import run

    return run(arguments)
