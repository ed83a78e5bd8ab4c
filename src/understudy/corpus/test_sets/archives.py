"""Archives of test sets: every file is extracted completely or not at all, and never outside the folder."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from understudy.corpus.files import made_folder, written_whole
from understudy.errors import BadInput

if TYPE_CHECKING:
    import tarfile

_TAR = (".tar.gz", ".tgz")
_ZIP = ".zip"


def is_archive(name: str) -> bool:
    """Whether a file of this name is extracted; others are test data themselves.

    >>> is_archive("wmt19.test.tgz"), is_archive("wmt19_google_ar.wmt19-ende-ar.ref")
    (True, False)
    """
    return name.endswith((*_TAR, _ZIP))


def extract(archive: Path, name: str, folder: Path, *, verified: bool = True) -> None:
    """Extract all files into a folder; a link to a file of the archive becomes a copy. `name` says the kind of archive.
    Unless it was `verified` by a checksum, the one inside gzip is checked.
    """
    import gzip
    import shutil  # these take a while to load, and a set is extracted only once
    import tarfile
    import zipfile

    try:
        for inside, content in _zip_files(archive) if name.endswith(_ZIP) else _tar_files(archive, verified):
            target = folder / _checked(inside, archive)
            made_folder(target.parent)
            with content, written_whole(target) as file:
                shutil.copyfileobj(content, file, 1 << 20)
    except (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"the archive '{name}' is damaged ({error}). Get the test set again.") from None
    except (NotImplementedError, RuntimeError) as error:  # a password, or another compression
        raise BadInput(f"the archive '{name}' cannot be extracted: {error}.") from None


def _tar_files(archive: Path, verified: bool) -> Iterator[tuple[str, IO[bytes]]]:
    import gzip
    import tarfile

    with gzip.open(archive) as stream, tarfile.open(fileobj=stream, mode="r:") as opened:
        for member in opened:
            if (content := _content(opened, member)) is not None:
                yield member.name, content
        # The checksum is at the end, behind what tar reads. In a verified archive, other bytes may follow it.
        while not verified and stream.read(1 << 20):
            pass


def _content(opened: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes] | None:
    """The content of a file, or of the file in the archive that a link leads to."""
    if not (member.isreg() or member.islnk() or member.issym()):
        return None
    try:
        return opened.extractfile(member)
    except (KeyError, RecursionError):  # a link out of the archive, or to itself
        return None


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
