"""Files are counted in parts: the digits are those of texts in memory, whatever the parts are."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.optional import needs_packages
from understudy import Corpus, compare, score, score_with_intervals
from understudy.corpus import corpus as corpora
from understudy.errors import BadInput, BadParameter, BadSegment
from understudy.metrics.base.compact_rows import CompactRows
from understudy.metrics.base.registry import metric as metric_of
from understudy.resampling import evidence as evidences
from understudy.resampling.evidence import Evidence
from understudy.resampling.samples import blocks_of_size, bootstrap_weights
from understudy.scoring import counting
from understudy.testing.texts import REFERENCES, SYSTEM

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "weak")]
TWO_REFERENCES = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
METRICS = ["bleu", "chrf++", "ter", "nist", "rouge", "length-ratio", "gleu", "exact-match", "self-bleu"]


@pytest.fixture(params=[7, 59])
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Parts of so many segments, counted and resampled."""
    size: int = request.param
    monkeypatch.setattr(counting, "CHUNK_SEGMENTS", size)
    monkeypatch.setattr(corpora, "CHUNK_SEGMENTS", size)
    monkeypatch.setattr(evidences, "SEGMENTS_AT_ONCE", size)
    return size


@pytest.mark.parametrize(
    "plan",
    [
        {"test": "bootstrap", "samples": 50},
        {"test": "randomization", "samples": 50},
        {"test": "permutation", "samples": 50},
        {"test": "ttest"},
        {"test": "wilcoxon"},
        {"test": "blocks", "block_size": 7},
        {"test": "blocks", "blocks": 5, "level": "mean"},
        {"test": "bootstrap", "samples": 50, "level": "mean", "interval": "bca"},
        {"test": "bootstrap", "samples": 50, "interval": "bca", "all_pairs": True},
    ],
    ids=lambda plan: "-".join(map(str, plan.values())),
)
def test_comparisons_of_files_have_the_digits_of_texts_in_memory(plan: dict[str, Any], chunk: int) -> None:
    streamed = compare(SYSTEMS, TWO_REFERENCES, METRICS[: 3 + chunk % 3], **plan)
    with pytest.MonkeyPatch.context() as whole:
        whole.setattr(evidences, "SEGMENTS_AT_ONCE", 65_536)
        in_memory = compare(Corpus.read(SYSTEMS, TWO_REFERENCES), metrics=METRICS[: 3 + chunk % 3], **plan)
    assert repr(streamed.metrics) == repr(in_memory.metrics)
    assert repr(streamed.single_references) == repr(in_memory.single_references)
    assert repr(streamed.fitness) == repr(in_memory.fitness)


@pytest.mark.parametrize("spec", METRICS)
@pytest.mark.parametrize("level", ["corpus", "mean"])
@pytest.mark.usefixtures("chunk")
def test_intervals_of_files_have_the_digits_of_texts_in_memory(spec: str, level: str) -> None:
    options: dict[str, Any] = {"level": level, "samples": 40, "interval": "bca"}
    streamed = score_with_intervals(SYSTEMS, TWO_REFERENCES, [spec], **options)
    whole = score_with_intervals(Corpus.read(SYSTEMS, TWO_REFERENCES), metrics=[spec], **options)
    assert repr(streamed.systems) == repr(whole.systems)
    plain = score(SYSTEMS, TWO_REFERENCES, [spec], level=level)
    for found, expected in zip(streamed.systems, plain.systems, strict=True):
        assert found.scores[0].value == pytest.approx(expected.scores[0].value, rel=1e-12)


@pytest.mark.usefixtures("chunk")
def test_training_runs_and_partial_references(tmp_path: Path) -> None:
    lines = [(EXAMPLES / name).read_text().splitlines() for name in ("reference-1.en", "reference-2.en")]
    table = tmp_path / "refs.jsonl"
    table.write_text(
        "".join(
            json.dumps({"ref1": one, "ref2": other, "ref3": None if row == 40 else one}) + "\n"
            for row, (one, other) in enumerate(zip(*lines, strict=True))
        )
    )
    runs = {"a": SYSTEMS[:2], "b": SYSTEMS[2]}
    streamed = compare(runs, table, ["bleu", "nist"])
    whole = compare(Corpus.read(runs, table), metrics=["bleu", "nist"])
    assert repr(streamed.metrics) == repr(whole.metrics)
    assert repr(streamed.single_references) == repr(whole.single_references)
    assert streamed.single_references[0].left_out == ["refs:ref3"]


def test_unknown_kinds_are_refused_before_anything_is_counted() -> None:
    counted: list[int] = []
    with pytest.raises(BadParameter, match="nobody"):
        compare(SYSTEMS, TWO_REFERENCES, kinds={"nmt": ["nobody"]}, progress=counted.append)
    assert counted == []


