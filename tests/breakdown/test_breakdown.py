"""Where systems differ, all together: from files, with runs, labels and real data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from material.wmt import DATA, needs_data
from understudy import BLEU, TER, UnderstudyError
from understudy.breakdown.results import SegmentView
from understudy.breakdown.run import break_down
from understudy.breakdown.segment_views import most_different
from understudy.comparing.run import compare
from understudy.corpus.corpus import Corpus
from understudy.report import breakdowns

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "weak")}
TWO = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
DOCUMENTS = EXAMPLES / "documents.tsv"


def test_everything_is_there() -> None:
    found = break_down(FILES, TWO, ["bleu", "chrf"], labels=[DOCUMENTS])
    assert [(one.title, one.metric) for one in found.bucketings] == [
        *(
            (title.replace("METRIC", metric), metric)
            for metric in ("BLEU", "chrF")
            for title in (
                "mean reference length",
                "length difference, strong minus reference",
                "difficulty (mean segment METRIC)",
                "document",
            )
        ),
        *(("word frequency in the references", f"word {one}") for one in ("recall", "precision", "F")),
    ]
    assert len(found.segments) == 60
    first = found.segments[0]
    assert (first.number, first.document, list(first.outputs)) == (1, "library", ["strong", "medium", "weak"])
    corpus = Corpus.read(FILES, TWO)
    assert first.references == corpus.references[0]
    for system, score in first.scores["bleu"].items():
        assert score == BLEU().segments([corpus[system][0]], [first.references])[0]


def test_metrics_of_one_name_are_told_apart() -> None:
    found = break_down(FILES, TWO, ["bleu", "bleu:lowercase=true"])
    assert {one.metric for one in found.bucketings[:6]} == {"bleu", "bleu:lowercase=true"}


def test_the_most_different_segments() -> None:
    found = break_down(FILES, TWO, ["bleu", "ter"])

    def spread(view: SegmentView, spec: str, baseline: str | None) -> float:
        scores = view.scores[spec]
        pairs = [(one, other) for one in scores for other in scores if baseline in (None, one, other)]
        length = sum(map(len, view.references)) / len(view.references)
        return max(abs(scores[one] - scores[other]) for one, other in pairs) * length

    for metric in (BLEU(), TER()):
        for baseline in (None, "medium"):
            ranked = most_different(found.segments, metric, baseline=baseline)
            spreads = [spread(view, metric.spec, baseline) for view in ranked]
            assert spreads == sorted(spreads, reverse=True)
            assert len(ranked) == 60
            assert most_different(found.segments, metric, baseline=baseline, limit=4) == ranked[:4]


def test_short_segments_do_not_lead() -> None:
    """Two words are right or wrong: the largest difference of scores, and next to nothing in the corpus."""

    def view(number: int, reference: str, score: float) -> SegmentView:
        scores = {"bleu": {"a": score, "b": 0.0}}
        return SegmentView(number, [reference], {"a": reference, "b": ""}, scores)

    views = [view(1, "Thank you", 100.0), view(2, "It was raining all day long in the hills", 40.0)]
    assert [found.number for found in most_different(views, BLEU())] == [2, 1]


def test_without_texts_all_segments_weigh_the_same() -> None:
    views = [SegmentView(number, [], {}, {"bleu": {"a": 10.0 * number, "b": 0.0}}) for number in (1, 2)]
    assert [found.number for found in most_different(views, BLEU())] == [2, 1]
    without_references = SegmentView(1, [], {"a": "four", "b": "sixsix"}, {})
    assert (views[0].length, without_references.length) == (1, 5)


def test_a_system_of_several_runs_is_one_system() -> None:
    both = {"new": [FILES["strong"], FILES["medium"]], "old": FILES["weak"]}
    found, alone = break_down(both, TWO), break_down(FILES, TWO)
    for bucket, of_each in zip(found.bucketings[0].buckets, alone.bucketings[0].buckets, strict=True):
        assert list(bucket.scores) == ["new", "old"]
        mean = (of_each.scores["strong"] + of_each.scores["medium"]) / 2
        assert bucket.scores["new"] == pytest.approx(mean, rel=1e-12)
    view, of_each_view = found.segments[5], alone.segments[5]
    assert view.outputs["new"] == of_each_view.outputs["strong"]
    mean = (of_each_view.scores["bleu"]["strong"] + of_each_view.scores["bleu"]["medium"]) / 2
    assert view.scores["bleu"]["new"] == pytest.approx(mean)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"baseline": "stong"}, "Did you mean 'strong'"),
        ({"labels": [EXAMPLES / "nothing.txt"]}, "no such file"),
        ({"word_labels": [TWO[0]]}, "1 file of word labels for 2 references"),
        ({"word_labels": [TWO[0], EXAMPLES / "source.de"]}, "line 1: 3 labels, but 4 tokens"),
        ({"train": EXAMPLES / "nothing.txt"}, "no such file"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings: dict, said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        break_down(FILES, TWO, **settings)


def test_labels_of_another_test_set_are_refused(tmp_path: Path) -> None:
    labels = tmp_path / "domain.txt"
    labels.write_text("news\n" * 59)
    said = re.escape(
        f"labels 'domain' of '{labels}' are for 59 segments, expected 60. Line i must be the label of "
        "segment i."
    )
    with pytest.raises(UnderstudyError, match=f"^{said}$"):
        break_down(FILES, TWO, labels=[labels])


# --- documents of the files themselves --------------------------------------------------------------------

XML = """<dataset>
<doc id="d1" domain="news">
<ref translator="A"><seg id="1">the cat sat</seg><seg id="2">the dog sat</seg></ref>
<hyp system="one"><seg id="1">the cat sat</seg><seg id="2">a dog sat</seg></hyp>
<hyp system="two"><seg id="1">a cat</seg><seg id="2">a dog</seg></hyp></doc>
<doc id="d2" domain="talk">
<ref translator="A"><seg id="1">we say yes</seg></ref>
<hyp system="one"><seg id="1">we say</seg></hyp><hyp system="two"><seg id="1">we say yes</seg></hyp></doc>
<doc id="d3">
<ref translator="A"><seg id="1">they say no</seg></ref>
<hyp system="one"><seg id="1">they say</seg></hyp><hyp system="two"><seg id="1">they no</seg></hyp></doc>
</dataset>"""


def test_documents_and_domains_of_files_that_name_them(tmp_path: Path) -> None:
    (path := tmp_path / "set.xml").write_text(XML)
    systems = {"one": f"{path}:one", "two": f"{path}:two"}
    found = break_down(systems, [path], ["chrf"])
    by_title = {
        one.title: {bucket.label: bucket.segments for bucket in one.buckets} for one in found.bucketings
    }
    assert by_title["document"] == {"d1": 2, "d2": 1, "d3": 1}
    assert by_title["domain"] == {"news": 2, "talk": 1, "(none)": 1}
    assert [view.document for view in found.segments] == ["d1", "d1", "d2", "d3"]

    tested = compare(systems, [path], ["chrf"], test="blocks", by_document=True)
    assert "|test:blocks|blocks:documents|" in tested.metrics[0].signature
    given = compare(
        systems, [path], ["chrf"], test="blocks", by_document=True, documents=["x", "x", "y", "z"]
    )
    assert given.pairs == tested.pairs


def test_blocks_by_document_are_the_scores_of_documents() -> None:
    documents = [line.split("\t")[1] for line in DOCUMENTS.read_text().splitlines()[1:]]
    found = compare(FILES, TWO, test="blocks", by_document=True, documents=documents)
    buckets = next(
        one for one in break_down(FILES, TWO, labels=[DOCUMENTS]).bucketings if one.title == "document"
    ).buckets
    for system in found.metrics[0].systems:
        scores = [bucket.scores[system.name] for bucket in buckets]
        assert system.score == pytest.approx(sum(scores) / len(scores), rel=1e-12)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"test": "blocks", "by_document": True}, "have no document labels"),
        ({"by_document": True}, "by_document needs the test 'blocks'"),
        ({"test": "blocks", "by_document": True, "block_size": 5}, "cannot be combined"),
        (
            {"test": "blocks", "by_document": True, "documents": ["a"]},
            "document labels: 1 segment, '.*' has 60",
        ),
        ({"test": "blocks", "by_document": True, "documents": ["a"] * 60}, "expected at least two blocks"),
    ],
)
def test_blocks_without_documents_are_refused(settings: dict, said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        compare(FILES, TWO, **settings)


# --- real data --------------------------------------------------------------------------------------------


@needs_data
def test_real_systems_in_all_their_buckets() -> None:
    folder = DATA / "wmt21.en-de"
    systems = sorted((folder / "systems").iterdir())[:4]
    references = [folder / name for name in ("refA.txt", "refC.txt", "refD.txt")]
    found = break_down(systems, references, ["bleu", "chrf"], labels=[folder / "docs.tsv"])
    assert len(found.segments) == 1002
    for one in found.bucketings:
        if one.unit == "segments":
            assert sum(bucket.segments for bucket in one.buckets) == 1002
    documents = next(one for one in found.bucketings if one.title == "doc")
    assert len(documents.buckets) == 68
    assert all(difference.in_references >= max(difference.matches.values()) for difference in found.ngrams)
    text = breakdowns.render(compare(systems, references, ["bleu", "chrf"]), found, top=3)
    assert text.count("[matched n-grams] in brackets") == 3
