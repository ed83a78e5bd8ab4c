"""Doubts about texts that sacreBLEU scores without a word, although the score is probably not the one that is meant."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from understudy.cli.sacrebleu.log import doubt
from understudy.cli.sacrebleu.scores import Metrics
from understudy.cli.sacrebleu.texts import Systems
from understudy.wording import number_of


def check_texts(systems: Systems, references: Sequence[Sequence[str]], options: Namespace) -> None:
    """Doubts about texts of the same length."""
    for problem in _problems(systems, references, options.num_refs):
        doubt(problem, strict=options.strict)


def _problems(systems: Systems, references: Sequence[Sequence[str]], num_refs: int) -> Iterator[str]:
    for number, reference in enumerate(references, start=1):
        for name, lines in zip(systems.names, systems.lines, strict=True):
            if list(lines) == list(reference):
                yield f"system '{name}' is identical to reference {number}. Is it the reference itself?"
        empty = sum(not line for line in reference) if len(references) > 1 else 0
        if empty:
            yield (
                f"reference {number} has {number_of(empty, 'empty line')}, scored as empty references, not as missing "
                "ones. Fill them, or use understudy score, where they are missing."
            )
    yield from _columns_scored_as_text(systems, references, num_refs)


def _columns_scored_as_text(
    systems: Systems, references: Sequence[Sequence[str]], num_refs: int
) -> Iterator[str]:
    """Tabs separate columns only on standard input and with --num-refs. Elsewhere they are whitespace."""
    for name, lines in zip(systems.names, systems.lines, strict=True):
        if _has_columns(lines):
            yield (
                f"system '{name}' has a tab in every line, scored as whitespace. If tabs separate systems, use "
                "standard input; otherwise, keep only the column of the hypotheses."
            )
    if num_refs == 1:
        for number, reference in enumerate(references, start=1):
            if _has_columns(reference):
                yield (
                    f"reference {number} has a tab in every line, scored as whitespace. If tabs separate references, "
                    "use --num-refs with their number; otherwise, keep only the column of the references."
                )
        return
    place = next((place for place, line in enumerate(references[-1], start=1) if "\t" in line), None)
    if place is not None:
        yield (
            f"line {place:,} of the references has more columns than --num-refs {num_refs}: those from the last on are "
            "scored as one reference. Use --num-refs with their number."
        )


def _has_columns(lines: Sequence[str]) -> bool:
    return bool(lines) and all("\t" in line for line in lines)


def check_words(metrics: Metrics, reference: Sequence[str], options: Namespace) -> None:
    """A doubt for every metric that takes whole clauses of Chinese, Japanese, Thai ... for words."""
    if "BLEU" not in metrics and "TER" not in metrics:
        return
    from understudy.metrics.base.unsplit_text import sampled
    from understudy.text.languages import NAMES, TOKENIZERS
    from understudy.text.scripts import splits, unspaced_language

    texts = sampled(reference)
    language = unspaced_language(texts)
    if language is None:
        return
    for name, metric in metrics.items():
        tokenizer = getattr(metric, "tokenizer", None)  # chrF has none
        if tokenizer is None or splits([tokenizer(text) for text in texts], str.split):
            continue
        if name == "BLEU":
            remedy = f"Use --tokenize {TOKENIZERS[language]}."
        elif language == "zh":  # sacreBLEU's expressions for kana never match
            remedy = "Use --ter-normalized --ter-asian-support."
        else:
            remedy = "Split systems and references into words first."
        doubt(
            f"the references are {NAMES[language]} text, which {name} does not split into words with these options. "
            f"{remedy}",
            strict=options.strict,
        )
