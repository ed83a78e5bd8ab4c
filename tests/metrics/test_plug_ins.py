"""Metrics of other packages: found by their entry points, and left out with a warning where they cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from material.plug_ins import METRIC, install
from understudy import metric
from understudy.errors import PlugInWarning
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.registry import metrics, names

EXAMPLES = Path(__file__).parents[2] / "examples"
Install = Callable[..., None]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs packages for the time of a test."""
    known, modules = metrics(), set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)

    def install_here(module: str, source: str, entry_point: str = "") -> None:
        install(tmp_path, module, source, entry_point or f"{module}:Same")

    yield install_here
    METRICS_BY_NAME.clear()
    METRICS_BY_NAME.update(known)
    for module in set(sys.modules) - modules:
        del sys.modules[module]


def test_a_plug_in_is_found_by_its_name(installed: Install) -> None:
    installed("good_package", METRIC)
    assert metric("same").corpus(["a", "b"], ["a", "c"]).value == 50


def test_an_entry_point_may_name_a_module(installed: Install) -> None:
    installed("good_module", METRIC, "good_module")
    assert "same" in metrics()


UNUSABLE = {
    "fails_to_import": ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
    "has_a_slip": ("def f(:", "SyntaxError: invalid syntax"),
    "ends_the_process": ("import sys\nsys.exit('no license')", "SystemExit: no license"),
    "fails_after_its_class": (METRIC + "\n1 / 0\n", "ZeroDivisionError: division by zero"),
    "lacks_its_class": ("", "AttributeError: .*'Same'"),
    "names_no_metric": (
        "Same = 5",
        "BadMetric: it names neither a subclass of understudy.Metric nor a module",
    ),
    "has_a_name_that_is_taken": (METRIC.replace('"same"', '"bleu"'), "the name 'bleu' is already taken"),
    "has_a_name_with_a_capital": (METRIC.replace('"same"', '"Same"'), "invalid metric name 'Same'"),
    "is_named_as_the_panel": (METRIC.replace('"same"', '"all"'), "the name 'all' is reserved"),
    "has_no_score": (METRIC.replace("def score", "def scores"), "Same does not define score"),
    "has_no_title": (METRIC.replace("title:", "titel:"), "Same does not define title"),
    "is_no_dataclass": (
        METRIC.replace("@dataclass(frozen=True, kw_only=True, repr=False)", ""),
        "Same: reference is a parameter, but the class is not a dataclass",
    ),
    "has_a_field_without_param": (
        METRIC.replace("    name:", "    n: int = 1\n    name:"),
        "n is not declared as a parameter",
    ),
}


MALFORMED = {
    "no_module": ("", "BadMetric: it is malformed, expected MODULE:CLASS or MODULE"),
    "has_a_space": ("some module:Same", "BadMetric: it is malformed"),
    "two_colons": ("two_colons:Same:Same", "BadMetric: it is malformed"),
    "has_a_dash": ("has-a-dash:Same", "BadMetric: it is malformed"),
    "relative": (".relative:Same", "BadMetric: it is malformed"),
    "no_colon": ("no_colon", "BadMetric: the module no_colon defines no metric"),
    "another_module": ("another", "ModuleNotFoundError: No module named 'another'"),
    "a_class_of_its_own": ("a_class_of_its_own:Own", "BadMetric: it names neither a subclass"),
}


@pytest.mark.parametrize("module", MALFORMED)
def test_a_malformed_entry_point_is_named_and_left_out(module: str, installed: Install) -> None:
    value, reason = MALFORMED[module]
    before = metrics()
    installed(module, "class Own: pass", value or " ")
    said = rf"plug-in 'same' of {module} 1\.2 \({value.strip()}\) is left out\. {reason}.*Update or uninstall"
    with pytest.warns(PlugInWarning, match=said):
        assert metrics() == before


@pytest.mark.parametrize("line", [b"same", b"same = \xff:Same"])
def test_entry_points_that_cannot_be_read_are_left_out_and_others_loaded(
    line: bytes, installed: Install, tmp_path: Path
) -> None:
    installed("unreadable", METRIC)
    installed("whole_package", METRIC)
    (tmp_path / "unreadable-1.2.dist-info" / "entry_points.txt").write_bytes(b"[understudy.metrics]\n" + line)
    with pytest.warns(
        PlugInWarning, match=r"entry points of unreadable 1\.2 cannot be read.*Update or uninstall"
    ):
        assert "same" in names()


@pytest.mark.parametrize("module", UNUSABLE)
def test_what_cannot_be_used_is_named_and_left_out(module: str, installed: Install) -> None:
    source, reason = UNUSABLE[module]
    before = metrics()
    installed(module, source)
    said = rf"plug-in 'same' of {module} 1\.2 \({module}:Same\) is left out\. .*{reason}.*Update or uninstall"
    with pytest.warns(PlugInWarning, match=said) as caught:
        assert metrics() == before
    assert "\n" not in str(caught[0].message)


def test_what_a_failing_plug_in_imported_stays(installed: Install) -> None:
    installed("whole_package", METRIC)
    installed("half_package", "import whole_package\n1 / 0\n")
    with pytest.warns(PlugInWarning, match="half_package"):
        assert "same" in names()


def test_others_are_loaded_beside_one_that_fails(installed: Install) -> None:
    installed("a_failing_package", "1 / 0")
    installed("b_whole_package", METRIC)
    with pytest.warns(PlugInWarning, match="a_failing_package"):
        assert metric("same").name == "same"


def test_the_command_line_says_so_in_one_line_and_goes_on(tmp_path: Path) -> None:
    install(tmp_path, "failing_package", "1 / 0", "failing_package:Same")
    run = subprocess.run(
        [sys.executable, "-m", "understudy", "metrics"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "bleu" in run.stdout
    assert run.stderr == (
        "understudy: warning: metric plug-in 'same' of failing_package 1.2 (failing_package:Same) is left out. "
        "ZeroDivisionError: division by zero. Update or uninstall that package.\n"
    )
