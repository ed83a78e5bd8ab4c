"""A whole job, for `spark-submit`: read a table, score it, write the scores as another table."""

from __future__ import annotations

import re
from typing import Any

from understudy.choices import TABLE_FORMATS
from understudy.errors import BadInput, BadParameter, MissingExtra
from understudy.scoring.run import Scores
from understudy.settings import check_choice
from understudy.spark.scores import SparkScores, score

_OPTIONS: dict[str, dict[str, str | bool]] = {
    "csv": {"header": True, "quote": '"', "escape": '"', "multiLine": True}
}

_CALLED = r"\AAn error occurred while calling \S+\n: (?:[\w.$]+: )?"
_NO_GROUPS = "output is a table of groups, but there are none. Name columns to group rows by:"


def run_job(
    path: str,
    output: str | None = None,
    *,
    input_format: str = TABLE_FORMATS[0],
    output_format: str = TABLE_FORMATS[0],
    by: Any = (),
    **how: Any,
) -> Scores | SparkScores:
    """Score a table with the Spark session that there is, or a new one. `output` is the folder of a new table with a
    row per group and metric; it must not exist. The other arguments are those of `understudy.spark.score`.
    """
    check_choice("input_format", input_format, TABLE_FORMATS)
    check_choice("output_format", output_format, TABLE_FORMATS)
    if output is not None and not by:
        raise BadParameter(f"{_NO_GROUPS} by=[...].", on_command_line=f"{_NO_GROUPS} --by COLUMN.")
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import AnalysisException, PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra.of("Spark jobs", "pyspark 4, pyarrow and pandas", "spark") from None

    try:
        session = SparkSession.builder.appName("understudy").getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise MissingExtra(
            f"Spark cannot start: {_first_line(error)} Install Java 17 or later, and set JAVA_HOME to its folder, if "
            "it is not in PATH."
        ) from None
    if output is not None:
        try:
            exists = _exists(session, output)
        except (PySparkException, Py4JError) as error:  # e.g. a file system that Spark does not know
            raise BadInput(f"'{output}' cannot be written: {_first_line(error)}") from None
        if exists:
            raise BadInput(f"'{output}' exists already. Remove it, or write to another folder.")
    try:
        df = session.read.format(input_format).options(**_OPTIONS.get(input_format, {})).load(path)
    except AnalysisException as error:
        raise BadInput(f"'{path}' cannot be read as {input_format}: {_first_line(error)}") from None
    except (PySparkException, Py4JError) as error:  # e.g. a file of another format
        said = f"'{path}' cannot be read as {input_format}: {_first_line(error)} Is it of another format? Use"
        raise BadInput(f"{said} input_format=...", on_command_line=f"{said} --input-format.") from None
    try:
        found = score(df, by=by, **how)
    except (PySparkException, Py4JError) as error:  # e.g. a file of the table that is damaged
        raise BadInput(f"'{path}' cannot be scored: {_first_line(error)}") from None
    if output is None:
        return found
    assert isinstance(found, SparkScores)
    try:
        written = found.to_spark(session, df).coalesce(1).write.format(output_format)
        written.options(**_OPTIONS.get(output_format, {})).save(output)
    except (PySparkException, Py4JError) as error:
        raise BadInput(f"'{output}' cannot be written: {_first_line(error)}") from None
    return found


def _exists(session: Any, path: str) -> bool:
    """Whether a path of any file system exists, before the job: Spark itself looks only when it writes."""
    try:
        folder = session._jvm.org.apache.hadoop.fs.Path(path)
        settings = session._jsparkSession.sessionState().newHadoopConf()
    except (AttributeError, NotImplementedError):  # a client of Spark Connect has no file systems
        return False
    return bool(folder.getFileSystem(settings).exists(folder))


def _first_line(error: Exception) -> str:
    """What Spark says of an error. Py4J names the call and the exception before it.

    >>> _first_line(Exception("An error occurred while calling o1.load.\\n: org.spark.E: No footer.\\n\\tat ..."))
    'No footer.'
    """
    return re.sub(_CALLED, "", str(error).strip()).splitlines()[0]
