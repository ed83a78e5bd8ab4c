"""Laws that hold for every metric of the registry, in its default form and in each of its presets.

A new metric is under these laws as soon as it is registered: nothing here knows any metric by name, but for one that
is nothing without a file. What differs between metrics is asked of them (`worth`, `higher_is_better`, `target`,
`sees_no`, `percent`, `below_zero`, `best_reference`, `pools_references`, `reads_references`, `needs_fit`, `missing`,
`full_marks`).
"""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
import random
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from material.learned_models import FITTED, PLAIN
from understudy import Metric, Statistics, UnderstudyError, metric
from understudy.metrics.registry import metrics

METRICS = metrics()
# A learned combination has no default that can count: one that was learned stands for it.
DEFAULTS = [
    metric(f"learned:model={PLAIN}") if name == "learned" else metric_class()
    for name, metric_class in METRICS.items()
]
PRESETS = [metric_class.preset(name) for metric_class in METRICS.values() for name in metric_class.presets]
# A preset may name the default.
EVERY = list(dict.fromkeys([*DEFAULTS, *PRESETS, metric(f"learned:model={FITTED}")]))


def where_it_can_count(known: list[Metric]) -> list[Any]:
    """The metrics; those that lack what they need on this machine are skipped, and say what it is."""
    return [
        pytest.param(law_of, id=law_of.spec, marks=pytest.mark.skipif(bool(lack), reason=lack))
        for law_of in known
        for lack in [law_of.missing]
    ]


every_metric = pytest.mark.parametrize("law_of", where_it_can_count(EVERY))
every_metric_with_references = pytest.mark.parametrize(
    "law_of", where_it_can_count([known for known in EVERY if known.reads_references])
)
every_default = pytest.mark.parametrize("law_of", where_it_can_count(DEFAULTS))

REFERENCES = [
    ["The old man walked slowly across the bridge.", "An elderly man was slowly crossing the bridge."],
    ["Nobody knew where the letter had come from.", "No one knew from where the letter had come."],
    ["In 2019, about 3.5 million people lived there.", "Some 3.5 million people lived there in 2019."],
    ["The committee will meet again next Tuesday.", "The committee meets again on Tuesday next week."],
    ["She said that the results were not surprising.", "The results were no surprise, she said."],
    ["Prices rose by 4% while wages stayed the same.", "Wages stood still while prices went up by 4%."],
]
FIRST = [group[0] for group in REFERENCES]
SYSTEM = [
    "The old man went slowly over the bridge.",
    "Nobody knew where from the letter came.",
    "In 2019 lived there about 3.5 million people.",
    "The committee will meet on Tuesday.",
    "The results, she said, were not surprising.",
    "Prices rose 4% and wages stayed the same.",
]

texts = st.lists(
    st.sampled_from(["the", "cat", "sat", "Mat", ",", "3.5", "Straße", "他去了", "&amp;", "x-y"]), max_size=9
)
segments = st.tuples(texts.map(" ".join), st.lists(texts.map(" ".join), min_size=1, max_size=3))
corpora = st.lists(segments, min_size=1, max_size=5)
few_examples = settings(max_examples=20, deadline=None)


def ready(law_of: Metric, hypotheses: Any, references: Any) -> Metric:
    """The metric as it can count: one that needs to know the whole set of what it reads has been told."""
    return law_of.fit(references if law_of.reads_references else hypotheses)


def enough(law_of: Metric, segments: list[Any]) -> bool:
    """Whether there is what the metric compares: at least two texts if it compares texts with one another."""
    return law_of.reads_references or len(segments) > 1


def expected_references(law_of: Metric) -> tuple[int, int]:
    return (2, 2) if law_of.reads_references else (0, 0)


def split(corpus: list[Any]) -> tuple[list[str], list[list[str]]]:
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


def random_corpus(size: int) -> tuple[list[str], list[list[str]]]:
    generator = random.Random(size)
    vocabulary = [f"word{i}" for i in range(15)] + ["the", "a", ".", ",", "Ünder"]

    def sentence() -> str:
        return " ".join(generator.choices(vocabulary, k=generator.randrange(25)))

    return [sentence() for _ in range(size)], [
        [sentence() for _ in range(generator.randrange(1, 4))] for _ in range(size)
    ]


