"""The options -t, --origlang, --subset and --download: references, source, documents and domains of a test set."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from understudy.cli import say
from understudy.cli.arguments import as_files, named_system
from understudy.cli.downloading import bring
from understudy.corpus.files import not_found
from understudy.corpus.test_sets.names import JUDGED
from understudy.errors import MissingFile, did_you_mean
from understudy.wording import number_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from understudy.corpus.test_sets.test_set import TestSet

Command = Callable[..., Any]

FOR_SETS = ("set_names", "origlang", "subset", "download")  # the names of the parameters


def complete_set(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A test set of the table, also after a comma."""
    from click.shell_completion import CompletionItem

    from understudy.corpus.test_sets.catalog import catalog

    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{name}", help=entry.description)
        for name, entry in catalog().items()
        if name.startswith(last)
    ]


def _given_once(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The last of several would win silently."""
    if len(given) > 1:
        raise click.UsageError(
            f"-t is given {len(given)} times. Join test sets with commas: -t {','.join(given)}."
        )
    return given[0] if given else None


class ChosenSet(NamedTuple):
    """What was asked for with -t."""

    names: str | None
    origlang: str | None
    subset: str | None
    download: bool

    @property
    def judged(self) -> bool:
        """Whether it is a set with human scores."""
        return self.names is not None and self.names.startswith(JUDGED)

    def read(self, pair: str | None) -> TestSet | None:
        """The test set; None if there is no -t."""
        if self.names is None:
            self._refuse_idle()
            return None
        if pair is None or "-" not in pair:
            raise click.UsageError(
                f"-t {self.names} needs a language pair. Give it with -l, e.g. -l en-de; see `understudy data show "
                f"{self.names.partition(',')[0]}`."
            )
        from understudy import test_set

        return test_set(
            self.names, pair, origlang=self.origlang, subset=self.subset, download=self.download and bring
        )

    def _refuse_idle(self) -> None:
        given = {"--origlang": self.origlang, "--subset": self.subset, "--download": self.download}
        for flag, value in given.items():
            if value:
                raise click.UsageError(f"{flag} has no effect: add -t, or omit it.")


def named_set_options(*, name: str = "--test-set", selection: bool = True) -> Callable[[Command], Command]:
    """Adds these options to a command, as one argument `chosen_set`. `name` is the long name of -t. `selection`: with
    the options that select segments.
    """
    options = (
        click.option(
            "-t",
            name,
            "set_names",
            metavar="NAME",
            multiple=True,
            callback=_given_once,
            shell_complete=complete_set,
            help="Test set by name, e.g. wmt23 (with -l en-de): references, source, documents and domains. Several "
            "with commas. Also mtme:wmt23, with systems and human scores, flores200:FOLDER and ntrex:FOLDER. See "
            "`understudy data list`.",
        ),
        click.option(
            "--origlang",
            metavar="CODE",
            help="With -t: only segments with this original language, e.g. en, or non-en for all others.",
        ),
        click.option(
            "--subset",
            metavar="REGEX",
            help="With -t: only segments whose domain (in wmt18 and wmt19: country and domain) matches.",
        ),
        click.option("--download", is_flag=True, help="With -t: download the test set if it is missing."),
    )

    first, *selecting, last = options

    def adding(command: Command) -> Command:
        @functools.wraps(command)
        def called(*context: Any, **given: Any) -> Any:
            chosen = ChosenSet(*(given.pop(name, None) for name in FOR_SETS))
            return command(*context, **given, chosen_set=chosen)

        with_options: Command = called
        for option in reversed((first, *(selecting if selection else ()), last)):
            with_options = option(with_options)
        return with_options

    return adding


def judged_sets(chosen: ChosenSet, pair: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folder of a set with human scores, as --set has it, for one language pair or all; and the reference that its
    name ends with. Neither for other sets.
    """
    if not chosen.judged:
        return (), ()
    for flag, value in {"--origlang": chosen.origlang, "--subset": chosen.subset}.items():
        if value is not None:
            raise click.UsageError(f"{flag} cannot be combined with -t {chosen.names}. Use --by domain.")
    from understudy.corpus.test_sets.judged import judged_folder, reference_of

    name = chosen.names or ""
    if "," in name:
        raise click.UsageError(
            f"-t {name}: expected one test set with human scores. Use --set FOLDER for several; `understudy data path` "
            "prints the folders."
        )
    folder, reference = judged_folder(name, bring if chosen.download else None), reference_of(name)
    return (f"{pair}={folder}" if pair else folder,), ((reference,) if reference else ())


def references_with(test_set: TestSet | None, paths: Sequence[str]) -> list[Any]:
    """The references for the library: those of the test set, and the files after -r."""
    if test_set is None:
        return as_files(paths)
    if paths:
        own = number_of(len(test_set.references), "reference")
        say(f"{own} of {test_set.called}, and {len(paths)} more from -r.")
    return [test_set, *as_files(paths)]


def systems_with(
    test_set: TestSet | None, systems: Sequence[str], *, all_of_them: bool = False
) -> tuple[str, ...]:
    """The systems as FILE or NAME=FILE. A name of a system in the test set means its output; an existing file comes
    first. Without any, `all_of_them`: those of the test set.
    """
    if test_set is None or (systems and all(map(os.path.exists, systems))):
        return tuple(systems)
    outputs = test_set.output_files()
    if not systems and all_of_them:
        return tuple(f"{name}={path}" for name, path in outputs.items())
    found = []
    for system in systems:
        by_name = system in outputs and not os.path.exists(system)
        if outputs and not by_name:
            _refuse_unknown(system, outputs, test_set)
        found.append(f"{system}={outputs[system]}" if by_name else system)
    return tuple(found)


def _refuse_unknown(system: str, known: Iterable[str], test_set: TestSet) -> None:
    """A name alone that is neither a file nor a system: the test set's systems are what may be meant."""
    if os.path.exists(system) or system == "-" or not re.fullmatch(r"[\w.-]+", system):
        return
    named_system(system)  # the name of a metric has an error of its own
    raise MissingFile(
        f"{not_found(system)} System '{system}' is unknown in test set {test_set.called}. "
        f"{did_you_mean(system, known)}"
    )
