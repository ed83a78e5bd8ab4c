"""Campaigns for tests: made-up texts in which every output can be told from its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from understudy import Corpus
from understudy.judging.campaigns.campaign_plan import CampaignPlan, planned_judges
from understudy.judging.campaigns.design import CampaignDesign
from understudy.judging.campaigns.planning import plan_campaign
from understudy.judging.protocols.reading import protocol


def texts(system: str, segments: int) -> list[str]:
    return [f"{system}{segment} says words number{segment} and more{segment}" for segment in range(segments)]


def corpus(systems: int, segments: int, documents: Sequence[str] | None = None, **changed: Any) -> Corpus:
    """`changed` replaces the outputs of systems, by name: a, b, c."""
    outputs = {name: changed.get(name, texts(name, segments)) for name in "abcdefghij"[:systems]}
    sources = [f"source {segment}" for segment in range(segments)]
    references = [f"reference {segment}" for segment in range(segments)]
    return Corpus.of_texts(outputs, references, sources=sources, documents=documents)


def campaign(
    name: str = "da",
    *,
    systems: int = 3,
    segments: int = 20,
    judges: Any = 3,
    given: Any = None,
    **options: Any,
) -> CampaignDesign:
    chosen = protocol(name)
    plan = CampaignPlan(planned_judges(chosen, judges), **options)
    return plan_campaign(corpus(systems, segments) if given is None else given, chosen, plan)


def times_seen(design: CampaignDesign, tasks: Sequence[int]) -> dict[str, int]:
    """How often every system is credited by main tasks."""
    found = dict.fromkeys(design.systems, 0)
    for task in tasks:
        if design.by_id[task].role == "main":
            for system in design.systems_of(design.by_id[task]):
                found[system] += 1
    return found


def spread(counts: dict[str, int]) -> int:
    return max(counts.values()) - min(counts.values())
