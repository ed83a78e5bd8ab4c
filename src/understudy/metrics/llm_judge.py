"""LLM judge: the score that a language model gives to a translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.language_models.asking import ask, check_verdicts
from understudy.language_models.judge import REPLY_FORMATS, LanguageModelJudge, Texts
from understudy.language_models.prompt import PAIRS, REFERENCE, SOURCE
from understudy.metrics.base.pair_metric import PairMetric
from understudy.metrics.base.parameters import param
from understudy.neural.pairs import Pair


@dataclass(frozen=True, kw_only=True, repr=False)
class LLMJudge(PairMetric):
    """The score that a language model gives to a translation, on a server that `Endpoint` names.

    >>> LLMJudge(model="m", inputs="source").spec
    'llm-judge:model=m,inputs=source'
    """

    model: str = param("", "name of the model, as its server calls it")
    prompt: str = param(
        "score", "score (0 to 100), spans (error spans with weights), or a .toml file of your own"
    )
    inputs: str = param(
        "source+reference",
        "texts that the model sees beside the hypothesis",
        choices=("source+reference", "source", "reference"),
    )
    language: str = param("", "target language or language pair, e.g. de-en, for the prompt", key="lang")
    samples: int = param(1, "replies per segment; the score is their mean", between=(1, 100))
    temperature: float = param(0.0, "sampling temperature")
    seed: int = param(0, "random seed that is sent to the server", between=(0, 10**9))
    tries: int = param(3, "replies that are asked for until one is valid", between=(1, 100))
    reply_format: str = param(
        "auto",
        "JSON schema enforced by the server, JSON, or neither; auto takes the first that the server accepts",
        choices=REPLY_FORMATS,
        key="format",
    )
    unscored: str = param(
        "error", "segments without a valid reply: an error, or the worst score", choices=("error", "worst")
    )

    name: ClassVar[str] = "llm-judge"
    title: ClassVar[str] = "LLM judge"
    written_as: ClassVar[str] = "llm-judge:model=NAME"
    summary: ClassVar[str] = "Mean score that a language model gives to the translations."
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i=1}^{n} \frac{1}{k} \sum_{j=1}^{k} s_{ij}"
    citation: ClassVar[str] = (
        "Tom Kocmi, Christian Federmann: Large Language Models Are State-of-the-Art Evaluators of Translation Quality. "
        "EAMT 2023. The prompts are understudy's own."
    )
    not_for: ClassVar[str] = (
        "Systems that share their language model with the judge, which may prefer its own output; results that others "
        "must reproduce, if the provider changes the model behind a name."
    )
    percent: ClassVar[bool] = False
    reads_sources: ClassVar[bool] = True
    prepares: ClassVar[bool] = True
    follows_instructions: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        asked = self.judge.prompt
        if asked.kind == PAIRS:
            raise BadParameter(
                f"prompt={self.prompt}: a preference between two translations is not a score. Use understudy judge ask."
            )
        shown = {*self.inputs.split("+")} & {*asked.uses}
        if asked.uses and not shown:
            raise BadParameter(
                f"inputs={self.inputs}: '{self.prompt}' uses the {' and '.join(asked.uses)} only."
            )
        facts = {
            "reads_sources": SOURCE in shown,
            "reads_references": REFERENCE in shown,
            "higher_is_better": asked.scale.higher_is_better,
        }
        for fact, value in facts.items():
            object.__setattr__(self, fact, value)

    @cached_property
    def judge(self) -> LanguageModelJudge:
        """The model with its prompt."""
        return LanguageModelJudge(
            model=self.model,
            prompt_name=self.prompt,
            language=self.language,
            temperature=self.temperature,
            seed=self.seed,
            samples=self.samples,
            tries=self.tries,
            reply_format=self.reply_format,
        )

    @property
    def missing(self) -> str:
        return "" if self.model else f"no model given. Use {self.written_as} and --endpoint URL."

    @property
    def label(self) -> str:
        return f"{self.title} ({self.model})" if self.model else self.title

    @property
    def values(self) -> tuple[str, ...]:
        return ("score", "sd") if self.samples > 1 else ("score",)

    def for_language(self, language: str) -> LLMJudge:
        return self if self.language else replace(self, language=language)

    def choices(self) -> dict[str, str]:
        asked = self.judge.prompt
        shown = [
            name
            for name, reads in ((SOURCE, self.reads_sources), (REFERENCE, self.reads_references))
            if reads
        ]
        return {
            **super().choices(),
            "prompt": f"{asked.name}#{asked.digest[:8]}",
            "inputs": "+".join(shown) or "none",
            "lang": self.language or "none",
        }

    def prepare(self, texts: Iterable[tuple[Column, References]]) -> None:
        """Ask about all segments of all systems: the costs are known before the first call, and nothing is left unasked
        because of a segment without a score.
        """
        self.values_of([pair for each in texts for pair in self.pairs(*each)[0]], 1)

    def values_of(self, pairs: Sequence[Pair], threads: int) -> Floats:  # noqa: ARG002
        if self.missing:
            raise BadParameter(f"{self.name}: {self.missing}")
        questions = [_question(pair) for pair in pairs]
        verdicts = ask(self.judge, questions, title=self.label)
        if self.unscored == "error":
            check_verdicts(
                [verdicts[question] for question in dict.fromkeys(questions)],
                self.spec,
                f"Use tries={2 * self.tries} to ask again, or unscored=worst for the score "
                f"{self.judge.prompt.scale.worst:g}.",
            )
        rows = {
            question: (self.judge.prompt.scale.worst, 0.0)
            if verdict.problem
            else (verdict.score, verdict.deviation)
            for question, verdict in verdicts.items()
        }
        found = np.array([rows[question] for question in questions], dtype=np.float64).reshape(len(pairs), 2)
        return found[:, : len(self.values)]

    def best_of_segments(self, values: Floats, starts: Sequence[int]) -> Floats:
        """The score of the best reference, with its standard deviation."""
        best = np.argmax if self.higher_is_better else np.argmin
        places = [
            start + int(best(scores))
            for start, scores in zip(starts, np.split(values[:, 0], starts[1:]), strict=True)
        ]
        return values[places]

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"(SD {detail['sd']:.2f} over {self.samples} replies)" if self.samples > 1 else ""


def _question(pair: Pair) -> Texts:
    given = (("translation", pair.hypothesis), (REFERENCE, pair.reference), (SOURCE, pair.source))
    return tuple((name, text) for name, text in given if text is not None)
