"""METEOR against the program itself: its options, stage by stage, and its other languages.

Without paraphrases the program starts at once, so that many runs cost little.
"""

from __future__ import annotations

import numpy as np
import pytest

from material.meteor_program import (
    ENGLISH,
    as_counted_here,
    by_stage,
    compare,
    counted_by_java,
    hostile_pairs,
    needs_meteor,
)
from understudy import METEOR

pytestmark = needs_meteor


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({"stages": "exact"}, ["-norm", "-m", "exact"]),
        ({"stages": "stem"}, ["-norm", "-m", "stem"]),
        ({"stages": "synonym", "task": "hter"}, ["-norm", "-m", "synonym", "-t", "hter"]),
        ({"stages": "exact+synonym", "task": "adq"}, ["-norm", "-m", "exact synonym", "-t", "adq"]),
        (
            {"stages": "exact+stem+synonym", "tokenize": "norm-nopunct"},
            ["-norm", "-noPunct", "-m", "exact stem synonym"],
        ),
        ({"stages": "exact+stem+synonym", "tokenize": "split"}, ["-lower", "-m", "exact stem synonym"]),
        (
            {"stages": "exact+stem", "tokenize": "split", "lowercase": False, "beam": 3},
            ["-m", "exact stem", "-x", "3"],
        ),
        (
            {"stages": "exact+stem", "characters": True, "task": "util"},
            ["-norm", "-ch", "-t", "util", "-m", "exact stem"],
        ),
        (
            {"stages": "exact+stem", "alpha": 0.3, "beta": 2.0, "gamma": 0.9, "delta": 0.1, "weights": (0.9, 0.35)},
            ["-norm", "-m", "exact stem", "-p", "0.3 2 0.9 0.1", "-w", "0.9 0.35"],
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_every_option(settings, options):
    compare(METEOR(**{"language": "en", **settings}), hostile_pairs(1_500, seed=2), "-l", "en", *options)


@pytest.mark.parametrize("language", ["cz", "de", "es", "fr", "ru"])
def test_the_normalisers_of_other_languages(language):
    metric = METEOR(language=language, stages="exact")
    compare(metric, hostile_pairs(1_500, seed=3), "-l", language, "-norm", "-m", "exact")


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl", "pt", "ro", "tr", "se", "no"])
def test_stems_of_other_languages(language):
    """On English words and made-up endings; snowballstemmer 2 has the program's rules for them."""
    endings = ["", "s", "en", "es", "ar", "amente", "ung", "ation", "ement", "mente", "heid", "et", "lar"]
    pairs = [
        (" ".join(stem + ending for stem in ENGLISH[i : i + 6]), [" ".join(ENGLISH[i : i + 6])])
        for i in range(0, len(ENGLISH) - 6, 2)
        for ending in endings
    ]
    metric = METEOR(language=language, stages="exact+stem", tokenize="split")
    theirs = counted_by_java(pairs, "-l", language, "-lower", "-m", "exact stem")
    ours = metric.statistics(*map(list, zip(*pairs, strict=True))).array
    assert np.array_equal(ours, by_stage(as_counted_here(theirs), metric))
