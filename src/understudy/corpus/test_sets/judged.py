"""Test sets with human scores, of mt-metrics-eval: `mtme:wmt23`, or with the name of a reference, `mtme:wmt23:refA`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from understudy._core import Column
from understudy.corpus.files import made_folder
from understudy.corpus.judged_folders import SetFolder, is_mt_metrics_eval, language_pairs, set_folder
from understudy.corpus.segment_sources import open_sources
from understudy.corpus.test_sets.archives import extract
from understudy.corpus.test_sets.catalog import judged_archive
from understudy.corpus.test_sets.names import JUDGED
from understudy.corpus.test_sets.places import data_places
from understudy.corpus.test_sets.stored_sets import Download
from understudy.corpus.test_sets.test_set import NamedSet, TestSet
from understudy.errors import BadInput, BadParameter, MissingFile, did_you_mean


def judged_set(name: str, pair: str, bring: Download | None = None) -> TestSet:
    """The source, reference, documents, domains and systems of a language pair."""
    folder = set_folder(pair, judged_folder(name, bring))
    chosen = _reference(name, folder)
    sources = None if folder.source is None else _column(folder.source, "source")
    if sources is None:
        raise BadInput(f"test set '{name}' {pair} has no source text in '{folder.path}'.")
    labels = {each.title: each.labels for each in folder.labelings()}
    return TestSet(
        NamedSet(f"{JUDGED}{_set_of(name)}", pair),
        sources,
        {chosen: _column(folder.references[chosen], "reference")},
        labels.get("document"),
        labels.get("domain"),
        target_language=pair.rpartition("-")[2],
        whole=len(sources),
        output_files=partial(_output_files, folder, chosen),
    )


def judged_folder(name: str, bring: Download | None = None, *, again: bool = False) -> str:
    """The folder of a set, in the layout of mt-metrics-eval. With `bring`, the archive is downloaded if it is missing;
    `again`: also if it is there.
    """
    wanted = _set_of(name)
    homes = [place / judged_archive().name for place in data_places().judged]
    if bring is not None and (again or not any(home.is_dir() for home in homes)):
        _get_judged(bring, again=again)
    known: list[str] = []
    for home in homes:
        if is_mt_metrics_eval(str(home / wanted)):
            return str(home / wanted)
        known += _judged_names(home)
    if known:
        raise BadParameter(f"unknown test set '{name}'. {did_you_mean(wanted, known)}")
    message = (
        f"test set '{name}' is not on this machine: no '{homes[0] / wanted}'. Get it with `understudy data get "
        f"{JUDGED}{wanted}`"
    )
    raise MissingFile(f"{message}.", f"{message}, or add --download.")


def _judged_names(home: Path) -> list[str]:
    """The sets in a folder."""
    if not home.is_dir():
        return []
    return sorted(path.name for path in home.iterdir() if is_mt_metrics_eval(str(path)))


def judged_here() -> list[str]:
    """The names of all sets on this machine."""
    homes = (place / judged_archive().name for place in data_places().judged)
    return sorted({name for home in homes for name in _judged_names(home)})


def judged_pairs(name: str) -> list[str]:
    """The language pairs of a set that have human scores of segments."""
    return language_pairs(judged_folder(name))


def reference_of(name: str) -> str:
    """What follows the second colon: the name of a reference, or nothing.

    >>> reference_of("mtme:wmt23:refA"), reference_of("mtme:wmt23")
    ('refA', '')
    """
    return name.removeprefix(JUDGED).partition(":")[2]


def _get_judged(bring: Download, *, again: bool) -> None:
    """Download and extract the archive. It has all sets; the folder appears when it is complete. The SHA-256 of the
    archive is kept beside it, because its publisher changes it with every metrics task.
    """
    from understudy.downloads import RemoteFile, checksum_of
    from understudy.file_lock import locked

    home = data_places().judged[0]
    name, address, _ = judged_archive()
    archive, extracted = home / address.rpartition("/")[2], home / f".{name}.extracting"
    made_folder(home)
    with locked(home / f"{name}.lock"):
        if (home / name).is_dir() and not again:  # another process has brought it
            return
        if again:
            archive.unlink(missing_ok=True)  # of a run that was killed
        bring(RemoteFile(address), archive)
        shutil.rmtree(extracted, ignore_errors=True)
        try:
            extract(archive, archive.name, extracted, verified=False)
            if not _judged_names(extracted / name):
                raise BadInput(
                    f"'{address}' holds no test sets with human scores in '{name}'. Nothing was kept."
                )
            digest = checksum_of(archive, "sha256").partition(":")[2]
            (home / f"{name}.sha256").write_text(f"{digest}  {archive.name}\n", encoding="utf-8")
            shutil.rmtree(home / name, ignore_errors=True)
            os.replace(extracted / name, home / name)
        finally:
            shutil.rmtree(extracted, ignore_errors=True)
            archive.unlink(missing_ok=True)


def _set_of(name: str) -> str:
    """What is between the colons: the name of a folder."""
    found = name.removeprefix(JUDGED).partition(":")[0]
    if not found.strip(".") or Path(found).name != found:
        raise BadParameter(f"test set '{name}': expected {JUDGED}NAME, e.g. {JUDGED}wmt23.")
    return found


def _reference(name: str, folder: SetFolder) -> str:
    wanted, option = reference_of(name), f"-t {JUDGED}{_set_of(name)}:NAME"
    if wanted:
        return folder.chosen("reference", folder.references, wanted, option)
    return folder.only("references", folder.references, option)


def _output_files(folder: SetFolder, reference: str) -> Mapping[str, str]:
    """Its systems; other references are among them, as in the metrics tasks."""
    return {name: path for name, path in folder.systems.items() if name != reference}


def _column(path: str, role: str) -> Column:
    (source,) = open_sources(path, role=role)  # type: ignore[arg-type]
    try:
        return source.take(2**62)
    finally:
        source.close()
