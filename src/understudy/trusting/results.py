"""Trust: the results of `trust`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.judgments import ScoreTable
from understudy.corpus.system_kinds import Kinds
from understudy.equality import EqualByValue
from understudy.fitness.findings import Fitness
from understudy.renderable import Renderable
from understudy.resampling.significance_tests import is_real
from understudy.trusting.coefficients.by_name import Agreement, CoefficientSpec
from understudy.trusting.combinations.learning import Learning
from understudy.trusting.feature_weights.learning import FeatureLearning
from understudy.trusting.gains import Gain
from understudy.trusting.grids.results import GridSearch
from understudy.trusting.human_ceiling import Ceiling
from understudy.trusting.metric_tests.metric_ranking import MetricRanking
from understudy.trusting.noticeable_difference import NoticeableDifference
from understudy.trusting.outliers import WithoutSystems
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.permutation_baseline import PermutationBaseline
from understudy.trusting.plan import TrustPlan
from understudy.trusting.regression import Regression

ACC_EQ = CoefficientSpec("acc-eq", "segment", "segment")


@dataclass(frozen=True, eq=False)
class CoefficientResult(EqualByValue):
    """One coefficient of one metric: value, confidence interval and permutation baseline."""

    asked: CoefficientSpec
    agreement: Agreement
    chance: PermutationBaseline
    significance: float  # of the plan

    @property
    def value(self) -> float:
        return self.agreement.value

    @property
    def above_chance(self) -> bool:
        """Whether the value is significantly above the permutation baseline. False if it is undefined."""
        return is_real(self.chance.p_value, self.significance)


@dataclass(frozen=True, eq=False)
class MetricTrust(EqualByValue):
    """Agreement of one metric with human scores."""

    name: str
    spec: str
    signature: str  # empty: its scores came from a file
    source: str  # that file; empty: computed here
    lower_is_better: bool  # then the pairing has its scores negated
    pairing: PairedScores
    agreed: list[CoefficientResult]
    not_to_be_had: dict[CoefficientSpec, str]  # coefficients that these scores cannot have, and why
    regression: Regression | None  # of the systems' human scores on the metric's; None: there is no line
    noticed: NoticeableDifference | None  # by systems; None: there are no two to compare
    without_outliers: list[
        WithoutSystems
    ]  # every coefficient without each outlier, and without all if there are several
    without_each: list[WithoutSystems]  # R² of systems without each of them in turn

    @property
    def system_scores(self) -> tuple[Floats, Floats]:
        """Human and metric scores; higher is better."""
        return self.pairing.system_scores

    @property
    def own_scores(self) -> Floats:
        """System scores in the metric's own direction."""
        return -self.system_scores[1] if self.lower_is_better else self.system_scores[1]

    @property
    def tie_threshold(self) -> float | None:
        """The largest difference that counts as a tie, in metric points: the best threshold for acc-eq grouped by
        segment. None if acc-eq was not requested or is undefined.
        """
        agreed = self.of(ACC_EQ)
        if agreed is None or math.isnan(agreed.value):
            return None
        return self.pairing.ties["segment"].calibrated().threshold

    def of(self, asked: CoefficientSpec) -> CoefficientResult | None:
        return next((each for each in self.agreed if each.asked == asked), None)


@dataclass(frozen=True, eq=False, repr=False)
class Trust(Renderable):
    """Agreement of all metrics with one kind of human scores."""

    human: ScoreTable
    systems: tuple[str, ...]
    segments: tuple[int, ...]
    plan: TrustPlan
    over: str  # what was resampled
    metrics: list[MetricTrust]
    rankings: list[MetricRanking]
    outliers: tuple[str, ...]  # systems whose human scores are far from the others'
    fitness: Fitness | None = (
        None  # which comparisons metrics are not fit for; None: kinds of systems are not known
    )
    learning: Learning | None = None  # of the metric that is a combination of the others, if one was learned
    notes: list[str] = field(default_factory=list)  # what was left out, and what must be said of the data
    ceiling: Ceiling | None = None  # what one judge gets; None: several judges are not known
    feature_learning: FeatureLearning | None = None  # of the metric with learned feature weights, if any
    gains: list[Gain] = field(default_factory=list)  # of these weights over the plain metric
    grids: list[GridSearch] = field(default_factory=list)  # of each grid of settings, at each level

    @property
    def asked(self) -> list[CoefficientSpec]:
        """The coefficients that have a value for any metric."""
        return [
            one
            for one in self.plan.asked()
            if any((each := metric.of(one)) and not math.isnan(each.value) for metric in self.metrics)
        ]

    @property
    def kinds(self) -> Kinds:
        """The system types, if given."""
        return Kinds() if self.fitness is None else self.fitness.kinds

    @property
    def human_systems(self) -> Floats:
        return self.metrics[0].system_scores[0]

    @property
    def judged(self) -> int:
        """The number of translations of these systems with human scores."""
        rows = [self.human.systems.index(system) for system in self.systems]
        return int((~np.isnan(self.human.scores[rows])).sum())
