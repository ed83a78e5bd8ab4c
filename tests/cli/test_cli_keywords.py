"""One name for one thing: the keyword of a function is the name of the command's flag."""

from __future__ import annotations

import inspect
from dataclasses import fields

import click
import pytest

import understudy
from understudy import TunePlan
from understudy.cli import program
from understudy.comparing.plan import Plan
from understudy.deciding.plan import DecisionPlan
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.probing.plan import ProbePlan
from understudy.trusting.plan import TrustPlan

FUNCTIONS = {
    "score": ("score", "score_with_intervals"),
    "compare": ("compare", "compare_scores", "break_down", "study_references"),
    "explain": ("explain",),
    "trust": ("trust", "trust_by_order", "trust_sets", "span_agreement"),
    "probe": ("probe", "probe_pairs", "list_perturbations"),
    "parse": ("parse",),
    "tune": ("tune",),
    "decide": ("decide", "decide_in_parts"),
}
PLANS = {
    "compare": (Plan,),
    "trust": (TrustPlan,),
    "probe": (ProbePlan, ChallengePlan),
    "decide": (DecisionPlan,),
    "tune": (TunePlan,),
}
# Arguments of the command, and what only Python has: documents are among --labels, --breakdown finds enough n-grams.
NO_FLAG = {
    "system",
    "systems",
    "segments of parse",
    "progress",
    "documents",
    "plan",
    "confidence of score",
    "ngrams",
    "nbest",
    "path of decide",
    "settings of decide",
}


def keywords(command: str) -> list[str]:
    found = [
        name
        for each in FUNCTIONS[command]
        for name in inspect.signature(getattr(understudy, each)).parameters
    ]
    found += [field.name for plan in PLANS.get(command, ()) for field in fields(plan)]
    return [name for name in dict.fromkeys(found) if not {name, f"{name} of {command}"} & NO_FLAG]


def flags(command: str) -> set[str]:
    found = program.get_command(click.Context(program), command)
    assert found is not None
    options = found.params
    return {flag.lstrip("-").replace("-", "_") for option in options for flag in option.opts}


@pytest.mark.parametrize(
    ("command", "keyword"), [(name, word) for name in FUNCTIONS for word in keywords(name)]
)
def test_a_keyword_is_the_name_of_a_flag(command: str, keyword: str) -> None:
    assert {keyword, keyword.removesuffix("s")} & flags(
        command
    )  # --metric may be given several times: metrics
