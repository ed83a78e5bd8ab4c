"""The design of a campaign: what is judged, by whom and in which order."""

from __future__ import annotations

from dataclasses import replace

from understudy.corpus.corpus import Corpus
from understudy.judging.campaigns.assignment import USUAL_JUDGMENTS, judges_of_parts
from understudy.judging.campaigns.campaign_plan import CampaignPlan
from understudy.judging.campaigns.design import CampaignDesign
from understudy.judging.campaigns.drafting import Draft
from understudy.judging.campaigns.items import ScreenRule, screens_of
from understudy.judging.campaigns.judge_order import FIXED, JudgeOrder, Part, merged
from understudy.judging.campaigns.practice import practice_for
from understudy.judging.campaigns.prefilled import checked_prefilled
from understudy.judging.campaigns.problems import problems_of, refuse_impossible
from understudy.judging.campaigns.selection import segment_scores, selected_segments
from understudy.judging.campaigns.texts import CampaignTexts
from understudy.judging.protocols.protocol import RANKED, Protocol
from understudy.resampling.randomness import generator
from understudy.text.languages import language_of


def plan_campaign(corpus: Corpus, protocol: Protocol, plan: CampaignPlan) -> CampaignDesign:
    """Design a campaign. What makes it impossible is an error; `problems` of the design tells what is doubtful. The
    same input and seed give the same design.

    >>> from understudy.judging.campaigns.campaign_plan import planned_judges
    >>> from understudy.judging.protocols.reading import protocol
    >>> corpus = Corpus.read(["examples/system-strong.en", "examples/system-weak.en"], ["examples/reference-1.en"])
    >>> chosen = protocol("adequacy-fluency")
    >>> plan = CampaignPlan(planned_judges(chosen, 3), segments=9, repeats=0, controls=0)
    >>> design = plan_campaign(corpus, chosen, plan)
    >>> {judge: len(tasks) for judge, tasks in design.assignments.items()}
    {'judge-1': 12, 'judge-2': 12, 'judge-3': 12}
    """
    texts = CampaignTexts.of(corpus)
    refuse_impossible(texts, protocol, plan)
    return _Planning(corpus, texts, protocol, plan).design()


