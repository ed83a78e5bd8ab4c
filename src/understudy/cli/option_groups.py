"""Option groups: the headings under which `--help` lists the options of commands that have many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

_METRICS = (
    "--tokenize",
    "--lowercase",
    "--parser",
    "--lang",
    "--batch-size",
    "--device",
    "--dtype",
    "--no-cache",
)
LANGUAGE_MODELS = (
    "--endpoint",
    "--api-key-env",
    "--replies",
    "--parallel",
    "--price-in",
    "--price-out",
    "--max-calls",
    "--max-cost",
    "--yes",
)
_NAMED_SETS = ("--test-set", "--origlang", "--subset", "--download")
_OUTPUT = ("--format", "--width", "--output", "--report", "--figures", "--threads", "--help")

# By command; the order is that of the help text.
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "score": {
        "Input": ("--reference", *_NAMED_SETS, "--source", "--labels", "--tsv-quoting"),
        "Metrics": ("--metric", "--level", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Confidence intervals": ("--ci", "--interval", "--samples", "--seed"),
        "Output": ("--quiet", "--fail-under", *_OUTPUT),
    },
    "explain": {
        "Input": ("--reference", *_NAMED_SETS, "--source", "--tsv-quoting"),
        "Metrics": ("--metric", "--against", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Output": ("--segments", *_OUTPUT),
    },
    "compare": {
        "Input": (
            "--reference",
            *_NAMED_SETS,
            "--source",
            "--scores",
            "--lower-is-better",
            "--runs",
            "--kind",
            "--tsv-quoting",
        ),
        "Metrics": ("--metric", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Significance testing": (
            "--baseline",
            "--all-pairs",
            "--test",
            "--level",
            "--samples",
            "--seed",
            "--correct",
            "--significance",
            "--interval",
            "--blocks",
            "--block-size",
            "--by-document",
        ),
        "Analysis": (
            "--breakdown",
            "--labels",
            "--word-labels",
            "--train",
            "--top",
            "--references-study",
            "--draws",
        ),
        "Check in a pipeline": ("--fail-if-worse", "--summary"),
        "Output": ("--pairs", *_OUTPUT),
    },
    "trust": {
        "Input": (
            "--human",
            "--measure",
            "--systems",
            "--reference",
            *_NAMED_SETS,
            "--source",
            "--scores",
            "--lower-is-better",
            "--exclude",
            "--kind",
            "--labels",
            "--tsv-quoting",
        ),
        "Metrics": ("--metric", "--judged-only", "--up-to", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Agreement": (
            "--level",
            "--coefficient",
            "--rank-by",
            "--test",
            "--clusters",
            "--over",
            "--samples",
            "--seed",
            "--confidence",
            "--significance",
        ),
        "Several test sets": ("--set", "--references-as-systems", "--by", "--weight"),
        "Error spans": ("--human-spans", "--spans", "--annotated", "--severity-credit"),
        "Learned metrics and grids of settings": (
            "--learn",
            "--learn-features",
            "--hash-bits",
            "--min-documents",
            "--learn-within",
            "--learn-sentinels",
            "--save-model",
            "--grid",
        ),
        "Baselines": ("--sentinels",),
        "Output": ("--plot", *_OUTPUT),
    },
    "probe": {
        "Input": ("--reference", *_NAMED_SETS, "--source", "--labels", "--tsv-quoting"),
        "Metrics": ("--metric", "--level", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Parts": (
            "--what",
            "--variants",
            "--perturbation",
            "--strength",
            "--list",
            "--seconds",
            "--searched",
            "--samples",
            "--seed",
            "--confidence",
        ),
        "Challenge sets": (
            "--pairs",
            "--scores",
            "--lower-is-better",
            "--severities",
            "--correct",
            "--significance",
        ),
        "Output": _OUTPUT,
    },
    "tune": {
        "Input": ("--reference", *_NAMED_SETS, "--source", "--start", "--tsv-quoting"),
        "Metrics": ("--metric", "--metric-weight", "--level", *_METRICS),
        "Language models": LANGUAGE_MODELS,
        "Search": (
            "--method",
            "--restarts",
            "--directions",
            "--bounds",
            "--fix",
            "--interpolation",
            "--seed",
        ),
        "Check against overfitting": ("--held-out", "--folds", "--refit", "--samples", "--significance"),
        "Output": _OUTPUT,
    },
}
_UNGROUPED = "Other options"  # where an option goes that GROUPS does not list

_COLUMN = 23  # width of the option names, the same under all headings


class GroupedCommand(click.Command):
    """A command whose `--help` lists the options in groups."""

    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # instead of those in GROUPS

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                names, help_text = record
                rows[long_name(option)] = (f"{names:<{_COLUMN}}", help_text)
        groups = self.groups or GROUPS.get(self.name or "", {})
        listed = {flag for flags in groups.values() for flag in flags}
        others = tuple(flag for flag in rows if flag not in listed)
        for heading, flags in {**groups, _UNGROUPED: others}.items():
            if found := [rows[flag] for flag in flags if flag in rows]:
                with formatter.section(heading):
                    formatter.write_dl(found, col_max=_COLUMN)


def long_name(parameter: click.Parameter) -> str:
    """The first long name of an option."""
    return next((name for name in parameter.opts if name.startswith("--")), parameter.opts[0])
