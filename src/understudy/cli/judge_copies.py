"""Copies of a campaign: `understudy judge backup`, `restore` and `archive`."""

from __future__ import annotations

import click

from understudy.cli import say
from understudy.cli.arguments import complete_file
from understudy.cli.judge_people import campaign_argument


@click.command()
@campaign_argument
@click.argument("file", metavar="FILE", shell_complete=complete_file)
def backup(campaign: str, file: str) -> None:
    """Copy a campaign to a new FILE, also while it is served.

    FILE is a complete campaign in SQLite, with all answers acknowledged so far and valid links.
    """
    from understudy import Campaign

    with Campaign.open(campaign) as opened:
        opened.backup(file)
    say(f"copied {campaign} to {file}.")


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@campaign_argument
@click.option("--database", metavar="URL", help="PostgreSQL database for the campaign (default: SQLite).")
def restore(file: str, campaign: str, database: str | None) -> None:
    """Make a new CAMPAIGN from FILE, a copy written by `understudy judge backup`. Links stay valid."""
    from understudy import Campaign

    Campaign.restore(file, campaign, database=database).close()
    say(f"restored {campaign} from {file}.")


@click.command()
@campaign_argument
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option("--names", is_flag=True, help="Show the names of judges (default: judge 1, judge 2, ...).")
def archive(campaign: str, file: str, names: bool) -> None:
    """Write a campaign to FILE, one self-contained HTML page: protocol, progress, results, items and answers."""
    from understudy import Campaign
    from understudy.cli.output import check_output, write_file

    check_output(file, [campaign])
    with Campaign.open(campaign) as opened:
        write_file(opened.archive(names=names), file)
    say(f"wrote {file}.")
