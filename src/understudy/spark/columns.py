"""Which columns of a data frame have the texts, the groups and the names of segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from understudy.choices import NULLS
from understudy.errors import BadInput, BadParameter, MissingExtra, WrongType, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.settings import check_choice, check_name, checked_names

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

# The names of columns on the executors: names of users may have dots, which Spark takes for fields.
GROUP, HYPOTHESIS, REFERENCE, ID, DOCUMENT, COPIES, ALIKE = "by", "hyp", "ref", "id", "doc", "copies", "alike"


@dataclass(frozen=True)
class Columns:
    """The columns that are read, by their names in the data frame. Several hypotheses are those of several systems."""

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    by: tuple[str, ...] = ()
    id: str | None = None
    documents: str | None = None
    nulls: str = "error"  # what to do about a hypothesis that is null

    @classmethod
    def checked(
        cls,
        df: DataFrame,
        hypotheses: Sequence[str],
        references: Any,
        metrics: Sequence[Metric],
        *,
        by: Any = (),
        id: str | None = None,
        documents: str | None = None,
        nulls: str = "error",
    ) -> Columns:
        """The columns, if the data frame has them and they have the right types."""
        check_data_frame(df)
        check_choice("nulls", nulls, NULLS)
        for metric in metrics:
            if metric.parses:
                raise BadParameter(
                    f"{metric.name} parses text, which is not supported on Spark. Parse the text first, and score the "
                    "trees with understudy.score."
                )
        reading = any(metric.reads_references for metric in metrics)
        columns = cls(
            tuple(hypotheses),
            checked_names("references", () if references is None else references) if reading else (),
            checked_names("by", () if by is None else by),
            id,
            documents if any(metric.reads_documents for metric in metrics) else None,
            nulls,
        )
        if reading and not columns.references:
            name = next(metric.name for metric in metrics if metric.reads_references)
            raise BadParameter(
                f"{name} needs references, but none are given. Name their columns, references=['ref']."
            )
        for role, names, accepted, expected in (
            ("hypothesis", columns.hypotheses, _is_text, "strings"),
            ("references", columns.references, _is_text_or_list, "strings or arrays of strings"),
            ("by", columns.by, _is_label, "strings, integers, Booleans or dates"),
            ("id", (id,) if id is not None else (), _is_name, "strings or integers"),
            ("documents", (documents,) if documents is not None else (), _is_name, "strings or integers"),
        ):
            for name in names:
                kind = type_of(df, role, name)
                if not accepted(kind):
                    raise WrongType(
                        f"{role}: column '{name}' has the type {kind.simpleString()}, expected {expected}."
                    )
        for role, names in (("by", columns.by), ("references", columns.references)):
            if len(set(names)) < len(names):
                raise BadParameter(f"{role}: a column is named twice: {', '.join(names)}.")
        return columns

    def selected(self, df: DataFrame) -> DataFrame:
        """These columns alone, with names that executors use."""
        return df.select(*self.group_columns(), *self.texts())

    def kept(self, df: DataFrame) -> DataFrame:
        """The rows that are scored: with nulls='drop', those with all hypotheses and at least one reference."""
        from pyspark.sql import functions
        from pyspark.sql.types import ArrayType

        if self.nulls != "drop":
            return df
        found = df.filter(reduce(and_, [column(name).isNotNull() for name in self.hypotheses]))
        present = []
        for name in self.references:
            texts = column(name)
            if isinstance(type_of(df, "references", name), ArrayType):
                present.append(
                    functions.coalesce(
                        functions.exists(texts, lambda text: text.isNotNull()), functions.lit(False)
                    )
                )
            else:
                present.append(texts.isNotNull())
        return found.filter(reduce(or_, present)) if present else found

    def group_columns(self) -> list[SparkColumn]:
        return [column(name).alias(f"{GROUP}{i}") for i, name in enumerate(self.by)]

    def texts(self) -> list[SparkColumn]:
        found = [column(name).alias(f"{HYPOTHESIS}{i}") for i, name in enumerate(self.hypotheses)]
        found += [column(name).alias(f"{REFERENCE}{i}") for i, name in enumerate(self.references)]
        if self.id is not None:
            found.append(column(self.id).cast("string").alias(ID))
        if self.documents is not None:
            found.append(column(self.documents).cast("string").alias(DOCUMENT))
        return found


def check_data_frame(df: Any) -> None:
    try:
        import pandas  # noqa: F401 (mapInArrow asks for it)
        import pyarrow  # noqa: F401
        from pyspark.sql import DataFrame
    except ImportError:
        raise MissingExtra.of("Spark data frames", "pyspark 4, pyarrow and pandas", "spark") from None

    if not isinstance(df, DataFrame):
        raise WrongType(f"got {type(df).__module__}.{type(df).__name__}, expected a Spark data frame.")


def column(name: str) -> SparkColumn:
    """The column of this name, which may have dots and spaces."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def type_of(df: DataFrame, role: str, name: str) -> DataType:
    check_name(role, name)
    fields = [field for field in df.schema.fields if field.name == name]
    if not fields:
        raise BadParameter(f"{role}: unknown column '{name}'. {did_you_mean(name, df.columns)}")
    if len(fields) > 1:
        raise BadInput(
            f"{role}: the data frame has {len(fields)} columns '{name}'. Rename or drop one of them."
        )
    return fields[0].dataType


def _is_text(kind: DataType) -> bool:
    from pyspark.sql.types import CharType, StringType, VarcharType

    return isinstance(kind, (StringType, CharType, VarcharType))


def _is_text_or_list(kind: DataType) -> bool:
    from pyspark.sql.types import ArrayType

    return _is_text(kind.elementType if isinstance(kind, ArrayType) else kind)


def _is_name(kind: DataType) -> bool:
    from pyspark.sql.types import IntegralType

    return _is_text(kind) or isinstance(kind, IntegralType)


def _is_label(kind: DataType) -> bool:
    from pyspark.sql.types import BooleanType, DateType

    return _is_name(kind) or isinstance(kind, (BooleanType, DateType))
