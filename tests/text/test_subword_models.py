"""The models of spBLEU: found in sacreBLEU's folder, checked, and named in signatures."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from material.optional import needs_packages
from material.subwords import publish, small_model
from understudy import BLEU, metric
from understudy.errors import MissingFile, ModelWarning
from understudy.text.subword_models import PUBLISHED
from understudy.text.tokenizers import _with_pieces, tokenizer

pytestmark = [
    needs_packages("sentencepiece"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of SWIG, when sentencepiece is imported
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """sacreBLEU's folder of models, with none in it."""
    _with_pieces.cache_clear()
    monkeypatch.setattr("understudy.text.environment", {"SACREBLEU": str(tmp_path)})
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


@pytest.mark.parametrize(
    ("name", "published"),
    [("flores101", "flores101"), ("flores200", "flores200"), ("spm", "flores101")],
)
def test_the_published_model_is_named_in_the_signature(
    name: str, published: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, published, "https://example.org", small_model())
    (folder / PUBLISHED[published].file).write_bytes(small_model())
    bleu = BLEU(tokenize=name)
    assert bleu.signature().choices["tok"] == published
    assert metric(bleu.spec) == bleu
    assert tokenizer(name)("The library reopened.")[0] == "▁The"


def test_the_published_model_is_known_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, "flores200", "https://example.org", small_model())
    (tmp_path / "copy").write_bytes(small_model())
    for name in ("flores200", "spm", "flores101"):
        assert tokenizer(f"{name}:{tmp_path / 'copy'}").signature == "flores200"


def test_another_file_of_that_name_is_used_with_a_warning_and_its_digest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, "flores200", "https://example.org", b"another")
    (folder / "flores200sacrebleuspm").write_bytes(small_model())
    digest = hashlib.sha256(small_model()).hexdigest()[:12]
    with pytest.warns(ModelWarning, match="is not the published flores200 model: its checksum differs"):
        assert tokenizer("flores200").signature == f"flores200-{digest}"


def test_without_a_published_checksum_the_digest_is_in_the_signature(folder: Path) -> None:
    (folder / "spbleu-1k_tokenizer_spm.model").write_bytes(small_model())
    digest = hashlib.sha256(small_model()).hexdigest()[:12]
    assert tokenizer("spBLEU-1K").signature == f"spBLEU-1K-{digest}"


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K", "spm"])
def test_a_missing_model_is_an_error_with_the_command(name: str, folder: Path) -> None:
    fetched = "flores101" if name == "spm" else name
    expected = rf"no model '{re.escape(str(folder))}.*Get it with `understudy models fetch {fetched}`"
    with pytest.raises(MissingFile, match=expected):
        tokenizer(name)


def test_checksums_are_of_known_kinds() -> None:
    assert {name: bool(model.remote.checksum) for name, model in PUBLISHED.items()} == {
        "flores101": True,
        "flores200": True,
        "spBLEU-1K": False,
    }
