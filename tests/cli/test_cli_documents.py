"""Metrics that look at documents, from files that name them and from labels, in every command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from understudy import WeightedNgram, compare

SYSTEM, REFERENCE, LABELS = "system-strong.en", "reference-1.en", "documents.tsv"
METRIC = "weighted-ngram"

pytestmark = pytest.mark.usefixtures("examples")


def lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture
def documents() -> list[str]:
    return [line.split("\t")[-1] for line in lines(LABELS)[1:]]


@pytest.fixture(params=[1, 7, 8192])
def chunk(request, monkeypatch) -> Iterator[int]:
    """A document may be cut by the end of a part."""
    monkeypatch.setattr("understudy.scoring.system_statistics.CHUNK_SEGMENTS", request.param)
    monkeypatch.setattr("understudy.corpus.corpus.CHUNK_SEGMENTS", request.param)
    return request.param


def wmt_xml(documents: list[str], **versions: list[str]) -> str:
    """A test set in the XML of WMT, in which segments of a document stand together."""
    rows: dict[str, list[int]] = {}
    for row, document in enumerate(documents):
        rows.setdefault(document, []).append(row)
    parts = {"reference": ("ref", "translator"), "system": ("hyp", "system")}
    text = ""
    for document, of_document in rows.items():
        inside = ""
        for role, column in versions.items():
            tag, attribute = parts[role]
            segments = "".join(
                f'<seg id="{number}">{escape(column[row])}</seg>'
                for number, row in enumerate(of_document, start=1)
            )
            inside += f'<{tag} {attribute}="A" lang="en"><p>{segments}</p></{tag}>'
        text += f'<doc id="{document}" origlang="de">{inside}</doc>'
    return f'<?xml version="1.0" encoding="utf-8"?><dataset id="x">{text}</dataset>'


@pytest.mark.usefixtures("chunk")
def test_labels_say_which_document_a_segment_is_of(run, documents: list[str]) -> None:
    expected = WeightedNgram().corpus(lines(SYSTEM), lines(REFERENCE), documents=documents)
    result = run("score", SYSTEM, "-r", REFERENCE, "-m", METRIC, "--labels", LABELS, "-f", "json")
    (found,) = json.loads(result.stdout)["systems"][0]["scores"]
    assert (found["value"], found["signature"]) == (expected.value, str(expected.signature))
    without = WeightedNgram().corpus(lines(SYSTEM), lines(REFERENCE))
    assert found["value"] != without.value
    (by_segment,) = json.loads(run("score", SYSTEM, "-r", REFERENCE, "-m", METRIC, "-f", "json").stdout)[
        "systems"
    ][0]["scores"]
    assert (by_segment["value"], by_segment["signature"]) == (without.value, str(without.signature))


@pytest.mark.usefixtures("chunk")
@pytest.mark.parametrize("named_by", ["both", "system", "reference"])
def test_files_say_which_document_a_segment_is_of(
    run, tmp_path: Path, documents: list[str], named_by: str
) -> None:
    """Whichever of them names documents: the metric is fitted on the references with the documents of the systems."""
    system, reference = lines(SYSTEM), lines(REFERENCE)
    (tmp_path / "system.txt").write_text("\n".join(system) + "\n", encoding="utf-8")
    (tmp_path / "system.xml").write_text(wmt_xml(documents, system=system), encoding="utf-8")
    (tmp_path / "reference.txt").write_text("\n".join(reference) + "\n", encoding="utf-8")
    (tmp_path / "reference.xml").write_text(wmt_xml(documents, reference=reference), encoding="utf-8")
    files = [
        str(tmp_path / f"{role}.{'xml' if named_by in ('both', role) else 'txt'}")
        for role in ("system", "reference")
    ]
    result = run(
        "score", files[0], "-r", files[1], "-m", METRIC, "-m", f"{METRIC}:documents=segment", "-f", "json"
    )
    given, by_segment = json.loads(result.stdout)["systems"][0]["scores"]
    assert given["value"] == WeightedNgram().corpus(system, reference, documents=documents).value
    assert by_segment["value"] == WeightedNgram().corpus(system, reference).value
    assert ("docs:given" in given["signature"], "docs:segment" in by_segment["signature"]) == (True, True)


def test_the_signature_of_segment_scores_says_it_too(run) -> None:
    told = run(
        "score", SYSTEM, "-r", REFERENCE, "-m", METRIC, "--labels", LABELS, "--level", "segment", "-f", "json"
    )
    assert "docs:given" in json.loads(told.stdout)["systems"][0]["scores"][0]["signature"]


@pytest.mark.parametrize("level", ["corpus", "mean"])
def test_intervals_and_comparisons_know_documents(run, documents: list[str], level: str) -> None:
    """They resample what was counted with documents."""
    files = [SYSTEM, "system-weak.en", "-r", REFERENCE, "-m", METRIC, "--level", level, "-f", "json"]
    expected = [
        getattr(WeightedNgram(), level)(lines(name), lines(REFERENCE), documents=documents).value
        for name in files[:2]
    ]
    intervals = json.loads(run("score", *files, "--ci", "--labels", LABELS).stdout)["systems"]
    assert [system["scores"][0]["value"] for system in intervals] == pytest.approx(expected, rel=1e-12)
    assert all("docs:given" in system["scores"][0]["signature"] for system in intervals)
    compared = json.loads(run("compare", *files, "--labels", LABELS).stdout)["metrics"][0]
    assert [system["score"] for system in compared["systems"]] == pytest.approx(expected, rel=1e-12)
    assert "docs:given" in compared["signature"]


def test_labels_that_are_not_called_documents_are_none_where_they_have_another_use(
    run, tmp_path: Path
) -> None:
    (domains := tmp_path / "domains.txt").write_text("news\n" * 30 + "novel\n" * 30)
    files = ["compare", SYSTEM, "system-weak.en", "-r", REFERENCE, "-m", METRIC, "--labels", str(domains)]
    assert "docs:given" in run(*files).stdout
    assert "docs:segment" in run(*files, "--breakdown").stdout


def test_labels_that_change_nothing_are_refused(fails) -> None:
    for metric in ("bleu", f"{METRIC}:documents=segment"):
        said = fails("score", SYSTEM, "-r", REFERENCE, "-m", metric, "--labels", LABELS)
        assert "--labels has no effect: none of the metrics uses documents. Omit it." in said


def test_labels_of_another_length_are_refused(fails, tmp_path: Path) -> None:
    for count in (59, 61):
        (labels := tmp_path / "documents.txt").write_text("x\n" * count)
        said = fails("score", SYSTEM, "-r", REFERENCE, "-m", METRIC, "--labels", str(labels))
        assert f"document labels: {count} segments, 'reference-1.en' has 60. Entry or line i" in said


def test_a_segment_without_a_document_is_refused(fails, tmp_path: Path) -> None:
    (labels := tmp_path / "documents.txt").write_text("x\n" * 10 + "\n" + "y\n" * 49)
    said = fails("score", SYSTEM, "-r", REFERENCE, "-m", METRIC, "--labels", str(labels))
    assert "document labels: segment 11 has none. Add the name of its document." in said


def test_standard_input_is_left_to_be_scored(run, documents: list[str]) -> None:
    result = run(
        *("score", "-", "-r", REFERENCE, "-m", METRIC, "--labels", LABELS, "--quiet", "-w", "9"),
        input=Path(SYSTEM).read_bytes(),
    )
    expected = WeightedNgram().corpus(lines(SYSTEM), lines(REFERENCE), documents=documents).value
    assert result.stdout == f"{expected:.9f}\n"


JUDGED = ["--human", "judgments.tsv", "--measure", "adequacy", "--samples", "10", "--level", "system"]


def test_trust_scores_as_score_does(run, documents: list[str]) -> None:
    """With labels and without, and at every length."""
    told = ["trust", SYSTEM, "system-weak.en", "-r", REFERENCE, "-m", METRIC, *JUDGED, "-f", "json"]
    for more, known, signature in (
        ([], None, "docs:segment"),
        (["--labels", LABELS], documents, "docs:given"),
    ):
        expected = WeightedNgram().corpus(lines(SYSTEM), lines(REFERENCE), documents=known).value
        (found,) = json.loads(run(*told, *more).stdout)["measures"][0]["metrics"]
        assert found["scores"][SYSTEM] == pytest.approx(expected, rel=1e-12)
        assert signature in found["signature"]


def test_labels_that_change_nothing_in_trust_are_refused(fails) -> None:
    said = fails("trust", SYSTEM, "system-weak.en", "-r", REFERENCE, *JUDGED, "--labels", LABELS)
    assert (
        "--labels has no effect: no metric uses documents. Add --learn, --learn-features, --grid or" in said
    )


def test_single_references_are_scored_with_documents_too(tmp_path: Path, documents: list[str]) -> None:
    """Two mixtures of systems that change places with the first reference if documents are forgotten."""
    strong, medium = lines(SYSTEM), lines("system-medium.en")
    mixed = {
        "a": [
            one if row % 4 == 1 else other
            for row, (one, other) in enumerate(zip(strong, medium, strict=True))
        ],
        "b": [
            one if row % 5 == 0 else other
            for row, (one, other) in enumerate(zip(strong, medium, strict=True))
        ],
    }
    for name, text in mixed.items():
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    references = [REFERENCE, "reference-2.en"]
    found = compare(
        {name: tmp_path / name for name in mixed},
        references,
        [METRIC],
        documents=documents,
        kinds={"one": ["a"], "other": ["b"]},
    )
    expected = []
    for reference in references:
        a, b = (
            WeightedNgram().corpus(text, lines(reference), documents=documents).value
            for text in mixed.values()
        )
        expected.append(1.0 if a > b else 2.0)
    assert expected[0] == 1.0
    assert found.fitness.placements[0].by_reference == tuple(expected)
