"""Archives of test sets: every file is extracted completely or not at all, and never outside the folder."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from understudy.corpus.files import made_folder, written_whole
from understudy.errors import BadInput

_TAR = (".tar.gz", ".tgz")
_ZIP = ".zip"


def is_archive(name: str) -> bool:
    """Whether a file of this name is extracted; others are test data themselves.

    >>> is_archive("wmt19.test.tgz"), is_archive("wmt19_google_ar.wmt19-ende-ar.ref")
    (True, False)
    """
    return name.endswith((*_TAR, _ZIP))


def extract(archive: Path, name: str, folder: Path) -> None:
    """Extract all regular files into a folder. `name` says the kind of archive."""
    import shutil  # these take a while to load, and a set is extracted only once
    import tarfile
    import zipfile

    try:
        for inside, content in _zip_files(archive) if name.endswith(_ZIP) else _tar_files(archive):
            target = folder / _checked(inside, archive)
            made_folder(target.parent)
            with content, written_whole(target) as file:
                shutil.copyfileobj(content, file, 1 << 20)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise BadInput(f"'{archive}' is damaged ({error}). Remove it, and get the test set again.") from None


def _tar_files(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    import tarfile

    with tarfile.open(archive, "r:gz") as opened:
        for member in opened:
            if member.isreg() and (content := opened.extractfile(member)) is not None:
                yield member.name, content


def _zip_files(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    import zipfile

    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir():
                yield member.filename, opened.open(member)


def _checked(inside: str, archive: Path) -> str:
    """A path that stays in the folder."""
    parts = inside.replace("\\", "/").split("/")
    if os.path.isabs(inside) or ".." in parts or ":" in parts[0]:
        raise BadInput(f"'{archive}' holds '{inside}', a path outside its folder. Do not use this archive.")
    return inside
