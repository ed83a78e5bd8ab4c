"""Laws of what every metric refuses: input that cannot be meant, and statistics of another."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from material.every_metric import every_default
from understudy import Statistics, UnderstudyError

H, R = ["a b c d", "e f g h"], [["a b c d"], ["e f g h"]]

REFUSED = {
    "bare string": ("a b c d", R, ["hypotheses", "got a single str"]),
    "bare bytes": (b"a b c d", R, ["hypotheses", "got a single bytes"]),
    "bare string for references": (H, "a b c d", ["references", "got a single str"]),
    "transposed references": (H, [["a b", "e f"]] * 3, ["references", "transposed", "3 lists of 2"]),
    "too few references": (H, ["a b c d"], ["2 segments", "references", "have 1"]),
    "too many references": (H, [*R, ["x"]], ["2 segments", "references", "have 3"]),
    "several references of one segment, ungrouped": (
        ["a b"],
        ["a b", "a c"],
        ["1 segment,", "[[first, second]]"],
    ),
    "no hypotheses": ([], [], ["hypotheses", "no segments"]),
    "no references": (H, [], ["references", "empty"]),
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
        if len(hypotheses) > 1:
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
        with pytest.raises(UnderstudyError, match="cannot add statistics"):
            mixed()


@every_default
def test_a_metric_signs_only_what_it_counted(law_of):
    """Counts of another metric may look like its own, and their score would not say whose they are."""
    statistics = law_of.statistics(H, R)
    foreign = dataclasses.replace(statistics, spec="another")
    for verb in ("corpus_score", "segment_scores", "mean_score"):
        getattr(law_of, verb)(statistics)
        with pytest.raises(UnderstudyError, match="got statistics of another") as caught:
            getattr(law_of, verb)(foreign)
        assert "\n" not in str(caught.value)
    assert np.array_equal(law_of.score(foreign), law_of.score(statistics))
