"""The two distributions: their names, licenses, versions and sizes, and that every page names them right."""

from __future__ import annotations

import ast
import random
import re
import sys
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from check_wheels import DISTRIBUTIONS, problems

from understudy import _core
from understudy.installation import DISTRIBUTION, ENGLISH_MODEL, install_command
from understudy.syntax.english import VERSION
from understudy.version import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # which pytest brings there

ROOT = Path(__file__).parents[1]
if not (ROOT / "models").is_dir():
    pytest.skip("this is the source of one distribution, not the repository", allow_module_level=True)

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def project(folder: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


BASE, ENGLISH = project("."), project("models/english")
EXTRAS = BASE["optional-dependencies"]


def test_names() -> None:
    assert (BASE["name"], ENGLISH["name"]) == (DISTRIBUTION, ENGLISH_MODEL)
    assert list(BASE["scripts"]) == ["understudy"]


def test_the_package_is_apache_alone_and_the_model_is_not() -> None:
    assert BASE["license"] == "Apache-2.0"
    assert "CC BY-SA" not in (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert ENGLISH["license"] == "CC-BY-SA-4.0"
    license = (ROOT / "models" / "english" / "LICENSE").read_text(encoding="utf-8")
    assert license.startswith("Attribution-ShareAlike 4.0 International\n")


def test_the_extra_installs_the_model_that_is_read() -> None:
    assert f"{ENGLISH_MODEL}=={VERSION}.*" in EXTRAS["syntax"]
    model = ROOT / "models" / "english" / "understudy_english" / "__init__.py"
    assert f'__version__ = "{VERSION}"\n' in model.read_text(encoding="utf-8")


def test_every_version_of_python_is_tested() -> None:
    named = [line.rpartition(" ")[2] for line in BASE["classifiers"] if ":: Python :: 3." in line]
    assert named[0] == BASE["requires-python"].removeprefix(">=")
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", workflow)[1]) == named


def test_citation_names_this_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {__version__}" in lines
    assert f"license: {BASE['license']}" in lines
    assert f"repository-code: {BASE['urls']['Repository']}" in lines


# --- install commands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_install_commands_that_work(page: Path) -> None:
    named = re.findall(r"pip install '?understudy[^`\n]*", page.read_text(encoding="utf-8"))
    assert set(named) <= {install_command(extra) for extra in EXTRAS} | {f"pip install {DISTRIBUTION}"}


def test_messages_take_the_name_from_one_place() -> None:
    """What is printed, that is: the examples in docstrings show it."""
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"install '?understudy|understudy-(mt|english)", node.value)
        and ">>>" not in node.value
    }
    assert found == {str(Path("src/understudy/installation.py"))}


# --- wheels ------------------------------------------------------------------------------------------------


def metadata(license: str) -> str:
    return f"Metadata-Version: 2.4\nName: a\nLicense-Expression: {license}\n\nText.\n"


def wheel(path: Path, license: str, files: dict[str, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a-1.dist-info/METADATA", metadata(license))
        for name, content in files.items():
            archive.writestr(name, content)
    return path


LICENSES = {"a-1.dist-info/licenses/LICENSE": b"", "a-1.dist-info/licenses/NOTICE": b""}
GOOD = {"understudy/py.typed": b"", **LICENSES}


def test_the_wheel_of_this_source_is_small_and_holds_the_package_alone(tmp_path: Path) -> None:
    source = ROOT / "src"
    files = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd")
    }
    core = Path(_core.__file__)
    made = wheel(
        tmp_path / "understudy_mt-1-any.whl",
        BASE["license"],
        {**LICENSES, **files, f"understudy/{core.name}": core.read_bytes()},
    )
    assert list(problems(made)) == []


def test_the_model_alone_is_in_its_wheel(tmp_path: Path) -> None:
    source = ROOT / "models" / "english"
    files = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in (source / "understudy_english").iterdir()
        if path.is_file()
    }
    made = wheel(tmp_path / "understudy_english-1-any.whl", ENGLISH["license"], {**LICENSES, **files})
    assert list(problems(made)) == []


@pytest.mark.parametrize(
    ("name", "license", "files", "said"),
    [
        ("understudy", "Apache-2.0", GOOD, "none of understudy_mt, understudy_english"),
        ("understudy_mt", "MIT", GOOD, "its license is MIT, Apache-2.0 expected"),
        ("understudy_mt", "Apache-2.0", LICENSES, "there is no understudy/py.typed"),
        (
            "understudy_mt",
            "Apache-2.0",
            {**GOOD, "understudy/model.xz": b""},
            "understudy/model.xz does not belong there",
        ),
        ("understudy_mt", "Apache-2.0", {**GOOD, "tests/a.py": b""}, "tests/a.py does not belong there"),
    ],
)
def test_a_wheel_that_is_wrong(
    tmp_path: Path, name: str, license: str, files: dict[str, bytes], said: str
) -> None:
    made = wheel(tmp_path / f"{name}-1-any.whl", license, files)
    assert list(problems(made)) == [f"{made.name}: {said}"]


def test_a_wheel_that_is_too_large(tmp_path: Path) -> None:
    core = random.Random(1).randbytes(
        DISTRIBUTIONS["understudy_mt"].largest
    )  # which no compression makes smaller
    made = wheel(tmp_path / "understudy_mt-1-any.whl", "Apache-2.0", {**GOOD, "understudy/_core.so": core})
    assert [problem.partition(" bytes, ")[2] for problem in problems(made)] == ["at most 2,500,000 expected"]


def test_the_extra_spark_has_all_that_its_calls_ask_for() -> None:
    """pyspark 4 checks for pandas in `mapInArrow`, but does not require it itself."""
    assert {re.split(r"[<>=]", each)[0] for each in EXTRAS["spark"]} == {"pyspark", "pyarrow", "pandas"}