class _Planning:
    def __init__(self, corpus: Corpus, texts: CampaignTexts, protocol: Protocol, plan: CampaignPlan) -> None:
        self.corpus, self.texts, self.protocol, self.plan = corpus, texts, protocol, plan
        prefilled = checked_prefilled(plan.prefilled, protocol, texts)
        self.draft = Draft(texts, plan.seed, prefilled, plan.context)
        self.kind = plan.assignment_for(protocol)
        self.systems = tuple(corpus.systems)

    def design(self) -> CampaignDesign:
        rows = self._rows()
        units = [self.draft.add_segment(row) for row in rows]
        members = self._members(rows)
        judges = self._judges([sum(len(units[segment]) for segment in part) for part in members])
        parts = self._parts(members, judges, units)
        practice = self._practice()
        sequences = self._sequences(parts, judges)
        tasks, new = self.draft.blind(generator(self.plan.seed, "identifiers"))
        design = CampaignDesign(
            protocol=self.protocol,
            plan=self.plan,
            systems=self.systems,
            segments=tuple(self.draft.segments),
            outputs=tuple(self.draft.outputs),
            tasks=tasks,
            blocks=tuple(tuple(new[task] for task in block) for part in parts for _, block in part),
            assignments={
                judge.name: tuple(new[task] for task in (*practice[judge.group], *sequences[judge.name]))
                for judge in self.plan.judges
            },
        )
        return replace(design, problems=tuple(problems_of(design, self.texts)))

    def _rows(self) -> list[int]:
        return selected_segments(
            self.corpus,
            self.plan.selection(),
            self.plan.wanted_segments(len(self.texts)),
            generator(self.plan.seed, "selection"),
            metric=self.plan.metric,
            documents=self.texts.by_document() if self.plan.documents else None,
        )

    def _members(self, rows: list[int]) -> list[list[int]]:
        """The segments, as numbered in the draft, that are judged in one go: one, or those of a document."""
        if not self.plan.documents:
            return [[segment] for segment in range(len(rows))]
        known = {row: segment for segment, row in enumerate(rows)}
        return [
            [known[row] for row in document if row in known]
            for document in self.texts.by_document()
            if document[0] in known
        ]

    def _judges(self, sizes: list[int]) -> list[list[int]]:
        """The judges of every part, by number; for a pool, and if all judge the same, one for all."""
        if self.kind != "shares":
            return [[0] for _ in sizes]
        found: list[list[int]] = [[] for _ in sizes]
        numbers = {judge.name: number for number, judge in enumerate(self.plan.judges)}
        for group, names in self.plan.judges_by_group().items():
            wanted = self.plan.judgments_per_item or min(USUAL_JUDGMENTS, len(names))
            rng = generator(self.plan.seed, "shares", group or "")
            of_group = judges_of_parts(sizes, [numbers[name] for name in names], wanted, rng)
            found = [[*others, *these] for others, these in zip(found, of_group, strict=True)]
        return found

    def _parts(
        self, members: list[list[int]], judges: list[list[int]], units: list[list[tuple[str, ...]]]
    ) -> list[Part]:
        of_segment = {segment: judges[part] for part, segments in enumerate(members) for segment in segments}
        rule = _screen_rule(self.protocol, self.plan, len(self.systems))
        by_segment = [of_segment[segment] for segment in range(len(units))]
        screens = screens_of(units, rule, by_segment, generator(self.plan.seed, "screens"))
        tasks = [
            [self.draft.add_main(segment, screen) for screen in screens[segment]]
            for segment in range(len(units))
        ]
        return [self._blocks([tasks[segment] for segment in part], rule.size) for part in members]

    def _blocks(self, tasks: list[list[int]], size: int) -> Part:
        """The tasks of a part by system, or by screen if a screen has several outputs. An output of several systems
        comes with the first of them.
        """
        numbered: dict[int, list[int]] = {}
        for of_segment in tasks:
            for screen, task in enumerate(of_segment):
                systems = self.draft.outputs[self.draft.tasks[task].outputs[0]].systems
                numbered.setdefault(self.systems.index(systems[0]) if size == 1 else screen, []).append(task)
        return [(number, tuple(block)) for number, block in sorted(numbered.items())]

    def _practice(self) -> dict[str | None, list[int]]:
        """The practice tasks of every group."""
        found: dict[str | None, list[int]] = {}
        made: dict[int, int] = {}
        source = self.plan.source_language and language_of(self.plan.source_language).code
        for group in self.plan.judges_by_group():
            protocol = self.protocol.for_group(group)
            usable = practice_for(protocol, self.plan.source_language, self.plan.target_language)
            for index in usable if self.plan.practice else ():
                item = self.protocol.practice[index]
                if index not in made:
                    made[index] = self.draft.add_practice(index, item, item.sources.get(source or ""))
            found[group] = [made[index] for index in usable if index in made]
        return found

    def _sequences(self, parts: list[Part], judges: list[list[int]]) -> dict[str, list[int]]:
        main = [task for part in parts for _, block in part for task in block]
        priority = self._priorities(main)
        degradable = self._degradable(priority)
        if self.kind not in FIXED:
            self._hide_in_pool(main, priority, degradable)
            return {judge.name: [] for judge in self.plan.judges}
        order = JudgeOrder(self.plan, self.plan.order_for(self.protocol) == "same", priority, degradable)
        found = {}
        for number, judge in enumerate(self.plan.judges):
            own = [
                part
                for part, of_part in zip(parts, judges, strict=True)
                if self.kind == "same" or number in of_part
            ]
            blocks, hidden = order.of(judge.name, own, parts)
            found[judge.name] = merged(
                blocks, [(after, self._variant(role, task)) for after, role, task in hidden]
            )
        return found

    def _variant(self, role: str, main: int) -> int | None:
        return self.draft.repeat_of(main) if role == "repeat" else self.draft.control_of(main)

    def _priorities(self, main: list[int]) -> dict[int, float]:
        """A number for every main task; the lowest are of all systems alike."""
        rng = generator(self.plan.seed, "priorities")
        seen: dict[str, int] = {}
        found = {}
        for index in rng.permutation(len(main)):
            system = self.draft.outputs[self.draft.tasks[main[int(index)]].outputs[0]].systems[0]
            found[main[int(index)]] = seen.get(system, 0) + float(rng.random())
            seen[system] = seen.get(system, 0) + 1
        return found

    def _degradable(self, priority: dict[int, float]) -> dict[int, float]:
        """Tasks for controls, with their priority: first those whose outputs a metric finds better than half of all,
        since an output at the end of the scale cannot get less; and rather not those that are repeated.
        """
        found = {task: -number for task, number in priority.items() if self.draft.may_be_degraded(task)}
        if self.corpus.references is None or not self.plan.controls or not found:
            return found
        scores = dict(zip(self.corpus.systems, segment_scores(self.corpus), strict=True))
        quality = {}
        for task in found:
            outputs = [self.draft.outputs[output] for output in self.draft.tasks[task].outputs]
            row = (self.draft.segments[self.draft.tasks[task].segment].number or 1) - 1
            quality[task] = sum(float(scores[output.systems[0]][row]) for output in outputs) / len(outputs)
        half = sorted(quality.values())[len(quality) // 2]
        return {task: number + len(priority) * (quality[task] < half) for task, number in found.items()}

    def _hide_in_pool(
        self, main: list[int], repeatable: dict[int, float], degradable: dict[int, float]
    ) -> None:
        """Repeats and controls of a share of all items. A judge gets those of items that he or she has judged."""
        repeated = sorted(repeatable, key=lambda task: repeatable[task])[
            : round(self.plan.repeats * len(main))
        ]
        for task in repeated:
            self.draft.repeat_of(task)
        others = [task for task in degradable if task not in set(repeated)]
        for task in sorted(others, key=lambda task: degradable[task])[
            : round(self.plan.controls * len(main))
        ]:
            self.draft.control_of(task)


def _screen_rule(protocol: Protocol, plan: CampaignPlan, systems: int) -> ScreenRule:
    """How the outputs of a segment are shown, by the protocol and the plan."""
    size = min(plan.outputs_per_screen or protocol.outputs.default, max(1, systems))
    ranked = any(step.widget in RANKED for step in protocol.steps)
    every_pair = (
        size == 2
        and ranked
        and plan.assignment_for(protocol) == "dynamic"
        and plan.screens_per_segment is None
    )
    return ScreenRule(size, plan.screens_per_segment, ranked, every_pair)
