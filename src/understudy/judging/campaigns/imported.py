"""Campaigns of judgments that were collected elsewhere: they have results and exports, and nobody judges in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from understudy.judging.campaigns.design_rows import IMPORTED, Rows, judge_row, new_campaign_facts
from understudy.judging.campaigns.progress import CampaignStatus, JudgeProgress
from understudy.judging.judgments import (
    Annotated,
    Controls,
    Judgments,
    Question,
    Rankings,
    Ratings,
    Spans,
    Texts,
)

_PARTS: dict[str, type] = {"rankings": Rankings, "spans": Spans, "controls": Controls, "texts": Texts}
_COLUMNS = {"i": np.int64, "f": np.float64, "b": np.bool_}  # by the kind of their values


def imported_rows(judgments: Judgments, name: str) -> Rows:
    """All rows of a new campaign."""
    groups = judgments.groups or (None,) * len(judgments.judges)
    facts = {**new_campaign_facts(name), IMPORTED: _stored(judgments)}
    return {
        "meta": [{"name": key, "value": value} for key, value in facts.items()],
        "judges": [
            judge_row(judge, group, "judge", id)
            for id, (judge, group) in enumerate(zip(judgments.judges, groups, strict=True), 1)
        ],
    }


def imported_judgments(facts: Mapping[str, Any]) -> Judgments:
    """The judgments of a campaign that has them."""
    stored = facts[IMPORTED]
    parts = {name: stored[name] and _restored(kind, stored[name]) for name, kind in _PARTS.items()}
    return Judgments(
        name=facts["name"],
        protocol=stored["protocol"],
        questions=tuple(Question(**each) for each in stored["questions"]),
        ratings={name: _restored(Ratings, each) for name, each in stored["ratings"].items()},
        **{
            name: _tuple(stored[name])
            for name in ("systems", "judges", "segments", "groups", "documents", "notes")
        },
        **parts,
    )


def imported_status(judgments: Judgments) -> CampaignStatus:
    """What every judge judged: translations of each question, and rankings."""
    done = np.zeros(len(judgments.judges), dtype=np.int64)
    for ratings in judgments.ratings.values():
        done += np.bincount(ratings.answers.judge, minlength=len(done))
    if judgments.rankings is not None:
        _, first = np.unique(judgments.rankings.screen, return_index=True)
        done += np.bincount(judgments.rankings.judge[first], minlength=len(done))
    groups = judgments.groups or (None,) * len(judgments.judges)
    judges = zip(judgments.judges, groups, done.tolist(), strict=True)
    progress = (JudgeProgress(name, group, count, count, None, None, False) for name, group, count in judges)
    return CampaignStatus(judgments.name, judgments.protocol, tuple(progress))


def _stored(value: Any) -> Any:
    """As JSON can hold it: arrays with the kind of their values, None for what is not a number."""
    if isinstance(value, np.ndarray):
        values = value.tolist()
        if value.dtype.kind == "f":
            values = [None if np.isnan(each) else each for each in values]
        return {"kind": value.dtype.kind, "values": values}
    if isinstance(value, Mapping):
        return {name: _stored(each) for name, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [_stored(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: _stored(getattr(value, each.name)) for each in fields(value)}
    return value


def _restored(kind: type, stored: Mapping[str, Any]) -> Any:
    return kind(
        **{
            name: _restored(Annotated, value) if name == "annotated" else _column(value)
            for name, value in stored.items()
        }
    )


def _column(stored: Any) -> Any:
    if not isinstance(stored, Mapping):
        return _tuple(stored)
    values = [float("nan") if each is None else each for each in stored["values"]]
    return np.array(values, dtype=_COLUMNS[stored["kind"]])


def _tuple(stored: Any) -> Any:
    return tuple(_tuple(each) for each in stored) if isinstance(stored, list) else stored
