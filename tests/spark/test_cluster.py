"""The command, by spark-submit; and a cluster of two executors, one of which is killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import understudy

pyspark = pytest.importorskip("pyspark", reason="needs pyspark: pip install '.[test]'")
pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
if shutil.which("java") is None:
    pytest.skip("needs Java: tools/system_packages.sh", allow_module_level=True)

pytestmark = pytest.mark.xdist_group("spark")
HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
ENVIRONMENT = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="finds processes in /proc: not on this platform"
)
def test_an_executor_that_is_killed_changes_nothing(tmp_path):
    environment = {
        **ENVIRONMENT,
        "UNDERSTUDY_CLUSTER": str(tmp_path),
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
    }
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(HERE / "cluster_job.py"), str(tmp_path)],
        env=environment, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    said = dict(line.rsplit(" ", 1) for line in run.stdout.splitlines())
    expected = {"executors": "2", "killed": "True", "same after kill": "True", "same as local": "True"}
    assert said == expected, run.stderr[-3000:]


def test_the_command_by_spark_submit(tmp_path):
    import pyarrow.parquet

    names = {"id": None, "hyp": "system-strong.en", "ref": "reference-1.en"}
    texts = {k: (EXAMPLES / v).read_text(encoding="utf-8").splitlines() for k, v in names.items() if v}
    table = {"id": list(range(60)), "system": ["s"] * 60, **texts}
    pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "in.parquet")
    program = os.path.join(os.path.dirname(understudy.__file__), "__main__.py")
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"  # its script need not be on the PATH
    run = subprocess.run(
        [
            *(str(submit), "--master", "local[1]", program, "spark"),
            *("--input", "in.parquet", "-r", "ref", "-m", "bleu", "--by", "system", "--output", "out"),
            *("--output-format", "json", "--ci", "--id", "id", "--samples", "20"),
        ],
        env=ENVIRONMENT, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    (written,) = (tmp_path / "out").glob("*.json")
    local = understudy.BLEU().corpus(texts["hyp"], texts["ref"])
    assert f'"score":{local.value!r}' in written.read_text(encoding="utf-8")


def test_the_command_uses_its_own_python_unless_another_is_chosen(monkeypatch):
    from click.testing import CliRunner

    import understudy.spark.job
    from understudy.cli.spark import spark

    chosen = []

    def run_job(*_, **__):
        chosen.append(os.environ.get("PYSPARK_PYTHON"))
        return understudy.score([str(EXAMPLES / "system-weak.en")], [str(EXAMPLES / "reference-1.en")])

    monkeypatch.setattr(understudy.spark.job, "run_job", run_job)
    for environment in (
        {},
        {"PYSPARK_PYTHON": "/other"},
        {"PYSPARK_GATEWAY_PORT": "1"},
    ):  # the last: spark-submit
        unset = dict.fromkeys(("PYSPARK_PYTHON", "PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"))
        found = CliRunner().invoke(spark, ["--input", "x", "-r", "ref"], env={**unset, **environment})
        assert found.exit_code == 0, found.output
    assert chosen == [sys.executable, "/other", None]


def test_without_java_the_command_fails_in_one_line():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "understudy", "spark", "--input", "x", "-r", "ref"],
        env={**ENVIRONMENT, "JAVA_HOME": "/nonexistent"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1].startswith("understudy: error: Spark cannot start: ")
    assert "Install Java 17 or later" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_missing_table_is_an_error_of_one_line_without_a_java_trace(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "understudy", "spark", "--input", str(tmp_path / "no.parquet"), "-r", "ref"],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "no.parquet' cannot be read as parquet: [PATH_NOT_FOUND]" in run.stderr.splitlines()[-1]
    assert "\tat " not in run.stderr  # lines of a trace in Java
    assert "FutureWarning" not in run.stderr


def test_a_table_of_another_format_is_an_error_of_one_line_without_a_java_trace(tmp_path):
    table = tmp_path / "table.tsv"
    table.write_text("hyp\tref\na\ta\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "understudy", "spark", "--input", str(table), "-r", "ref"],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "is not a Parquet file" in run.stderr.splitlines()[-1]
    assert run.stderr.endswith("Is it of another format? Use --input-format.\n")
    assert "\tat " not in run.stderr


def test_command_line_errors_name_options():
    from understudy.errors import BadParameter
    from understudy.spark.executor_errors import _unwrapped
    from understudy.spark.job import run_job

    with pytest.raises(BadParameter, match=r"by=\[\.\.\.\]") as error:
        run_job("x", "out")
    assert error.value.on_command_line.endswith("group rows by: --by COLUMN.")
    found = _unwrapped("understudy.errors.BadInput: a null. Use nulls='drop' to leave it out.")
    assert found is not None
    assert found.on_command_line == "a null. Use --nulls drop to leave it out."
