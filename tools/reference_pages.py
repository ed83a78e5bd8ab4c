"""Writes docs/metrics/NAME.md for every metric, all that its parameters and its class say, and lists of metrics and
tokenizers.

    python tools/reference_pages.py

What a page adds beyond that (worked numbers, disagreements between programs) stands in docs/metrics/NAME.notes.md
and is taken in as it is. A test fails where the pages and the code have drifted apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from understudy._core import UNICODE_VERSION
from understudy.installation import install_command
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Parameter
from understudy.metrics.base.registry import PANEL, metrics, panel
from understudy.text.languages import NAMES, TOKENIZERS
from understudy.text.tokenizers import KINDS, tokenizer

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = DOCS / "metrics"
EXAMPLE = "It's 3.5%, isn't it? “Öl” kostet 2017.中文"


def page(metric: type[Metric]) -> str:
    """The reference page of a metric."""
    notes = FOLDER / f"{metric.name}.notes.md"
    scale = "a fraction, reported in percent" if metric.percent else "reported on its own scale"
    default = metric()
    sections = [
        f"# {metric.title}",
        "<!-- Written by tools/reference_pages.py from the metric itself: change that, or the notes. -->",
        metric.summary,
        f"```math\n{metric.formula}\n```",
        f"{metric.better().capitalize()} is better; it is {scale}. On the command line: "
        f"`-m {metric.written_as or default.spec}`. In Python: `from understudy import {metric.__name__}`.",
        f"**When not to use it.** {metric.not_for}",
        f"**Source.** {metric.citation}",
        "## Parameters",
        f"Each is a keyword of the class, and `name=value` in a spec: `{metric.name}:name=value,name=value`.",
        table(
            ("parameter", "default", "values", "meaning"),
            [
                (f"`{parameter.name}`", f"`{shown(parameter.default)}`", values(parameter), parameter.help)
                for parameter in metric.parameters().values()
            ],
        ),
    ]
    if metric.presets:
        sections += [
            "## Presets",
            f'`{metric.name}:PRESET` in a spec, with changes after a comma; `{metric.__name__}.preset("PRESET")` '
            "in Python.",
            table(
                ("preset", "sets", "gives the numbers of"),
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
        "Counted per segment, added up for a corpus: "
        + ", ".join(f"`{column}`" for column in default.columns)
        + ".",
        "## Signature",
        f"```\n{default.signature((1, 1))}\n```",
    ]
    if notes.exists():
        sections.append(notes.read_text(encoding="utf-8").strip())
    return "\n\n".join(sections) + "\n"


def metrics_page() -> str:
    """The list of metrics, with what each measures and when not to use it."""
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
                "<!-- Written by tools/reference_pages.py from the metrics themselves. -->",
                "`understudy metrics` prints this list. Every page has the formula, the parameters, the presets that "
                "reproduce other programs, where programs disagree, and when not to use the metric. The usual panel, "
                f"`-m {PANEL}`, is {', '.join(f'`{spec}`' for spec in panel())}.",
                table(("metric", "on the command line", "better", "what it measures"), rows),
            ]
        )
        + "\n"
    )


def tokenizers_page() -> str:
    """The list of tokenizers, with what each makes of one text."""
    rows = [
        (
            f"`{kind.name}{':FILE' if kind.takes_model else ''}`",
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
                "<!-- Written by tools/reference_pages.py from the tokenizers themselves. -->",
                "What a metric counts. `understudy tokenizers` prints this list, `understudy tokenize` the tokens of "
                "a text; in a spec: `bleu:tokenize=intl`.",
                table(("name", "needs", "how it cuts text"), rows),
                f"The same text, `{EXAMPLE}`, cut by each (tokens separated by ` · `):",
                table(
                    ("name", "tokens"),
                    [(f"`{name}`", " · ".join(tokenizer(name)(EXAMPLE))) for name in native],
                ),
                "## Tokenizers by language",
                "`--lang CODE`, in Python `lang=`, is the target language: a code of ISO 639 such as `zh`, `zho_Hans` "
                "or `zh-CN`, or a language pair such as `en-zh`. It chooses the tokenizer of every metric of words "
                "that was not given one. For `zh`, `ja` and `ko` that is sacreBLEU's rule; languages without spaces "
                "between words for which it has none are compared by characters. All others keep "
                "the metric's own tokenizer.",
                table(
                    ("language", "code", "tokenizer"),
                    [(NAMES[code], f"`{code}`", f"`{name}`") for code, name in TOKENIZERS.items()],
                ),
                "See [the target language](guide/score.md#the-target-language).",
                f"Classes of characters and lower-casing follow Unicode {UNICODE_VERSION}.",
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
