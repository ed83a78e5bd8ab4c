"""Files from the network, only on request: checked, continued where they were cut, and complete or not there at all.

A download goes into NAME.part beside its target. The target appears, by renaming, once the checksum is right. A cut
download leaves its part, which the next one continues. A file without a checksum is continued if the server says its
version (ETag), which is kept in NAME.part.etag. A second process waits for the first and uses its file.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from understudy.errors import BadParameter, DownloadFailed
from understudy.file_lock import locked
from understudy.version import __version__

Progress = Callable[[int, int | None], None]
"""Called with the number of bytes that are there, and with the size of the file if it is known."""

INCOMING = (
    ".incoming"  # after the name of a file that gets its own name later, for example once it is extracted
)
_PART = ".part"
_AT_ONCE = 1 << 18
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_ALGORITHMS = ("md5", "sha256", "git")


@dataclass(frozen=True)
class RemoteFile:
    """An address, and the checksum of what is expected there: `md5:…`, `sha256:…`, or `git:…`, by which git would
    name it; empty if none is known.
    """

    url: str
    checksum: str = ""

    def __post_init__(self) -> None:
        if self.checksum and self._algorithm not in _ALGORITHMS:
            raise BadParameter(
                f"checksum '{self.checksum}': expected md5:DIGITS, sha256:DIGITS or git:DIGITS."
            )
        if not _is_safe(self.url):
            raise BadParameter(f"address '{self.url}': expected one that begins with https://.")

    def matches(self, path: Path) -> bool:
        """Whether the file has the checksum. Without one, every file does."""
        return not self.checksum or checksum_of(path, self._algorithm) == self.checksum

    @property
    def _algorithm(self) -> str:
        return self.checksum.partition(":")[0]


def download(
    remote: RemoteFile,
    target: Path,
    *,
    progress: Progress | None = None,
    proxies: Mapping[str, str] | None = None,
    timeout: float = 60.0,
) -> Path:
    """Bring a file, unless it is there with the right checksum. Return its path.

    `proxies` are addresses by scheme, as in `urllib.request.getproxies()`; none are used by default. A connection
    without data for `timeout` seconds counts as cut.
    """
    if _is_there(remote, target):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.with_name(f"{target.name}.lock")):
            if not _is_there(remote, target):  # another process may have brought it
                part = target.with_name(f"{target.name}{_PART}")
                _Transfer(remote, part, progress, dict(proxies or {}), timeout).complete()
                os.replace(part, target)
    except DownloadFailed:
        raise
    except OSError as error:
        raise DownloadFailed(
            f"'{target}' cannot be written: {error.strerror or error}. Choose another folder, or free some space."
        ) from None
    return target


def checksum_of(path: Path, algorithm: str) -> str:
    """`md5:…`, `sha256:…` or `git:…` of a file."""
    digest = hashlib.new("sha1" if algorithm == "git" else algorithm, usedforsecurity=False)
    if algorithm == "git":
        digest.update(b"blob %d\0" % path.stat().st_size)
    with path.open("rb") as file:
        while part := file.read(_AT_ONCE):
            digest.update(part)
    return f"{algorithm}:{digest.hexdigest()}"


def _is_there(remote: RemoteFile, target: Path) -> bool:
    return target.is_file() and remote.matches(target)


@dataclass(frozen=True)
class _Transfer:
    """The work on one partial file."""

    remote: RemoteFile
    part: Path
    progress: Progress | None
    proxies: dict[str, str]
    timeout: float

    def complete(self) -> None:
        """Make the partial file complete, with the right checksum."""
        joined = self._read()
        self._version_file.unlink(missing_ok=True)
        if joined and not self.remote.matches(self.part):
            self.part.unlink()  # the file may have changed between two connections
            self._read()
        if self.remote.matches(self.part):
            return
        found = checksum_of(self.part, self.remote.checksum.partition(":")[0])
        self.part.unlink()
        raise DownloadFailed(
            f"'{self.remote.url}' has the checksum {found}, expected {self.remote.checksum}: it was damaged on the "
            f"way, or its publisher has changed it. Nothing was kept. {self._cure}"
        )

    def _read(self) -> bool:
        """Read until nothing is missing. Return whether the partial file is of several connections."""
        largest = self._size()
        joined = largest > 0
        while (reason := self._continue()) is not None:
            # As long as more arrives, a cut connection is opened again. Without a checksum or a version, there is no
            # telling whether both ends are of the same file.
            if not self.remote.checksum and not self._version():
                self.part.unlink(missing_ok=True)
                raise self._failed(f"{reason}. Nothing was kept")
            if self._size() <= largest:
                if self._size() and self.remote.checksum and self.remote.matches(self.part):
                    break  # the server has announced more than there is
                kept = f" The first {self._size():,} bytes are kept" if self._size() else " Nothing was kept"
                raise self._failed(f"{reason}.{kept}")
            largest = self._size()
            joined = True
        return joined

    def _continue(self) -> str | None:
        """Read what is missing, in one connection. Return the reason if the connection was cut."""
        begun = self._size()
        try:
            response = self._opened(begun)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and begun:
                if self.remote.checksum:
                    return None  # all of it is there, or more, which the checksum tells
                return self._begin_again()
            if error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
                return f"the server answered {error.code} {error.reason}"
            raise self._failed(f"the server answered {error.code} {error.reason}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            return _in_words(error)
        with closing(response):
            start = _start_of(response) if response.status == http.HTTPStatus.PARTIAL_CONTENT else 0
            if start not in (0, begun):
                if not begun:
                    raise self._failed("the server sent a part of it, although all of it was asked for")
                # A server that cannot continue would stop every later attempt, too.
                return self._begin_again()
            length = response.headers.get("Content-Length", "")
            size = start + int(length) if length.isdecimal() else None
            with self.part.open("ab" if start else "wb") as file:
                if not start:  # and nothing of another version is there
                    self._keep_version(response.headers.get("ETag", ""))
                return self._copy(response, file, start, size)

    def _begin_again(self) -> str | None:
        self.part.unlink()
        return self._continue()

    def _copy(self, response: Any, file: IO[bytes], done: int, size: int | None) -> str | None:
        while True:
            if self.progress is not None:
                self.progress(done, size)
            try:
                data = response.read1(_AT_ONCE)
            except (OSError, http.client.HTTPException) as error:
                return _in_words(error)
            if not data:
                break
            file.write(data)
            done += len(data)
        if size is not None and done < size:
            return f"the connection was cut after {done:,} of {size:,} bytes"
        return None

    def _opened(self, begun: int) -> Any:
        headers = {"User-Agent": f"understudy/{__version__}", "Accept-Encoding": "identity"}
        if begun:
            headers["Range"] = f"bytes={begun}-"
            if not self.remote.checksum:
                headers["If-Range"] = self._version()  # of another version, all of it is sent
        opener = urllib.request.build_opener(urllib.request.ProxyHandler(self.proxies), _SafeRedirects())
        return opener.open(urllib.request.Request(self.remote.url, headers=headers), timeout=self.timeout)

    def _size(self) -> int:
        if not self.remote.checksum and not self._version():
            return 0
        with suppress(FileNotFoundError):
            return self.part.stat().st_size
        return 0

    @property
    def _version_file(self) -> Path:
        return self.part.with_name(f"{self.part.name}.etag")

    def _version(self) -> str:
        """That of the partial file, if it is known."""
        with suppress(FileNotFoundError):
            return self._version_file.read_text(encoding="ascii", errors="replace")
        return ""

    def _keep_version(self, tag: str) -> None:
        """Only a strong one is of the bytes."""
        self._version_file.unlink(missing_ok=True)
        if tag.startswith('"') and tag.isascii() and not self.remote.checksum:
            self._version_file.write_text(tag, encoding="ascii")

    def _failed(self, reason: str) -> DownloadFailed:
        return DownloadFailed(f"'{self.remote.url}' could not be downloaded: {reason}. {self._cure}")

    @property
    def _cure(self) -> str:
        name = self.part.name.removesuffix(_PART).removesuffix(INCOMING)
        return f"Try again, or save the file as '{self.part.with_name(name)}' by hand."


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses to be led from an encrypted address to another kind."""

    def redirect_request(  # noqa: PLR0917 (urllib's)
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if not _is_safe(urljoin(req.full_url, newurl)):
            raise urllib.error.URLError(f"it leads to '{newurl}', which does not begin with https://")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_safe(url: str) -> bool:
    """
    >>> [_is_safe(f"{scheme}://example.org/a") for scheme in ("https", "http", "file")]
    [True, False, False]
    >>> _is_safe("http://localhost:8000/a")
    True
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def _start_of(response: Any) -> int:
    """The first byte of a partial answer.

    >>> class Response:
    ...     headers = {"Content-Range": "bytes 500-999/1000"}
    >>> _start_of(Response)
    500
    """
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(found[1]) if found else -1


def _in_words(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return "the server does not answer"
    if isinstance(reason, http.client.IncompleteRead):
        return "the connection was cut"
    if isinstance(reason, OSError):
        return reason.strerror or str(reason)
    return str(reason) or type(reason).__name__
