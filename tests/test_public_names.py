"""The public names: listed once, in the stub of the package, for Python, type checkers and editors alike."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import understudy
from understudy.metrics.base.registry import metrics

STUB = Path(understudy.__file__).with_name("__init__.pyi")
LINES = ast.parse(STUB.read_text(encoding="utf-8")).body[1:]  # after the docstring


@pytest.mark.parametrize("line", LINES, ids=ast.unparse)
def test_a_line_of_the_stub_makes_one_name_public(line: ast.stmt) -> None:
    assert isinstance(line, ast.ImportFrom)
    (imported,) = line.names
    assert imported.name == imported.asname  # without `as`, type checkers take it for private
    assert line.module is not None
    assert getattr(understudy, imported.name) is getattr(import_module(line.module), imported.name)


def test_all_is_what_the_stub_lists() -> None:
    assert vars(understudy)["__all__"] == sorted(
        line.names[0].name for line in LINES if isinstance(line, ast.ImportFrom)
    )
    assert dir(understudy) == vars(understudy)["__all__"]


def test_every_metric_is_public() -> None:
    assert {known.__name__ for known in metrics().values()} <= set(vars(understudy)["__all__"])


def test_what_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'understudy' has no attribute 'blue'"):
        _ = understudy.blue  # type: ignore[attr-defined]


def test_the_package_is_read_from_a_zip_file(tmp_path: Path) -> None:
    import shutil

    (tmp_path / "unpacked" / "understudy").mkdir(parents=True)
    for file in ("__init__.py", "__init__.pyi", "version.py"):
        shutil.copy(STUB.with_name(file), tmp_path / "unpacked" / "understudy")
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "unpacked")
    asked = "import understudy; print(understudy.__file__, understudy.__version__)"
    run = subprocess.run(
        [
            sys.executable,
            "-S",  # without site-packages, where an editable install would be found first
            "-c",
            f"import sys; sys.path.insert(0, {str(tmp_path / 'packed.zip')!r}); {asked}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "packed.zip" in run.stdout
