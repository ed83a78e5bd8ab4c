"""Folders of test sets with human scores, in one of two layouts.

Plain layout: `human*.tsv`, `systems/` with one file per system, references such as `refA.txt`, `reference-1.en` and
`synthetic_ref.txt`, a source text such as `src.txt` or `source.de`, and `docs.tsv` with one column per segment label,
such as the domain. Any file may be compressed.

mt-metrics-eval: `human-scores/PAIR.NAME.seg.score`, `system-outputs/PAIR/SYSTEM.txt`, `references/PAIR.NAME.txt`,
`sources/PAIR.txt`, `documents/PAIR.docs` and `metric-scores/PAIR/METRIC-REFERENCE.seg.score`, for all language pairs of
a test set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.corpus.score_files import MT_METRICS_EVAL
from understudy.corpus.segment_label_files import Labeling, read_labels
from understudy.corpus.segment_sources import name_of
from understudy.errors import BadInput, MissingFile, did_you_mean
from understudy.wording import number_of

_HUMAN_SCORES = "human-scores"  # a folder of mt-metrics-eval has it
_LABEL_FILES = ("docs.tsv", "documents.tsv")
# Between dots, hyphens and underscores: ref or reference, and a letter or a number.
_REFERENCE = re.compile(r"(?:^|[._-])ref(?:erence)?s?(?:[a-z]|\d+)?(?:[._-]|$)", re.IGNORECASE)
_SOURCE = re.compile(r"(?:^|[._-])(?:src|source)(?:[._-]|$)", re.IGNORECASE)
# Where mt-metrics-eval keeps JSON lines, which field is the translation.
_FIELDS = {"system-outputs": "hypothesis", "references": "target", "sources": "source"}


@dataclass(frozen=True)
class SetFolder:
    """The files of a test set, by their names."""

    name: str  # of the set
    path: str
    pair: str | None  # the language pair, in a folder of mt-metrics-eval
    human: dict[str, str]
    systems: dict[str, str]
    references: dict[str, str]
    source: str | None
    labels: str | None
    metric_scores: str | None  # a folder

    def file(self, wanted: str) -> str | None:
        """A file or folder of the set, `FILE` or `FILE:PART`; in the folders of mt-metrics-eval, that of the language
        pair. None if it does not exist.
        """
        path = os.path.join(self.path, wanted)
        file, colon, part = path.rpartition(":")
        if not os.path.exists(path) and colon and os.path.exists(file):
            return f"{self._of_pair(file)}:{part}"
        return self._of_pair(path) if os.path.exists(path) else None

    def chosen(self, what: str, known: Mapping[str, str], wanted: str, option: str) -> str:
        """The name among the known files that matches."""
        for name, file in known.items():
            if wanted in (name, os.path.basename(file), name_of(file)):
                return name
        raise BadInput(
            f"set '{self.name}': unknown {what} '{wanted}' in '{self.path}'. {did_you_mean(wanted, known)} Select "
            f"one with {option}."
        )

    def only(self, what: str, known: Mapping[str, str], option: str) -> str:
        """The name of the only known file."""
        if not known:
            raise BadInput(
                f"set '{self.name}': '{self.path}' has no {what}. Give a file in it with {option}."
            )
        if len(known) > 1:
            raise BadInput(
                f"set '{self.name}': '{self.path}' has several {what}, expected one: {', '.join(known)}. Select one "
                f"with {option}."
            )
        return next(iter(known))

    def labelings(self, wanted: str | None = None) -> list[Labeling]:
        """The labels of the segments."""
        if wanted is not None:
            file = self.file(wanted)
            if file is None:
                raise MissingFile(f"set '{self.name}': no such file: '{os.path.join(self.path, wanted)}'.")
            return read_labels(file)
        if self.labels is None:
            return []
        return read_labels(self.labels) if self.pair is None else _read_documents(self.labels)

    def _of_pair(self, path: str) -> str:
        inside = os.path.join(path, self.pair) if self.pair else path
        return inside if os.path.isdir(inside) else path


def set_folder(name: str, path: str) -> SetFolder:
    """The folder of a set. In an mt-metrics-eval folder, the name of a set is its language pair, or PREFIX/PAIR."""
    if not os.path.isdir(path):
        raise MissingFile(f"set '{name}': no such folder: '{path}'.")
    if is_mt_metrics_eval(path):
        return _of_mt_metrics_eval(name, path)
    return _laid_out_plainly(name, path)


def is_mt_metrics_eval(path: str) -> bool:
    return os.path.isdir(os.path.join(path, _HUMAN_SCORES))


def language_pairs(path: str, human: Collection[str] = ()) -> list[str]:
    """The language pairs of an mt-metrics-eval folder that have human segment scores: any, or one of `human`, given as
    NAME or PAIR:NAME.
    """
    names = (name.removesuffix(MT_METRICS_EVAL[0]).partition(".") for name in _score_files(path))
    return sorted({pair for pair, _, name in names if not human or {name, f"{pair}:{name}"} & set(human)})


def _laid_out_plainly(name: str, path: str) -> SetFolder:
    entries = sorted(entry for entry in os.listdir(path) if not entry.startswith("."))
    files = {
        entry: os.path.join(path, entry) for entry in entries if os.path.isfile(os.path.join(path, entry))
    }
    outputs = os.path.join(path, "systems")
    return SetFolder(
        name,
        path,
        None,
        {entry: file for entry, file in files.items() if entry.startswith("human")},
        _outputs(outputs) if os.path.isdir(outputs) else {},
        {name_of(file): file for entry, file in files.items() if _is_reference(entry)},
        next((file for entry, file in files.items() if _is_source(entry)), None),
        next((files[entry] for entry in _LABEL_FILES if entry in files), None),
        None,
    )


def _of_mt_metrics_eval(name: str, path: str) -> SetFolder:
    pair = name.rpartition("/")[2]
    pairs = language_pairs(path)
    if pair not in pairs:
        raise BadInput(
            f"set '{name}': '{path}' has no human segment scores for the language pair '{pair}', expected "
            f"'{_HUMAN_SCORES}/{pair}.NAME.seg.score'. It has {', '.join(pairs) or 'none'}."
        )
    human = {
        entry.removeprefix(f"{pair}.").removesuffix(MT_METRICS_EVAL[0]): os.path.join(
            path, _HUMAN_SCORES, entry
        )
        for entry in _score_files(path)
        if entry.startswith(f"{pair}.")
    }
    references = os.path.join(path, "references")
    sources = os.path.join(path, "sources")
    outputs = os.path.join(path, "system-outputs", pair)
    labels = os.path.join(path, "documents", f"{pair}.docs")
    scores = os.path.join(path, "metric-scores", pair)
    return SetFolder(
        name,
        path,
        pair,
        human,
        {name: _field(file, "system-outputs") for name, file in _outputs(outputs).items()},
        {
            entry.split(".")[1]: _field(os.path.join(references, entry), "references")
            for entry in _entries(references)
            if entry.startswith(f"{pair}.") and entry.count(".") == 2
        },
        next(
            (
                _field(os.path.join(sources, entry), "sources")
                for entry in _entries(sources)
                if entry.startswith(f"{pair}.")
            ),
            None,
        ),
        labels if os.path.exists(labels) else None,
        scores if os.path.isdir(scores) else None,
    )


def _is_reference(name: str) -> bool:
    """Whether a file name is that of a reference. Score files may contain the name of a reference.

    >>> [_is_reference(name) for name in ("zh-en.refB.txt", "reference-1.en", "human.ref.tsv", "refined.txt")]
    [True, True, False, False]
    """
    of_scores = name.startswith("human") or name.endswith(MT_METRICS_EVAL)
    return not of_scores and _REFERENCE.search(name) is not None


def _is_source(name: str) -> bool:
    """
    >>> [_is_source(name) for name in ("src.txt.gz", "source.de", "human.src.tsv", "resource.txt")]
    [True, True, False, False]
    """
    return not _is_reference(name) and not name.startswith("human") and _SOURCE.search(name) is not None


def _score_files(path: str) -> list[str]:
    return [
        entry for entry in _entries(os.path.join(path, _HUMAN_SCORES)) if entry.endswith(MT_METRICS_EVAL[0])
    ]


def _outputs(folder: str) -> dict[str, str]:
    files = (os.path.join(folder, entry) for entry in _entries(folder))
    return {name_of(file): file for file in files if os.path.isfile(file)}


def _entries(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return sorted(entry for entry in os.listdir(folder) if not entry.startswith("."))


def _field(file: str, role: str) -> str:
    return f"{file}:{_FIELDS[role]}" if file.endswith(".jsonl") else file


def _read_documents(path: str) -> list[Labeling]:
    """Read lines of a domain and a document."""
    lines = [line.split() for line in decoded(read_all(path), path).removesuffix("\n").split("\n")]
    for number, fields in enumerate(lines, start=1):
        if len(fields) != 2:
            raise BadInput(
                f"'{path}', line {number}: {number_of(len(fields), 'field')}, expected a domain and a document."
            )
    return [
        Labeling("domain", tuple(domain for domain, _ in lines), path),
        Labeling("document", tuple(document for _, document in lines), path),
    ]
