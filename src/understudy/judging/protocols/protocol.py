"""Protocol: what judges see and what they are asked, as read from a file of data.

>>> from understudy.judging.protocols.reading import protocol
>>> chosen = protocol("adequacy-fluency")
>>> [(step.name, step.shows) for step in chosen.steps]
[('fluency', ('output',)), ('adequacy', ('output', 'reference'))]
>>> chosen.for_target("de").steps[0].scale.labels["5"]
'Flawless German'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from understudy.errors import BadParameter, did_you_mean
from understudy.text.language_names import language_name

WIDGETS = ("scale", "slider", "ranking", "pairwise", "spans")
RATED = ("scale", "slider")  # widgets whose answer is a number for every output
RANKED = ("ranking", "pairwise")  # widgets whose answer is a rank for every output
TEXTS = ("source", "output", "reference")  # that a step can show
SIDES = ("target", "source", "omission")  # where a span can be marked
UNITS = ("characters", "words")  # by which spans grow
LEVELS = ("ordinal", "interval")  # of measurement
MOST_OUTPUTS = 9  # per screen: one digit of the keyboard for each

# In labels, questions and instructions: replaced by the name of the target language, or left out if that is unknown.
_TARGET_LANGUAGE = "{target_language}"


@dataclass(frozen=True)
class Anchor:
    """A labeled position of a slider."""

    at: float
    label: str


@dataclass(frozen=True)
class Scale:
    """The values that a judge can give. Labels and descriptions are by value, written without needless decimals."""

    low: float
    high: float
    step: float
    level: str = "ordinal"
    labels: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    anchors: tuple[Anchor, ...] = ()

    def points(self) -> list[str]:
        """All values, as keys of labels and descriptions.

        >>> Scale(1, 3, 0.5).points()
        ['1', '1.5', '2', '2.5', '3']
        """
        count = round((self.high - self.low) / self.step)
        return [written(self.low + index * self.step) for index in range(count + 1)]

    def allows(self, value: float) -> bool:
        """Whether a judge can give this value."""
        steps = (value - self.low) / self.step
        return self.low <= value <= self.high and abs(steps - round(steps)) < 1e-9

    def as_json(self) -> dict[str, Any]:
        return {
            **{"low": self.low, "high": self.high, "step": self.step, "level": self.level},
            "labels": dict(self.labels),
            "descriptions": dict(self.descriptions),
            "anchors": [{"at": anchor.at, "label": anchor.label} for anchor in self.anchors],
        }


@dataclass(frozen=True)
class Severity:
    """How bad an error is, with its penalty."""

    name: str
    label: str
    key: str  # of the keyboard
    weight: float
    description: str = ""

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Category:
    """A type of error. Only a category without children can be chosen. The name of a child includes its parent's:
    accuracy/omission.
    """

    name: str
    label: str
    description: str = ""
    children: tuple[Category, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)  # by severity, instead of the severity's own

    def leaves(self) -> list[Category]:
        """The categories that can be chosen."""
        return [leaf for child in self.children for leaf in child.leaves()] if self.children else [self]

    def as_json(self) -> dict[str, Any]:
        children = [child.as_json() for child in self.children]
        return {
            "name": self.name,
            "label": self.label,
            "description": self.description,
            "children": children,
        }


@dataclass(frozen=True)
class Step:
    """One question about the outputs of a screen."""

    name: str
    widget: str
    question: str
    shows: tuple[str, ...]
    scale: Scale | None = None
    severities: tuple[Severity, ...] = ()
    categories: tuple[Category, ...] = ()
    sides: tuple[str, ...] = ()
    by: str = "characters"
    ties: bool = True
    choices: Mapping[str, str] = field(default_factory=dict)  # pairwise: labels of first, second and tie

    def leaf_categories(self) -> dict[str, Category]:
        """The categories that can be chosen, by name."""
        return {leaf.name: leaf for category in self.categories for leaf in category.leaves()}

    def penalty(self, category: str | None, severity: str) -> float:
        """The weight of an error: its category's weight for the severity if there is one, else the severity's."""
        weights = {known.name: known.weight for known in self.severities}
        if severity not in weights:
            raise BadParameter(f"unknown severity '{severity}'. {did_you_mean(severity, weights)}")
        leaves = self.leaf_categories()
        if not category or not leaves:
            return weights[severity]
        if category not in leaves:
            raise BadParameter(f"unknown error category '{category}'. {did_you_mean(category, leaves)}")
        return leaves[category].weights.get(severity, weights[severity])

    def as_json(self) -> dict[str, Any]:
        """As the page receives it."""
        return {
            **{"name": self.name, "widget": self.widget, "question": self.question},
            "shows": list(self.shows),
            "scale": None if self.scale is None else self.scale.as_json(),
            "severities": [severity.as_json() for severity in self.severities],
            "categories": [category.as_json() for category in self.categories],
            **{"sides": list(self.sides), "by": self.by, "ties": self.ties, "choices": dict(self.choices)},
        }


@dataclass(frozen=True)
class Group:
    """Judges who see other texts, or are asked another question, than the steps say."""

    name: str
    instructions: tuple[str, ...] = ()  # shown after those of the protocol
    shows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by step
    questions: Mapping[str, str] = field(default_factory=dict)  # by step


@dataclass(frozen=True)
class ExpectedSpan:
    """An error that a practice answer must mark: any span that overlaps the text, with a permitted severity."""

    start: int
    end: int
    side: str
    severities: tuple[str, ...] = ()  # none: any
    categories: tuple[str, ...] = ()  # none: any; a parent stands for its children


@dataclass(frozen=True)
class Expected:
    """What a practice answer should be, for one output in one step, and what the judge is told afterwards."""

    step: str
    output: int  # index
    feedback: str
    at_least: float | None = None
    at_most: float | None = None
    better_than: tuple[int, ...] = ()  # outputs that must be ranked below
    same_as: tuple[int, ...] = ()  # outputs that must have the same rank
    spans: tuple[ExpectedSpan, ...] | None = None  # (): the output has no error


@dataclass(frozen=True)
class PracticeItem:
    """An item with known answers. The source is there in several languages, so that judges get one they can read."""

    target_language: str
    outputs: tuple[str, ...]
    sources: Mapping[str, str]  # by language
    reference: str | None
    expected: tuple[Expected, ...]


@dataclass(frozen=True)
class OutputsPerScreen:
    """How many outputs of one segment are shown together."""

    at_least: int = 1
    at_most: int = 1
    default: int = 1


@dataclass(frozen=True)
class Protocol:
    """A protocol, checked. `written` is the text of its file: a campaign keeps it, and reads it again."""

    name: str
    title: str
    citation: str
    instructions: tuple[str, ...]
    steps: tuple[Step, ...]
    outputs: OutputsPerScreen = OutputsPerScreen()
    groups: Mapping[str, Group] = field(default_factory=dict)
    assignment: str = "shares"  # unless the plan says otherwise
    order: str = "own"  # of items: same for all judges, or every judge's own
    practice: tuple[PracticeItem, ...] = ()
    written: str = field(default="", repr=False, compare=False)

    def step(self, name: str) -> Step:
        for step in self.steps:
            if step.name == name:
                return step
        raise BadParameter(f"unknown step '{name}'. {did_you_mean(name, [step.name for step in self.steps])}")

    def for_group(self, group: str | None) -> Protocol:
        """As the judges of a group meet it. Only a protocol without groups accepts None."""
        if group is None and not self.groups:
            return self
        if group is None or group not in self.groups:
            known = did_you_mean(group or "", self.groups)
            raise BadParameter(f"protocol '{self.name}': unknown group '{group or ''}'. {known}")
        found = self.groups[group]
        steps = tuple(
            replace(
                step,
                shows=found.shows.get(step.name, step.shows),
                question=found.questions.get(step.name, step.question),
            )
            for step in self.steps
        )
        return replace(self, steps=steps, instructions=self.instructions + found.instructions, groups={})

    def for_target(self, language: str | None) -> Protocol:
        """With the name of the target language in labels, descriptions, questions and instructions."""
        name = None if language is None else language_name(language)
        return replace(
            self,
            instructions=tuple(_named(text, name) for text in self.instructions),
            steps=tuple(_step_named(step, name) for step in self.steps),
            groups={key: _group_named(group, name) for key, group in self.groups.items()},
        )

    def shown(self) -> set[str]:
        """All texts that some judge sees: source, output, reference."""
        by_group = [self.for_group(group) for group in self.groups] or [self]
        return {text for of_group in by_group for step in of_group.steps for text in step.shows}

    def as_json(self, *, comment: bool = False, post_edit: bool = False) -> dict[str, Any]:
        """As the page receives it, after `for_group` and `for_target`."""
        return {
            **{"name": self.name, "title": self.title, "instructions": list(self.instructions)},
            "steps": [step.as_json() for step in self.steps],
            **{"comment": comment, "post_edit": post_edit},
        }

    @property
    def has_spans(self) -> bool:
        return any(step.widget == "spans" for step in self.steps)


def written(value: float) -> str:
    """A value of a scale as a key of its labels.

    >>> written(1.0), written(0.5)
    ('1', '0.5')
    """
    return f"{value:.10g}"


def _step_named(step: Step, name: str | None) -> Step:
    scale = step.scale and replace(
        step.scale,
        labels={point: _named(label, name) for point, label in step.scale.labels.items()},
        descriptions={point: _named(text, name) for point, text in step.scale.descriptions.items()},
        anchors=tuple(replace(anchor, label=_named(anchor.label, name)) for anchor in step.scale.anchors),
    )
    return replace(
        step,
        question=_named(step.question, name),
        scale=scale,
        choices={key: _named(label, name) for key, label in step.choices.items()},
    )


def _group_named(group: Group, name: str | None) -> Group:
    return replace(
        group,
        instructions=tuple(_named(text, name) for text in group.instructions),
        questions={step: _named(question, name) for step, question in group.questions.items()},
    )


def _named(text: str, name: str | None) -> str:
    if name is None:
        return text.replace(f" {_TARGET_LANGUAGE}", "").replace(_TARGET_LANGUAGE, "")
    return text.replace(_TARGET_LANGUAGE, name)
