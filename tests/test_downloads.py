"""Downloads from a server on loopback that cuts connections, changes files and answers with errors."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from material.file_server import FileServer, closed_address, served
from understudy.downloads import RemoteFile, checksum_of, download
from understudy.errors import BadParameter, DownloadFailed

CONTENT = bytes(range(256)) * 4000  # several reads
MD5 = f"md5:{hashlib.md5(CONTENT).hexdigest()}"


@pytest.fixture
def server() -> Iterator[FileServer]:
    with served() as running:
        running.files["/a"] = CONTENT
        yield running


def test_a_file_arrives_whole_and_nothing_beside_it(server: FileServer, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    target = tmp_path / "new" / "folder" / "a"
    brought = download(
        RemoteFile(f"{server.address}/a", MD5), target, progress=lambda *state: told.append(state)
    )
    assert brought == target
    assert target.read_bytes() == CONTENT
    assert os.listdir(target.parent) == ["a"]
    assert told[0] == (0, len(CONTENT))
    assert told[-1] == (len(CONTENT), len(CONTENT))


def test_what_is_there_is_not_asked_for(server: FileServer, tmp_path: Path) -> None:
    remote = RemoteFile(f"{server.address}/a", MD5)
    download(remote, tmp_path / "a")
    download(remote, tmp_path / "a")
    assert server.requests == [("/a", 0)]


def test_a_file_with_another_checksum_is_replaced(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"half of an old one")
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


@pytest.mark.parametrize("algorithm", ["md5", "sha256"])
def test_a_wrong_checksum_keeps_nothing(server: FileServer, tmp_path: Path, algorithm: str) -> None:
    expected = f"{algorithm}:{hashlib.new(algorithm, b'another file').hexdigest()}"
    found = f"{algorithm}:{hashlib.new(algorithm, CONTENT).hexdigest()}"
    with pytest.raises(DownloadFailed, match=f"/a' has the checksum {found}, expected {expected}"):
        download(RemoteFile(f"{server.address}/a", expected), tmp_path / "a")
    assert os.listdir(tmp_path) == []


def test_a_wrong_checksum_leaves_the_old_file(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(DownloadFailed):
        download(RemoteFile(f"{server.address}/a", "md5:" + "0" * 32), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_cut_connection_is_continued_as_long_as_more_arrives(server: FileServer, tmp_path: Path) -> None:
    server.cut_after = 600_000
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert server.requests == [("/a", 0), ("/a", 600_000)]


def test_a_part_is_kept_and_continued_by_the_next_run(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "a.part").write_bytes(CONTENT[:5000])
    server.cut_after = 0
    remote = RemoteFile(f"{server.address}/a", MD5)
    with pytest.raises(
        DownloadFailed, match=r"cut after 5,000 of 1,024,000 bytes\. The first 5,000 bytes are kept"
    ):
        download(remote, tmp_path / "a")
    assert os.listdir(tmp_path) == ["a.part"]
    server.cut_after = None
    download(remote, tmp_path / "a")
    assert server.requests[-1] == ("/a", 5000)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["a"]


def test_without_a_checksum_no_part_is_kept(server: FileServer, tmp_path: Path) -> None:
    server.cut_after = 5000
    with pytest.raises(DownloadFailed, match=r"cut after 5,000 of 1,024,000 bytes\. Nothing was kept"):
        download(RemoteFile(f"{server.address}/a"), tmp_path / "a")
    assert os.listdir(tmp_path) == []
    server.cut_after = None
    download(RemoteFile(f"{server.address}/a"), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_without_a_checksum_the_same_version_is_continued(server: FileServer, tmp_path: Path) -> None:
    server.tag = '"1"'
    server.cut_after = 600_000
    download(RemoteFile(f"{server.address}/a"), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert server.requests == [("/a", 0), ("/a", 600_000)]
    assert os.listdir(tmp_path) == ["a"]


def cut_and_kept(server: FileServer, folder: Path) -> RemoteFile:
    """A download without a checksum that was cut after 5,000 bytes."""
    server.tag = '"1"'
    server.knows_ranges = False  # so that no more arrives
    server.cut_after = 5000
    remote = RemoteFile(f"{server.address}/a")
    with pytest.raises(DownloadFailed, match=r"The first 5,000 bytes are kept\. Try again"):
        download(remote, folder / "a")
    assert sorted(os.listdir(folder)) == ["a.part", "a.part.etag"]
    server.knows_ranges = True
    server.cut_after = None
    server.requests.clear()
    return remote


def test_the_next_run_continues_the_same_version(server: FileServer, tmp_path: Path) -> None:
    download(cut_and_kept(server, tmp_path), tmp_path / "a")
    assert server.requests == [("/a", 5000)]
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("tag", ['"2"', 'W/"1"', ""])
def test_another_version_is_read_from_its_start(server: FileServer, tmp_path: Path, tag: str) -> None:
    remote = cut_and_kept(server, tmp_path)
    server.tag = tag
    server.files["/a"] = CONTENT[::-1]
    download(remote, tmp_path / "a")
    assert server.requests == [("/a", 0)]
    assert (tmp_path / "a").read_bytes() == CONTENT[::-1]
    assert os.listdir(tmp_path) == ["a"]


def test_a_part_that_is_longer_than_its_version_is_read_again(server: FileServer, tmp_path: Path) -> None:
    remote = cut_and_kept(server, tmp_path)
    (tmp_path / "a.part").write_bytes(CONTENT + b"more")
    download(remote, tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_version_that_does_not_identify_bytes_is_not_kept(server: FileServer, tmp_path: Path) -> None:
    server.tag = 'W/"1"'
    server.cut_after = 5000
    with pytest.raises(DownloadFailed, match="Nothing was kept"):
        download(RemoteFile(f"{server.address}/a"), tmp_path / "a")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "part",
    [b"of a file that has changed since", CONTENT + b"more", CONTENT],
    ids=["other", "longer", "whole"],
)
def test_a_part_that_does_not_fit_is_read_again(server: FileServer, tmp_path: Path, part: bytes) -> None:
    (tmp_path / "a.part").write_bytes(part)
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["a"]


def test_a_server_without_ranges_sends_all_of_it_again(server: FileServer, tmp_path: Path) -> None:
    server.knows_ranges = False
    (tmp_path / "a.part").write_bytes(CONTENT[:5000])
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_server_with_wrong_ranges_sends_all_of_it_again(server: FileServer, tmp_path: Path) -> None:
    server.shifted = 3
    (tmp_path / "a.part").write_bytes(CONTENT[:5000])
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_that_changes_between_two_connections_is_read_again(
    server: FileServer, tmp_path: Path
) -> None:
    server.files["/a"] = b"of an older file"
    server.announced_too_much = 1  # so that it is continued

    def published(done: int, _: int | None) -> None:
        if done:
            server.files["/a"] = CONTENT
            server.announced_too_much = 0

    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a", progress=published)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert [start for _, start in server.requests] == [0, 16, 0]


def test_a_length_that_is_too_large_does_not_matter(server: FileServer, tmp_path: Path) -> None:
    server.announced_too_much = 100
    server.knows_ranges = False
    download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_an_answer_in_chunks_that_is_cut(server: FileServer, tmp_path: Path) -> None:
    server.in_chunks = True
    server.cut_after = 600
    server.knows_ranges = False
    with pytest.raises(DownloadFailed, match=r"could not be downloaded: the connection was cut\. The first"):
        download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")


def test_a_server_without_ranges_that_always_cuts_is_given_up(server: FileServer, tmp_path: Path) -> None:
    server.knows_ranges = False
    server.cut_after = 5000
    with pytest.raises(DownloadFailed, match="cut after 5,000"):
        download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert len(server.requests) == 2


@pytest.mark.parametrize(("status", "said"), [(404, "404 Not Found"), (503, "503 Service Unavailable")])
def test_an_error_of_the_server_is_one_line(
    server: FileServer, tmp_path: Path, status: int, said: str
) -> None:
    server.status = status
    with pytest.raises(
        DownloadFailed, match=f"could not be downloaded: the server answered {said}"
    ) as caught:
        download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a")
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_no_network_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        DownloadFailed, match=r"could not be downloaded: Connection refused\. Nothing was kept"
    ):
        download(RemoteFile(f"{closed_address()}/a", MD5), tmp_path / "a")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("checksum", [MD5, ""])
def test_a_file_saved_by_hand_where_the_error_says_is_used(tmp_path: Path, checksum: str) -> None:
    remote = RemoteFile(f"{closed_address()}/a", checksum)
    with pytest.raises(DownloadFailed) as caught:
        download(remote, tmp_path / "a.tar.gz")
    named = re.search(r"or save the file as '(.*)' by hand\.$", str(caught.value))
    assert named is not None
    Path(named[1]).write_bytes(CONTENT)
    assert download(remote, tmp_path / "a.tar.gz").read_bytes() == CONTENT


def test_a_silent_server_is_given_up(server: FileServer, tmp_path: Path) -> None:
    server.gate.clear()
    with pytest.raises(DownloadFailed, match="the server does not answer"):
        download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "a", timeout=1.0)


def test_a_redirect_is_followed_but_never_to_plain_http(server: FileServer, tmp_path: Path) -> None:
    server.redirects = {"/there": "/a", "/away": "http://example.org/a"}
    download(RemoteFile(f"{server.address}/there", MD5), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    with pytest.raises(
        DownloadFailed, match=r"leads to 'http://example\.org/a', which does not begin with https"
    ):
        download(RemoteFile(f"{server.address}/away", MD5), tmp_path / "b")


@pytest.mark.parametrize(
    "url", ["http://example.org/a", "file:///etc/passwd", "ftp://example.org/a", "a", "https://[::1/a"]
)
def test_only_encrypted_addresses(url: str) -> None:
    with pytest.raises(BadParameter, match="begins with https://"):
        RemoteFile(url)


def test_only_known_checksums() -> None:
    with pytest.raises(BadParameter, match="expected md5:DIGITS, sha256:DIGITS or git:DIGITS"):
        RemoteFile("https://example.org/a", "0123")


def test_a_folder_that_cannot_be_written(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DownloadFailed, match=r"file/a' cannot be written: (File exists|Not a directory)"):
        download(RemoteFile(f"{server.address}/a", MD5), tmp_path / "file" / "a")


def test_a_second_thread_waits_and_uses_the_file(server: FileServer, tmp_path: Path) -> None:
    server.gate.clear()
    remote = RemoteFile(f"{server.address}/a", MD5)
    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(download, remote, tmp_path / "a") for _ in range(4)]
        server.wait_for_a_request()
        server.gate.set()
        assert {task.result() for task in running} == {tmp_path / "a"}
    assert server.requests == [("/a", 0)]
    assert os.listdir(tmp_path) == ["a"]


def test_a_second_process_waits_and_uses_the_file(server: FileServer, tmp_path: Path) -> None:
    server.gate.clear()
    remote = RemoteFile(f"{server.address}/a", MD5)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=download, args=(remote, tmp_path / "a")) for _ in range(2)]
    for process in processes:
        process.start()
    server.wait_for_a_request()
    server.gate.set()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    assert server.requests == [("/a", 0)]
    assert checksum_of(tmp_path / "a", "md5") == MD5
    assert os.listdir(tmp_path) == ["a"]


def test_a_proxy_is_used_if_it_is_given(server: FileServer, tmp_path: Path) -> None:
    # To a proxy, the whole address is the path.
    server.files["http://localhost:1/a"] = CONTENT
    download(RemoteFile("http://localhost:1/a", MD5), tmp_path / "a", proxies={"http": server.address})
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_checksum_of_git(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"what is up, doc?")
    # The example of https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
    assert checksum_of(tmp_path / "a", "git") == "git:bd9dbf5aae1a3862dd1526723246b20206e5fc37"
