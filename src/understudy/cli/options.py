"""Options shared by several commands, defined once so that names and meanings are the same everywhere."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from understudy.choices import MOST_DIGITS
from understudy.cli.arguments import (
    FileArgument,
    chosen_metrics,
    complete_file,
    complete_metrics,
    complete_tokenizer,
)
from understudy.cli.language_models import NAMES as _LANGUAGE_MODELS
from understudy.cli.language_models import language_model_options, language_models_shown
from understudy.cli.learned_models import batch_size_option, device_option, dtype_option, models_shown
from understudy.cli.named_sets import references_with
from understudy.cli.number_types import Integer, Number
from understudy.cli.option_groups import long_name
from understudy.cli.output import print_text, styles_wanted, terminal_width, write_file
from understudy.cli.parsers import complete_parser, no_cache_option, parsing_shown
from understudy.cli.reference_warnings import warn_of_references
from understudy.cli.tokenizer_notes import say_which_tokenizer
from understudy.corpus import delimited
from understudy.errors import BadParameter
from understudy.report.scores import FORMATS

if TYPE_CHECKING:
    from understudy.corpus.test_sets.test_set import TestSet
    from understudy.metrics.base.metric import Metric
    from understudy.report.sheets import Sheet

Command = Callable[..., Any]

_SPREADSHEET = "xlsx"


def references_for(help: str) -> Command:
    """The option for references, with the help text of a command."""
    return click.option(
        "-r",
        "--reference",
        "--refs",
        "references",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help=help,
    )


references = references_for(
    "Reference translation. Repeatable. Not needed by reference-free metrics such as self-bleu."
)
always_references = references_for("Reference translation. Repeatable.")
source = click.option(
    "--source",
    metavar="FILE",
    shell_complete=complete_file,
    help="Source text, for metrics that read it.",
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
    help="Metric spec, e.g. bleu:tokenize=intl,lowercase=true. Repeatable; `all` is the default panel. See `understudy "
    "metrics`.",
)
_tokenize = click.option(
    "--tokenize",
    metavar="NAME",
    shell_complete=complete_tokenizer,
    help="Tokenizer for metrics that do not set one. See `understudy tokenizers`.",
)
_lowercase = click.option("--lowercase", is_flag=True, help="Ignore case in metrics that do not set it.")
_language = click.option(
    "-l",
    "--lang",
    "--language-pair",
    "language",
    metavar="CODE",
    help="Language pair, e.g. en-zh, or target language, e.g. zh. With -t, the pair of the test set. Selects what the "
    "metrics do not set: tokenizer (as in sacreBLEU: zh, ja-mecab, ko-mecab), METEOR's language, parser. Also the "
    "language of texts in HTML reports.",
)
kinds = click.option(
    "--kind",
    "kinds",
    metavar="TYPE:NAME,...",
    multiple=True,
    help="System type, e.g. nmt:A,B. Repeat for each type. Reports comparisons for which the metrics are not suitable.",
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
    help="Quotation marks around TSV cells: csv removes them, as in files written by pandas; none keeps them as text; "
    "auto infers it from the whole file.",
)
_format = click.option(
    "-f",
    "--format",
    type=click.Choice((*FORMATS, _SPREADSHEET)),
    default="table",
    show_default=True,
    help="Output format; json, tsv and csv have full precision. xlsx is a spreadsheet, for -o FILE.",
)


def format(command: Command) -> Command:
    """Gives a command its format. Rejects results that cannot be written in it before any work is done."""

    @functools.wraps(command)
    def checked(*arguments: Any, **options: Any) -> Any:
        if options["format"] == _SPREADSHEET:
            if options["output"] is None:
                raise click.UsageError("--format xlsx is a file, not text: name it, -o FILE.xlsx.")
            from understudy.report.sheets import check_spreadsheets

            check_spreadsheets()
        return command(*arguments, **options)

    return _format(checked)


def digits(default: int) -> Callable[[Command], Command]:
    """Return the -w option with this default."""
    return click.option(
        "-w",
        "--width",
        "digits",
        metavar="DIGITS",
        type=Integer(0, MOST_DIGITS),
        default=default,
        show_default=True,
        help="Decimal places in table, markdown and latex.",
    )


output = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    callback=lambda _ctx, _param, path: None if path == "-" else path,
    help="Write to FILE (atomically) instead of standard output.",
)
threads = click.option(
    "--threads",
    metavar="N",
    type=Integer(min=1),
    help="Number of threads (default: all cores). Does not affect the results.",
)


def significance(help: str) -> Callable[[Command], Command]:
    """The --significance option with this help text."""
    return click.option(
        "--significance",
        metavar="P",
        type=Number(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help=help,
    )


def samples(help: str) -> Callable[[Command], Command]:
    """The --samples option of intervals from 1,000 resamples, with this help text."""
    return click.option(
        "--samples", metavar="N", type=Integer(min=1), default=1000, show_default=True, help=help
    )


seed = click.option(
    "--seed",
    metavar="N",
    type=Integer(min=0),
    default=12345,
    show_default=True,
    help="Random seed for resampling.",
)


class Shorthands(NamedTuple):
    """The options that apply to all metrics with the parameter in question."""

    tokenize: str | None
    lowercase: bool
    parsers: tuple[str, ...]
    language: str | None
    batch_size: int | None
    device: str | None
    dtype: str | None
    language_models: dict[str, Any]  # the options of `cli.language_models`
    no_cache: bool

    def metrics(
        self, specs: Sequence[str], *, distinct: bool = True, used_elsewhere: Collection[str] = ()
    ) -> list[Metric]:
        """The metrics of these specs. `distinct`: duplicates are an error. `used_elsewhere`: options that have an
        effect even if no metric uses them.
        """
        chosen = chosen_metrics(
            specs,
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            parsers=self.parsers,
            model_settings={"batch_size": self.batch_size, "device": self.device, "dtype": self.dtype},
            language=self.language,
            distinct=distinct,
            used_elsewhere=used_elsewhere,
        )
        if self.language is not None and self.tokenize is None:
            say_which_tokenizer(self.language, chosen)
        return chosen

    @contextmanager
    def computing(
        self, metrics: Sequence[Metric], *, wanted: bool = True, also: bool = False, other_texts: bool = False
    ) -> Iterator[None]:
        """A context in which these metrics may parse, and use learned models. `also`: something else may parse, too.
        `other_texts`: they score texts that are not known in advance.
        """
        with (
            parsing_shown(metrics, no_cache=self.no_cache, wanted=wanted, also=also),
            models_shown(metrics, no_cache=self.no_cache, wanted=wanted),
            language_models_shown(metrics, self.language_models, wanted=wanted, more_calls=other_texts),
        ):
            yield


def shorthands(*, several_parsers: bool = True, tags: bool = False) -> Callable[[Command], Command]:
    """Adds these options to a command, as one argument `shorthands`. `several_parsers`: it can compare parsers. `tags`:
    it uses part-of-speech tags itself.
    """
    return functools.partial(_with_shorthands, parsers=_parsers(several=several_parsers, tags=tags))


def _with_shorthands(command: Command, *, parsers: Callable[[Command], Command]) -> Command:
    @functools.wraps(command)
    def called(*context: Any, **options: Any) -> Any:
        options["language_models"] = {name: options.pop(name) for name in _LANGUAGE_MODELS}
        chosen = Shorthands(**{name: options.pop(name) for name in Shorthands._fields})
        return command(*context, **options, shorthands=chosen)

    with_shorthands: Command = called
    of_models = (batch_size_option, device_option, dtype_option)
    with_shorthands = language_model_options(with_shorthands)
    for option in reversed((_tokenize, _lowercase, parsers, _language, *of_models, no_cache_option)):
        with_shorthands = option(with_shorthands)
    return with_shorthands


def _parsers(*, several: bool, tags: bool) -> Callable[[Command], Command]:
    return click.option(
        "--parser",
        "parsers",
        metavar="NAME",
        multiple=True,
        shell_complete=complete_parser,
        help="Parser for syntax-based metrics that do not set one"
        f"{', and for part-of-speech tags' * tags}: english, spacy:MODEL, stanza:LANGUAGE or "
        f"udpipe:FILE (default: best installed).{' Repeat to compare parsers.' if several else ''}",
    )


# Parameter names of options that apply only to text.
FOR_TEXT = ("references", "metrics", "tokenize", "lowercase", "parsers", "language")


def given(parameter: str) -> bool:
    """Whether the user gave this option of the running command, as opposed to its default."""
    return click.get_current_context().get_parameter_source(parameter) is not ParameterSource.DEFAULT


def refuse_idle(parameters: Sequence[str], *, unless: object, cure: str) -> None:
    """Raise an error for options that are given but have no effect, `unless` their purpose is requested. `cure` says
    how to request it.
    """
    idle = [] if unless else [_flag(parameter) for parameter in parameters if given(parameter)]
    if idle:
        listed = " and ".join(filter(None, (", ".join(idle[:-1]), idle[-1])))
        change, them = ("has", "it") if len(idle) == 1 else ("have", "them")
        raise click.UsageError(f"{listed} {change} no effect: {cure}, or omit {them}.")


def refuse_beside(parameters: Sequence[str], option: str) -> None:
    """Raise an error for options that are given but belong to another use of the command than this option."""
    for parameter in parameters:
        if given(parameter):
            raise click.UsageError(f"{_flag(parameter)} cannot be combined with {option}. Omit one of them.")


def _flag(parameter: str) -> str:
    """The first long name of the option."""
    return long_name(
        next(each for each in click.get_current_context().command.params if each.name == parameter)
    )


def all_references(
    paths: Sequence[str],
    metrics: Sequence[Metric],
    systems: Sequence[str] = (),
    *,
    test_set: TestSet | None = None,
) -> list[Any]:
    """The references for the library: those of a test set, and files. Raise an error if a metric needs references and
    there are none. Warn about systems that may be references.
    """
    if not paths and test_set is None and any(metric.reads_references for metric in metrics):
        for metric in metrics:
            if metric.uses_models and metric.missing:  # it may do without references
                raise BadParameter(f"{metric.spec}: {metric.missing}")
        raise click.UsageError(
            "missing option '-r'. Give a reference translation. Or name a test set, e.g. -t wmt23 -l en-de."
        )
    warn_of_references(systems, paths)
    return references_with(test_set, paths)


def sources_for(
    metrics: Sequence[Metric],
    path: str | None,
    test_set: TestSet | None = None,
    *,
    given: bool = False,
    elsewhere: bool = False,
) -> Any:
    """The source text, for metrics that read it: an error if it has no effect. `given`: that of the test set, too,
    because the library does not take it with the references. `elsewhere`: something else reads it, too.
    """
    if path is None:
        read = test_set is not None and given and any(metric.reads_sources for metric in metrics)
        return test_set.sources if test_set is not None and read else None  # the library says who lacks it
    if test_set is not None:
        raise click.UsageError(
            "--source cannot be combined with -t, which has the source text. Omit one of them."
        )
    # A metric whose model is missing may read it: the library says what is missing.
    if not elsewhere and not any(
        metric.reads_sources or (metric.uses_models and metric.missing) for metric in metrics
    ):
        raise click.UsageError("--source has no effect: none of the metrics reads the source text. Omit it.")
    return FileArgument(path)


def deliver(
    render: Callable[..., str],
    path: str | None,
    *,
    sheets: Callable[[], list[Sheet]],
    format: str,
    **how: Any,
) -> None:
    """Write the rendered text to a file, or print it with the width and style of the terminal. A spreadsheet has the
    sheets.
    """
    if format == _SPREADSHEET and path is not None:
        from understudy.report.sheets import as_xlsx

        write_file(as_xlsx(sheets()), path)
    elif path is not None:
        write_file(render(format=format, **how), path)
    else:
        print_text(render(format=format, **how, width=terminal_width(), styled=styles_wanted()))
