"""Several judged test sets: which files are meant, which systems are compared, what the average is."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import pytest

from material.judged_examples import EXAMPLES
from material.judged_set_folders import write_mt_metrics_eval
from understudy import UnderstudyError, trust, trust_sets
from understudy.corpus.judged_folders import set_folder
from understudy.report.agreements import as_data
from understudy.trusting.coefficients import pairwise_preferences as preferences
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.sets import run as trusting_sets
from understudy.trusting.sets.averages import RankedMetrics, average, null_of

SPA = CoefficientSpec("spa", "system")
ACC_EQ = CoefficientSpec("acc-eq", "segment", "segment")


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return write_mt_metrics_eval(tmp_path_factory.mktemp("sets") / "made-up")


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The examples, laid out plainly: two domains, and a reference that was judged."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "systems").mkdir()
    for name in ("strong", "medium", "rulebased", "weak"):
        text = (EXAMPLES / f"system-{name}.en").read_bytes()
        (folder / "systems" / f"system-{name}.en.gz").write_bytes(gzip.compress(text))
    for name in ("reference-1.en", "reference-2.en"):
        (folder / name).write_bytes((EXAMPLES / name).read_bytes())
    (folder / "human.tsv").write_bytes((EXAMPLES / "judgments.tsv").read_bytes())
    labels = [f"{number}\t{'first' if number <= 30 else 'second'}\n" for number in range(1, 61)]
    (folder / "docs.tsv").write_text("seg\tdomain\n" + "".join(labels), encoding="utf-8")
    return folder


def of_plain(plain, **more):
    asked = {"measure": "adequacy", "references": "reference-1.en", "samples": 20, **more}
    return trust_sets({"examples": plain}, ["bleu", "chrf"], **asked)


def test_a_set_agrees_as_it_does_alone(plain):
    found = of_plain(plain)
    systems = sorted((plain / "systems").iterdir())
    alone = trust(
        plain / "human.tsv",
        systems,
        plain / "reference-1.en",
        ["bleu", "chrf"],
        measure="adequacy",
        samples=2,
    )
    for task in found.tasks:
        assert task.ranked.values == {metric.name: metric.of(task.asked).value for metric in alone.metrics}
    assert found.sets[0].systems == alone.systems


def test_a_judged_reference_is_compared_if_asked_for(plain):
    assert "reference-2.en" not in of_plain(plain).sets[0].systems
    found = of_plain(plain, references_as_systems=True)
    assert "reference-2.en" in found.sets[0].systems
    assert "reference-1.en" not in found.sets[0].systems


def test_a_reference_that_is_named_as_a_system_is_one(plain):
    found = of_plain(plain, systems=["systems", "reference-2.en"])
    assert "reference-2.en" in found.sets[0].systems


@pytest.mark.parametrize(
    "name",
    [
        "ref.txt",
        "refA.txt.gz",
        "ref07.txt",
        "reference-1.en",
        "synthetic_ref.txt",
        "zh-en.refB.txt",
        "refC-pseudo-Online-W.en",
    ],
)
def test_names_of_references(tmp_path, name):
    (tmp_path / name).touch()
    assert list(set_folder("x", str(tmp_path)).references.values()) == [str(tmp_path / name)]


@pytest.mark.parametrize(
    "name",
    [
        "human.ref.tsv",
        "human.refined.tsv",
        "refined.txt",
        "preference.tsv",
        "BLEU-refA.seg.score",
    ],
)
def test_names_of_other_files(tmp_path, name):
    (tmp_path / name).touch()
    assert set_folder("x", str(tmp_path)).references == {}


def test_parts_are_the_sets_of_their_segments(plain, tmp_path):
    found = of_plain(plain, by="domain")
    assert [(task.label, task.asked) for task in found.parts] == [
        (label, asked) for label in ("first", "second") for asked in (SPA, ACC_EQ)
    ]
    rows = (plain / "human.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    half = tmp_path / "human.tsv"
    half.write_text(
        "".join(row for row in rows if not row.split("\t")[1].isdecimal() or int(row.split("\t")[1]) <= 30)
    )
    of_half = of_plain(plain, human=half)
    for part, task in zip(found.parts[:2], of_half.tasks, strict=True):
        assert part.ranked.values == pytest.approx(task.ranked.values)


def test_coefficients_of_too_many_pairs_are_left_out(plain, monkeypatch):
    monkeypatch.setattr(preferences, "MOST_PAIRS", 10_000)
    found = of_plain(plain, coefficients=["acc-eq"])
    assert [task.asked.grouping for task in found.tasks] == ["segment", "system"]
    assert found.notes[0].startswith("Not computed: acc-eq:none of examples: tie calibration on 28,680 pairs")
    monkeypatch.setattr(trusting_sets, "null_differences", None)  # it says so before anything is computed
    with pytest.raises(UnderstudyError, match=r"^acc-eq:none of examples: .* Group by segment"):
        of_plain(plain, coefficients=["acc-eq:none"])


def test_labels_that_no_set_has(plain):
    with pytest.raises(UnderstudyError, match=r"unknown segment labels 'genre'.* Known: domain\."):
        of_plain(plain, by="genre")


def test_excluded_systems(plain, published):
    found = of_plain(plain, exclude="system-weak.en")
    assert "system-weak.en" not in found.sets[0].systems
    assert "examples: excluded: system-weak.en." in found.notes
    with pytest.raises(
        UnderstudyError, match=r"cannot exclude unknown system 'system-week\.en'\. Did you mean 'system-weak"
    ):
        of_plain(plain, exclude="system-week.en")
    of_one = trust_sets(published, human="mqm", references="refA", exclude=["de-en:beta"], samples=5)
    assert [("beta" in each.systems) for each in of_one.sets] == [False, True]


def test_excluded_systems_of_one_file(plain):
    systems = sorted((plain / "systems").iterdir())
    found = trust(
        plain / "human.tsv",
        systems,
        plain / "reference-1.en",
        measure="adequacy",
        samples=2,
        exclude=["system-weak.en", "reference-2.en"],
    )
    assert found.systems == ("system-medium.en", "system-rulebased.en", "system-strong.en")
    assert not any("scored" in note for note in found.notes)
    with pytest.raises(UnderstudyError, match="cannot exclude unknown system 'nmt'"):
        trust(plain / "human.tsv", systems, plain / "reference-1.en", measure="adequacy", exclude=["nmt"])


def test_judges_are_those_of_the_systems_that_are_left(plain, tmp_path):
    """One judge beside the mean of the others: excluded, or never in the file."""
    rows = (plain / "human.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "fewer.tsv").write_text("".join(row for row in rows if not row.startswith("reference-2.en")))
    systems = sorted((plain / "systems").iterdir())
    excluded, never = (
        trust(file, systems, plain / "reference-1.en", measure="adequacy", samples=5, exclude=names)
        for file, names in ((plain / "human.tsv", ["reference-2.en"]), (tmp_path / "fewer.tsv", []))
    )
    assert excluded.notes[0] == "Excluded: reference-2.en."
    assert {**as_data(excluded), "notes": excluded.notes[1:]} == as_data(never)


def test_a_metric_is_taken_with_the_chosen_reference(published):
    with_a, with_b = (
        trust_sets({"de-en": published}, human="mqm", references=name, samples=5) for name in ("refA", "refB")
    )
    assert "BLEU" in with_a.metrics
    assert set(with_b.metrics) == {"QE[noref]", "BLEU"}
    alone = trust(
        published / "human-scores" / "de-en.mqm.seg.score",
        scores=[published / "metric-scores" / "de-en" / "BLEU-refB.seg.score"],
        level="segment",
        samples=2,
        exclude=["refA"],
    )
    assert with_b.tasks[1].ranked.values["BLEU"] == alone.metrics[0].of(ACC_EQ).value


def test_what_is_chosen_for_one_set_counts_there_alone(published):
    found = trust_sets(
        published,
        human=["mqm", "en-cs:esa"],
        references=["refA", "en-cs:refB"],
        samples=5,
        scores="metric-scores:BLEU",
    )
    assert [(each.human, each.references) for each in found.sets] == [("mqm", ("refA",)), ("esa", ("refB",))]
    assert found.metrics == ["BLEU"]


def test_all_language_pairs_of_a_folder_that_have_these_human_scores(published, tmp_path):
    for path in published.rglob("*"):
        if path.is_file() and path.name != "en-cs.mqm.seg.score":
            target = tmp_path / path.relative_to(published)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    assert [each.name for each in trust_sets(tmp_path, human="mqm", references="refA", samples=5).sets] == [
        "de-en"
    ]


def test_two_years_of_a_language_pair(published):
    sets = {"wmt1/de-en": published, "wmt2/de-en": published}
    found = trust_sets(sets, human="mqm", references="refA", samples=5)
    assert [each.name for each in found.sets] == list(sets)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({}, "has several files of human scores, expected one: esa, mqm. Select one with --human."),
        ({"human": "mqn"}, "unknown file of human scores 'mqn' in "),
        ({"human": "mqm"}, "has several references, expected one: refA, refB. Select one with -r."),
        ({"human": "mqm", "references": "refC"}, "unknown reference 'refC' in "),
        (
            {"human": "mqm", "references": "refA", "scores": "metric-scores:TER"},
            "has no scores of 'TER' with refA.",
        ),
        ({"human": "mqm", "references": "refA", "scores": "comet.tsv"}, "no such score file"),
        ({"human": "mqm", "references": "refA", "systems": "outputs"}, "no system outputs 'outputs' in"),
        (
            {"human": "mqm", "references": "refA", "weights": {"de-fr": 2}},
            "weight of unknown set 'de-fr'. Did you mean 'de-en'",
        ),
        (
            {"human": "mqm", "references": "refA", "weights": {"de-en": -1}},
            "expected a number of at least 0",
        ),
        ({"human": "mqm", "references": "refA", "weights": {"de-en": 0}}, "all weights are 0"),
        ({"human": "mqm", "references": "refA", "clusters": "wmt24"}, "expected strict, wmt"),
        (
            {"human": "mqm", "references": "refA", "exclude": ["alpha", "beta", "gamma"]},
            "got one system, 'delta'",
        ),
    ],
)
def test_what_is_missing_is_said_with_what_is_there(published, choices, said):
    with pytest.raises(UnderstudyError) as error:
        trust_sets({"de-en": published}, **{"samples": 5, **choices})
    assert said in str(error.value)


def test_sets_must_be_told_apart_and_be_there(published):
    with pytest.raises(UnderstudyError, match="two sets are named 'de-en'"):
        trust_sets([f"de-en={published}", f"de-en={published}"], human="mqm", references="refA")
    with pytest.raises(UnderstudyError, match="It has de-en, en-cs"):
        trust_sets({"de-cs": published}, human="mqm", references="refA")
    with pytest.raises(UnderstudyError, match="set 'x': no such folder: 'nowhere'"):
        trust_sets({"x": "nowhere"})


def test_weights(published):
    found = trust_sets(
        published,
        human="mqm",
        references="refA",
        samples=5,
        weights={"de-en": 3, "de-en:segment": 0, "en-cs": 0.5},
    )
    assert [task.weight for task in found.tasks] == [3, 0, 0.5, 0.5]
    for name, value in found.average.values.items():
        values = [task.ranked.values[name] for task in found.tasks]
        assert value == pytest.approx(np.dot([3, 0, 0.5, 0.5], values) / 4)


def test_exchanges_of_two_tasks_are_independent(published):
    """The same data twice: were it exchanged in the same way, an average would vary as much as each."""
    found = trust_sets(
        {"a/de-en": published, "b/de-en": published},
        human="mqm",
        references="refA",
        samples=400,
        level="segment",
    )
    ratio = [
        null.std() / null_of(found.tasks[0].ranked.null, *pair).std()
        for pair, null in found.average.null.items()
    ]
    assert np.mean(ratio) == pytest.approx(0.5**0.5, abs=0.05)


def test_correlations_are_mapped_to_shares_before_they_are_averaged():
    null = {("a", "b"): np.array([0.1, -0.2, 0.3])}
    tasks = [
        (CoefficientSpec("pearson", "system"), RankedMetrics.by("wmt", {"a": 0.5, "b": -0.5}, null)),
        (SPA, RankedMetrics.by("wmt", {"b": 0.6, "a": 0.8}, null)),
    ]
    found = average(tasks, [1, 1], rule="wmt")
    assert found.values == pytest.approx({"a": (0.75 + 0.8) / 2, "b": (0.25 + 0.6) / 2})
    assert found.null["a", "b"] == pytest.approx(null["a", "b"] * 0.75)


def test_differences_under_the_null_hypothesis_are_averaged_with_the_same_weights():
    first, second = np.array([0.1, -0.2, 0.3]), np.array([-0.3, 0.2, 0.5])
    tasks = [
        (SPA, RankedMetrics.by("wmt", {"a": 0.8, "b": 0.6}, {("a", "b"): first})),
        (ACC_EQ, RankedMetrics.by("wmt", {"a": 0.5, "b": 0.7}, {("b", "a"): -second})),
    ]
    assert average(tasks, [3, 1], rule="wmt").null["a", "b"] == pytest.approx((3 * first + second) / 4)


def test_exchanges_that_are_fewer_in_one_task_come_again():
    few, many = np.array([0.1, -0.2]), np.array([0.3, 0.1, -0.4, 0.2, 0.0])
    tasks = [(SPA, RankedMetrics.by("wmt", {"a": 0.8, "b": 0.6}, {("a", "b"): null})) for null in (few, many)]
    again = np.array([0.1, -0.2, 0.1, -0.2, 0.1])
    assert average(tasks, [1, 1], rule="wmt").null["a", "b"] == pytest.approx((again + many) / 2)


def test_the_target_language_is_that_of_the_pair(tmp_path):
    text = "我爱你，北京。\n"
    for path, lines in {
        "human-scores/en-zh.mqm.seg.score": "".join(f"{s}\t{-n}\n" for s in "ab" for n in range(3)),
        "references/en-zh.refA.txt": text * 3,
        "system-outputs/en-zh/a.txt": "我也爱你，北京。\n" * 3,
        "system-outputs/en-zh/b.txt": "我爱你，上海。\n" * 3,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(lines, encoding="utf-8")
    found = trust_sets({"en-zh": tmp_path}, ["bleu"], samples=5, coefficients=["pearson:none"])
    assert "tok:zh" in found.sets[0].signatures["BLEU"]


def test_the_same_seed_gives_the_same_digits(published):
    first, second = (
        trust_sets(published, human="mqm", references="refA", samples=50, threads=threads)
        for threads in (1, 2)
    )
    assert first.rows() == second.rows()
    assert first.average.p_values == second.average.p_values


def test_errors_say_in_which_set(plain, tmp_path):
    (tmp_path / "systems").mkdir()
    for path in (plain / "systems").iterdir():
        (tmp_path / "systems" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "human.tsv").write_bytes((plain / "human.tsv").read_bytes())
    (tmp_path / "reference-1.en").write_text("Too short.\n", encoding="utf-8")
    with pytest.raises(UnderstudyError, match=r"^set 'short': .* has 1 segment"):
        trust_sets({"good": plain, "short": tmp_path}, measure="adequacy", references="reference-1.en")


def test_metrics_without_segment_scores_are_named(plain):
    (plain / "systems-only.tsv").write_text(
        "system\tM\n"
        + "".join(f"system-{name}.en\t1\n" for name in ("strong", "medium", "rulebased", "weak"))
    )
    found = of_plain(plain, scores="systems-only.tsv")
    assert found.metrics == ["chrF", "BLEU"]
    (note,) = (note for note in found.notes if note.startswith("examples: not ranked: M, because "))
    assert note.endswith("the metric scores are system scores.")
    assert "M has no average: it lacks examples spa, examples acc-eq." in found.notes


def test_a_part_that_cannot_be_compared_is_named(plain, tmp_path):
    rows = (plain / "human.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    strong = "system-strong.en"
    kept = (row for row in rows if row.startswith(("system\t", strong)) or int(row.split("\t")[1]) <= 30)
    (tmp_path / "half.tsv").write_text("".join(kept))
    found = of_plain(plain, human=tmp_path / "half.tsv", by="domain")
    assert {task.label for task in found.parts} == {"first"}
    assert f"examples, domain 'second': got one system, '{strong}', expected at least two." in found.notes


def test_human_scores_of_one_pair_choose_the_pairs_of_a_folder(published):
    found = trust_sets(published, human="en-cs:esa", references="refA", samples=5)
    assert [each.name for each in found.sets] == ["en-cs"]


def test_too_few_resamples_for_any_significance(published):
    found = trust_sets(published, human="mqm", references="refA", samples=18)
    assert "With 18 resamples no difference can be significant. Use --samples 19 or more." in found.notes
    assert set(found.average.ranks.values()) == {1}


def test_metrics_without_segment_scores_are_ranked_where_they_can_be(plain):
    (plain / "systems-only.tsv").write_text(
        "system\tM\nsystem-strong.en\t4\nsystem-medium.en\t3\nsystem-rulebased.en\t2.5\nsystem-weak.en\t1\n"
    )
    found = of_plain(
        plain, scores="systems-only.tsv", coefficients=["pearson"], level="system", test="perm-systems"
    )
    assert set(found.average.values) == {"M", "BLEU", "chrF"}


def test_a_metric_that_is_computed_and_read_is_two_in_all_sets(published):
    asked: dict[str, Any] = {"human": "mqm", "references": "refA", "samples": 5, "level": "segment"}
    found = trust_sets(published, ["bleu"], scores="metric-scores:BLEU", **asked)
    assert set(found.average.values) == {"BLEU", "BLEU (scores)"}


def test_what_is_for_no_set_is_refused(plain):
    with pytest.raises(
        UnderstudyError, match=r"'example:refB': unknown set 'example'. Did you mean 'examples'"
    ):
        of_plain(plain, references=["reference-1.en", "example:refB"])


def test_weights_of_any_size_average(plain):
    huge = {"examples:system": 1e308, "examples:segment": 1e308}
    assert of_plain(plain, weights=huge).average.values == of_plain(plain).average.values


def test_a_set_has_the_notes_that_trust_alone_has(plain):
    alone = trust(
        plain / "human.tsv",
        sorted((plain / "systems").iterdir()),
        plain / "reference-1.en",
        measure="adequacy",
        samples=5,
    )
    few = "Only 4 systems: system-level coefficients are unreliable."
    assert few in alone.notes
    assert f"examples: {few}" in of_plain(plain).notes
