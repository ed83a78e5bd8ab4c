"""FLORES-200 and NTREX-128 in local folders: one file per language, aligned in all languages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from understudy._core import Column
from understudy.corpus.files import not_found
from understudy.corpus.lines import LineSource
from understudy.corpus.segment_label_files import read_labels
from understudy.corpus.test_sets.catalog import folder_formats
from understudy.corpus.test_sets.test_set import NamedSet, TestSet
from understudy.errors import BadInput, BadParameter, LengthMismatch, MissingFile

_SPLITS = ("devtest", "dev")  # of FLORES-200, the usual one first


def flores_set(name: str, folder: str, pair: str) -> TestSet:
    """A language pair such as eng_Latn-deu_Latn of FLORES-200. The folder is the one that was extracted, with devtest
    and dev in it, or one of the two.
    """
    home = _existing(name, folder)
    for split in _SPLITS:
        inside = next((path for path in (home / split, home) if any(path.glob(f"*.{split}"))), None)
        if inside is not None:
            break
    else:
        raise BadInput(
            f"'{folder}' has no files such as devtest/eng_Latn.devtest. Give the folder of FLORES-200."
        )

    def text(language: str) -> Path:
        return inside / f"{language}.{split}"

    source, target = _of_pair(name, pair, text)
    metadata = next(
        (
            path
            for path in (home / f"metadata_{split}.tsv", inside.parent / f"metadata_{split}.tsv")
            if path.is_file()
        ),
        None,
    )
    labels = {} if metadata is None else {each.title.lower(): each.labels for each in read_labels(metadata)}
    return _aligned(
        _called(name, pair, f"/{split}"),
        source,
        target,
        documents=labels.get("url"),
        domains=labels.get("domain"),
    )


def ntrex_set(name: str, folder: str, pair: str) -> TestSet:
    """A language pair such as eng-deu of NTREX-128. English is the original; any other language can be a source."""
    home = _existing(name, folder)
    inside = next((path for path in (home / "NTREX-128", home) if any(path.glob("newstest2019-*.txt"))), None)
    if inside is None:
        raise BadInput(
            f"'{folder}' has no files such as NTREX-128/newstest2019-src.eng.txt. Give the folder of NTREX."
        )

    def text(language: str) -> Path:
        return inside / f"newstest2019-{'src' if language == 'eng' else 'ref'}.{language}.txt"

    source, target = _of_pair(name, pair, text)
    places = (home / "DOCUMENT_IDS.tsv", inside.parent / "DOCUMENT_IDS.tsv")
    listed = next((path for path in places if path.is_file()), None)
    documents = None if listed is None else tuple(_texts(listed))
    return _aligned(_called(name, pair), source, target, documents=documents)


def _existing(name: str, folder: str) -> Path:
    if not folder or not os.path.isdir(folder):
        kind = name.partition(":")[0]
        raise MissingFile(f"test set '{name}': no such folder: '{folder}'. Use {kind}:FOLDER.")
    return Path(folder)


def _of_pair(name: str, pair: str, text: Callable[[str], Path]) -> tuple[Path, Path]:
    """The files of source and target. A code may have hyphens itself, as zho-CN of NTREX."""
    for source, target in _splits(pair):
        if text(source).is_file() and text(target).is_file():
            return text(source), text(target)
    source, hyphen, target = pair.partition("-")
    if not hyphen:
        raise BadParameter(f"'{pair}' is not a language pair of test set '{name}'. Use SOURCE-TARGET.")
    missing = text(source if not text(source).is_file() else target)
    raise BadInput(f"test set '{name}' has no language pair '{pair}'. {not_found(str(missing))}")


def _splits(pair: str) -> Iterator[tuple[str, str]]:
    for position, character in enumerate(pair):
        if character == "-":
            yield pair[:position], pair[position + 1 :]


def _aligned(
    called: NamedSet,
    source: Path,
    target: Path,
    *,
    documents: tuple[str, ...] | None = None,
    domains: tuple[str, ...] | None = None,
) -> TestSet:
    sources, reference = _column(source), _column(target)
    language = target.name.removesuffix(".txt").split(".")[0 if target.suffix != ".txt" else 1]
    counts = [(f"'{target}'", len(reference))]
    counts += [("its document labels", len(labels)) for labels in (documents, domains) if labels is not None]
    for what, count in counts:
        if count != len(sources):
            raise LengthMismatch(
                f"test set {called}: '{source}' has {len(sources):,} lines, {what} {count:,}. Copy the folder again."
            )
    return TestSet(
        called, sources, {"ref": reference}, documents, domains, target_language=language, whole=len(sources)
    )


def _called(name: str, pair: str, split: str = "") -> NamedSet:
    kind = name.partition(":")[0]
    return NamedSet(f"{kind}{split}", pair, citation=folder_formats()[kind].citation)


def _column(path: Path) -> Column:
    source = LineSource(str(path))
    try:
        return source.take(2**62)
    finally:
        source.close()


def _texts(path: Path) -> Iterator[str]:
    column = _column(path)
    return (column[row] or "" for row in range(len(column)))
