"""Says what is wrong with the wheels in a folder: one of them too large, of another license, with files too many.

    python tools/check_wheels.py dist

`make wheel` and the release workflow run it on what they have built.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile


@dataclass(frozen=True)
class Expected:
    """What a distribution's wheel must be."""

    package: str
    license: str
    largest: int  # bytes of the wheel
    files: tuple[str, ...]  # some that must be there
    endings: tuple[str, ...]  # of all files of the package


DISTRIBUTIONS = {
    "understudy_mt": Expected(
        package="understudy",
        license="Apache-2.0",
        largest=2_500_000,
        files=("understudy/py.typed", "licenses/LICENSE", "licenses/NOTICE"),
        endings=(".py", ".pyi", ".typed", ".so", ".pyd", ".html", ".css", ".js", ".svg", ".json", ".toml"),
    ),
    "understudy_english": Expected(
        package="understudy_english",
        license="CC-BY-SA-4.0",
        largest=8_000_000,
        files=("understudy_english/model.xz", "understudy_english/config.cfg", "licenses/LICENSE"),
        endings=(".py", ".typed", ".xz", ".cfg"),
    ),
}


def main() -> None:
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    if not wheels:
        sys.exit(f"no wheels in {sys.argv[1]}")
    wrong = [problem for wheel in wheels for problem in problems(wheel)]
    for wheel in wheels:
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    sys.exit("\n".join(wrong) or 0)


def problems(wheel: Path) -> Iterator[str]:
    """One line for everything that is not as it should be."""
    expected = DISTRIBUTIONS.get(wheel.name.partition("-")[0])
    if expected is None:
        yield f"{wheel.name}: none of {', '.join(DISTRIBUTIONS)}"
        return
    size = wheel.stat().st_size
    if size > expected.largest:
        yield f"{wheel.name}: {size:,} bytes, at most {expected.largest:,} expected"
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        license = HeaderParser().parsestr(archive.read(about).decode())["License-Expression"]
    if license != expected.license:
        yield f"{wheel.name}: its license is {license}, {expected.license} expected"
    for file in expected.files:
        if not any(name.endswith(file) for name in names):
            yield f"{wheel.name}: there is no {file}"
    for name in names:
        folder, _, rest = name.partition("/")
        if folder.endswith(".dist-info"):
            continue
        if folder != expected.package or not rest.endswith(expected.endings):
            yield f"{wheel.name}: {name} does not belong there"


if __name__ == "__main__":
    main()
