"""Files of trees are counted in parts: the digits are those of trees in memory, for every syntax-based metric."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from material.made_trees import brackets_of, conllu_of
from understudy import Corpus, compare, score, score_with_intervals
from understudy.corpus import corpus as corpora
from understudy.corpus import lines, tree_files
from understudy.errors import BadInput
from understudy.resampling import evidence as evidences
from understudy.scoring import counting

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = ["system-strong.en", "system-weak.en", "reference-1.en", "reference-2.en"]
DEPENDENCIES = ["hwcm", "dstm", "dtkm", "pos-bleu"]
CONSTITUENTS = ["stm", "tkm"]


def _trees(kind: str, text: str) -> str:
    if kind.startswith("conllu"):
        return conllu_of(text) + "\n"
    return brackets_of(text).replace(" (NP", "\n  (NP" if kind == "mrg" else " (NP") + "\n"


@pytest.fixture(params=["ptb", "mrg", "conllu", "conllu.gz", "txt"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    """Two systems and two references."""
    kind: str = request.param
    found = []
    for name in TEXTS:
        path = tmp_path / f"{name.replace('.', '-')}.{kind}"
        content = "".join(_trees(kind, line) for line in (EXAMPLES / name).read_text().splitlines()).encode()
        path.write_bytes(gzip.compress(content) if kind.endswith(".gz") else content)
        found.append(path)
    return found


@pytest.fixture(params=[7, 59])
def _parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (counting, corpora):
        monkeypatch.setattr(module, "CHUNK_SEGMENTS", request.param)
    monkeypatch.setattr(evidences, "SEGMENTS_AT_ONCE", request.param)
    monkeypatch.setattr(lines, "BLOCK", 1000)
    monkeypatch.setattr(tree_files, "_PART", 100)


def _metrics(files: list[Path]) -> list[str]:
    return [*DEPENDENCIES, *([] if "conllu" in files[0].name else CONSTITUENTS), "bleu"]


@pytest.mark.usefixtures("_parts")
@pytest.mark.parametrize("level", ["corpus", "segment", "mean"])
def test_scores(files: list[Path], level: str) -> None:
    metrics = _metrics(files)
    streamed = score(files[:2], files[2:], metrics, level=level)
    whole = score(Corpus.read(files[:2], files[2:]), metrics=metrics, level=level)
    assert repr(streamed.systems) == repr(whole.systems)
    assert streamed.of_input == whole.of_input
    assert streamed.segments == 60


@pytest.mark.usefixtures("_parts")
def test_intervals_and_comparisons(files: list[Path]) -> None:
    metrics = _metrics(files)
    options: dict[str, Any] = {"samples": 30}
    streamed = score_with_intervals(files[:2], files[2:], metrics, **options)
    whole = score_with_intervals(Corpus.read(files[:2], files[2:]), metrics=metrics, **options)
    assert repr(streamed.systems) == repr(whole.systems)
    compared = compare(files[:2], files[2:], metrics, **options)
    in_memory = compare(Corpus.read(files[:2], files[2:]), metrics=metrics, **options)
    assert repr(compared.metrics) == repr(in_memory.metrics)
    assert repr(compared.single_references) == repr(in_memory.single_references)


@pytest.mark.usefixtures("_parts")
def test_a_bad_tree_in_a_later_part(files: list[Path]) -> None:
    if files[0].suffix == ".txt":
        files = [path.rename(path.with_suffix(".mrg")) for path in files]  # otherwise it would be text
    opened = gzip.open if files[0].suffix == ".gz" else open
    with opened(files[0], "at") as file:
        file.write("(S (NN a) b)\n")
    with opened(files[0], "rt") as file:
        last = len(file.read().splitlines())
    with pytest.raises(BadInput, match=rf"system-strong-en\..*, line {last}: "):
        score(files[0], files[2], "hwcm")