# --- a metric is a table of sums --------------------------------------------------------------------------


@every_metric
@few_examples
@given(left=corpora, right=corpora)
def test_additive(law_of, left, right):
    """The statistics of two corpora are those of both in one; the score of their sum is the corpus score."""
    both = split(left + right)
    law_of = ready(law_of, *both)
    parts = [law_of.statistics(*split(left)), law_of.statistics(*split(right))]
    whole = law_of.statistics(*both)
    assert np.array_equal(Statistics.concatenate(parts).array, whole.array)
    added = parts[0] + parts[1]
    np.testing.assert_allclose(added.array, whole.sum().array, rtol=1e-12)
    assert float(law_of.score(added)) == pytest.approx(law_of.corpus(*both).value, rel=1e-12, abs=1e-12)
    assert (added.segments, added.references) == (whole.segments, whole.references)


@every_metric
@few_examples
@given(corpus=corpora, data=st.data())
def test_order_of_segments_does_not_matter(law_of, corpus, data):
    assume(enough(law_of, corpus))
    law_of = ready(law_of, *split(corpus))
    order = data.draw(st.permutations(range(len(corpus))))
    straight = law_of.statistics(*split(corpus))
    turned = law_of.statistics(*split([corpus[i] for i in order]))
    assert np.array_equal(straight.array[order], turned.array)
    assert law_of.corpus_score(straight).value == pytest.approx(
        law_of.corpus_score(turned).value, rel=1e-12, abs=1e-12
    )


@every_metric
@few_examples
@given(corpus=corpora, data=st.data())
def test_order_of_references_does_not_matter(law_of, corpus, data):
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    turned = [data.draw(st.permutations(group)) for group in references]
    if law_of.pools_references:
        return  # among equally long matches it is a place in all references together that decides
    assert law_of.segments(hypotheses, turned) == pytest.approx(
        law_of.segments(hypotheses, references), rel=1e-12
    )
    if law_of.best_reference and any(map(has_equals, repeat(law_of), hypotheses, references)):
        return  # whichever of the equally good references comes first is the one that counts
    assert law_of.corpus(hypotheses, turned).value == pytest.approx(
        law_of.corpus(hypotheses, references).value, rel=1e-12, abs=1e-12
    )


def has_equals(law_of: Metric, hypothesis: str, references: list[str]) -> bool:
    """Whether different references are equally good for a segment."""
    different = sorted(set(references))
    return len(set(law_of.segments([hypothesis] * len(different), different).tolist())) < len(different)


@every_metric
@few_examples
@given(corpus=corpora)
def test_a_batch_is_its_segments(law_of, corpus):
    """The score of a segment does not depend on the segments beside it."""
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    alone = [law_of.segments([h], [r])[0] for h, r in corpus]
    assert law_of.segments(hypotheses, references).tolist() == alone


@every_metric
def test_threads_do_not_matter(law_of):
    hypotheses, references = random_corpus(500)
    law_of = ready(law_of, hypotheses, references)
    alone = law_of.statistics(hypotheses, references, threads=1)
    for threads in (2, 3, 7, None):
        together = law_of.statistics(hypotheses, references, threads=threads)
        assert together.array.tobytes() == alone.array.tobytes()


@every_metric
@pytest.mark.parametrize("size", [1, 7, 64, 65, 199])
def test_chunks_do_not_matter(law_of, size):
    hypotheses, references = random_corpus(200)
    law_of = ready(law_of, hypotheses, references)
    whole = law_of.statistics(hypotheses, references)
    chunks = [
        law_of.statistics(hypotheses[start : start + size], references[start : start + size])
        for start in range(0, len(hypotheses), size)
    ]
    assert np.array_equal(Statistics.concatenate(chunks).array, whole.array)
    total = chunks[0]
    for chunk in chunks[1:]:
        total = total + chunk
    assert law_of.corpus_score(total).value == pytest.approx(law_of.corpus_score(whole).value, rel=1e-12)


