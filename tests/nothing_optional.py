"""That nothing optional is to be found: for `make test-bare`, which names this file, alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import distributions, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from material.shared import SHARED
from understudy.errors import MissingFile
from understudy.installation import DISTRIBUTION
from understudy.lexicon.wordnet import wordnet


def test_no_packages() -> None:
    wanted = [Requirement(line) for line in requires(DISTRIBUTION) or ()]
    optional = {
        canonicalize_name(requirement.name)
        for requirement in wanted
        if requirement.marker is not None
        and not any(requirement.marker.evaluate({"extra": extra}) for extra in ("", "test-runner"))
    } - {DISTRIBUTION}
    assert len(optional) > 20
    assert optional & {canonicalize_name(found.metadata["Name"]) for found in distributions()} == set()


@pytest.mark.parametrize("program", ["java", "chromium", "google-chrome", "chromedriver"])
def test_no_programs(program: str) -> None:
    assert shutil.which(program) is None


def test_no_wordnet() -> None:
    with pytest.raises(MissingFile, match="this machine has no WordNet"):
        wordnet()
    command = [sys.executable, "-m", "understudy", "score", __file__, "-r", __file__, "-m", "meteor:nltk"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "this machine has no WordNet" in asked.stderr


def test_no_data() -> None:
    assert not SHARED.exists()
