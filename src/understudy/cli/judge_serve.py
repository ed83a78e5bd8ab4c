"""A campaign from start to end: `understudy judge check`, `serve` and `status`."""

from __future__ import annotations

import click

from understudy.cli import say
from understudy.cli.judge_people import campaign_argument
from understudy.cli.number_types import Integer
from understudy.cli.output import print_data, print_text

_FORMATS = ("table", "json")


@click.command()
@campaign_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port",
    type=Integer(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for a free one.",
)
@click.option(
    "--url",
    metavar="URL",
    help="Address at which judges reach the page through a reverse proxy, e.g. https://judge.example.org.",
)
def serve(campaign: str, host: str, port: int, url: str | None) -> None:
    """Serve the page of a campaign until interrupted (Ctrl-C).

    By default only this machine can open it. The connection is not encrypted: for judges elsewhere, put a reverse proxy
    with HTTPS in front of it, and give the address of the proxy with --url.
    """
    from understudy import Campaign

    def ready(address: str) -> None:
        say(f"{campaign} is served at {address} until you press Ctrl-C. Judges open their personal links.")
        if host not in ("127.0.0.1", "::1", "localhost") and url is None:
            say(
                "warning: other machines can connect, without encryption. Use a reverse proxy with HTTPS, and --url."
            )

    with Campaign.open(campaign) as opened:
        opened.serve(host, port, url=url, ready=ready)


@click.command()
@campaign_argument
@click.option(
    "-f", "--format", type=click.Choice(_FORMATS), default="table", show_default=True, help="Output format."
)
def status(campaign: str, format: str) -> None:
    """Show the progress of each judge, also while the campaign is served."""
    from understudy import Campaign

    with Campaign.open(campaign) as opened:
        found = opened.status()
    if format == "json":
        import json
        from dataclasses import asdict

        print_data(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        print_text(str(found))


@click.command()
@campaign_argument
def check(campaign: str) -> int:
    """Check a campaign before judges see it: missing texts, unbalanced shares, items that cannot be judged.

    Exit code 1 if a problem would make the results worthless.
    """
    from understudy import Campaign

    with Campaign.open(campaign) as opened:
        problems = opened.check()
    for problem in problems:
        print_text(f"{'error' if problem.serious else 'warning'}: {problem.message}")
    if not problems:
        print_text("No problems found.")
    return 1 if any(problem.serious for problem in problems) else 0
