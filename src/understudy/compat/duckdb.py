"""DuckDB: segment scores and corpus scores as SQL functions, over Arrow.

For the metric `bleu`, `register(connection)` defines

- `bleu(hyp, ref)`: the segment score of each row, NULL where a text is missing;
- `bleu_corpus(hyp, ref)`: a macro, the corpus score of all rows or of each group of GROUP BY. The statistics of each
  row are summed by DuckDB itself. A macro excludes FILTER, DISTINCT and OVER: use WHERE, or a subquery.

Several references are several arguments, `bleu(hyp, ref1, ref2)`, or a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import batch_metrics, batch_statistics, score_of_sums, segment_scores
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.scoring.run import Metrics

_MOST_REFERENCES = 8  # arguments of an aggregate function


def register(
    connection: Any,
    metrics: Metrics | Mapping[str, str | Metric] = ("bleu", "chrf", "ter"),
    *,
    lang: str | None = None,
) -> None:
    """Define the SQL functions of these metrics on a connection. A mapping gives the functions other names, such as
    `{"bleu_intl": "bleu:tokenize=intl"}`.
    """
    for name, metric in _names(metrics, lang).items():
        _define(connection, name, metric)


def _names(metrics: Any, lang: str | None) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        chosen = dict(zip(metrics, batch_metrics([*metrics.values()], lang), strict=True))
    else:
        specs = [metric.spec for metric in batch_metrics(metrics)]  # without what the language adds
        names = [spec.replace("-", "_") for spec in specs]
        chosen = dict(zip(names, batch_metrics(metrics, lang), strict=True))
    for name in chosen:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise BadParameter(
                f"{name!r} is not a name of an SQL function. Use a mapping with a name of letters, digits and _: "
                '{"bleu_intl": "bleu:tokenize=intl"}.'
            )
    return chosen


def _define(connection: Any, name: str, metric: Metric) -> None:
    pa = library("pyarrow")
    whole = batch_statistics(metric, ["a"], [["a"]]).array.dtype.kind == "i"
    sql, arrow = ("BIGINT", pa.int64()) if whole else ("DOUBLE", pa.float64())
    columns = metric.columns
    struct = f"STRUCT({', '.join(f'{column} {sql}' for column in columns)})"

    def segments(*texts: Any) -> Any:  # of any number of arguments, as DuckDB calls it
        return pa.array(segment_scores(metric, texts[0], texts[1:]), from_pandas=True)

    def statistics(*texts: Any) -> Any:
        counted = batch_statistics(metric, texts[0], texts[1:]).array
        arrays = [pa.array(counted[:, index], arrow) for index in range(len(columns))]
        return pa.StructArray.from_arrays(arrays, [*columns])

    def score(sums: Any) -> Any:
        """The score of each sum; none where there were no rows."""
        totals = [[*row.values()] for row in sums.to_pylist()]
        scores = [
            None if None in total else score_of_sums(metric, total, 1, (1, 1)).value for total in totals
        ]
        return pa.array(scores, pa.float64())

    _add(connection, name, segments, None, "DOUBLE")
    _add(connection, f"{name}_statistics", statistics, None, struct)
    _add(connection, f"{name}_of_sums", score, [struct], "DOUBLE")
    forms = []
    for count in range(1, _MOST_REFERENCES + 1):
        texts = ", ".join(["hyp", *(f"ref{number}" for number in range(1, count + 1))])
        sums = ", ".join(f"{each} := sum({name}_statistics({texts}).{each})::{sql}" for each in columns)
        forms.append(f"({texts}) AS {name}_of_sums(struct_pack({sums}))")
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_corpus {', '.join(forms)}")


def _add(connection: Any, name: str, function: Any, parameters: list[str] | None, result: str) -> None:
    """A function of a connection, in place of one of the same name that was added before."""
    with suppress(library("duckdb").InvalidInputException):
        connection.remove_function(name)
    connection.create_function(name, function, parameters, result, type="arrow", null_handling="special")
