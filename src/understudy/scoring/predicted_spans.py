"""Error spans that a metric predicts in hypotheses, and their file, which `trust --spans` and `judge` read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from understudy.corpus.corpus import Corpus
from understudy.corpus.error_spans import JSON_LINES, NO_ERROR
from understudy.corpus.files import Path, shown, written
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.comet import COMET
from understudy.neural.comet.error_spans import ErrorSpan

_COLUMNS = ("system", "seg", "start", "end", "severity", "confidence", "metric")


@dataclass(frozen=True)
class PredictedSpans:
    """The error spans of every segment, by system."""

    metric: str  # the predictor, as its file is to name it
    systems: Mapping[str, Sequence[Sequence[ErrorSpan]]]

    def write(self, path: Path) -> None:
        """Write a TSV file, or JSON lines if the suffix is .jsonl. The file is written atomically. Spans without a
        character are left out.
        """
        where = os.fspath(path)
        line = _json_line if where.lower().endswith(JSON_LINES) else _tsv_line
        lines = [line(row) for row in self._rows()]
        if line is _tsv_line:
            lines.insert(0, "\t".join(_COLUMNS))
        with written(where) as file:
            file.writelines(f"{each}\n".encode() for each in lines)

    def _rows(self) -> Iterator[dict[str, Any]]:
        for system, segments in self.systems.items():
            for number, spans in enumerate(segments, start=1):
                place = {"system": system, "seg": number}
                marked = [span for span in spans if span.end > span.start]
                for span in marked:
                    found = {"start": span.start, "end": span.end, "severity": span.severity}
                    yield {**place, **found, "confidence": f"{span.confidence:.6f}", "metric": self.metric}
                if not marked:
                    yield {**place, "severity": NO_ERROR, "metric": self.metric}


def predict_spans(
    systems: Any, references: Any = None, *, sources: Any = None, metric: COMET | str
) -> PredictedSpans:
    """The error spans that an XCOMET model finds in each hypothesis. Texts are given as for a corpus, with one
    reference at most.
    """
    known = metric_of(metric) if isinstance(metric, str) else metric
    if not isinstance(known, COMET):
        raise BadParameter(
            f"{known.spec} predicts no error spans. Use comet:model=FOLDER with an XCOMET model."
        )
    corpus = systems if isinstance(systems, Corpus) else Corpus(systems, references, sources=sources)
    answers = _only_reference(corpus) if known.reads_references else None
    originals = None if corpus.sources is None else [corpus.sources[row] or "" for row in range(len(corpus))]
    found = {}
    for system, runs in corpus.runs.items():
        column = corpus[runs[0]]
        hypotheses = [column[row] or "" for row in range(len(column))]
        found[system] = known.error_spans(hypotheses, answers, originals)
    return PredictedSpans(known.engine().name, found)


def _only_reference(corpus: Corpus) -> list[str]:
    if corpus.references is None:
        raise BadInput("this model reads references, and there are none. Add them, or use inputs=source.")
    groups = [corpus.references[row] for row in range(len(corpus))]
    for number, group in enumerate(groups, start=1):
        if len(group) != 1:
            raise BadInput(
                f"segment {number:,} has {len(group)} references, but error spans are found with one. Give one."
            )
    return [group[0] for group in groups]


def _json_line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _tsv_line(row: Mapping[str, Any]) -> str:
    cells = [str(row.get(name, "")) for name in _COLUMNS]
    for cell in cells:
        if any(mark in cell for mark in "\t\r\n"):
            raise BadInput(f"{shown(cell)} cannot be written as TSV. Use a file with the suffix .jsonl.")
    return "\t".join(cells)
