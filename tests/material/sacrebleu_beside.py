"""The sacreBLEU installed beside us and its façade here: the same call on either side, and what a score shows."""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import json
import pkgutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sacrebleu")
import sacrebleu

import understudy.compat.sacrebleu as facade

HYPOTHESES = ["The cat sat on the mat.", "It's raining, isn't it?", "42."]
REFERENCES: list[list[str | None]] = [
    ["The cat is on the mat.", "It rains, doesn't it?", "42."],
    ["A cat sat on the mat.", "Isn't it raining?", None],
]

MODULES = [
    "sacrebleu",
    *(
        found.name
        for found in pkgutil.walk_packages(sacrebleu.__path__, "sacrebleu.")
        if not found.name.endswith("__main__")
    ),
]

# What is not here, and why.
ABSENT = {"sacrebleu.version": {"TYPE_CHECKING": "of the typing module"}}


def public_names(module: str) -> list[str]:
    """What a module of sacreBLEU itself defines."""
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    names: list[str] = []
    for node in ast.parse(Path(found.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def both(name: str, *arguments: Any, **settings: Any) -> tuple[Any, Any]:
    """The same call on either side: ours, theirs."""
    return getattr(facade, name)(*arguments, **settings), getattr(sacrebleu, name)(*arguments, **settings)


def shown(score: Any) -> str:
    """The class and every attribute, such that 1 and 1.0 differ, every digit counts, and the order does, too."""
    return json.dumps([type(score).__name__, vars(score), str(score), repr(score)])


def parameters(path: str, module: Any) -> list[tuple[str, Any, Any]]:
    """Names, defaults and kinds of the parameters of what the path leads to."""
    found = functools.reduce(getattr, path.split("."), module)
    return [(p.name, p.default, p.kind) for p in inspect.signature(found).parameters.values()]


def assert_scored_alike(
    name: str, hypotheses: list[str], references: list[list[str | None]], **chosen: Any
) -> set[tuple[Any, ...]]:
    """By the metric of that name, as a corpus and segment by segment. Returns the segments."""
    ours, theirs = both(name, **chosen)
    # What sacreBLEU's corpus_score and sentence_score do, but every segment only once: it is slow.
    counted = theirs._extract_corpus_statistics(hypotheses, references)
    assert shown(ours.corpus_score(hypotheses, references)) == shown(theirs._aggregate_and_compute(counted))
    assert ours.num_refs == theirs.num_refs
    assert str(ours.get_signature()) == str(theirs.get_signature())
    segments = list(zip(hypotheses, *references, strict=True))
    for (hypothesis, *group), row in zip(segments, counted, strict=True):
        score = shown(ours.sentence_score(hypothesis, group))
        assert score == shown(theirs._aggregate_and_compute([row])), (hypothesis, *group)
    return set(segments)
