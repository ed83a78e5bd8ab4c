"""A whole job, for `spark-submit`: read a table, score it, write the scores as another table."""

from __future__ import annotations

from typing import Any

from understudy.choices import TABLE_FORMATS
from understudy.errors import BadInput, BadParameter, MissingExtra
from understudy.scoring.run import Scores
from understudy.settings import check_choice
from understudy.spark.scores import SparkScores, score

_CSV: dict[str, str | bool] = {"header": True, "quote": '"', "escape": '"'}
_WRITING: dict[str, dict[str, str | bool]] = {"csv": _CSV}
# By default, Spark omits fields that a row has too many, takes the columns of all files from the header of the first,
# makes null of an empty string in quotation marks, and a row of nulls of a line that is not JSON.
_READING: dict[str, dict[str, str | bool]] = {
    "csv": {**_CSV, "multiLine": True, "mode": "FAILFAST", "enforceSchema": False, "nullValue": "\0"},
    "json": {"mode": "FAILFAST"},
}

_LONGEST_REASON = 300  # characters of a message, which may have a row in it
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
            f"Spark cannot start: {_reason(error)} Install Java 17 or later, and set JAVA_HOME to its folder, if "
            "it is not in PATH."
        ) from None
    if output is not None:
        try:
            exists = _exists(session, output)
        except (PySparkException, Py4JError) as error:  # e.g. a file system that Spark does not know
            raise BadInput(f"'{output}' cannot be written: {_reason(error)}") from None
        if exists:
            raise BadInput(f"'{output}' exists already. Remove it, or write to another folder.")
    try:
        df = session.read.format(input_format).options(**_READING.get(input_format, {})).load(path)
    except AnalysisException as error:
        raise BadInput(f"'{path}' cannot be read as {input_format}: {_reason(error)}") from None
    except (PySparkException, Py4JError) as error:  # e.g. a file of another format
        said = f"'{path}' cannot be read as {input_format}: {_reason(error)} Is it of another format? Use"
        raise BadInput(f"{said} input_format=...", on_command_line=f"{said} --input-format.") from None
    try:
        found = score(df, by=by, **how)
    except (PySparkException, Py4JError) as error:  # e.g. a file of the table that is damaged
        raise BadInput(f"'{path}' cannot be scored: {_reason(error)}") from None
    if output is None:
        return found
    assert isinstance(found, SparkScores)
    try:
        written = found.to_spark(session, df).coalesce(1).write.format(output_format)
        written.options(**_WRITING.get(output_format, {})).save(output)
    except (PySparkException, Py4JError) as error:
        raise BadInput(f"'{output}' cannot be written: {_reason(error)}") from None
    return found


def _exists(session: Any, path: str) -> bool:
    """Whether a path of any file system exists, before the job: Spark itself looks only when it writes."""
    try:
        folder = session._jvm.org.apache.hadoop.fs.Path(path)
        settings = session._jsparkSession.sessionState().newHadoopConf()
    except (AttributeError, NotImplementedError):  # a client of Spark Connect has no file systems
        return False
    return bool(folder.getFileSystem(settings).exists(folder))


def _reason(error: Exception) -> str:
    """Spark's own message in one line: the first of it, or the cause that an error of Java has innermost."""
    found = getattr(error, "java_exception", None)
    if found is None:
        return str(error).strip().splitlines()[0]
    while (cause := found.getCause()) is not None:
        found = cause
    text = " ".join(str(found.getMessage() or found.toString()).split())
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"
