"""sacreBLEU's significance tests: paired bootstrap and approximate randomization, with its digits.

>>> from understudy.compat.sacrebleu.metrics import BLEU
>>> systems = [("base", ["a cat sat", "it rains"]), ("new", ["the cat sat", "it rains"])]
>>> test = PairedTest(systems, {"BLEU": BLEU(effective_order=True)}, [["the cat sat", "it rains"]], "bs", n_samples=100)
>>> signatures, scores = test()
>>> signatures["BLEU"]
nrefs:1|bs:100|seed:12345|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0
>>> scores["System"], scores["BLEU"][1].p_value
(['base', 'new'], 0.009900990099009901)

`understudy compare` has more tests, and p-values of 1 for systems that are the same.
"""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.compat.sacrebleu.metrics.base import Metric, Score, Signature, sacrelogger
from understudy.compat.sacrebleu.samples import bootstrap_sums, named_seed, swapped_sums
from understudy.errors import BadInput, BadParameter, WrongType, did_you_mean

__all__ = ["IS_WINDOWS", "Metric", "PairedTest", "Result", "Score", "Signature", "estimate_ci", "sacrelogger"]

IS_WINDOWS = os.name == "nt"

Rows = NDArray[Any]  # what a metric counts, a row for each segment


class Result:
    """The result of a test for one system and metric; None where there is none."""

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean  # of the bootstrap
        self.ci = ci  # half the width of its 95 % interval

    def __repr__(self) -> str:
        return ",".join(f"{name}={value!s}" for name, value in vars(self).items())


def estimate_ci(scores: NDArray[Any]) -> tuple[Any, Any]:
    """The mean of scores, and half the width of the interval that leaves out a fortieth at either end.

    >>> print(*estimate_ci(np.arange(80.0)))
    39.5 37.5
    """
    ordered = np.sort(scores)
    left_out = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - left_out - 1] - ordered[left_out])


