"""Laws of what a metric knows of all references of a test set: for every metric, in every preset, as it needs it."""

from __future__ import annotations

import copy
import pickle

import pytest

from material.every_metric import REFERENCES, SYSTEM, every_metric
from understudy import Statistics, UnderstudyError, metric
from understudy.corpus.columns import as_references
from understudy.scoring.run import score as score_files


def whole_set(law_of):
    """What the metric must know, if it must know anything."""
    return REFERENCES if law_of.reads_references else [[text] for text in SYSTEM]


@every_metric
def test_a_fit_changes_what_a_metric_knows_not_what_it_is(law_of):
    fitted = law_of.fit(whole_set(law_of))
    assert (fitted, hash(fitted), repr(fitted), fitted.spec) == (
        law_of,
        hash(law_of),
        repr(law_of),
        law_of.spec,
    )
    assert fitted.signature() == law_of.signature()
    assert bool(fitted.fitted_on) == law_of.needs_fit
    assert not law_of.fitted_on
    assert (fitted is law_of) == (not law_of.needs_fit)


@every_metric
def test_a_metric_fits_itself_on_the_references_given(law_of):
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    fitted = law_of.fit(whole_set(law_of))
    assert statistics.array.tobytes() == fitted.statistics(SYSTEM, REFERENCES).array.tobytes()
    assert statistics.fitted_on == fitted.fitted_on
    assert law_of.corpus(SYSTEM, REFERENCES) == fitted.corpus(SYSTEM, REFERENCES)
    assert law_of.mean(SYSTEM, REFERENCES) == fitted.mean(SYSTEM, REFERENCES)


@every_metric
def test_a_fit_is_the_same_in_parts_in_another_order_and_in_another_process(law_of):
    fitted = law_of.fit(whole_set(law_of))
    known = whole_set(law_of)
    parts = [as_references(known[4:]), as_references(known[:4])]
    turned = [group[::-1] for group in known[::-1]]
    expected = fitted.statistics(SYSTEM, REFERENCES)
    for same in (
        law_of.fit_parts(parts),
        law_of.fit(turned),
        pickle.loads(pickle.dumps(fitted)),
        copy.deepcopy(fitted),
    ):
        assert same.fitted_on == fitted.fitted_on
        assert same.statistics(SYSTEM, REFERENCES).array.tobytes() == expected.array.tobytes()


@every_metric
def test_documents_count_alike_in_parts_in_another_order_and_in_another_process(law_of):
    """However their segments are cut apart or mixed. One that does not look at documents counts as without them."""
    names = ["a", "b", "a", "c", "b", "a"]
    parts = [slice(0, 1), slice(1, 4), slice(4, 6)]
    fitted = law_of.fit(whole_set(law_of), documents=names)
    expected = fitted.statistics(SYSTEM, REFERENCES, documents=names)
    assert law_of.statistics(SYSTEM, REFERENCES, documents=names).array.tobytes() == expected.array.tobytes()
    assert (expected.of_input == {"docs": "given"}) == law_of.reads_documents
    if not law_of.reads_documents:
        assert law_of.statistics(SYSTEM, REFERENCES).array.tobytes() == expected.array.tobytes()
    known = whole_set(law_of)
    for same in (
        law_of.fit_parts(as_references(known[part], documents=names[part]) for part in parts[::-1]),
        law_of.fit(known[::-1], documents=names[::-1]),
        law_of.fit(known, documents=[f"{name}, of another name" for name in names]),
        pickle.loads(pickle.dumps(fitted)),
    ):
        assert same.fitted_on == fitted.fitted_on
    for same in (
        law_of.fit_parts(as_references(known[part], documents=names[part]) for part in parts[::-1]),
        pickle.loads(pickle.dumps(fitted)),
    ):
        counted = [same.statistics(SYSTEM[part], REFERENCES[part], documents=names[part]) for part in parts]
        assert Statistics.concatenate(counted).array.tobytes() == expected.array.tobytes()
        for threads in (1, 3):
            counted_by = same.statistics(SYSTEM, REFERENCES, documents=names, threads=threads)
            assert counted_by.array.tobytes() == expected.array.tobytes()


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
def test_a_document_of_one_segment_is_that_segment(law_of):
    named = law_of.statistics(SYSTEM, REFERENCES, documents=[f"{i}" for i in range(len(SYSTEM))])
    assert named.array.tobytes() == law_of.statistics(SYSTEM, REFERENCES).array.tobytes()


@every_metric
def test_statistics_of_different_fits_do_not_add_up(law_of):
    whole = law_of.statistics(SYSTEM, REFERENCES)
    for mixed in (
        lambda other: whole + other,
        lambda other: Statistics.concatenate([whole, other]),
    ):
        other = law_of.statistics(SYSTEM[:2], REFERENCES[:2])
        if law_of.needs_fit:
            with pytest.raises(
                UnderstudyError, match=r"different references do not add up.*fit\(references\)"
            ):
                mixed(other)
        else:
            assert mixed(other).segments == len(SYSTEM) + 2


@every_metric
def test_files_are_scored_as_lists_are(law_of, tmp_path, monkeypatch):
    """In whatever parts they are read."""
    columns = {"system": SYSTEM, **{f"r{i}": [group[i] for group in REFERENCES] for i in range(2)}}
    for name, column in columns.items():
        (tmp_path / name).write_text("\n".join(column) + "\n", encoding="utf-8")
    for chunk in (1, 4, 100):
        monkeypatch.setattr("understudy.scoring.run.CHUNK_SEGMENTS", chunk)
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
