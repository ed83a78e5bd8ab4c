"""CampaignPlan: everything that can be chosen about a campaign, except for its texts and its protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from understudy.choices import SEED
from understudy.corpus.error_spans import MarkedSpan
from understudy.errors import BadParameter, did_you_mean
from understudy.judging.protocols.protocol import MOST_OUTPUTS, Protocol
from understudy.judging.protocols.reading import ASSIGNMENTS, ORDERS
from understudy.settings import Settings, check_choice, check_whole
from understudy.text.languages import language_of

_SELECTIONS = ("all", "random", "variance", "diversity")
_KINDS = ("text", "choice", "number")  # of demographic questions
_MOST_JUDGES = 10_000
_MOST_CONTEXT = 20  # segments before and after
_LONGEST_NAME = 100


@dataclass(frozen=True)
class PlannedJudge:
    """A judge, and the group if the protocol has groups."""

    name: str
    group: str | None = None


@dataclass(frozen=True)
class DemographicField:
    """A question that judges answer once."""

    name: str
    label: str
    kind: str = "text"
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise BadParameter(
                f"demographics '{self.name}': unknown kind '{self.kind}'. {did_you_mean(self.kind, _KINDS)}"
            )
        if (self.kind == "choice") != bool(self.choices):
            raise BadParameter(
                f"demographics '{self.name}': choices are needed for the kind choice, and only there."
            )


@dataclass(frozen=True)
class CampaignPlan(Settings):
    """How a campaign is made. None: as the protocol says, or as is usual."""

    judges: tuple[PlannedJudge, ...]
    seed: int = SEED
    assignment: str | None = None
    order: str | None = None
    judgments_per_item: int | None = None  # by judges of each group
    select: str | None = None  # random if fewer segments than all are asked for, else all
    metric: str = "chrf"  # for the selection by variance
    segments: int | None = None  # how many are judged
    share: float | None = None  # of the segments, instead
    repeats: float = 0.05  # hidden repeats, as a share of a judge's items
    controls: float = 0.05  # degraded outputs, likewise
    documents: bool = False  # whether documents are kept together
    context: int = 0  # segments shown before and after
    outputs_per_screen: int | None = None
    screens_per_segment: int | None = None  # where a screen has several outputs
    prefilled: Sequence[MarkedSpan] = ()
    practice: bool = True
    comment: bool = False
    post_edit: bool = False
    consent: str | None = None
    demographics: tuple[DemographicField, ...] = ()
    completion_code: str | None = None
    completion_url: str | None = None
    crowd: bool = False  # whether all judges enter by one link, each as the next free judge
    participant_field: str | None = None  # of that link: which parameter tells participants apart
    source_language: str | None = None
    target_language: str | None = None

    def __post_init__(self) -> None:
        _check_judges(self.judges)
        for name, chosen, known in (
            ("assignment", self.assignment, ASSIGNMENTS),
            ("order", self.order, ORDERS),
            ("select", self.select, _SELECTIONS),
        ):
            if chosen is not None:
                check_choice(name, chosen, known)
        for name, count, most in (
            ("judgments_per_item", self.judgments_per_item, _MOST_JUDGES),
            ("segments", self.segments, 10**9),
            ("outputs_per_screen", self.outputs_per_screen, MOST_OUTPUTS),
            ("screens_per_segment", self.screens_per_segment, 10_000),
        ):
            if count is not None:
                check_whole(name, count, most=most)
        check_whole("context", self.context, least=0, most=_MOST_CONTEXT)
        check_whole("seed", self.seed, least=0, most=2**63 - 1)
        for name, value in {"repeats": self.repeats, "controls": self.controls}.items():
            if not 0 <= value <= 0.5:
                raise BadParameter(f"{name}={value:g}: expected a share of the items from 0 to 0.5.")
        self._check_selection()
        for language in (self.source_language, self.target_language):
            if language is not None:
                language_of(language)  # raises an error for an invalid code
        _check_participant_field(self.participant_field, self.crowd)
        _check_completion(self.completion_code, self.completion_url)
        names = [each.name for each in self.demographics]
        if len(set(names)) < len(names):
            raise BadParameter("demographics: two fields have the same name. Rename one.")

    def assignment_for(self, protocol: Protocol) -> str:
        return self.assignment or protocol.assignment

    def order_for(self, protocol: Protocol) -> str:
        return self.order or protocol.order

    def selection(self) -> str:
        """What is done about the segments."""
        fewer = self.segments is not None or self.share is not None
        return self.select or ("random" if fewer else "all")

    def wanted_segments(self, available: int) -> int:
        """How many of the available segments are judged."""
        if self.segments is not None:
            if self.segments > available:
                raise BadParameter(
                    f"segments={self.segments:,}: expected at most {available:,}, the segments of the systems."
                )
            return self.segments
        return available if self.share is None else max(1, round(self.share * available))

    def judges_by_group(self) -> dict[str | None, list[str]]:
        """The names of the judges of every group, in the order in which groups first occur."""
        found: dict[str | None, list[str]] = {}
        for judge in self.judges:
            found.setdefault(judge.group, []).append(judge.name)
        return found

    def _check_selection(self) -> None:
        if self.share is not None and not 0 < self.share <= 1:
            raise BadParameter(f"share={self.share:g}: expected a share of the segments above 0 and up to 1.")
        if self.share is not None and self.segments is not None:
            raise BadParameter("segments and share cannot be combined. Omit one of them.")
        if self.select == "all" and (self.share is not None or self.segments is not None):
            raise BadParameter(
                "select 'all' judges all segments. Omit the number of segments, or use select 'random'."
            )
        if self.select in _SELECTIONS[1:] and self.share is None and self.segments is None:
            raise BadParameter(
                f"select '{self.select}' needs the number or the share of segments. Add one of them."
            )


def planned_judges(
    protocol: Protocol, judges: int | Sequence[str] | Mapping[str, str], *, first: int = 1
) -> tuple[PlannedJudge, ...]:
    """Judges for a protocol: a number of them, names, or names with groups ('ann:bilingual', or a mapping). Without
    groups given, they are spread evenly over those of the protocol. `first` numbers unnamed judges.

    >>> from understudy.judging.protocols.reading import protocol
    >>> [(judge.name, judge.group) for judge in planned_judges(protocol("report"), 3)]
    [('judge-1', 'monolingual'), ('judge-2', 'bilingual'), ('judge-3', 'monolingual')]
    >>> planned_judges(protocol("report"), ["ann:bilingual"])
    (PlannedJudge(name='ann', group='bilingual'),)
    """
    if isinstance(judges, int):
        check_whole("judges", judges, most=_MOST_JUDGES)
        digits = len(str(first + judges - 1))
        named = [(f"judge-{number:0{digits}}", "") for number in range(first, first + judges)]
    elif isinstance(judges, Mapping):
        named = [(name, group or "") for name, group in judges.items()]
    else:
        named = list(map(_name_and_group, judges))
    groups = list(protocol.groups)
    for name, group in named:
        if group and group not in groups:
            known = did_you_mean(group, groups) if groups else f"Protocol '{protocol.name}' has none."
            raise BadParameter(f"judge '{name}': unknown group '{group}'. {known}")
    found = []
    unplaced = 0
    for name, group in named:
        if group or not groups:
            found.append(PlannedJudge(name, group or None))
        else:
            found.append(PlannedJudge(name, groups[unplaced % len(groups)]))
            unplaced += 1
    _check_judges(tuple(found))
    return tuple(found)


def _name_and_group(text: str) -> tuple[str, str]:
    name, _, group = text.rpartition(":") if ":" in text else (text, "", "")
    return name.strip(), group.strip()


def _check_judges(judges: tuple[PlannedJudge, ...]) -> None:
    if not judges:
        raise BadParameter("judges: got none, expected at least one.")
    seen = set()
    for judge in judges:
        if (
            not judge.name.strip()
            or len(judge.name) > _LONGEST_NAME
            or re.search(r"[\x00-\x1f\x7f]", judge.name)
        ):
            raise BadParameter(
                f"judge {judge.name[:40]!r}: expected a name of 1 to {_LONGEST_NAME} characters, no control characters."
            )
        if judge.name.startswith("-"):
            raise BadParameter(
                f"judge '{judge.name}': expected a name that does not begin with '-', as options do. Rename the judge."
            )
        if judge.name in seen:
            raise BadParameter(f"two judges are named '{judge.name}'. Rename one.")
        seen.add(judge.name)


def _check_participant_field(name: str | None, crowd: bool) -> None:
    if name is None:
        return
    if not crowd:
        raise BadParameter("participant_field is for a crowd only. Omit it, or make a campaign for a crowd.")
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
        raise BadParameter(
            f"participant_field={name[:40]!r}: expected the name of a parameter in a link, e.g. PROLIFIC_PID."
        )


def _check_completion(code: str | None, url: str | None) -> None:
    if code is not None and not re.fullmatch(r"[!-~]{1,100}", code):
        raise BadParameter(
            f"completion_code={code[:40]!r}: expected 1 to 100 ASCII characters without spaces."
        )
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r"[\s\x00-\x1f]", url):
        raise BadParameter(f"completion_url={url[:60]!r}: expected an address that starts with https://.")
