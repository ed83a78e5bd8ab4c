"""sacreBLEU's functions for files and test sets. Those that print are in `understudy.cli.sacrebleu.printing`."""

from __future__ import annotations

import gzip
import logging
import math
import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from understudy.compat.sacrebleu.places import SACREBLEU_DIR, USERHOME
from understudy.errors import BadParameter, LengthMismatch, did_you_mean

if TYPE_CHECKING:
    from understudy.compat.sacrebleu.dataset import DATASETS, SUBSETS
    from understudy.compat.sacrebleu.dataset.base import Dataset

__all__ = ["DATASETS", "SACREBLEU_DIR", "SUBSETS", "USERHOME"]

sacrelogger = logging.getLogger("sacrebleu")  # where sacreBLEU's users have set levels and handlers


def __getattr__(name: str) -> Any:
    """The table of test sets, loaded when it is used: scores of files do not need it."""
    if name == "DATASETS":
        return _datasets()
    if name == "SUBSETS":
        return _subsets()
    if name in PRINTING:
        from understudy.cli.sacrebleu import printing

        return getattr(printing, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


PRINTING = ("Color", "print_results_table", "print_single_results", "print_subset_results", "print_test_set")
_OTHER = "non-"
_COUNTRY = "country:"


# --- files -----------------------------------------------------------------------------------------------


def smart_open(file: str, mode: str = "rt", encoding: str | None = "utf-8") -> IO[Any]:
    """A text file, which may be compressed (.gz). Only LF ends a line."""
    opener: Any = gzip.open if file.endswith(".gz") else open
    return opener(file, mode=mode, encoding=encoding, newline="\n")  # type: ignore[no-any-return]


def get_md5sum(dest_path: str) -> str:
    """The MD5 digest of a file."""
    from understudy.downloads import checksum_of

    return checksum_of(Path(dest_path), "md5").partition(":")[2]


def download_file(
    source_path: str, dest_path: str, extract_to: str | None = None, expected_md5: str | None = None
) -> None:
    """Download a file unless it is there, and extract an archive. Nothing half-written is left behind."""
    from urllib.request import getproxies

    from understudy.downloads import RemoteFile, download

    remote = RemoteFile(source_path, f"md5:{expected_md5}" if expected_md5 else "")
    download(remote, Path(dest_path), proxies=getproxies())
    if extract_to is not None:
        extract_tarball(dest_path, extract_to)


def extract_tarball(filepath: str, destdir: str) -> None:
    """Extract a .tar.gz, .tgz or .zip file; other files are left alone."""
    from understudy.corpus.test_sets.archives import extract, is_archive

    if is_archive(filepath):
        extract(Path(filepath), filepath, Path(destdir))


# --- numbers and options ---------------------------------------------------------------------------------


def my_log(num: float) -> float:
    """The natural logarithm, with a very low number for that of 0."""
    return -9999999999 if num == 0.0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """The sums of the columns, in the type of the first number.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    if len(lists) == 1:
        return lists[0]
    zero = type(lists[0][0])(0.0)
    return [sum(column, zero) for column in zip(*lists, strict=True)]


def args_to_dict(args: Namespace, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """The options that begin with a prefix.

    >>> args_to_dict(Namespace(bleu_force=True, quiet=False), "bleu", strip_prefix=True)
    {'force': True}
    """
    start = f"{prefix}_"
    return {
        name.replace(start, "") if strip_prefix else name: value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def sanity_check_lengths(
    system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None
) -> None:
    """Raise an error unless all references are as long as the system. sacreBLEU ends the program."""
    for number, reference in enumerate(refs, start=1):
        if len(reference) != len(system):
            where = f" of test set '{test_set}'" if test_set else ""
            raise LengthMismatch(
                f"the system has {len(system):,} segments, reference {number}{where} has {len(reference):,}."
            )


# --- test sets -------------------------------------------------------------------------------------------


def get_source_file(test_set: str, langpair: str) -> str:
    """The file of the source. Nothing is downloaded: a missing set is an error that names the command."""
    return _known(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files of the references, from this machine."""
    return _known(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """The files of all fields, from this machine."""
    return _known(test_set).get_files(langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a test set unless it is there, and return the files of all fields of a language pair, or of all."""
    dataset = _known(test_set)
    pairs = list(dataset.langpairs) if langpair is None else [langpair]
    for pair in pairs:
        dataset.fetch(pair)
    return [file for pair in pairs for file in dataset.get_files(pair)]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none of an unknown one."""
    known = _datasets()
    return list(known[testset].langpairs) if testset in known else []


def get_available_testsets() -> list[str]:
    """The names of all test sets."""
    return sorted(_datasets(), reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the test sets that have a language pair in either direction."""
    source, target = langpair.split("-")[:2]
    either = {f"{source}-{target}", f"{target}-{source}"}
    return [name for name, dataset in _datasets().items() if either & set(dataset.langpairs)]


def get_available_origlangs(test_sets: str | None, langpair: str) -> list[str]:
    """The original languages of the documents of test sets, which are separated by commas."""
    return sorted({each for dataset in _listed(test_sets) for each in _origlangs(dataset, langpair) if each})


def get_available_subsets(test_sets: str | None, langpair: str) -> list[str]:
    """What `subset` can select: domains, and countries as `country:GB`."""
    found: set[str] = set()
    for dataset in _listed(test_sets):
        found |= set(dataset.labels(langpair, "domain"))
        for tag in _subsets().get(dataset.name, {}).values():
            country, domain = tag.split("-")[:2]
            found |= {f"{_COUNTRY}{country}", domain}
    return sorted(found)


def filter_subset(
    systems: Sequence[Any],
    test_sets: str | None,
    langpair: str | None,
    origlang: str | None,
    subset: str | None = None,
) -> Sequence[Any]:
    """Of each system, the lines with an original language (or not with that of `non-xx`), and whose domain, or tag
    of the document, matches a regular expression.
    """
    if origlang is None and subset is None:
        return systems
    if test_sets is None or langpair is None:
        raise BadParameter("origlang or subset: give a test set and a language pair, too.")
    kept = [
        keep
        for dataset in _listed(test_sets)
        for keep in _selected(dataset, langpair, origlang, subset and subset.removeprefix(_COUNTRY))
    ]
    return [[line for line, keep in zip(system, kept, strict=False) if keep] for system in systems]


def _selected(dataset: Dataset, langpair: str, origlang: str | None, subset: str | None) -> list[bool]:
    languages = _origlangs(dataset, langpair)
    if not languages:
        raise BadParameter(f"test set '{dataset.name}' {langpair} says no original languages and no domains.")
    keep = [True] * len(languages)
    if origlang is not None:
        other, wanted = origlang.startswith(_OTHER), origlang.removeprefix(_OTHER)
        keep = [(language == wanted) != other for language in languages]
    if subset is not None:
        keep = [
            kept and bool(re.search(subset, tag))
            for kept, tag in zip(keep, _tags(dataset, langpair), strict=True)
        ]
    return keep


def _origlangs(dataset: Dataset, langpair: str) -> list[str]:
    """The original language of each segment; none if the files say none, as in IWSLT's documents."""
    languages = dataset.labels(langpair, "origlang")
    return languages if any(languages) else []


def _tags(dataset: Dataset, langpair: str) -> list[str]:
    if domains := dataset.labels(langpair, "domain"):
        return domains
    subsets = _subsets()
    if dataset.name not in subsets:
        raise BadParameter(f"test set '{dataset.name}' {langpair} has no domains. Omit subset.")
    tags = subsets[dataset.name]
    return [tags.get(document, "") for document in dataset.labels(langpair, "docid")]


def _listed(test_sets: str | None) -> list[Dataset]:
    return [_known(name) for name in test_sets.split(",")] if test_sets else []


def _known(test_set: str) -> Dataset:
    known = _datasets()
    if test_set not in known:
        raise BadParameter(f"unknown test set '{test_set}'. {did_you_mean(test_set, known)}")
    return known[test_set]


def _datasets() -> dict[str, Dataset]:
    from understudy.compat.sacrebleu.dataset import DATASETS

    return DATASETS


def _subsets() -> dict[str, dict[str, str]]:
    from understudy.compat.sacrebleu.dataset import SUBSETS

    return SUBSETS
