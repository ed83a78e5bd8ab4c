"""How much of the real data is compared with the programs beside us: a sample, or everything on request."""

from __future__ import annotations

import pytest

from material.wmt import Sample


@pytest.fixture(scope="session")
def sample(pytestconfig: pytest.Config) -> Sample:
    """`texts[sample(40, first=3)]` is every 40th segment from the fourth on; with --every-segment, every one."""
    everything = pytestconfig.getoption("--every-segment")

    def chosen(step: int, first: int = 0) -> slice:
        return slice(None) if everything else slice(first % step, None, step)

    return chosen
