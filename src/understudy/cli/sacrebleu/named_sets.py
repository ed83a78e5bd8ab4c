"""Test sets by name: --list, --download, --citation, --echo, and the references of -t.

To name a test set is to ask for it: one that is missing is downloaded, as in sacreBLEU, but with its checksum, and a
line on standard error.
"""

from __future__ import annotations

import codecs
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from understudy.cli.downloading import bring
from understudy.cli.sacrebleu.log import doubt, refuse
from understudy.compat.sacrebleu import utils
from understudy.compat.sacrebleu.utils import (
    filter_subset,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_langpairs_for_testset,
    sacrelogger,
)
from understudy.errors import BadParameter, did_you_mean

if TYPE_CHECKING:
    from understudy.compat.sacrebleu.dataset.base import Dataset


def download(name: str, pair: str | None) -> None:
    """--download: the files of a language pair, or of all."""
    dataset = _known(name)
    for each in dataset.langpairs if pair is None else [pair]:
        dataset.fetch(each, bring)


def listed(options: Namespace) -> Iterator[str]:
    """The lines of --list."""
    name, pair = options.test_set, options.langpair
    if name:
        if name not in utils.DATASETS and not pair:
            doubt(f"unknown test set '{name}'. Use --list to see all.", strict=options.strict)
        for each in [pair] if pair else get_langpairs_for_testset(name):
            yield f"{each}: {', '.join(_fields_of(_known(name), each))}"
        return
    if pair:
        check_pair(pair)
        yield f"The available test sets for {pair} are:"
        names = get_available_testsets_for_langpair(pair)
    else:
        yield "The available test sets are:"
        names = get_available_testsets()
    for each in sorted(names):
        yield f"{each:<30}: {(utils.DATASETS[each].description or '').strip()}"


def citations(names: str) -> Iterator[str]:
    """The lines of --citation."""
    for name in names.split(","):
        citation = _known(name).citation
        if citation:
            yield citation
        else:
            sacrelogger.error("No citation found for %s", name)


def check_choice(options: Namespace) -> None:
    """Ends the command unless there is either a test set with that language pair, or a reference."""
    names = [] if options.test_set is None else options.test_set.split(",")
    for name in names:
        if name not in utils.DATASETS:
            refuse(f"Unknown test set {name!r}", "Please run with --list to see the available test sets.")
    if options.test_set is None:
        if not options.refs:
            refuse(
                "If manual references given, make sure to provide them before the -i/--input argument to avoid "
                "confusion.",
                "Otherwise, I need a predefined test set (-t) from the following list:",
                str(get_available_testsets()),
            )
    elif options.refs:
        refuse("I need exactly one of (a) a predefined test set (-t) or (b) a list of references")
    elif options.langpair is None:
        refuse("I need a language pair (-l). Use --list to see available language pairs for this test set.")
    for name in names:
        pairs = get_langpairs_for_testset(name)
        if options.langpair not in pairs:
            refuse(
                f"No such language pair {options.langpair!r}",
                f"Available language pairs for {name!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def check_pair(pair: str) -> None:
    """A language pair has a target language."""
    if "-" not in pair:
        raise BadParameter(f"--language-pair: got '{pair}', expected source and target, such as en-de.")


def reference_files(options: Namespace) -> list[list[str]]:
    """The files of the references: of each test set, or those of the command line."""
    if options.test_set is None:
        return [options.refs]
    if codecs.lookup(_encoding(options)).name not in ("utf-8", "utf-8-sig", "ascii"):
        doubt(
            f"--encoding {options.encoding} also decodes the references of the test set, which are UTF-8. Convert the "
            "system instead, with iconv.",
            strict=options.strict,
        )
    files = []
    for name in options.test_set.split(","):
        utils.DATASETS[name].fetch(options.langpair, bring)
        files.append(utils.DATASETS[name].get_reference_files(options.langpair))
        if not files[-1]:
            sacrelogger.warning("No references found for test set %s/%s.", name, options.langpair)
    return files


def _encoding(options: Namespace) -> str:
    try:
        codecs.lookup(options.encoding)
    except LookupError:
        return "utf-8"  # refused where the files are read
    return str(options.encoding)


def echoed(options: Namespace) -> Iterator[str]:
    """The lines of --echo: fields of the test sets, separated by tabs."""
    for name in options.test_set.split(","):
        dataset = utils.DATASETS[name]
        dataset.fetch(options.langpair, bring)
        chosen = _chosen_fields(dataset, options.langpair, options.echo)
        columns = [dataset.labels(options.langpair, field) for field in chosen]
        for row in zip(
            *filter_subset(columns, name, options.langpair, options.origlang, options.subset), strict=False
        ):
            yield "\t".join(text.rstrip() for text in row)


def _chosen_fields(dataset: Dataset, pair: str, wanted: list[str]) -> list[str]:
    known = _fields_of(dataset, pair)
    if "all" in wanted:
        if len(wanted) > 1:
            refuse("Cannot use --echo all with other fields")
        return known
    first = min((field for field in known if field.startswith("ref")), default="ref")
    chosen = [first if field == "ref" and field not in known else field for field in wanted]
    for field in chosen:
        if field not in known:
            also = (
                [f"'ref' also allowed for backwards compatibility (will return {first})"]
                if "ref" not in known
                else []
            )
            refuse(
                f"No such field {field} in test set {dataset.name} for language pair {pair}.",
                f"available fields for {dataset.name}/{pair}: {', '.join(known)}",
                *also,
            )
    return chosen


def _fields_of(dataset: Dataset, pair: str) -> list[str]:
    """The fields of a language pair, which sacreBLEU reads from the files of some sets."""
    if pair not in dataset.langpairs:
        raise BadParameter(
            f"test set '{dataset.name}': unknown language pair '{pair}'. {did_you_mean(pair, dataset.langpairs)}"
        )
    if dataset.fields_are_in_files:
        dataset.fetch(pair, bring)
    return dataset.fieldnames(pair)


def _known(name: str) -> Dataset:
    if name not in utils.DATASETS:
        raise BadParameter(f"unknown test set '{name}'. Use --list to see all.")
    return utils.DATASETS[name]
