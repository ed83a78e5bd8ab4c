"""Fits: on different texts they differ, and files give them as lists do."""

from __future__ import annotations

import pytest

from material.every_metric import every_metric
from understudy import metric
from understudy.scoring.run import score as score_files
from understudy.testing.texts import REFERENCES, SYSTEM

NUL_AND_OTHERS = [
    *(["a", "b"], ["a", "b", "\0"], ["a", "b", "\0", "\0"], ["a", "b", "\0 \0"], ["a", "b", "\0\0"]),
    *(["a", "b", "\1"], ["a", "b\0"], ["a", "b", ""]),
]


@pytest.mark.parametrize("spec", ["nist", "self-bleu", "weighted-ngram"])
def test_fits_on_different_texts_are_told_apart(spec):
    """U+0000 is a character like others, and a text of it one text more."""
    fits = [metric(f"{spec}:tokenize=none").fit(texts).fitted_on for texts in NUL_AND_OTHERS]
    assert len(set(fits)) == len(NUL_AND_OTHERS)


@every_metric
def test_files_are_scored_as_lists_are(law_of, tmp_path, monkeypatch):
    """In whatever parts they are read."""
    columns = {"system": SYSTEM, **{f"r{i}": [group[i] for group in REFERENCES] for i in range(2)}}
    for name, column in columns.items():
        (tmp_path / name).write_text("\n".join(column) + "\n", encoding="utf-8")
    for chunk in (1, 4, 100):
        monkeypatch.setattr("understudy.scoring.system_statistics.CHUNK_SEGMENTS", chunk)
        monkeypatch.setattr("understudy.corpus.corpus.CHUNK_SEGMENTS", chunk)
        references = [tmp_path / "r0", tmp_path / "r1"]
        corpus, segments = (
            score_files([tmp_path / "system"], iter(references), [law_of], level=level)
            for level in ("corpus", "segment")
        )
        assert corpus.systems[0].scores[0].value == pytest.approx(
            law_of.corpus(SYSTEM, REFERENCES).value, rel=1e-12
        )
        assert segments.systems[0].segments[0].tolist() == law_of.segments(SYSTEM, REFERENCES).tolist()
        names = ["a", "b", "a", "a", "b", "b"]
        with_documents = score_files(
            [tmp_path / "system"], references, [law_of], level="segment", documents=names
        )
        assert with_documents.systems[0].segments[0].tolist() == (
            law_of.segments(SYSTEM, REFERENCES, documents=names).tolist()
        )
