"""`understudy track add`, `list`, `rename`, `remove` and `import`: the runs of a track."""

from __future__ import annotations

import functools

import click

from understudy.cli import options, say, track_options
from understudy.cli.arguments import FileArgument, complete_file
from understudy.cli.named_sets import FOR_SETS, ChosenSet, named_set_options, systems_with
from understudy.cli.number_types import Integer
from understudy.cli.output import check_output
from understudy.cli.progress import estimated_segments, progress
from understudy.wording import number_of


@click.command()
@click.argument("run", metavar="RUN")
@click.argument("system", metavar="[SYSTEM]", required=False, shell_complete=complete_file)
@options.references
@named_set_options(name="--data")
@options.metrics
@click.option("--note", metavar="TEXT", help="What is new in this run.")
@click.option(
    "--test-set",
    metavar="NAME",
    help="Name of the test set in the track (default: the set with these references).",
)
@click.option(
    "--date", metavar="DATE", help="Date in ISO 8601, UTC unless it has a time zone (default: now)."
)
@click.option(
    "--step",
    metavar="N",
    type=Integer(min=0),
    help="Training step. If all runs of a test set have one, they are in this order.",
)
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Tag, e.g. a branch. Repeatable.")
@click.option(
    "--keep-text",
    is_flag=True,
    help="Also keep hypotheses and references, so that metrics can be added without the files.",
)
@track_options.source
@track_options.labels
@options.tsv_quoting
@options.shorthands(several_parsers=False)
@options.threads
@track_options.track_file
def add(
    *,
    run: str,
    system: str | None,
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    metrics: tuple[str, ...],
    note: str | None,
    test_set: str | None,
    date: str | None,
    step: int | None,
    tags: tuple[str, ...],
    keep_text: bool,
    source: str | None,
    labels: str | None,
    shorthands: options.Shorthands,
    threads: int | None,
    track: str,
) -> None:
    """Score a SYSTEM and store its counts as RUN. The run is stored completely or not at all.

    With the name and the hypotheses of an existing run, the metrics are added to it. Without SYSTEM, the text that
    --keep-text stored is used.

    \b
    Examples:
      understudy track add run-7 out.txt -r ref.txt -m bleu -m chrf --note "larger vocabulary"
      understudy track add ckpt-12000 out.txt -r ref.txt --step 12000 --tag main --test-set newstest
      understudy track add run-7 out.txt -t wmt23 -l en-de
      understudy track add run-7 -m ter
    """
    chosen = shorthands.metrics(metrics)
    answers = None
    if system is None:
        options.refuse_idle(["references", *FOR_SETS, "source", "labels"], unless=False, cure="give a SYSTEM")
    else:
        named = chosen_set.read(shorthands.language)
        system = systems_with(named, [system])[0].partition("=")[2] or system if named else system
        answers = options.all_references(references, chosen, [system], test_set=named)
        if named is not None:
            options.refuse_beside(["source"], "-t")
            test_set = test_set or str(named.called)

    from understudy import Track

    files = [*references, *([system] if system is not None else [])]
    with (
        shorthands.computing(chosen),
        progress("scoring", lambda: estimated_segments(files)) as advance,
    ):
        added = Track(track).add(
            run,
            None if system is None else FileArgument(system),
            answers or None,
            chosen,
            note=note,
            test_set=test_set,
            date=date,
            step=step,
            tags=tags or None,
            keep_text=keep_text,
            source=None if source is None else FileArgument(source),
            documents=None if labels is None else FileArgument(labels),
            threads=threads,
            progress=advance,
        )
    counted = ", ".join(metric.spec for metric in chosen)
    say(f"added {added.name} to {track}: {counted} on test set {added.test_set}.")


@click.command("list")
@track_options.test_set
@track_options.tags
@options.format
@options.digits(2)
@options.output
@track_options.track_file
def list_(
    *, test_set: str | None, tags: tuple[str, ...], format: str, digits: int, output: str | None, track: str
) -> None:
    """List the runs with their dates, notes, tags and metrics."""
    from understudy import Track
    from understudy.report.track_sheets import runs_sheets
    from understudy.report.track_tables import render_runs

    if output is not None:
        check_output(output, [track])
    found = Track(track).runs(test_set=test_set, tags=tags)
    options.deliver(
        functools.partial(render_runs, found),
        output,
        sheets=lambda: runs_sheets(found),
        format=format,
        digits=digits,
    )


@click.command()
@click.argument("run", metavar="RUN")
@click.argument("name", metavar="NAME")
@click.option("--test-set", metavar="NAME", help="Test set of the run, if several have a run of this name.")
@track_options.track_file
def rename(run: str, name: str, test_set: str | None, track: str) -> None:
    """Give RUN the name NAME."""
    from understudy import Track

    Track(track).rename(run, name, test_set=test_set)
    say(f"renamed {run} to {name}.")


@click.command()
@click.argument("run", metavar="RUN")
@click.option("--test-set", metavar="NAME", help="Test set of the run, if several have a run of this name.")
@track_options.track_file
def remove(run: str, test_set: str | None, track: str) -> None:
    """Remove RUN with all its counts."""
    from understudy import Track

    removed = Track(track).remove(run, test_set=test_set)
    say(f"removed {removed.name} of test set {removed.test_set}.")


@click.command("import")
@click.argument("other", metavar="OTHER", shell_complete=complete_file)
@track_options.track_file
def import_(other: str, track: str) -> None:
    """Add the runs of OTHER, another track. Runs that both have are skipped."""
    from understudy import Track

    added = Track(track).import_runs(other)
    say(f"added {number_of(len(added), 'run')} of {other} to {track}.")