@every_metric
def test_slices_add_up(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    odd = np.arange(len(statistics)) % 2 == 1
    for one, other in (
        (statistics[:2], statistics[2:]),
        (statistics[odd], statistics[~odd]),
        (statistics[np.array([5, 0])], statistics[np.array([1, 2, 3, 4])]),
    ):
        assert one.segments + other.segments == len(one) + len(other) == len(statistics)
        np.testing.assert_allclose((one + other).array, statistics.sum().array, rtol=1e-12)


@every_metric
def test_statistics_are_columns_with_names(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    assert statistics.columns == law_of.columns
    assert len(set(law_of.columns)) == len(law_of.columns)
    assert statistics.array.shape == (len(SYSTEM), len(law_of.columns))
    assert statistics.array.dtype in (np.int64, np.float64)
    for index, name in enumerate(law_of.columns):
        assert np.array_equal(statistics[name], statistics.array[:, index])


@every_metric
def test_statistics_survive_a_file(law_of, tmp_path):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    for kept in (statistics, statistics.sum()):
        kept.save(tmp_path / "kept.npz")
        loaded = Statistics.load(tmp_path / "kept.npz")
        assert loaded.array.dtype == kept.array.dtype
        assert loaded.array.tobytes() == kept.array.tobytes()
        assert dataclasses.replace(loaded, array=kept.array).__dict__ == kept.__dict__
        assert law_of.corpus_score(loaded) == law_of.corpus_score(kept)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.npz"]


@every_metric
def test_mean_is_the_mean_of_segments(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    scores = law_of.segments(SYSTEM, REFERENCES)
    mean = law_of.mean(SYSTEM, REFERENCES)
    assert mean.value == math.fsum(scores) / len(scores)
    assert (mean.aggregate, mean.segments, mean.references) == (
        "mean",
        len(SYSTEM),
        expected_references(law_of),
    )


# --- what a score says ------------------------------------------------------------------------------------


@every_metric
@few_examples
@given(corpus=corpora)
def test_scores_are_numbers_in_their_range(law_of, corpus):
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    values = [*law_of.segments(hypotheses, references), law_of.corpus(hypotheses, references).value]
    assert all(math.isfinite(value) for value in values)
    assert law_of.below_zero or min(values) >= -1e-9  # rounding
    if law_of.percent and law_of.higher_is_better:
        assert max(values) <= 100 * (1 + 1e-12)


@every_metric_with_references
def test_a_copy_of_a_reference_is_best(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    copied = law_of.worth(law_of.corpus(FIRST, REFERENCES).value)
    generator = random.Random(1)
    others = {  # and what it takes to tell them from the copy
        "nothing": ("length", [""] * len(FIRST)),
        "one word": ("length", [line.split()[0] for line in FIRST]),
        "half": ("length", [" ".join(line.split()[:4]) for line in FIRST]),
        "twice": ("repetition", [f"{line} {line}" for line in FIRST]),
        "a system": ("words", SYSTEM),
        "the other reference against the first": ("words", None),
        "other sentences": ("words", FIRST[1:] + FIRST[:1]),
        "nonsense": ("words", ["Lorem ipsum dolor sit amet consectetur adipiscing."] * len(FIRST)),
        "shuffled": (
            "order",
            [" ".join(generator.sample(line.split(), len(line.split()))) for line in FIRST],
        ),
    }
    for name, (needed, hypotheses) in others.items():
        if hypotheses is None:
            value = law_of.corpus([group[1] for group in REFERENCES], FIRST).value
        else:
            value = law_of.corpus(hypotheses, REFERENCES).value
        if needed not in law_of.sees_no:
            assert law_of.worth(value) < copied, name
        elif needed == "order":
            assert law_of.worth(value) == copied, name
    if law_of.percent and law_of.full_marks:
        best = {True: 100, False: 0, None: law_of.target}[law_of.higher_is_better]
        references = FIRST if law_of.pools_references else REFERENCES
        assert law_of.corpus(FIRST, references).value == pytest.approx(best, rel=1e-12, abs=1e-12)
        assert law_of.segments(FIRST, references) == pytest.approx(best, rel=1e-12, abs=1e-12)


@every_metric_with_references
def test_corrupting_words_does_not_improve(law_of):
    """One word after the other is replaced by what no reference has: at no step may the score get better."""
    law_of = ready(law_of, SYSTEM, REFERENCES)
    values = []
    for corrupted in range(9):
        hypotheses = [
            " ".join(f"qqq{i}" if i < corrupted else word for i, word in enumerate(line.split()))
            for line in FIRST
        ]
        values.append(law_of.worth(law_of.corpus(hypotheses, REFERENCES).value))
    for before, after in pairwise(values):
        assert after <= before + 1e-9
    assert values[-1] < values[0]


@every_metric
def test_a_score_carries_its_explanation(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    score = law_of.corpus(SYSTEM, REFERENCES)
    assert (score.spec, score.metric, score.aggregate) == (law_of.spec, law_of.label, "corpus")
    assert (score.segments, score.references) == (len(SYSTEM), expected_references(law_of))
    assert float(score) == score.value
    assert score.fraction == (score.value / 100 if law_of.percent else None)
    of_input = law_of.statistics(SYSTEM, REFERENCES).of_input
    assert score.signature == law_of.signature((2, 2), of_input=of_input)
    assert str(score.signature).startswith(f"nrefs:{expected_references(law_of)[0]}|")
    assert f"|agg:{score.aggregate}|" in str(score.signature)
    assert str(score).startswith(f"{law_of.label} = {score.value:.2f}")
    assert "\n" not in str(score)


# --- object, repr, spec -----------------------------------------------------------------------------------


def variants() -> list[Metric]:
    """Every choice of every parameter that has choices, one at a time, where the metric takes it alone."""
    found = []
    for metric_class in METRICS.values():
        for name, parameter in metric_class.parameters().items():
            for choice in parameter.choices:
                try:
                    found.append(metric_class(**{name: choice}))
                except UnderstudyError:
                    continue
    return found


SPELLED = list(dict.fromkeys([*EVERY, *variants()]))


@pytest.mark.parametrize("law_of", SPELLED, ids=repr)
def test_repr_and_spec_give_the_metric_back(law_of):
    names = {metric_class.__name__: metric_class for metric_class in METRICS.values()}
    assert eval(repr(law_of), {"__builtins__": {}}, names) == law_of
    assert metric(law_of.spec) == law_of
    assert metric(law_of) is law_of


@pytest.mark.parametrize("law_of", SPELLED, ids=repr)
def test_equal_metrics_hash_alike_and_copy(law_of):
    twin = type(law_of)(**{name: getattr(law_of, name) for name in law_of.parameters()})
    for same in (twin, copy.deepcopy(law_of), pickle.loads(pickle.dumps(law_of))):
        assert same == law_of
        assert hash(same) == hash(law_of)
    assert len({law_of, twin}) == 1


@every_default
def test_metrics_do_not_change(law_of):
    for name in law_of.parameters():
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(law_of, name, None)


@every_metric
def test_presets_are_named_as_they_are(law_of):
    """Different metrics have different specs, so that a spec can stand for a metric in a table."""
    assert [other for other in SPELLED if other.spec == law_of.spec] == [law_of]


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_every_metric_says_what_it_is(metric_class):
    assert METRICS[metric_class.name] is metric_class
    assert (metric_class.higher_is_better is None) == (metric_class.target is not None)
    assert metric_class.blind_to <= {"order", "words", "repetition"}
    for fact in ("name", "title", "summary", "formula", "citation", "not_for"):
        assert getattr(metric_class, fact).strip()
    assert metric_class.__doc__
    for parameter in metric_class.parameters().values():
        assert parameter.help


@pytest.mark.parametrize(
    ("metric_class", "alias"), [(known, alias) for known in METRICS.values() for alias in known.aliases]
)
def test_aliases_are_names(metric_class, alias):
    """An alias means its preset, and takes no second one; it belongs to one metric only."""
    preset = metric_class.aliases[alias]
    assert metric(alias) == metric(f"{alias.upper()}:") == metric_class.preset(preset)
    with pytest.raises(UnderstudyError, match="choose one"):
        metric(f"{alias}:{preset}")
    owners = [other for other in METRICS.values() if alias in (other.name, *other.aliases)]
    assert owners == [metric_class]


# --- what cannot be meant is refused ----------------------------------------------------------------------

H, R = ["a b c d", "e f g h"], [["a b c d"], ["e f g h"]]

REFUSED = {
    "bare string": ("a b c d", R, ["hypotheses", "bare str"]),
    "bare bytes": (b"a b c d", R, ["hypotheses", "bare bytes"]),
    "bare string for references": (H, "a b c d", ["references", "bare str"]),
    "transposed references": (H, [["a b", "e f"]] * 3, ["references", "transposed", "3 lists of 2"]),
    "too few references": (H, ["a b c d"], ["2 segments", "references", "have 1"]),
    "too many references": (H, [*R, ["x"]], ["2 segments", "references", "have 3"]),
    "several references of one segment, ungrouped": (
        ["a b"],
        ["a b", "a c"],
        ["1 segments", "[[first, second]]"],
    ),
    "no hypotheses": ([], [], ["hypotheses", "no segments"]),
    "no references": (H, [], ["references", "none"]),
    "None among hypotheses": (["a", None], R, ["hypotheses", "segment 2", "None"]),
    "None for hypotheses": (None, R, ["hypotheses", "None"]),
    "None for references": (H, None, ["references", "None"]),
    "lone surrogate": (["a", "b \udc80"], R, ["hypotheses", "segment 2", "U+DC80", "character 3"]),
    "lone surrogate in a reference": (H, [["a"], ["\ud800"]], ["references", "segment 2", "U+D800"]),
    "number among hypotheses": (["a", 5], R, ["hypotheses", "segment 2", "int", "expected a string"]),
    "list among hypotheses": (["a", ["b"]], R, ["hypotheses", "segment 2", "list"]),
    "bytes among hypotheses": (["a", b"b"], R, ["hypotheses", "segment 2", "bytes"]),
    "NaN among hypotheses": (["a", math.nan], R, ["hypotheses", "segment 2", "float"]),
    "number among references": (H, ["a", 5], ["references", "segment 2", "int"]),
    "number among a segment's references": (H, [["a"], ["b", 5]], ["references", "segment 2", "int"]),
    "segment without reference": (H, [["a"], []], ["references", "segment 2", "none"]),
    "segment with None for references": (H, [["a"], None], ["references", "segment 2", "None"]),
    "segment with only None as reference": (H, [["a"], [None]], ["references", "segment 2", "none"]),
    "set of hypotheses": ({"a", "b"}, R, ["hypotheses", "set"]),
    "dict of hypotheses": ({"a": 1}, R, ["hypotheses", "dict"]),
    "dict of references": (H, {"a": "b", "c": "d"}, ["references", "dict"]),
}


@every_default
@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("verb", ["corpus", "segments", "mean", "statistics"])
def test_refused(law_of, case, verb):
    hypotheses, references, said = REFUSED[case]
    if "reference" in case and not law_of.reads_references:
        if enough(law_of, hypotheses):
            assert law_of.statistics(hypotheses, references).references == (0, 0)  # whatever they are
        return
    with pytest.raises(UnderstudyError) as caught:
        getattr(law_of, verb)(hypotheses, references)
    message = str(caught.value)
    assert message.strip()
    assert "\n" not in message
    for words in said:
        assert words in message
    assert isinstance(caught.value, (ValueError, TypeError))  # what Python code that knows no better expects


@every_default
def test_statistics_of_different_metrics_do_not_add_up(law_of):
    statistics = law_of.statistics(H, R)
    foreign = dataclasses.replace(statistics, spec="another")
    for mixed in (lambda: statistics + foreign, lambda: Statistics.concatenate([statistics, foreign])):
        with pytest.raises(UnderstudyError, match="do not add up"):
            mixed()


@every_default
def test_a_metric_signs_only_what_it_counted(law_of):
    """Counts of another metric may look like its own, and their score would not say whose they are."""
    statistics = law_of.statistics(H, R)
    foreign = dataclasses.replace(statistics, spec="another")
    for verb in ("corpus_score", "segment_scores", "mean_score"):
        getattr(law_of, verb)(statistics)
        with pytest.raises(UnderstudyError, match="statistics of another, expected those of") as caught:
            getattr(law_of, verb)(foreign)
        assert "\n" not in str(caught.value)
    assert np.array_equal(law_of.score(foreign), law_of.score(statistics))
