"""tools/system_packages.sh where other programs stand in for the system's: what it installs; that it never fails."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "system_packages.sh"
SKIPPED = "Not installed: that takes apt-get, and root or a sudo that asks for no password. These tests are skipped.\n"

Machine = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="this platform has no packages of Debian"),
    pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash: apt-get install bash"),
]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """`machine("--may", java="", ...)` runs the script where there are these programs, of these lines, alone."""

    def run(*arguments: str, **programs: str) -> subprocess.CompletedProcess[str]:
        for needed in ("env", "grep", "mktemp", "rm", "true"):
            (tmp_path / needed).symlink_to(str(shutil.which(needed)))
        for name, lines in programs.items():
            program = tmp_path / name.replace("_", "-")
            program.write_text(f"#!{shutil.which('bash')}\n{lines}\n")
            program.chmod(0o755)
        return subprocess.run(
            [str(shutil.which("bash")), str(SCRIPT), *arguments],
            env={"PATH": str(tmp_path), "LOG": str(tmp_path / "log")},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


ROOT, NOT_ROOT = "echo 0", "echo 1000"
APT = 'echo "$@" >> "$LOG"'


def test_root_installs_what_is_missing_alone(machine: Machine, tmp_path: Path) -> None:
    done = machine(id=ROOT, apt_get=APT, java="", chromedriver="", initdb="", strace="")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Some tests need Debian's chromium: a browser, for the reports.\n" in done.stdout
    installed = [line.split()[-1] for line in (tmp_path / "log").read_text().splitlines()]
    # Where WordNet's files would be is written in the script, and this machine may have them.
    assert [word for word in installed if word != "wordnet-base"] == ["update", "chromium"]


def test_another_browser_will_do(machine: Machine) -> None:
    done = machine(id=ROOT, apt_get=APT, java="", chromedriver="", google_chrome="")
    assert "browser" not in done.stdout


@pytest.mark.parametrize(
    ("programs", "may"),
    [
        ({"id": ROOT, "apt_get": APT}, True),
        ({"id": NOT_ROOT, "apt_get": APT, "sudo": 'shift; exec "$@"'}, True),
        ({"id": NOT_ROOT, "apt_get": APT, "sudo": "echo a password is required >&2; exit 1"}, False),
        ({"id": NOT_ROOT, "apt_get": APT}, False),
        ({"id": ROOT}, False),
    ],
    ids=["root", "sudo", "sudo that asks", "no sudo", "no apt-get"],
)
def test_who_may_install(machine: Machine, tmp_path: Path, programs: dict[str, str], may: bool) -> None:
    asked = machine("--may", **programs)
    assert (asked.returncode == 0, asked.stdout, asked.stderr) == (may, "", "")
    for path in tmp_path.iterdir():
        path.unlink()
    done = machine(**programs)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(SKIPPED) != may
    assert (tmp_path / "log").exists() == may


def test_what_cannot_be_installed_is_said_and_no_failure(machine: Machine) -> None:
    done = machine(id=ROOT, apt_get='echo "E: no network"; exit 100', java="", chromedriver="")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The lists of packages cannot be renewed: E: no network\n" in done.stdout
    assert (
        "chromium cannot be installed, and the tests that need it are skipped: E: no network\n" in done.stdout
    )
