"""A PostgreSQL server of the tests' own: a new cluster in a temporary folder, which listens on a socket there alone."""

from __future__ import annotations

import getpass
import glob
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from material.optional import missing

# Debian keeps the programs of each version apart, outside the path.
FOLDERS = (
    *sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True),
    *os.environ["PATH"].split(os.pathsep),
)


def skip_without_postgresql() -> Path:
    """The folder of PostgreSQL's programs."""
    if lack := missing("psycopg", "sqlalchemy"):
        pytest.skip(lack)
    for folder in FOLDERS:
        if (Path(folder) / "initdb").exists():
            if os.geteuid() == 0 and shutil.which("runuser") is None:
                pytest.skip("PostgreSQL does not run as root, and there is no runuser on this platform")
            return Path(folder)
    pytest.skip("there is no PostgreSQL: apt-get install postgresql")


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Start a server with its data in the folder; yields the URL of a database."""
    programs = skip_without_postgresql()
    owner = getpass.getuser() if os.geteuid() else "postgres"
    data, socket = folder / "data", folder / "s"
    for made in (data, socket):
        made.mkdir(mode=0o700)
        if not os.geteuid():
            shutil.chown(made, owner)
    if not os.geteuid():
        _open_the_way_to(folder)

    def run(program: str, *arguments: str) -> None:
        command = [str(programs / program), *arguments]
        if not os.geteuid():  # PostgreSQL refuses to run as root
            command = ["runuser", "-u", owner, "--", *command]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

    run(
        "initdb",
        "--pgdata",
        str(data),
        "--auth=trust",
        "--encoding=UTF8",
        "--no-sync",
        "--username=understudy",
    )
    options = f"-k {socket} -c listen_addresses= -c max_connections=50"
    run("pg_ctl", "start", "--wait", "--pgdata", str(data), "--log", str(data / "log"), "--options", options)
    try:
        yield f"postgresql://understudy@/postgres?host={socket}"
    finally:
        run("pg_ctl", "stop", "--pgdata", str(data), "--mode", "immediate")


def _open_the_way_to(folder: Path) -> None:
    """The unprivileged owner must be able to enter the folders above its own, which pytest makes for itself alone."""
    for above in (folder, *folder.parents):
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
