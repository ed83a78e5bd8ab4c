"""What learned combinations refuse, and what they say then."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

from understudy import UnderstudyError, metric
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn

pytest.importorskip("sklearn")

SCORES = np.arange(24.0).reshape(2, 12) ** 1.5 % 7
NAMES = [f"{number // 3}" for number in range(12)]
TARGET = Target.of_scores(("a", "b"), SCORES, "mqm")
ONE = [Feature("bleu", SCORES[::-1])]


def gappy(scores, rows, columns):
    changed = scores.copy()
    changed[rows, columns] = np.nan
    return changed


REFUSED = {
    "no parts": (lambda: learn([], TARGET, NAMES), ["without metrics"]),
    "a part twice": (lambda: learn(ONE * 2, TARGET, NAMES), ["'bleu'", "twice"]),
    "unknown method": (
        lambda: learn(ONE, TARGET, NAMES, method="rigde"),
        ["'rigde'", "Did you mean 'ridge'"],
    ),
    "a method of labels": (
        lambda: learn(ONE, TARGET, NAMES, method="svm"),
        ["svm", "human scores", "ridge or lasso"],
    ),
    "a method of scores": (
        lambda: learn(ONE, Target.human_or_machine(("a", "b"), ["b"], 12), NAMES, method="ridge"),
        ["ridge", "which translations are human", "svm or logistic"],
    ),
    "one fold": (lambda: learn(ONE, TARGET, NAMES, folds=1), ["1 folds", "at least 2"]),
    "unknown grouping": (
        lambda: learn(ONE, TARGET, NAMES, grouping="system"),
        ["'system'", "none or segment"],
    ),
    "labels within segments": (
        lambda: learn(ONE, Target.human_or_machine(("a", "b"), ["b"], 12), NAMES, grouping="segment"),
        ["'segment'", "expected none"],
    ),
    "two documents": (
        lambda: learn(ONE, TARGET, [f"{number // 6}" for number in range(12)]),
        ["2 documents", "at least 3"],
    ),
    "one judged document": (
        lambda: learn(ONE, Target.of_scores(("a", "b"), gappy(SCORES, slice(None), slice(3, None))), NAMES),
        ["1 document,", "at least 3"],
    ),
    "documents of other segments": (lambda: learn(ONE, TARGET, NAMES[:5]), ["5 segments", "12"]),
    "constant metrics": (
        lambda: learn([Feature("bleu", np.full((2, 12), 0.1))], TARGET, NAMES),
        ["bleu gives all translations with human scores the same score"],
    ),
    "constant scores": (
        lambda: learn(ONE, Target.of_scores(("a", "b"), np.full((2, 12), 4.0), "mqm"), NAMES),
        ["'mqm' is 4", "24 translations", "nothing to fit"],
    ),
    "constant within segments": (
        lambda: learn(
            ONE, Target.of_scores(("a", "b"), np.tile(SCORES[0], (2, 1))), NAMES, grouping="segment"
        ),
        ["equal for all translations of a segment"],
    ),
    "other systems": (
        lambda: learn([Feature("bleu", SCORES[:1])], TARGET, NAMES),
        ["bleu", "(1, 12)", "(2, 12)"],
    ),
    "infinite": (lambda: learn([Feature("bleu", SCORES / 0.0)], TARGET, NAMES), ["bleu is inf", "1e+100"]),
    "too large to be squared": (
        lambda: learn([Feature("bleu", 1e300 * SCORES)], TARGET, NAMES),
        ["bleu is ", "between -1e+100 and 1e+100"],
    ),
    "infinite people": (
        lambda: learn(ONE, Target.of_scores(("a", "b"), np.full((2, 12), np.inf), "mqm"), NAMES),
        ["'mqm' is inf", "1e+100"],
    ),
    "nothing has all scores": (
        lambda: learn([*ONE, Feature("comet", np.full((2, 12), np.nan))], TARGET, NAMES),
        ["no translation has all scores", "bleu 0", "comet 24", "mqm 0"],
    ),
    "nobody human": (lambda: Target.human_or_machine(("a", "b"), [], 12), ["no system is human"]),
    "everybody human": (lambda: Target.human_or_machine(("a", "b"), ["a", "b"], 12), ["all systems"]),
    "unknown human": (
        lambda: Target.human_or_machine(("nmt", "refB"), ["refC"], 12),
        ["'refC'", "Did you mean 'refB'"],
    ),
    "no human translation with scores": (
        lambda: learn(
            [Feature("bleu", gappy(SCORES, 1, slice(None)))],
            Target.human_or_machine(("a", "b"), ["b"], 12),
            NAMES,
        ),
        ["by machines", "expected human and machine"],
    ),
    "human translations in one document": (
        lambda: learn(
            [Feature("bleu", gappy(SCORES, 1, slice(3, None)))],
            Target.human_or_machine(("a", "b"), ["b"], 12),
            NAMES,
        ),
        ["without the documents of one fold", "by machines"],
    ),
    "a metric without references": (
        lambda: Feature("self-bleu", SCORES, metric("self-bleu")),
        ["self-bleu", "set of texts", "Omit it"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.filterwarnings("ignore:invalid value")
def test_refused(case):
    call, said = REFUSED[case]
    with pytest.raises(UnderstudyError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    for words in said:
        assert words in message


def test_without_scikit_learn_the_cure_is_told(monkeypatch):
    imported = builtins.__import__

    def without(name, *args, **options):
        if name.partition(".")[0] == "sklearn":
            raise ImportError(name)
        return imported(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UnderstudyError, match=r"need scikit-learn: pip install 'understudy-mt\[learned\]'"):
        learn(ONE, TARGET, NAMES)
