"""All errors that understudy raises on purpose.

Each message states in one line the problem, its location, what was expected, what was found, and the fix. Each error
is an `UnderstudyError` and also the corresponding built-in exception, so that ``except ValueError`` keeps working.
"""

from __future__ import annotations

from collections.abc import Iterable

from understudy.installation import install_hint


class UnderstudyError(Exception):
    """The base class of all errors raised on purpose. `on_command_line` is the same message with the options of the
    command line, if there are any.
    """

    def __init__(self, message: object = "", on_command_line: str = "") -> None:
        super().__init__(message)
        self.on_command_line = on_command_line

    def __str__(self) -> str:
        """In one line, also with a table or an array in it."""
        return " ".join(line.strip() for line in super().__str__().splitlines())


class LengthMismatch(UnderstudyError, ValueError):
    """Parallel inputs with different numbers of segments."""


class NoSegments(UnderstudyError, ValueError):
    """No segments to score."""


class InvalidText(UnderstudyError, ValueError):
    """Bytes that are not UTF-8, or a string that cannot be encoded in UTF-8."""


class BadInput(UnderstudyError, ValueError):
    """Data of the wrong shape: transposed references, a malformed file, a missing column."""


class BadSegment(BadInput):
    """Bad input in one segment. Whoever reads a text in parts counts its segments from the start of the text."""

    parts: tuple[str, int, str] = ("", 0, "")  # of the message: before the number, its index, and after it

    @classmethod
    def at(cls, before: str, segment: int, after: str) -> BadSegment:
        """The error about the segment of this index.

        >>> raise BadSegment.at("references: ", 0, " has none.").after(9000)
        Traceback (most recent call last):
        understudy.errors.BadSegment: references: segment 9,001 has none.
        """
        error = cls(f"{before}segment {segment + 1:,}{after}")
        error.parts = before, segment, after
        return error

    def after(self, segments: int) -> BadSegment:
        """The same error in a part of a text that follows so many segments."""
        before, segment, after = self.parts
        return self.at(before, segment + segments, after)


class WrongType(UnderstudyError, TypeError):
    """A value of the wrong type, such as a string instead of a list of segments."""


class BadParameter(UnderstudyError, ValueError):
    """A metric parameter or option with an invalid value, or an unknown name."""


class UnknownParameter(BadParameter, TypeError):
    """An unknown keyword argument of a metric."""


class BadMetric(UnderstudyError, TypeError):
    """A metric class that breaks what it promises: counts of the wrong shape or type, a name that is taken."""


class NoTokenizerChosen(BadParameter):
    """Text in a script without word boundaries that a metric's default tokenizer cannot split."""


class NoLanguageChosen(BadParameter):
    """Text that is not English, for a metric whose default language is English."""


class MissingFile(UnderstudyError, FileNotFoundError):
    """A file that does not exist or cannot be opened."""


class DownloadFailed(UnderstudyError, OSError):
    """A file that could not be downloaded, or not completely."""


class UnderstudyWarning(UserWarning):
    """The base class of all warnings of understudy. The command line prints each once, in one line."""


class InputWarning(UnderstudyWarning):
    """A warning about input that is accepted but suspicious."""


class PlugInWarning(UnderstudyWarning):
    """A metric of another package that cannot be used."""


class ModelWarning(UnderstudyWarning):
    """A learned model that does less than it was asked for, such as reading the beginning of a text only."""


class OutOfMemory(UnderstudyError, MemoryError):
    """Not enough memory for the requested operation."""


class MissingExtra(UnderstudyError, ImportError):
    """An optional dependency that is not installed."""

    @classmethod
    def of(cls, what: str, package: str, extra: str) -> MissingExtra:
        """The error with the install command.

        >>> print(MissingExtra.of("Parquet files", "pyarrow", "parquet"))
        Parquet files need pyarrow: pip install 'understudy-mt[parquet]', or pip install -e '.[parquet]' in a checkout
        """
        return cls(f"{what} need {package}: {install_hint(extra)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: the closest names, or all of them.

    >>> did_you_mean("bleau", ["bleu", "chrf"])
    "Did you mean 'bleu'?"
    >>> did_you_mean("xyz", ["bleu", "chrf"])
    'Known: bleu, chrf.'
    >>> did_you_mean("xyz", [])
    'None are known.'
    """
    import difflib  # imported only after a typo

    names = list(known)
    close = difflib.get_close_matches(str(name), names, n=3)
    if close:
        return "Did you mean " + " or ".join(repr(match) for match in close) + "?"
    return f"Known: {', '.join(names)}." if names else "None are known."
