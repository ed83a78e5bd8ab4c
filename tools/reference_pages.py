"""Writes docs/metrics/NAME.md for every metric, from its parameters and its class, and the lists of metrics and
tokenizers.

    python tools/reference_pages.py

Further content (worked examples, differences between programs) is in docs/metrics/NAME.notes.md and is included
unchanged. tools/blind_spots.py measures the blind spots. A test fails if the pages and the code differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import blind_spots

from understudy._core import UNICODE_VERSION
from understudy.installation import install_command
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Parameter
from understudy.metrics.base.registry import PANEL, metrics, panel
from understudy.probing.perturbations.blind_spots import NOTICED
from understudy.text.languages import NAMES, TOKENIZERS
from understudy.text.tokenizers import KINDS, tokenizer

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = DOCS / "metrics"
# Releases of packages that learned metrics compute with: a page is the same whatever is installed.
_VERSIONS = re.compile(r"(\|(?:numpy|tokenizers|torch|transformers):)[^|]+")
EXAMPLE = "It's 3.5%, isn't it? “Öl” kostet 2017.中文"


def page(metric: type[Metric]) -> str:
    """The reference page of a metric."""
    notes = FOLDER / f"{metric.name}.notes.md"
    scale = "reported in percent" if metric.percent else "reported on its own scale"
    default = metric()
    signature = _VERSIONS.sub(r"\1VERSION", str(default.signature((1, 1))))
    sections = [
        f"# {metric.title}",
        "<!-- Written by tools/reference_pages.py from the metric's class and notes. Do not edit. -->",
        metric.summary,
        f"```math\n{metric.formula}\n```",
        f"{metric.better().capitalize()} is better; {scale}. On the command line: "
        f"`-m {metric.written_as or default.spec}`. In Python: `from understudy import {metric.__name__}`.",
        f"**When not to use it.** {metric.not_for}",
        f"**Source.** {metric.citation}",
        "## Parameters",
        f"Keyword arguments of the class, or `name=value` in a spec: `{metric.name}:name=value,name=value`.",
        table(
            ("parameter", "default", "values", "description"),
            [
                (f"`{parameter.name}`", f"`{shown(parameter.default)}`", values(parameter), parameter.help)
                for parameter in metric.parameters().values()
            ],
        ),
    ]
    if metric.presets:
        sections += [
            "## Presets",
            f"`{metric.name}:PRESET` in a spec, optionally followed by parameters; in Python, "
            f'`{metric.__name__}.preset("PRESET")`.',
            table(
                ("preset", "parameters", "identical to"),
                [
                    (
                        " or ".join([f"`{name}`", *alias_notes(metric, name)]),
                        ", ".join(f"`{key}={shown(value)}`" for key, value in settings.items())
                        or "the defaults",
                        metric.preset_notes.get(name, ""),
                    )
                    for name, settings in metric.presets.items()
                ],
            ),
        ]
    sections += [
        "## Statistics",
        "Counted per segment and summed for a corpus: "
        + ", ".join(f"`{column}`" for column in default.columns)
        + ".",
        "## Signature",
        f"```\n{signature}\n```",
        "## Blind spots",
        *blind_spots_of(metric),
    ]
    if notes.exists():
        sections.append(notes.read_text(encoding="utf-8").strip())
    return "\n\n".join(sections) + "\n"


def blind_spots_of(metric: type[Metric]) -> list[str]:
    """The errors that the metric notices least in the example data, as measured by tools/blind_spots.py."""
    if reason := blind_spots.why_not_measured(metric):
        return [reason]
    spec = blind_spots.measured_spec(metric)
    rows = [row for row in blind_spots.read() if row.metric == spec]
    references = " ".join(f"-r {name}" for name in blind_spots.REFERENCES)
    return [
        "The errors that the metric notices least in the example data, and the least noticed errors of fact and "
        "meaning, by [`understudy probe`](../guide/probe.md):",
        f"```\nunderstudy probe {blind_spots.SYSTEM} {references} --lang en --what perturbations -m {spec}\n```",
        table(
            (
                *("error", "strength", "segments", "sensitivity", "false alarms", "below harmless changes"),
                "verdict",
            ),
            [
                (
                    *(f"`{row.error}`", row.strength, row.segments, row.sensitivity, row.false_alarms),
                    *(row.below_harmless, row.verdict),
                )
                for row in rows
            ],
        ),
        "Strength: share of what the error can change; the highest to which the metric is blind, else the lowest. "
        "Sensitivity: share of segments in which the error scores worse than the original; false alarms: the same for "
        "harmless changes. Below harmless changes: share of segments in which the error costs more than harmless "
        "changes of the same segment (95% CI); 50% is chance. Verdict: blind if the CI is below "
        f"{NOTICED:.0%}, sensitive if it is above, else undecided.",
    ]


def metrics_page() -> str:
    """The list of metrics."""
    rows = [
        (
            f"[{metric.title}]({name}.md)",
            ", ".join(f"`{spec}`" for spec in (name, *metric.aliases)),
            metric.better(),
            metric.summary,
        )
        for name, metric in metrics().items()
    ]
    return (
        "\n\n".join(
            [
                "# Metrics",
                "<!-- Written by tools/reference_pages.py from the metrics' classes. Do not edit. -->",
                "`understudy metrics` prints this list. Every page has the formula, the parameters, the presets that "
                "reproduce other programs, differences between programs, blind spots, and when not to use the metric. "
                "The default "
                f"panel, `-m {PANEL}`, is {', '.join(f'`{spec}`' for spec in panel())}.",
                table(("metric", "names in specs", "better", "summary"), rows),
            ]
        )
        + "\n"
    )


def tokenizers_page() -> str:
    """The list of tokenizers, with the tokens of an example."""
    rows = [
        (
            f"`{kind.written}`",
            "built in" if kind.extra is None else f"`{install_command(kind.extra)}`",
            kind.summary,
        )
        for kind in KINDS.values()
    ]
    native = [name for name, kind in KINDS.items() if kind.extra is None]
    return (
        "\n\n".join(
            [
                "# Tokenizers",
                "<!-- Written by tools/reference_pages.py from the tokenizers. Do not edit. -->",
                "Tokenizers split text into the tokens that a metric compares. `understudy tokenizers` prints this "
                "list, `understudy tokenize` the tokens of a text. In a spec: `bleu:tokenize=intl`.",
                table(("name", "requirements", "summary"), rows),
                f"The same text, `{EXAMPLE}`, tokenized by each (tokens separated by ` · `):",
                table(
                    ("name", "tokens"),
                    [(f"`{name}`", " · ".join(tokenizer(name)(EXAMPLE))) for name in native],
                ),
                "## Tokenizers by language",
                "`--lang CODE` (in Python, `lang=`) sets the target language: an ISO 639 code such as `zh`, `zho_Hans` "
                "or `zh-CN`, or a language pair such as `en-zh`. It selects the tokenizer of every word-based metric "
                "that does not set one. For `zh`, `ja` and `ko` this is sacreBLEU's rule. Other scripts without word "
                "boundaries, for which sacreBLEU has no rule, are compared by characters. All other languages keep "
                "the metric's default tokenizer.",
                table(
                    ("language", "code", "tokenizer"),
                    [(NAMES[code], f"`{code}`", f"`{name}`") for code, name in TOKENIZERS.items()],
                ),
                "See [the target language](guide/score.md#the-target-language).",
                f"Character classes and lowercasing follow Unicode {UNICODE_VERSION}.",
            ]
        )
        + "\n"
    )


def alias_notes(metric: type[Metric], preset: str) -> list[str]:
    return [f"`-m {alias}`" for alias, meant in metric.aliases.items() if meant == preset]


def values(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(f"`{shown(choice)}`" for choice in parameter.choices)
    return parameter.expected


def shown(value: object) -> str:
    return Parameter.format(value)


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, metric_class in metrics().items():
        (FOLDER / f"{name}.md").write_text(page(metric_class), encoding="utf-8")
    (FOLDER / "README.md").write_text(metrics_page(), encoding="utf-8")
    (DOCS / "tokenizers.md").write_text(tokenizers_page(), encoding="utf-8")
