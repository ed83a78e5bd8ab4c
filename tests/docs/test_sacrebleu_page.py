"""The page for users of sacreBLEU: its tables list every public name of sacreBLEU, and say what is here."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

pytest.importorskip("sacrebleu")

import understudy
from material.sacrebleu_beside import ABSENT, MODULES, public_names
from understudy.text.tokenizers import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "sacrebleu.md"
UNLISTED = ("sacrelogger", "TYPE_CHECKING")  # a logger that many modules have; a name of the typing module


def rows() -> dict[str, tuple[str, str]]:
    """What is said of each name, here and of understudy's own."""
    names = PAGE.read_text(encoding="utf-8").partition("\n## Every public name\n")[2]
    found = {}
    for section in re.split(r"^### ", names, flags=re.MULTILINE)[1:]:
        module = re.match("`(.*)`", section)
        assert module is not None
        for name, here, own in re.findall(r"^\| `(.*?)` \| (.*?) \| ?(.*?) ?\|$", section, re.MULTILINE):
            found[f"{module[1]}.{name}"] = (here, own)
    return found


def test_every_public_name_is_listed() -> None:
    public = {
        f"{module}.{name}" for module in MODULES for name in public_names(module) if name not in UNLISTED
    }
    assert set(rows()) == public


@pytest.mark.parametrize("path", rows())
def test_what_the_table_says_is_so(path: str) -> None:
    here, own = rows()[path]
    module, _, name = path.rpartition(".")
    assert here
    assert here.startswith("not here: ") == (name in ABSENT.get(module, {}))
    assert hasattr(import_module(f"understudy.compat.{module}"), name) != here.startswith("not here: ")
    for named in re.findall(r"`understudy\.([\w.]+)`", own):
        reduce(getattr, named.split("."), understudy)
    for named, listed in re.findall(r"`understudy\.(\w+)`: parameters? ((?:`\w+`(?:, )?)+)", own):
        accepted = signature(getattr(understudy, named)).parameters
        assert set(re.findall(r"`(\w+)`", listed)) <= set(accepted)
    for named in re.findall(r"`tokenize=([\w-]+)`", own):
        assert named in KINDS
