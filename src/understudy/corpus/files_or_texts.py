"""Lists of strings: files or segments?

They are files if all of them exist, and segments if at least one cannot be a file name, such as a sentence. Ambiguous
lists raise an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Literal

from understudy.corpus.data_sets import is_data_set
from understudy.corpus.files import STDIN, not_found
from understudy.corpus.segment_sources import file_of
from understudy.errors import BadInput, MissingFile

Strings = Literal["files", "texts"]  # the meaning of lists of strings, if set explicitly

# Number of strings that are examined, because a list may have millions.
_LOOKED_AT = 100
_NAME_ENDING = re.compile(r"\.\w{1,8}(:[^/]+)?$", re.ASCII)  # ref.de, out.txt.gz, all.tsv:nmt
_SPACE = re.compile(r"\s")


def are_files(strings: Sequence[str], what: str, said: Strings | None = None) -> bool:
    """Whether the strings of a list are files rather than segments. Ambiguous lists raise an error.

    >>> are_files(["examples/reference-1.en"], "references"), are_files(["The cat sat."], "references")
    (True, False)
    """
    if said is not None:
        return said == "files"
    some = strings[:_LOOKED_AT]
    files = [text for text in some if _is_a_file(text)]
    texts = [text for text in some if text not in files and not _could_name_a_file(text)]
    if files and texts:
        raise BadInput(
            f"{what}: '{files[0]}' is an existing file, but {_shown(texts[0])} is not. Are these files or segments? "
            f"{_HOW_TO_SAY}"
        )
    if not files and not texts and not os.path.isdir(some[0]):  # for which opening it gives the better error
        raise MissingFile(f"{not_found(some[0])} Or are these segments? {_HOW_TO_SAY}")
    return not texts


_HOW_TO_SAY = "Use understudy.Corpus.read(...) for files, understudy.Corpus.of_texts(...) for segments."


def _is_a_file(text: str) -> bool:
    try:
        path = file_of(text)
    except BadInput:  # FILE: without NAME
        return False
    return text == STDIN or (os.path.exists(path) and not os.path.isdir(path)) or is_data_set(path)


def _could_name_a_file(text: str) -> bool:
    """Whether it may be a file name: by its suffix, or because it is one word of a script with word boundaries."""
    if not text or "\n" in text:
        return False
    from understudy.text.scripts import has_unspaced

    return bool(_NAME_ENDING.search(text)) or not (_SPACE.search(text) or has_unspaced(text))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
