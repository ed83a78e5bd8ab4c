"""Results of judgments: everything that `understudy.judge` finds, at full precision."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.judging.agreement.cohen import CohenKappa
from understudy.judging.agreement.self_agreement import EVERYONE, SelfAgreement
from understudy.judging.agreement.span_agreement import MatchedSpans
from understudy.judging.analysis.adjacent_systems import AdjacentPair
from understudy.judging.analysis.bradley_terry import BradleyTerry
from understudy.judging.analysis.controls import JudgeControls
from understudy.judging.analysis.disagreement import DisputedItem
from understudy.judging.analysis.further_judgments import FurtherJudgments
from understudy.judging.analysis.judge_and_item_effects import JudgeAndItemEffects
from understudy.judging.analysis.means import SystemMean
from understudy.judging.analysis.rank_clusters import RankClusters
from understudy.judging.analysis.win_rates import WinRate
from understudy.judging.analysis.z_scores import JudgeScale
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.judgments import Question, Texts
from understudy.judging.plan import JudgePlan
from understudy.renderable import Renderable


@dataclass(frozen=True)
class Agreement:
    """Between judges of the same items."""

    items: int  # that at least two judges judged
    alpha: Estimate  # Krippendorff's
    level: str  # of measurement, for alpha
    fleiss: Estimate | None  # None: the scale is not made of steps
    cohen: CohenKappa | None
    judges: tuple[str, ...]  # as the pairs of Cohen's kappa number them
    own: tuple[SelfAgreement, ...]  # of all judges together, and of each

    @property
    def repeats(self) -> SelfAgreement:
        """Self-agreement of all judges together."""
        return next(each for each in self.own if each.judge == EVERYONE)


@dataclass(frozen=True, eq=False)
class QuestionResults:
    """The answers to one question. Systems are ranked from best to worst."""

    question: Question
    judgments: int  # without hidden repeats; an answer credited to several systems once
    translations: int
    judges: int
    segments: int
    means: tuple[SystemMean, ...]
    z_means: tuple[SystemMean, ...]  # of scores standardized per judge
    scales: tuple[JudgeScale, ...]
    effects: JudgeAndItemEffects | Absent
    adjacent: tuple[AdjacentPair, ...] | Absent
    clusters: RankClusters | Absent
    further: tuple[FurtherJudgments, ...]
    agreement: Agreement
    disputed: tuple[DisputedItem, ...]

    @property
    def name(self) -> str:
        return self.question.name


@dataclass(frozen=True, eq=False)
class RankingResults:
    """Rankings and pairwise judgments."""

    rankings: int
    comparisons: int
    judges: int
    segments: int
    win_rates: tuple[WinRate, ...]  # from best to worst, by the share of comparisons won
    strengths: BradleyTerry | Absent
    clusters: RankClusters | Absent
    further: tuple[FurtherJudgments, ...]
    agreement: Agreement


@dataclass(frozen=True)
class SystemErrors:
    """Error spans of one system."""

    system: str
    annotations: int  # translations, by each judge
    spans: int
    by_severity: dict[str, int]
    by_category: dict[str, int]
    penalty: float  # mean of the sums of penalties


@dataclass(frozen=True)
class SpanResults:
    """Error spans of all systems, fewest penalties first, and how far judges mark the same."""

    systems: tuple[SystemErrors, ...]
    severities: tuple[str, ...]  # from the least severe
    categories: tuple[str, ...]  # from the most frequent
    matched: MatchedSpans


@dataclass(frozen=True, eq=False, repr=False)
class JudgeResults(Renderable):
    """Everything about one set of judgments."""

    name: str
    protocol: str
    plan: JudgePlan
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    groups: tuple[str, ...]  # of judges, if there are any
    segments: int
    questions: tuple[QuestionResults, ...]
    rankings: RankingResults | None
    spans: SpanResults | None
    controls: tuple[JudgeControls, ...] | None  # None: no controls were planted
    texts: Texts | None
    segment_numbers: tuple[int, ...]
    by_document: bool  # whether intervals of means take documents to be independent, rather than segments
    notes: tuple[str, ...]

    def question(self, name: str) -> QuestionResults:
        """The results of the question of this name."""
        return next(each for each in self.questions if each.name == name)

    @property
    def methods(self) -> str:
        """A paragraph about methods for a paper: every number in it is one of these results."""
        from understudy.judging.methods_paragraph import methods_paragraph

        return methods_paragraph(self)
