"""Findings: comparisons that a metric is not suitable for, with the rule and the evidence in the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.corpus.system_kinds import Kinds
from understudy.fitness.type_ranks import Placement

_CALLISON_BURCH = "Callison-Burch, Osborne & Koehn 2006"
_PAPINENI = "Papineni et al. 2001"

PROBE_GUIDE = "docs/guide/probe.md"
_PROBE_REWORDINGS = f"Use understudy probe to measure what rewordings cost ({PROBE_GUIDE})."

PAIRS_TOLD = 3  # so many are named in a sentence


@dataclass(frozen=True)
class Rule:
    """A use that metrics are not suitable for."""

    why: str
    source: str


# "Appropriate uses for Bleu include tracking broad, incremental changes to a single system, comparing systems which
# employ similar translation strategies [...] Inappropriate uses for Bleu include comparing systems which employ
# radically different strategies [...] and monitoring improvements that occur infrequently within a test corpus. [...]
# These comments do not apply solely to Bleu." (Callison-Burch et al. 2006, section 6). They are about automatic metrics
# that are "rough measures of translation similarity": here that is every metric that compares translations with
# references, and scores of other tools, of which nothing else is known. Learned metrics allow for more wordings than
# metrics that count matches, but they too were shown some kinds of systems and not others.
RULES: Mapping[str, Rule] = {
    "different-kinds": Rule(
        "Metrics penalize correct translations that are worded differently from the references. System types differ in "
        "wording, so scores may favor one type. Metrics that agree may share this bias. Use human scores to compare "
        f"system types. {_PROBE_REWORDINGS}",
        f"{_CALLISON_BURCH}, sections 4 and 6",
    ),
    "small-difference": Rule(
        "A difference of this size may be reversed on other segments, or be too small for human raters to notice.",
        f"{_PAPINENI}, section 3; Koehn 2004; Mathur, Baldwin & Cohn 2020, section 5",
    ),
    "few-references": Rule(
        "Synonyms and paraphrases match only if they occur in a reference. With one reference, the style of one "
        f"translator determines which system type scores higher. {_PROBE_REWORDINGS}",
        f"{_CALLISON_BURCH}, section 3.3; {_PAPINENI}, section 3",
    ),
    "few-segments": Rule(
        "The BLEU report found its differences reliable on 500 segments. Fewer segments can show only large "
        "differences.",
        f"{_PAPINENI}, section 3, tables 1 and 2",
    ),
    "rare-phenomenon": Rule(
        "A difference in few segments hardly affects the corpus score, even if it is important. Use a test set for "
        f"this phenomenon. Use understudy probe to see whether the metric notices such errors ({PROBE_GUIDE}).",
        f"{_CALLISON_BURCH}, section 6",
    ),
}


@dataclass(frozen=True)
class Finding:
    """Comparisons that should not be decided by one or more metrics."""

    rule: str  # of RULES
    metrics: tuple[str, ...]  # the specs
    labels: tuple[str, ...]  # of the metrics, for people
    kinds: tuple[str, ...]  # the two, where it is about kinds
    pairs: tuple[tuple[str, str], ...]  # the comparisons, by names of systems
    evidence: str  # what the data say, in a sentence or two with their numbers

    @property
    def why(self) -> str:
        return RULES[self.rule].why

    @property
    def source(self) -> str:
        return RULES[self.rule].source

    def __str__(self) -> str:
        return f"{self.rule}: {self.evidence} {self.why} ({self.source})"


@dataclass(frozen=True)
class PairAgreement:
    """Number of system pairs on which metric and human scores agree."""

    pairs: int
    alike: int

    def __str__(self) -> str:
        return f"{self.alike:,} of {self.pairs:,}"


@dataclass(frozen=True)
class KindContrast:
    """Human scores of two system types, compared with one metric."""

    metric: str  # its label
    spec: str
    kinds: tuple[str, str]
    systems: tuple[int, int]  # that people and metric both scored
    across: PairAgreement  # pairs of one kind and the other
    within: PairAgreement  # pairs of one kind
    # How far apart the metric's scores of the two kinds are if they do not overlap. None: they do, or a kind has none.
    apart: float | None
    # By how much people rate the first kind higher than the second where the metric scores the same, in points of the
    # human score: more than 0, and the metric underrates the first. None if the scores do not tell, or do not overlap.
    shift: float | None
    p_value: float | None  # None: there are too few systems to tell it from chance
    corrected: float | None = None  # allowing for the number of pairs of kinds
    without: tuple[str, ...] = ()  # outliers that are left out


@dataclass(frozen=True)
class Fitness:
    """Suitability of metrics for this use: findings against it."""

    kinds: Kinds = field(default_factory=Kinds)
    placements: list[Placement] = field(default_factory=list)  # by metric and kind
    findings: list[Finding] = field(default_factory=list)
    contrasts: list[KindContrast] = field(
        default_factory=list
    )  # by metric and two kinds, if people were asked

    @property
    def unsaid(self) -> Finding | None:
        """The finding that a comparison without system types does not show otherwise: verdicts already cover small
        differences, and confidence intervals the number of segments.
        """
        return next((found for found in self.findings if found.rule == "rare-phenomenon"), None)
