"""Where the model of the English parser is found, and what is said where it is not."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from understudy.errors import MissingExtra
from understudy.installation import install_hint
from understudy.syntax import english


def installed(version: str, folder: Path) -> ModuleType:
    module = ModuleType("understudy_english")
    module.__version__ = version  # type: ignore[attr-defined]
    module.__file__ = str(folder / "__init__.py")
    return module


def test_a_model_that_is_not_installed_comes_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "understudy_english", None)
    with pytest.raises(MissingExtra) as refused:
        english.model_folder()
    assert str(refused.value) == (
        "English trees need understudy-english: pip install 'understudy-mt[syntax]', "
        "or pip install -e ./models/english -e '.[syntax]' in a checkout"
    )


@pytest.mark.parametrize("version", ["1.1", "1.1.3"])
def test_the_release_that_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> None:
    monkeypatch.setitem(sys.modules, "understudy_english", installed(version, tmp_path))
    assert english.model_folder() == tmp_path


@pytest.mark.parametrize("version", ["1.0", "1.2", "1.10", "2.1", "1"])
def test_another_release_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> None:
    monkeypatch.setitem(sys.modules, "understudy_english", installed(version, tmp_path))
    with pytest.raises(MissingExtra) as refused:
        english.model_folder()
    assert str(refused.value) == (
        f"English trees need understudy-english 1.1, but {version} is installed: {install_hint('syntax')}"
    )


def test_spacy_is_asked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    english._version.cache_clear()
    monkeypatch.setattr(english, "installed_version", lambda _package: None)
    with pytest.raises(
        MissingExtra, match=r"^English trees need spacy: pip install 'understudy-mt\[syntax\]', or "
    ):
        english.EnglishParser()
