"""Every error a user can meet.

Each says what went wrong, where, what was expected, what was found and what to do about it, in one line.
Each is an `UnderstudyError` and also the built-in exception a Python programmer would expect, so that
``except ValueError`` keeps working in code that never heard of this package.
"""

from __future__ import annotations

from collections.abc import Iterable

from understudy.installation import install_command


class UnderstudyError(Exception):
    """The root of every error raised on purpose."""


class LengthMismatch(UnderstudyError, ValueError):
    """Two inputs that belong together have different numbers of segments."""


class NoSegments(UnderstudyError, ValueError):
    """There is nothing to score."""


class InvalidText(UnderstudyError, ValueError):
    """Bytes that are not UTF-8, or a string that UTF-8 cannot hold."""


class BadInput(UnderstudyError, ValueError):
    """Data of the wrong shape: transposed references, a malformed file, a missing column."""


class WrongType(UnderstudyError, TypeError):
    """A value of a kind that cannot be meant, such as a bare string for a list of segments."""


class BadParameter(UnderstudyError, ValueError):
    """A metric parameter or option with a value it cannot take, or a name that does not exist."""


class UnknownParameter(BadParameter, TypeError):
    """A keyword that a metric's constructor does not take."""


class BadMetric(UnderstudyError, TypeError):
    """A metric class that breaks what it promises: counts of the wrong shape or type, a name that is taken."""


class NothingChosen(BadParameter):
    """Text that a metric's defaults do not fit, where nobody chose anything else."""

    def __init__(self, message: str, on_command_line: str = "") -> None:
        super().__init__(message)
        self.on_command_line = on_command_line or message  # what is set in Python is an option there


class NoTokenizerChosen(NothingChosen):
    """Text without spaces between words, for a metric whose tokenizer nobody chose and which cannot split it."""


class NoLanguageChosen(NothingChosen):
    """Text that cannot be English, for a metric that takes it for English unless a language is chosen."""


class MissingFile(UnderstudyError, FileNotFoundError):
    """A file that is not there, or cannot be opened."""


class UnderstudyWarning(UserWarning):
    """The root of every warning given on purpose. The command line prints each once, in one line."""


class InputWarning(UnderstudyWarning):
    """Input that is read, though it may not be what was meant."""


class PlugInWarning(UnderstudyWarning):
    """A metric of another package that cannot be used."""


class OutOfMemory(UnderstudyError, MemoryError):
    """The machine has too little memory for what is asked of it now."""


class MissingExtra(UnderstudyError, ImportError):
    """An optional dependency that is not installed."""

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> MissingExtra:
        """The error with its cure.

        >>> print(MissingExtra.of("Parquet files", "pyarrow", "parquet"))
        Parquet files need pyarrow: pip install 'understudy-mt[parquet]'
        """
        return cls(f"{what} need {package}: {install_command(extra)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an 'unknown name' message: the closest names, or all of them.

    >>> did_you_mean("bleau", ["bleu", "chrf"])
    "Did you mean 'bleu'?"
    >>> did_you_mean("xyz", ["bleu", "chrf"])
    'Known: bleu, chrf.'
    >>> did_you_mean("xyz", [])
    'There are none.'
    """
    import difflib  # only for people who mistyped

    names = list(known)
    close = difflib.get_close_matches(name, names, n=3)
    if close:
        return "Did you mean " + " or ".join(repr(match) for match in close) + "?"
    return f"Known: {', '.join(names)}." if names else "There are none."
