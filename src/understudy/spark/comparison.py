"""`understudy.spark.compare`: systems in a Spark data frame, compared by the paired bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.arrays import Floats, one_blas_thread
from understudy.choices import SEED, SIGNIFICANCE
from understudy.comparing.plan import INTERVAL_SAMPLES, Plan
from understudy.comparing.results import Comparison, MetricComparison
from understudy.comparing.run import compare_metric
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.resampling.evidence import Evidence, effect_size
from understudy.resampling.poisson_bootstrap import LARGEST_SEED
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_name, check_whole, checked_names
from understudy.spark.columns import (
    ALIKE,
    COPIES,
    DOCUMENT,
    HYPOTHESIS,
    ID,
    REFERENCE,
    Columns,
    check_data_frame,
    column,
    type_of,
)
from understudy.spark.executor_errors import errors_of_executors
from understudy.spark.fitting import fitted_on_all
from understudy.spark.scores import check_names_unique, sample_scores, unit_statistics
from understudy.spark.totals import Counting, Totals, totals
from understudy.wording import number_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_SYSTEMS = 100  # found in a column; more are a mistake


def compare(
    df: DataFrame,
    systems: Mapping[str, str] | Sequence[str] | None = None,
    references: Sequence[str] | str | None = ("ref",),
    metrics: Metrics = ("bleu",),
    *,
    id: str,
    system: str | None = None,
    hypothesis: str = "hyp",
    level: str = "corpus",
    lang: str | None = None,
    documents: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    samples: int | None = None,
    seed: int = SEED,
    correct: str = "holm",
    significance: float = SIGNIFICANCE,
    nulls: str = "error",
) -> Comparison:
    """Compare the systems of a Spark data frame by the paired bootstrap: the result is that of `understudy.compare`.

    The data frame has either a column for every system, `systems={"old": "hyp_old", "new": "hyp_new"}` or a list of
    columns, or a row for every segment and system: then `system` is the column with the name of the system, and
    `hypothesis` the column with its translation; `systems` selects some of them. `id` is the column with the name of
    the segment.

    Samples are those of the Poisson bootstrap: they depend on the names of segments, not on partitions. The other
    arguments are those of `understudy.compare` and `understudy.spark.score`.
    """
    check_data_frame(df)
    check_whole("seed", seed, least=0, most=LARGEST_SEED)
    check_name("id", id)
    plan = Plan(
        test="bootstrap",
        baseline=baseline,
        all_pairs=all_pairs,
        samples=samples,
        seed=seed,
        correct=correct,
        significance=significance,
        level=level,
    )
    chosen = chosen_metrics(metrics, lang)
    options: dict[str, Any] = {"id": id, "documents": documents, "nulls": nulls}
    if system is None:
        named = _columns_of_systems(systems)
        pairs = plan.pairs(list(named))
        columns = Columns.checked(df, list(named.values()), references, chosen, **options)
        check_names_unique(df, columns)
        selected = columns.selected(df)
    else:
        type_of(df, "system", system)
        single = Columns.checked(df, [hypothesis], references, chosen, by=[system], **options)
        names = _systems_of(df, system, systems)
        pairs = plan.pairs(names)
        named = {name: name for name in names}
        columns = replace(single, hypotheses=tuple(names), by=())
        selected = _wide(df, single, names)
    if any(metric.needs_fit and not metric.reads_references for metric in chosen):
        raise BadParameter(
            "metrics that compare the texts of a system with each other cannot compare systems on Spark."
        )
    fits = fitted_on_all(selected, columns, chosen)
    drawn = max(INTERVAL_SAMPLES, plan.drawn(len(pairs)) or 0)
    counting = Counting(columns, tuple(chosen), level, drawn, seed, fits, pairs=tuple(pairs))
    found = totals(df, selected, counting)[0]
    with one_blas_thread():
        compared = [
            _compared(metric, number, found, counting, plan=plan, names=list(named))
            for number, metric in enumerate(fits.get((), chosen))
        ]
    return Comparison(plan, found.segments, found.references, compared, lang=lang)


@dataclass(frozen=True, eq=False)
class _SummedEvidence(Evidence):
    """Evidence of which only totals are known, and no counts of segments."""

    known_segments: int = 0
    known_totals: Floats | None = None  # [systems, K]
    differences: Mapping[tuple[int, int], tuple[Fraction, ...]] | None = None  # and their squares, added up

    @property
    def segments(self) -> int:
        return self.known_segments

    @cached_property
    def totals(self) -> Floats:
        assert self.known_totals is not None
        return self.known_totals

    def effect_size(self, a: int, b: int) -> float | None:
        assert self.differences is not None
        total, squares = self.differences[a, b]
        if self.segments < 2:
            return None
        mean = total / self.segments
        variance = (squares - total * mean) / (self.segments - 1)
        # The squares of floats were rounded: a variance below their rounding is that of equal differences.
        deviation = 0.0 if variance <= squares * Fraction(1, 2**50) else float(variance) ** 0.5
        return effect_size(float(mean), deviation)


def _compared(
    metric: Metric, number: int, found: Totals, counting: Counting, *, plan: Plan, names: list[str]
) -> MetricComparison:
    count = len(counting.metrics)
    units = [number + count * index for index in range(len(names))]
    sums = np.stack([found.of_unit(unit)[0].astype(np.float64) for unit in units])
    drawn = np.stack([sample_scores(metric, unit, found, counting) for unit in units], axis=1)
    template = unit_statistics(metric, units[0], found, found.of_unit(units[0])[:0])
    of_pairs = {
        pair: tuple(found.exact_totals(count * len(names) + number + count * index))
        for index, pair in enumerate(counting.pairs)
    }
    mean = counting.level == "mean"
    if mean:
        sums = np.concatenate([sums, np.full((len(names), 1), float(found.segments))], axis=1)
    evidence = _SummedEvidence(
        tuple(names),
        np.arange(len(names)),
        np.empty((0, len(names), sums.shape[1])),
        metric,
        None if mean else template,
        metric.higher_is_better,
        found.inputs[units[0]],
        known_segments=found.segments,
        known_totals=sums,
        differences=of_pairs,
    )
    references = template.references
    result = compare_metric(
        evidence,
        evidence,
        drawn,
        plan,
        counting.pairs,
        references=references,
        label=metric.label,
        unique_label=[each.label for each in counting.metrics].count(metric.label) == 1,
    )
    choices = plan.choices(len(counting.pairs), runs=False)
    choices |= {"test": "poisson-bootstrap", "ci": f"poisson-{INTERVAL_SAMPLES}-{plan.seed}"}
    own = "|".join(f"{name}:{value}" for name, value in choices.items())
    signature = metric.signature(references, plan.level, of_input=evidence.of_input)
    return replace(result, signature=f"{signature}|{own}")


def _columns_of_systems(systems: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    if systems is None:
        raise BadParameter(
            "there are no systems. Name their columns, systems=['hyp_a', 'hyp_b'], or the column with the name of the "
            "system, system='system'."
        )
    if isinstance(systems, Mapping):
        names, columns = (
            checked_names("systems", list(systems)),
            checked_names("systems", list(systems.values())),
        )
        return dict(zip(names, columns, strict=True))
    return {name: name for name in checked_names("systems", systems)}


def _systems_of(df: DataFrame, system: str, wanted: Any) -> list[str]:
    """The names of systems in a column."""
    with errors_of_executors():
        rows = df.select(column(system)).distinct().limit(_MOST_SYSTEMS + 1).collect()
    found = [row[0] for row in rows]
    if None in found:
        raise BadInput(f"system: column '{system}' has nulls. Every row needs the name of its system.")
    if len(found) > _MOST_SYSTEMS:
        raise BadInput(
            f"system: column '{system}' has more than {number_of(_MOST_SYSTEMS, 'different value')}."
        )
    if not all(isinstance(name, str) for name in found):
        raise BadInput(f"system: column '{system}' has the type {type(found[0]).__name__}, expected strings.")
    if wanted is None:
        if not found:
            raise BadInput("the data frame has no rows to compare.")
        return sorted(found)
    names = list(checked_names("systems", list(wanted) if isinstance(wanted, Mapping) else wanted))
    for name in names:
        if name not in found:
            raise BadParameter(
                f"systems: column '{system}' has no '{name}'. Known: {', '.join(sorted(found))}."
            )
    return names


def _wide(df: DataFrame, columns: Columns, names: Sequence[str]) -> DataFrame:
    """One row per segment, with the columns of executors, from one row per segment and system."""
    from pyspark.sql import functions as f

    (system,) = columns.by
    of_system = [f.col("by0") == name for name in names]
    references = [f"{REFERENCE}{i}" for i in range(len(columns.references))]
    documents = [DOCUMENT] if columns.documents is not None else []
    rows = columns.selected(df.filter(column(system).isin(*names)))
    shared = f.xxhash64(*[f.col(name) for name in [*references, *documents]]) if references else f.lit(0)
    return (
        rows.withColumn(ALIKE, shared)
        .groupBy(ID)
        .agg(
            *[f.first(f.when(each, f.col(f"{HYPOTHESIS}0")), ignorenulls=True).alias(f"{HYPOTHESIS}{i}")
              for i, each in enumerate(of_system)],
            *[f.first(name).alias(name) for name in [*references, *documents]],
            *[f.count(f.when(each, 1)).alias(f"{COPIES}{i}") for i, each in enumerate(of_system)],
            (f.min(ALIKE) == f.max(ALIKE)).alias(ALIKE),
        )
    )  # fmt: skip
