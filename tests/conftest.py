"""How the tests are run: on the same made-up text every time, and in CI without skips that could be avoided."""

from __future__ import annotations

import signal
from collections.abc import Generator

import pytest
from hypothesis import settings

from material.avoidable_skips import without_avoidable_skip
from material.optional import missing

# So that a failure is the change's. `make fuzz` draws anew.
settings.register_profile("repeatable", derandomize=True, database=None)
settings.register_profile("searching", print_blob=True)
settings.register_profile("brief", derandomize=True, database=None, max_examples=10)  # for make test-bare
settings.load_profile("repeatable")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so all programs that they start and
# interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore_glob = [
    *("**/conftest.py", "conftest.py"),  # they have no examples to run
    # Run in environments of their own, see material/own_environments.py.
    *("**/*_checks.py", "**/comet_oracle.py", "**/bleurt_oracle.py"),
    *("**/cluster_job.py", "**/preloaded_daemon.py"),  # run by Spark
]

# Examples in the package's own texts that need more than the package.
DOCTESTS_NEED = {
    "understudy.compat.tables.CorpusSums": ("pyarrow",),
    "understudy.trusting.combinations.learning.learn": ("sklearn",),
    "understudy.syntax.english.EnglishParser": ("spacy", "understudy_english"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-segment",
        action="store_true",
        help="compare every segment of every system in ../shared/data with the other programs, not a sample: "
        "takes hours (see tests/parity, `make parity`)",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if lack := item.name in DOCTESTS_NEED and missing(*DOCTESTS_NEED[item.name]):
            item.add_marker(pytest.mark.skip(reason=lack))


def pytest_runtest_setup() -> None:
    # sacreBLEU's command, once imported, lets a lost connection end the process, without a word, in some later test.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return without_avoidable_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return without_avoidable_skip((yield))
