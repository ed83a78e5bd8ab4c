"""What is wrong with a campaign before anyone sees it: what makes it impossible, and what makes it doubtful."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations

from understudy.errors import BadInput, BadParameter
from understudy.judging.campaigns.campaign_plan import CampaignPlan
from understudy.judging.campaigns.design import CampaignDesign, Problem
from understudy.judging.campaigns.practice import practice_for
from understudy.judging.campaigns.texts import CampaignTexts
from understudy.judging.protocols.protocol import RANKED, Protocol
from understudy.wording import listed

_UNEVEN = 1.25  # of the largest and the smallest share
_MANY_ITEMS = 1000  # per judge
_LONG_TEXT = 5000  # characters
_SHOWN = 3  # segments or names in a message


def refuse_impossible(texts: CampaignTexts, protocol: Protocol, plan: CampaignPlan) -> None:
    """Raise an error for a campaign that cannot be run."""
    for system in texts.outputs:
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in system):
            raise BadInput(
                f"system {system!a}: expected a name in UTF-8 without control characters, which tables and pages "
                "can show. Rename the file, or give its name with NAME=FILE."
            )
    groups = plan.judges_by_group()
    for group in groups:
        shown = {text for step in protocol.for_group(group).steps for text in step.shows}
        for text, have, option in (
            ("source", texts.sources, "--source"),
            ("reference", texts.references, "-r"),
        ):
            if text in shown and have is None:
                whom = f" to the group '{group}'" if group else ""
                raise BadInput(
                    f"protocol '{protocol.name}' shows the {text}{whom}, but there is none. Add it with {option}, or "
                    "use another protocol."
                )
    _check_screens(texts, protocol, plan)
    if plan.documents and texts.documents is None:
        raise BadInput(
            "documents cannot be kept together: none are known. Give a table with a column `document` with --labels."
        )
    kind = plan.assignment_for(protocol)
    per_item = plan.judgments_per_item
    if per_item is not None and kind == "same":
        raise BadParameter(
            "judgments_per_item has no effect if all judges judge the same. Omit it, or use shares."
        )
    fewest = min(map(len, groups.values()))
    if per_item is not None and per_item > fewest:
        raise BadParameter(
            f"judgments_per_item={per_item}: expected at most {fewest}, the number of judges in a group."
        )


def _check_screens(texts: CampaignTexts, protocol: Protocol, plan: CampaignPlan) -> None:
    bounds = protocol.outputs
    size = plan.outputs_per_screen
    if size is not None and not bounds.at_least <= size <= bounds.at_most:
        expected = str(bounds.at_least) + (
            f" to {bounds.at_most}" if bounds.at_most > bounds.at_least else ""
        )
        raise BadParameter(
            f"outputs_per_screen={size}: expected {expected} for the protocol '{protocol.name}'."
        )
    if bounds.at_most == 1 and plan.screens_per_segment is not None:
        raise BadParameter("screens_per_segment has no effect if a screen has one output. Omit it.")
    ranked = any(step.widget in RANKED for step in protocol.steps)
    if ranked and len(texts.outputs) < 2:
        raise BadInput(f"protocol '{protocol.name}' compares systems, but there is one. Add a system.")


def problems_of(design: CampaignDesign, texts: CampaignTexts) -> list[Problem]:
    """What is doubtful about a campaign, the serious problems first."""
    found = [
        *_of_texts(design, texts),
        *_of_systems(design, texts),
        *(_of_shares(design) if design.blocks else ()),
        *(_of_hidden_items(design) if design.blocks else ()),
        *_of_practice(design),
        *_of_scales(design.protocol),
    ]
    return sorted(found, key=lambda problem: not problem.serious)


def _of_texts(design: CampaignDesign, texts: CampaignTexts) -> Iterator[Problem]:
    rows = [segment.number - 1 for segment in design.segments if segment.number is not None]
    for system, outputs in texts.outputs.items():
        if empty := [row + 1 for row in rows if not outputs[row].strip()]:
            yield Problem(False, f"'{system}' has {_count(len(empty), 'empty output')}: {_segments(empty)}.")
        if long := [row + 1 for row in rows if len(outputs[row]) > _LONG_TEXT]:
            yield Problem(
                False, f"'{system}' has outputs of more than {_LONG_TEXT:,} characters: {_segments(long)}."
            )
    shown = {
        text
        for group in design.plan.judges_by_group()
        for step in design.protocol.for_group(group).steps
        for text in step.shows
    }
    for what, column in (("source", texts.sources), ("reference", texts.references)):
        if (
            what in shown
            and column is not None
            and (empty := [row + 1 for row in rows if not column[row].strip()])
        ):
            yield Problem(
                True, f"{_count(len(empty), f'{what} text')} that judges see is empty: {_segments(empty)}."
            )
    if design.plan.context and texts.documents is None:
        yield Problem(
            False, "No documents are known: the context is whatever comes before and after in the files."
        )


def _of_systems(design: CampaignDesign, texts: CampaignTexts) -> Iterator[Problem]:
    rows = [segment.number - 1 for segment in design.segments if segment.number is not None]
    for first, second in combinations(texts.outputs, 2):
        if all(texts.outputs[first][row] == texts.outputs[second][row] for row in rows):
            yield Problem(
                True, f"'{first}' and '{second}' have the same outputs throughout. Is one file given twice?"
            )
    same = [row + 1 for row in rows if len({outputs[row] for outputs in texts.outputs.values()}) == 1]
    if same and len(texts.outputs) > 1:
        told = (
            "They are not shown"
            if any(s.widget in RANKED for s in design.protocol.steps)
            else "They are judged once"
        )
        yield Problem(False, f"All systems have the same output in {_count(len(same), 'segment')}. {told}.")
    if not design.blocks:
        yield Problem(True, "Nothing is left to judge.")


def _of_shares(design: CampaignDesign) -> Iterator[Problem]:
    plan, kind = design.plan, design.plan.assignment_for(design.protocol)
    if len(plan.judges) == 1:
        yield Problem(False, "There is one judge: inter-annotator agreement cannot be measured.")
    elif kind == "shares" and plan.judgments_per_item == 1:
        yield Problem(False, "Each item has one judgment: inter-annotator agreement cannot be measured.")
    main = {task.id for task in design.tasks if task.role == "main"}
    if kind not in ("same", "shares"):
        if len(main) < len(plan.judges):
            yield Problem(
                True, f"{_count(len(main), 'item')} for {len(plan.judges)} judges: some will have none."
            )
        return
    loads = {judge: sum(task in main for task in tasks) for judge, tasks in design.assignments.items()}
    if idle := [judge for judge, load in loads.items() if load == 0]:
        yield Problem(
            True,
            f"{_count(len(idle), 'judge')} would have nothing to judge: {_names(idle)}. Use fewer judges.",
        )
    elif max(loads.values()) > _UNEVEN * min(loads.values()):
        low, high = min(loads.values()), max(loads.values())
        yield Problem(
            False, f"Shares are uneven: from {low:,} to {high:,} items. Use more items or fewer judges."
        )
    if max(loads.values()) > _MANY_ITEMS:
        yield Problem(
            False, f"A judge has up to {max(loads.values()):,} items. Use fewer segments, or more judges."
        )


def _of_hidden_items(design: CampaignDesign) -> Iterator[Problem]:
    plan, by_id = design.plan, design.by_id
    fixed = plan.assignment_for(design.protocol) in ("same", "shares")
    for role, share, why in (
        ("repeat", plan.repeats, "self-agreement cannot be measured. Use more items"),
        ("control", plan.controls, "careless judges cannot be detected. Use more items, or longer outputs"),
    ):
        if share == 0:
            continue
        if not any(task.role == role for task in design.tasks):
            yield Problem(False, f"No hidden {role}s are possible: {why}.")
        elif fixed:
            roles = {
                judge: {by_id[task].role for task in tasks} for judge, tasks in design.assignments.items()
            }
            if without := [judge for judge, of_judge in roles.items() if role not in of_judge]:
                yield Problem(
                    False, f"{_count(len(without), 'judge')} without hidden {role}s: {_names(without)}."
                )


def _of_practice(design: CampaignDesign) -> Iterator[Problem]:
    plan, protocol = design.plan, design.protocol
    if plan.target_language is None:
        yield Problem(
            False,
            "The target language is unknown: there is no practice round, and screen readers may mispronounce the "
            "outputs. Add --lang, such as de-en.",
        )
        return
    if not plan.practice:
        return
    for group in plan.judges_by_group():
        if not practice_for(protocol.for_group(group), plan.source_language, plan.target_language):
            pair = f"{plan.source_language or '?'}-{plan.target_language}"
            whom = f" for the group '{group}'" if group else ""
            yield Problem(
                False,
                f"Protocol '{protocol.name}' has no practice items in {pair}{whom}. Copy the protocol and add some."
                + ("" if plan.source_language else " Or add the source language: --lang de-en."),
            )


def _of_scales(protocol: Protocol) -> Iterator[Problem]:
    for step in protocol.steps:
        scale = step.scale
        if scale is None or step.widget != "scale":
            continue
        if not scale.labels and not scale.descriptions:
            yield Problem(True, f"Step '{step.name}' has no labels: judges cannot know what its values mean.")
        elif not scale.descriptions and (missing := [p for p in scale.points() if p not in scale.labels]):
            yield Problem(
                False, f"Step '{step.name}' has no label for {listed(missing)}, and no descriptions."
            )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _segments(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _SHOWN:,} more" if len(numbers) > _SHOWN else ""
    return f"segment{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers[:_SHOWN]))}{more}"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
