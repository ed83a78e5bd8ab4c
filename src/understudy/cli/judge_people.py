"""The people of a campaign: `understudy judge links`, `add-judges` and `revoke`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from understudy.cli import say
from understudy.cli.arguments import complete_file
from understudy.cli.output import check_output, print_data
from understudy.errors import BadInput, MissingFile

if TYPE_CHECKING:
    from understudy.judging.campaigns.campaign import Link

_DEFAULT_URL = "http://127.0.0.1:8000"


def _checked_url(context: click.Context, parameter: click.Parameter, url: str) -> str:  # noqa: ARG001
    """Before anything is made or issued: a link is shown only once."""
    from understudy import Campaign

    return Campaign.page_address(url)


campaign_argument = click.argument("campaign", metavar="CAMPAIGN", shell_complete=complete_file)
url_option = click.option(
    "--url",
    metavar="URL",
    default=_DEFAULT_URL,
    show_default=True,
    callback=_checked_url,
    help="Address of the page in the links, as judges reach it.",
)
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="File for the links, readable by its owner only (default: standard output).",
)


@click.command()
@campaign_argument
@click.argument("names", metavar="[JUDGE...]", nargs=-1)
@url_option
@click.option("--replace", is_flag=True, help="End the earlier links and sessions of these judges.")
@output_option
def links(campaign: str, names: Sequence[str], url: str, replace: bool, output: str | None) -> None:
    """Issue new personal links for JUDGE..., by default for all judges, the lead and the viewer.

    A link is shown only when it is issued: the campaign stores a hash. Links issued earlier stay valid, unless
    --replace is given. The link of `lead` opens progress and results, that of `viewer` the same without names.
    """
    from understudy import Campaign

    check_links_file(output, campaign)
    with Campaign.open(campaign) as opened:
        show_links(opened.links(names or None, replace=replace), url, output)


@click.command("add-judges")
@campaign_argument
@click.argument("judges", metavar="N|NAME...", nargs=-1, required=True)
@url_option
@output_option
def add_judges(campaign: str, judges: Sequence[str], url: str, output: str | None) -> None:
    """Add judges to a campaign, also while it is served, and issue their links.

    N is a number of judges; NAME:GROUP chooses a group of the protocol. Those added to a crowd enter by its link.
    """
    from understudy import Campaign

    check_links_file(output, campaign)
    with Campaign.open(campaign) as opened:
        added = opened.add_judges(judges_given(judges))
        if opened.design.plan.crowd:
            say(f"added {len(added):,} place{'s' if len(added) != 1 else ''} for the crowd.")
        else:
            show_links(opened.links(added), url, output)


@click.command()
@campaign_argument
@click.argument("names", metavar="JUDGE...", nargs=-1, required=True)
def revoke(campaign: str, names: Sequence[str]) -> None:
    """End all links and sessions of judges for good, also while the campaign is served. Their answers stay."""
    from understudy import Campaign

    with Campaign.open(campaign) as opened:
        opened.revoke(names)
    say(f"revoked: {', '.join(dict.fromkeys(names))}.")


def judges_given(arguments: Sequence[str]) -> int | list[str]:
    """A number of judges, or their names, also separated by commas."""
    if len(arguments) == 1 and arguments[0].isascii() and arguments[0].isdigit():
        return int(arguments[0][:9])
    return [name for argument in arguments for name in argument.split(",")]


def check_links_file(output: str | None, campaign: str) -> None:
    """Before links are issued: they are shown only once."""
    if output is None:
        return
    if os.path.realpath(output) == os.path.realpath(campaign):
        raise BadInput(f"--output '{output}' is the campaign itself. Use another file for the links.")
    check_output(output)


def show_links(links: Sequence[Link], url: str, output: str | None) -> None:
    """Name, group and link of each, separated by tabs."""
    lines = ["name\tgroup\tlink", *(f"{link.name}\t{link.group or ''}\t{link.at(url)}" for link in links)]
    if output is None:
        print_data("\n".join(lines))
        return
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.chmod(output, 0o600)  # the file may have been there
            file.write("\n".join(lines) + "\n")
    except OSError as error:
        raise MissingFile(f"--output '{output}' cannot be written: {error.strerror}.") from None
