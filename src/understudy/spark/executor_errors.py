"""Errors on executors, which arrive wrapped in the traces of two languages: as the one line that was raised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from understudy import errors
from understudy.errors import BadInput, MissingExtra, UnderstudyError
from understudy.installation import install_hint
from understudy.version import __version__

_RAISED = re.compile(r"understudy\.errors\.(\w+): (.+)")
_NOT_THERE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")


@contextmanager
def errors_of_executors() -> Iterator[None]:
    """Raise errors of understudy on executors as what they are. All others are Spark's, and stay as they are."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:  # the latter from toLocalIterator()
        found = _unwrapped(str(error))
        if found is None:
            raise
        raise found from None


def _unwrapped(trace: str) -> UnderstudyError | None:
    """The error of understudy in a trace.

    >>> _unwrapped("Traceback (most recent call last): ...\\nunderstudy.errors.BadInput: 'x' is wrong. Mend it.\\n")
    BadInput("'x' is wrong. Mend it.")
    """
    if raised := _RAISED.findall(trace):
        name, message = raised[-1]
        kind = getattr(errors, name, BadInput)
        if not (isinstance(kind, type) and issubclass(kind, UnderstudyError)):
            kind = BadInput
        return kind(message, on_command_line=re.sub(r"\bnulls='(\w+)'", r"--nulls \1", message))
    if lacking := _NOT_THERE.findall(trace):
        return MissingExtra(
            f"the executors' Python has no module '{lacking[-1]}'. Install understudy there ({install_hint('spark')}), "
            "and set spark.pyspark.python or PYSPARK_PYTHON to that Python."
        )
    return None


def check_version(of_driver: str) -> None:
    """Raise an error unless the executor runs the driver's version."""
    if of_driver != __version__:
        raise BadInput(
            f"an executor has understudy {__version__}, the driver has {of_driver}. Scores may differ between "
            "versions: install the same version everywhere."
        )