class PairedTest:
    """Systems against the first of them, by a paired test; call it for the results.

    The samples are sacreBLEU's: those of the seed in the environment variable SACREBLEU_SEED, 12345 where there is
    none, others every time where it is `none`. All cores count in any case: `n_jobs` is there for old calls.
    """

    _DEFAULT_SAMPLES: ClassVar[Mapping[str, int]] = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Sequence[str | None]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise BadParameter(
                f"unknown test_type '{test_type}'. {did_you_mean(test_type, self._DEFAULT_SAMPLES)}"
            )
        if not named_systems:
            raise BadInput("named_systems: there are none; expected (name, hypotheses) of a baseline first.")
        self.test_type = test_type
        _, self._seed = named_seed()
        self.n_jobs = n_jobs
        self.references = references
        self.named_systems = named_systems
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_systems = len(named_systems) - 1  # without the baseline
        self.metrics: dict[str, Metric[Any]] = {}
        self._signatures: dict[str, Signature] = {}
        self._baseline: dict[str, tuple[Rows, Result]] = {}
        for name, metric in metrics.items():
            if not isinstance(metric, Metric):
                raise WrongType(
                    f"metrics['{name}']: got {type(metric).__module__}.{type(metric).__qualname__}, "
                    "expected a metric of understudy.compat.sacrebleu.metrics."
                )
            sacrelogger.info("Pre-computing %s statistics for %r", name, named_systems[0][0])
            self._count_baseline(metric)

    def _count_baseline(self, metric: Metric[Any]) -> None:
        rows = metric.count_rows(self.named_systems[0][1], self.references)
        score = metric.score_of_rows(rows)
        samples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        mean, ci = None, None
        if samples > 0:
            # 0 is a seed here, and none in the tests.
            generator = np.random.default_rng(self._seed)
            (sums,) = bootstrap_sums([rows], samples, generator)
            mean, ci = estimate_ci(metric.scores_of_samples(sums))
        self.metrics[score.name] = metric
        self._baseline[score.name] = (rows, Result(score.score, mean=mean, ci=ci))
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        self._signatures[score.name] = signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """The signatures by metric; and by metric a `Result` for each system, whose names are in 'System'."""
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        scores |= {name: [result] for name, (_, result) in self._baseline.items()}
        self._log_tests()
        for others in self._tested_together():
            # All metrics see the same samples.
            seed = self._seed or np.random.SeedSequence().entropy
            for name, metric in self.metrics.items():
                baseline, result = self._baseline[name]
                rows = [metric.count_rows(hypotheses, self.references) for _, hypotheses in others]
                scores[name] += self._results(
                    metric, [baseline, *rows], result.score, np.random.default_rng(seed)
                )
        return self._signatures, scores

    def _log_tests(self) -> None:
        """sacreBLEU's lines about its tests, in its order: it makes them one by one."""
        test = {
            "bs": "paired bootstrap resampling test (# resamples: %d)",
            "ar": "approximate randomization test (# trials: %d)",
        }[self.test_type]
        for system, _ in self.named_systems[1:]:
            for name in self.metrics:
                sacrelogger.info("Computing %s for %r and extracting sufficient statistics", name, system)
                sacrelogger.info(f" > Performing {test}", self.n_samples)
                if self.test_type == "ar" and self.n_ar_confidence > 0:
                    sacrelogger.info(
                        " > Performing bootstrap resampling for confidence interval (# resamples: %d)",
                        self.n_ar_confidence,
                    )

    def _tested_together(self) -> list[Sequence[tuple[str, Sequence[str]]]]:
        """Those of all systems but the baseline that see the same samples: each its own where there is no seed, for
        which sacreBLEU takes 0 too.
        """
        others = self.named_systems[1:]
        if self._seed:
            return [others] if others else []
        return [[system] for system in others]

    def _results(
        self, metric: Metric[Any], rows: list[Rows], baseline: float, generator: np.random.Generator
    ) -> list[Result]:
        """Of the rows of every system, the baseline's first, but for the baseline itself."""
        results = [Result(metric.score_of_rows(system).score) for system in rows[1:]]
        if self.test_type == "bs":
            differences, samples = _bootstrap(metric, rows, self.n_samples, generator)
        else:
            differences = _randomization(metric, rows, self.n_samples, generator)
            drawn = bootstrap_sums(rows[1:], max(self.n_ar_confidence, 0), generator)
            samples = [metric.scores_of_samples(sums) for sums in drawn]
        for result, drawn_differences, drawn_scores in zip(results, differences, samples, strict=True):
            result.p_value = _compute_p_value(drawn_differences, abs(baseline - result.score))
            if len(drawn_scores):
                result.mean, result.ci = estimate_ci(drawn_scores)
        return results


def _bootstrap(
    metric: Metric[Any], rows: list[Rows], samples: int, generator: np.random.Generator
) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """Paired bootstrap: how far the differences from the baseline are from their mean, and the systems' scores."""
    baseline, *others = [metric.scores_of_samples(sums) for sums in bootstrap_sums(rows, samples, generator)]
    differences = [np.abs(scores - baseline) for scores in others]
    return [difference - difference.mean() for difference in differences], others


def _randomization(
    metric: Metric[Any], rows: list[Rows], samples: int, generator: np.random.Generator
) -> list[NDArray[Any]]:
    """Approximate randomization: the differences from the baseline when segments are exchanged."""
    parts = [
        [np.abs(metric.scores_of_swaps(one) - metric.scores_of_swaps(other)) for one, other in pairs]
        for pairs in swapped_sums(rows, samples, generator)
    ]
    return [np.concatenate(of_system) for of_system in zip(*parts, strict=True)]


def _compute_p_value(stats: NDArray[Any], real_difference: float) -> float:
    """Of a difference, by those of samples. The name is that of sacreBLEU, because other programs import it."""
    return (int(np.count_nonzero(stats > real_difference)) + 1) / (len(stats) + 1)