def test_texts_are_read_again_for_what_needs_them(tmp_path: Path) -> None:
    files = [tmp_path / path.name for path in [*SYSTEMS, TWO_REFERENCES[0]]]
    for path, original in zip(files, [*SYSTEMS, TWO_REFERENCES[0]], strict=True):
        path.write_bytes(original.read_bytes())
    found = compare(files[:3], files[3:])
    assert found.counted is not None
    assert list(found.counted.corpus.systems) == [path.name for path in SYSTEMS]  # type: ignore[union-attr]
    found = compare(files[:3], files[3:])
    for path in files:
        path.write_bytes(path.read_bytes() + b"one more\n")
    with pytest.raises(BadInput, match="have 61 segments, but had 60 when they were counted"):
        found.counted.corpus  # type: ignore[union-attr]  # noqa: B018


# --- rows in narrow types -----------------------------------------------------------------------------------


@pytest.mark.parametrize("largest", [0, 255, 256, 32767, 32768, 2**31 - 1, 2**31, 2**40])
def test_narrow_rows_lose_nothing(largest: int) -> None:
    metric = metric_of("bleu")
    statistics = metric.statistics(SYSTEM, REFERENCES)
    array = statistics.array.copy()
    array[0, 0], array[-1, 1] = largest, -largest
    large = replace(statistics, array=array)
    rows = CompactRows()
    for start in range(0, len(array), 3):
        rows.add(large[start : start + 3])
    assert np.array_equal(np.concatenate([part.array for part in rows.parts()]), array)
    assert all(part.array.dtype == np.int64 for part in rows.parts())
    assert np.array_equal(rows.sum().array, array.sum(axis=0))
    evidence = Evidence.of_rows(metric, [("a", rows), ("b", CompactRows.of(large))])
    for weights in bootstrap_weights(len(array), 5, seed=3):
        expected = weights.astype(np.int64) @ array
        assert np.array_equal(evidence.sums(weights)[:, 0], expected)
        assert np.array_equal(evidence.sums(weights)[:, 1], expected)
    blocks = blocks_of_size(len(array), 2)
    expected_blocks = [array[blocks == block].sum(axis=0) for block in range(blocks[-1] + 1)]
    assert np.array_equal(evidence.sums_of_groups(blocks)[:, 0], expected_blocks)


# --- memory -------------------------------------------------------------------------------------------------

_PEAK = """
import resource, sys
from pathlib import Path
from understudy import compare, score
verb, *files = sys.argv[1:]
if verb == "score":
    score(files[:1], files[1:], ["length-ratio"])
else:
    compare(files[:2], files[2:], ["length-ratio"], test="blocks", block_size=25)
status = Path("/proc/self/status")  # the other peak includes that of the process which started this one
if status.exists():
    print(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_TREES: dict[str, Callable[[str], str]] = {
    "ptb": lambda word: f"(S (NN {word}))\n",
    "mrg.gz": lambda word: f"(S\n  (NN {word}))\n",
    "trees.txt": lambda word: f"(S (NN {word}))\n",
    "conllu": lambda word: f"1\t{word}\t_\t_\t_\t_\t0\t_\t_\t_\n\n",
}
_TEXT = "a line of some length that is repeated until a file has many of them, with a number: "


def _peak(verb: str, *files: str) -> float:
    """Megabytes of a process that does nothing else."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, verb, *files], check=True, capture_output=True, text=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 1e6


def _written(kind: str, folder: Path, rows: int) -> list[str]:
    texts = [f"{_TEXT * 3}{row}" for row in range(rows)]
    plain = ("".join(f"{text}\n" for text in texts)).encode()
    target = folder / f"{rows}.{kind}"
    packed: dict[str, Callable[[bytes], bytes]] = {
        "txt": bytes,
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
    }
    if kind in packed:
        target.write_bytes(packed[kind](plain))
        return [str(target)] * 2
    if kind in _TREES:
        trees = "".join(_TREES[kind](text.replace(" ", "_")) for text in texts).encode()
        target.write_bytes(gzip.compress(trees, 1) if kind.endswith(".gz") else trees)
        return [str(target)] * 2
    records = [json.dumps({"hyp": text, "ref": text}) for text in texts]
    if kind == "tsv":
        target.write_text("hyp\tref\n" + "".join(f"{text}\t{text}\n" for text in texts))
    elif kind == "jsonl":
        target.write_text("\n".join(records))
    elif kind == "json":
        target.write_text("[" + ", ".join(records) + "]")  # one line
    elif kind in ("sgm", "xml"):
        return [str(_marked(kind, texts, target, role)) for role in ("hyp", "ref")]
    else:
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.table({"hyp": texts, "ref": texts})
        if kind.startswith("parquet"):
            parquet.write_table(table, target, row_group_size=10_000)
            if kind.endswith(".gz"):
                target.write_bytes(gzip.compress(target.read_bytes()))
        elif kind == "arrow":
            with pa.ipc.new_file(str(target), table.schema) as file:
                file.write_table(table, max_chunksize=5000)
        else:
            target.mkdir()
            for start in range(0, rows, 10_000):
                parquet.write_table(table[start : start + 10_000], target / f"part-{start:07}.parquet")
    return [f"{target}:hyp", f"{target}:ref"]


