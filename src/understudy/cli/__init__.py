"""The command line: parse arguments, call the library, print.

One file per verb, loaded when called. Exit codes: 0 success, 1 a requested check failed, 2 invalid input or usage,
130 interrupted, 141 broken pipe.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from understudy import neural, text
from understudy.cli.lazy_group import LazyGroup
from understudy.corpus import test_sets
from understudy.errors import UnderstudyError, UnderstudyWarning, did_you_mean
from understudy.report.grid import printable
from understudy.version import __version__

NAME = "understudy"
COMPLETION_VARIABLE = "_UNDERSTUDY_COMPLETE"
COMMANDS = {
    "score": "understudy.cli.score:score",
    "compare": "understudy.cli.compare:compare",
    "explain": "understudy.cli.explain:explain",
    "judge": "understudy.cli.judge:judge",
    "trust": "understudy.cli.trust:trust",
    "probe": "understudy.cli.probe:probe",
    "decide": "understudy.cli.decide:decide",
    "tune": "understudy.cli.tune:tune",
    "track": "understudy.cli.track:track",
    "metrics": "understudy.cli.metrics_and_tokenizers:metrics",
    "models": "understudy.cli.models:models",
    "data": "understudy.cli.data:data",
    "sacrebleu": "understudy.cli.sacrebleu:sacrebleu",
    "tokenizers": "understudy.cli.metrics_and_tokenizers:tokenizers",
    "tokenize": "understudy.cli.tokenize:tokenize",
    "parse": "understudy.cli.parse:parse",
    "trees": "understudy.cli.trees:trees",
    "spark": "understudy.cli.spark:spark",
    "completion": "understudy.cli.completion:completion",
}


def main() -> NoReturn:
    """The entry point of the command `understudy`."""
    _run(sys.argv[1:])


def main_of(command: str) -> NoReturn:
    """The entry point of a single command, which is run with the arguments of the program."""
    _run([command, *sys.argv[1:]])


def _run(arguments: Sequence[str]) -> NoReturn:
    # Counting needs no matrix products, and starting OpenBLAS's threads takes a fifth of a short run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # To look for garbage among modules that are being loaded, and at the end among all there is, costs another tenth.
    gc.set_threshold(100_000)
    neural.environment = text.environment = test_sets.environment = os.environ
    try:
        program.main(list(arguments), prog_name=NAME)
    finally:
        gc.freeze()
    raise AssertionError("click ends the process")


class _Program(LazyGroup):
    """Turns every error into one line and an exit code."""

    homes = COMMANDS

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        if COMPLETION_VARIABLE in os.environ:
            import_module("understudy.cli.completion")  # registers our shells with click
        try:
            result = super().main(args, **{**extra, "standalone_mode": False})
            code = result if isinstance(result, int) else 0
        except UnderstudyError as error:
            code = _complain(error.on_command_line or str(error))
        except click.ClickException as error:
            code = _complain(_with_help_hint(error))
        except (click.Abort, KeyboardInterrupt):
            code = 130
        except MemoryError:
            code = _complain(
                "out of memory. Use fewer systems, metrics or segments at a time, or a larger machine."
            )
        except OSError as error:  # e.g. a full disk
            code = _complain(f"{error.filename or 'output'}: {error.strerror or error}.")
            _let_output_go()
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _warnings_shown():
                result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            _let_output_go()
            raise click.exceptions.Exit(141) from None  # as in a shell: 128 + SIGPIPE
        except click.UsageError as error:
            if error.ctx is None:  # click does not say whose option lacks its value
                error.ctx = self._context_of_command(ctx)
            raise
        return result

    def _context_of_command(self, ctx: click.Context) -> click.Context:
        command = self.get_command(ctx, ctx.invoked_subcommand) if ctx.invoked_subcommand else None
        return ctx if command is None else click.Context(command, ctx, info_name=ctx.invoked_subcommand)


def say(message: str) -> None:
    """Print one line on standard error, whatever names and texts it quotes."""
    click.echo(f"{NAME}: {printable(' '.join(message.splitlines()))}", err=True)


def warn(message: str) -> None:
    """The same, as a warning."""
    say(f"warning: {message}")


@contextmanager
def _warnings_shown() -> Iterator[None]:
    """Show each of the library's warnings once, in one line."""
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, UnderstudyWarning):
            others(message, category, *place, **more)
        elif str(message) not in told:  # a file may be opened several times
            told.add(str(message))
            warn(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UnderstudyWarning)
        others, warnings.showwarning = warnings.showwarning, show
        yield


def _complain(message: str) -> int:
    """Print an error line; return its exit code."""
    with suppress(OSError):
        say(f"error: {message}")
    return 2


# click begins its messages with a capital letter; other errors begin with a name or in lower case.
_CAPITALS_OF_CLICK = ("Could ", "Got ", "Invalid ", "Missing ", "No such ", "Option ")


def _with_help_hint(error: click.ClickException) -> str:
    message = error.format_message().replace("\n\t", " ")  # click's layout of choices
    if message.startswith(_CAPITALS_OF_CLICK):
        message = message[0].lower() + message[1:]
    if isinstance(error, click.NoSuchOption):
        cure = _instead_of(error.option_name, error.ctx)
        if not cure and error.possibilities:
            cure = did_you_mean(error.option_name, error.possibilities)
        message = f"unknown option '{error.option_name}'.{f' {cure}' if cure else ''}"
    elif not message.endswith((".", "?")):
        message += "."
    context = getattr(error, "ctx", None)
    where = context.command_path if context else NAME
    return f"{message} Try '{where} --help'."


def _instead_of(option: str, ctx: click.Context | None) -> str:
    """What this command has for a common option that it lacks; empty if it has nothing of the kind."""
    if ctx is None:
        return ""
    arguments = [str(each.metavar) for each in ctx.command.params if isinstance(each, click.Argument)]
    if option in ("-o", "--output") and arguments[-1:] == ["FILE"]:
        return f"Give the file without it: {ctx.command_path} {' '.join(arguments)}."
    formats = next((each.type for each in ctx.command.params if "--format" in each.opts), None)
    if isinstance(formats, click.Choice) and option.removeprefix("--") in formats.choices:
        return f"Use --format {option.removeprefix('--')}."
    return ""


def _let_output_go() -> None:
    """Discard the rest of the buffer, which Python would otherwise fail to write at exit."""
    if sys.stdout is None:
        return
    with suppress(OSError, ValueError):
        sys.stdout.flush()  # everything that can still be written
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    NAME,
    cls=_Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Help for a command: understudy score --help",
)
@click.version_option(__version__, "-V", "--version", prog_name=NAME, message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """The workbench for machine translation evaluation.

    \b
    How good is each system?
        understudy score system.txt -r reference.txt
    Is the difference real?
        understudy compare old.txt new.txt -r reference.txt
    What do people say?
        understudy judge new campaign system*.txt --source source.txt --protocol da --judges 4
    Does the metric agree with people?
        understudy trust system*.txt -r reference.txt --human judgments.tsv
    What can the metric not see?
        understudy probe system.txt -r reference.txt
    Which candidate translation is best?
        understudy decide list.nbest -m chrf
    How did the scores change over time?
        understudy track add run-7 system.txt -r reference.txt && understudy track show
    Why do two tools disagree?
        understudy explain system.txt -r reference.txt --against mteval-v13a
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
