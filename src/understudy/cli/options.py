"""The options that several commands have: written once, so that they are called and mean the same everywhere."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from understudy.cli.arguments import chosen_metrics, complete_file, complete_metrics, complete_tokenizer
from understudy.cli.output import print_text, styles_wanted, terminal_width, write_file
from understudy.cli.parsers import complete_parser, no_cache_option, parsing_shown
from understudy.cli.questioned import warn_of_references
from understudy.cli.unreadable import say_which_tokenizer, warn_of_unreadable
from understudy.corpus import delimited
from understudy.report.scores import FORMATS

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric

Command = Callable[..., Any]

# As in understudy.resampling.intervals, which is not imported before it is needed. A test compares them.
INTERVALS = ("percentile", "bca")

references = click.option(
    "-r",
    "--reference",
    "--refs",
    "references",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="A reference translation. Repeat it for several. Metrics such as self-bleu need none.",
)
metrics = click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    default=("bleu",),
    show_default=True,
    shell_complete=complete_metrics,
    help="A metric with its settings, such as bleu:tokenize=intl,lowercase=true. Repeat it for several; "
    "`all` is the usual panel. See `understudy metrics`.",
)
_tokenize = click.option(
    "--tokenize",
    metavar="NAME",
    shell_complete=complete_tokenizer,
    help="The tokenizer of every metric that has one and does not set it. See `understudy tokenizers`.",
)
_lowercase = click.option(
    "--lowercase", is_flag=True, help="Ignore case in every metric that can and does not say otherwise."
)
_parsers = click.option(
    "--parser",
    "parsers",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_parser,
    help="What parses text for every metric of syntax that does not set it: english, spacy:MODEL, stanza:LANGUAGE or "
    "udpipe:FILE; without it the best that is installed. Repeat it to see how scores move between parsers.",
)
_language = click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="The target language, such as zh, or a language pair, such as en-zh. It chooses what the metrics do not set: "
    "their tokenizer (as in sacreBLEU: zh, ja-mecab, ko-mecab), METEOR's language, the parser. It "
    "labels the texts in HTML reports.",
)
kinds = click.option(
    "--kind",
    "kinds",
    metavar="KIND:NAME,...",
    multiple=True,
    help="Which systems work alike, such as nmt:A,B. Repeat it for every kind: then comparisons are named that metrics "
    "are not fit for.",
)


def _read_tsv_so(ctx: click.Context, _param: click.Parameter, convention: str) -> None:
    ctx.with_resource(delimited.tsv_quoting(convention))


tsv_quoting = click.option(
    "--tsv-quoting",
    type=click.Choice(delimited.TSV_QUOTING),
    default="auto",
    show_default=True,
    expose_value=False,
    callback=_read_tsv_so,
    help="Quotation marks around cells of TSV files: csv removes them, as in files written by pandas; none keeps them "
    "as text; auto decides by the whole file.",
)
format = click.option(
    "-f",
    "--format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="JSON and TSV hold every digit.",
)


def digits(default: int) -> Callable[[Command], Command]:
    """How many, by default so many."""
    return click.option(
        "-w",
        "--width",
        "digits",
        metavar="DIGITS",
        type=click.IntRange(0, 15),
        default=default,
        show_default=True,
        help="Digits after the decimal point, in formats for people.",
    )


output = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    callback=lambda _ctx, _param, path: None if path == "-" else path,
    help="Write to a file, whole or not at all, instead of standard output.",
)
threads = click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many cores to use (default: all). Scores never depend on it.",
)


def significance(help: str) -> Callable[[Command], Command]:
    """The level of the tests; what follows from it, the help says."""
    return click.option(
        "--significance",
        metavar="P",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help=help,
    )


seed = click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=12345,
    show_default=True,
    help="Of the samples that are drawn.",
)


class Shorthands(NamedTuple):
    """What the options ask of all metrics that can be asked for it."""

    tokenize: str | None
    lowercase: bool
    parsers: tuple[str, ...]
    language: str | None
    no_cache: bool

    def metrics(self, specs: Sequence[str], *, distinct: bool = True) -> list[Metric]:
        """The metrics of these specs. `distinct`: none may come twice."""
        chosen = chosen_metrics(
            specs,
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            parsers=self.parsers,
            language=self.language,
            distinct=distinct,
        )
        if self.language is not None and self.tokenize is None:
            say_which_tokenizer(self.language, chosen)
        return chosen

    def parsing(self, metrics: Sequence[Metric], *, wanted: bool = True) -> AbstractContextManager[None]:
        """Within which these metrics may parse."""
        return parsing_shown(metrics, no_cache=self.no_cache, wanted=wanted)


def shorthands(command: Command) -> Command:
    """Gives a command these options, as one argument `shorthands`."""

    @functools.wraps(command)
    def with_shorthands(*context: Any, **options: Any) -> Any:
        chosen = Shorthands(**{name: options.pop(name) for name in Shorthands._fields})
        return command(*context, **options, shorthands=chosen)

    for option in reversed((_tokenize, _lowercase, _parsers, _language, no_cache_option)):
        with_shorthands = option(with_shorthands)
    return with_shorthands


# What only text has a use for, by the names of parameters.
FOR_TEXT = ("references", "metrics", "tokenize", "lowercase", "parsers", "language")


def given(parameter: str) -> bool:
    """Whether the user gave an option of the command that runs; a default is not given."""
    return click.get_current_context().get_parameter_source(parameter) is not ParameterSource.DEFAULT


def refuse_idle(parameters: Sequence[str], *, unless: object, cure: str) -> None:
    """Refuses those options that were given although they change nothing, `unless` what they are for is asked for.
    `cure` says how that is done.
    """
    idle = [] if unless else [_flag(parameter) for parameter in parameters if given(parameter)]
    if idle:
        listed = " and ".join(filter(None, (", ".join(idle[:-1]), idle[-1])))
        change, them = ("changes", "it") if len(idle) == 1 else ("change", "them")
        raise click.UsageError(f"{listed} {change} nothing: {cure}, or leave {them} out.")


def refuse_beside(parameters: Sequence[str], option: str) -> None:
    """Refuses those options that were given although they are for another use of the command than this option."""
    for parameter in parameters:
        if given(parameter):
            raise click.UsageError(
                f"{_flag(parameter)} cannot be combined with {option}. Leave one of them out."
            )


def _flag(parameter: str) -> str:
    """As users write it: its first long name."""
    written = next(each for each in click.get_current_context().command.params if each.name == parameter).opts
    return next((flag for flag in written if flag.startswith("--")), written[0])


def require_references(paths: Sequence[str], metrics: Sequence[Metric], systems: Sequence[str] = ()) -> None:
    """Asks for references if a metric reads them and there are none. Warns of systems that may be references, and if a
    metric makes no words of references.
    """
    if not paths and any(metric.reads_references for metric in metrics):
        raise click.UsageError("Missing option '-r': which file is the reference translation?")
    warn_of_references(systems, paths)
    warn_of_unreadable(paths, metrics)


def deliver(render: Callable[..., str], path: str | None, **how: Any) -> None:
    """Writes what `render` makes to a file, or shows it as wide and as styled as the reader's terminal is."""
    if path is not None:
        write_file(render(**how), path)
    else:
        print_text(render(**how, width=terminal_width(), styled=styles_wanted()))