def _marked(kind: str, texts: list[str], target: Path, role: str) -> Path:
    """A document of all segments in XML, and documents of 50 segments in SGML."""
    path = target.with_name(f"{role}-{target.name}")
    segments = [f'<seg id="{number}">{text}</seg>\n' for number, text in enumerate(texts, start=1)]
    with path.open("w") as file:
        if kind == "xml":
            file.write(f'<dataset><doc id="d"><{role}>{"".join(segments)}</{role}></doc></dataset>')
            return path
        tag = {"hyp": "tstset", "ref": "refset"}[role]
        documents = [
            f'<doc docid="{start}">{"".join(segments[start : start + 50])}</doc>\n'
            for start in range(0, len(segments), 50)
        ]
        file.write(f"<{tag}>{''.join(documents)}</{tag}>\n")
    return path


@pytest.mark.parametrize(
    "kind",
    ["txt", "gz", "bz2", "xz", "tsv", "jsonl", "json", "sgm", "xml", *_TREES]
    + [
        pytest.param(kind, marks=needs_packages("pyarrow"))
        for kind in ("parquet", "parquet.gz", "arrow", "folder")
    ],
)
def test_memory_does_not_grow_with_the_length_of_a_file(kind: str, tmp_path: Path) -> None:
    """The longer file has 24 MB more text in each of two columns, which would take at least 48 MB if it were held in
    memory. Buffers of readers grow up to a limit.
    """
    short, long = (_peak("score", *_written(kind, tmp_path, rows)) for rows in (30_000, 120_000))
    assert long - short < 36


def test_compared_files_are_not_held_in_memory(tmp_path: Path) -> None:
    """Three texts of 72 MB; the counts of two systems take 1 MB."""
    short, long = (
        _peak("compare", *(str(_numbered(tmp_path, name, rows)) for name in ("a", "b", "references")))
        for rows in (30_000, 270_000)
    )
    assert long - short < 45


def _numbered(folder: Path, name: str, rows: int) -> Path:
    path = folder / f"{name}-{rows}.txt"
    path.write_text("".join(f"{_TEXT * 3}{name} {row}\n" for row in range(rows)))
    return path


# --- input that can be read only once -------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes, which this system does not have")
def test_pipes_are_compared_without_being_read_twice(tmp_path: Path) -> None:
    pipes = [tmp_path / path.name for path in [*SYSTEMS[:2], TWO_REFERENCES[0]]]
    for pipe in pipes:
        os.mkfifo(pipe)

    def fill(pipe: Path, original: Path) -> None:
        with pipe.open("wb") as file:
            file.write(original.read_bytes())

    writers = [
        threading.Thread(target=fill, args=each)
        for each in zip(pipes, [*SYSTEMS[:2], TWO_REFERENCES[0]], strict=True)
    ]
    for writer in writers:
        writer.start()
    found = compare(pipes[:2], pipes[2:])
    for writer in writers:
        writer.join()
    expected = compare(SYSTEMS[:2], TWO_REFERENCES[:1])
    assert repr(found.metrics) == repr(expected.metrics)
    with pytest.raises(BadInput, match=r"can be read only once\. Save it to a file first"):
        found.counted.corpus  # type: ignore[union-attr]  # noqa: B018


@pytest.mark.usefixtures("chunk")
def test_errors_name_segments_by_their_number_in_the_corpus(tmp_path):
    lines = [*["a_DT cat_NN\n"] * 59, "a_DT cat\n"]
    (tmp_path / "system").write_text("".join(lines))
    (tmp_path / "reference").write_text("a_DT cat_NN\n" * 60)
    files = {"a": tmp_path / "system", "b": tmp_path / "system"}, [tmp_path / "reference"]
    for verb in (score, compare):
        with pytest.raises(BadSegment, match="hypotheses: segment 60 has 'cat', expected WORD_TAG"):
            verb(*files, "pos-bleu:separator=_")
