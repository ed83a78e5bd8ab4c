"""Archives of test sets: damaged ones, paths out of the folder, and links."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from material.small_sets import tgz, zipped
from understudy.corpus.test_sets.archives import extract
from understudy.errors import BadInput


@pytest.mark.parametrize("pack", [tgz, zipped])
@pytest.mark.parametrize("name", ["../outside", "/outside", "a/../../outside"])
def test_an_archive_does_not_write_outside_its_folder(tmp_path: Path, pack: object, name: str) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(pack({name: "text"}))  # type: ignore[operator]
    with pytest.raises(BadInput, match="a path outside its folder"):
        extract(archive, "a.zip" if pack is zipped else "a.tgz", tmp_path / "in")
    assert not list(tmp_path.glob("**/outside"))


def test_a_damaged_archive_is_said(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    for damaged in (b"no archive", tgz({"a": "text"})[:40], b""):
        archive.write_bytes(damaged)
        for name in ("a.zip", "a.tgz"):
            with pytest.raises(BadInput, match=f"the archive '{name}' is damaged .*Get the test set again"):
                extract(archive, name, tmp_path / "in")


def test_the_checksum_of_gzip_is_checked_unless_the_archive_was_verified(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(tgz({"a": "text"}) + b"other bytes")
    extract(archive, "a.tgz", tmp_path / "in")
    assert (tmp_path / "in" / "a").read_text() == "text"
    with pytest.raises(BadInput, match="is damaged"):
        extract(archive, "a.tgz", tmp_path / "in", verified=False)


def test_a_zip_file_with_a_password_or_another_compression(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    packed = zipped({"a": "text"})
    headers = ((packed.index(b"PK\3\4"), 6, 8), (packed.index(b"PK\1\2"), 8, 10))
    with_password, compressed = bytearray(packed), bytearray(packed)
    for start, flags, method in headers:
        with_password[start + flags] |= 1
        compressed[start + method] = 99
    for content, message in (
        (with_password, "encrypted"),
        (compressed, "compression method is not supported"),
    ):
        archive.write_bytes(bytes(content))
        with pytest.raises(BadInput, match=f"the archive 'a\\.zip' cannot be extracted: .*{message}"):
            extract(archive, "a.zip", tmp_path / "in")
    assert zipfile.ZipFile(io.BytesIO(packed)).read("a") == b"text"


def _with_links(links: dict[str, tuple[bytes, str]]) -> bytes:
    """An archive with the file `real/a`, and links by name."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        member = tarfile.TarInfo("real/a")
        member.size = 4
        archive.addfile(member, io.BytesIO(b"text"))
        for name, (kind, target) in links.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
    return gzip.compress(content.getvalue())


def test_a_link_inside_the_archive_becomes_a_copy(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(
        _with_links({"hard": (tarfile.LNKTYPE, "real/a"), "set/soft": (tarfile.SYMTYPE, "../real/a")})
    )
    extract(archive, "a.tgz", tmp_path / "in")
    for name in ("hard", "set/soft"):
        path = tmp_path / "in" / name
        assert path.read_text() == "text"
        assert not path.is_symlink()


def test_a_link_out_of_the_archive_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    archive = tmp_path / "archive"
    archive.write_bytes(
        _with_links(
            {
                "soft": (tarfile.SYMTYPE, "../secret"),
                "hard": (tarfile.LNKTYPE, str(tmp_path / "secret")),
                "itself": (tarfile.SYMTYPE, "itself"),
                "folder": (tarfile.SYMTYPE, "real"),
            }
        )
    )
    extract(archive, "a.tgz", tmp_path / "in")
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["real"]
