"""`understudy metrics` and `understudy tokenizers`: lists of metrics and tokenizers."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import click

from understudy.cli.arguments import complete_metric
from understudy.cli.output import listing, print_text, terminal_width
from understudy.errors import MissingExtra, UnderstudyError
from understudy.installation import install_command

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.text.tokenizers import Kind

_FORMAT = click.option(
    "-f",
    "--format",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Output format.",
)


@click.command()
@click.argument("name", required=False, shell_complete=complete_metric)
@_FORMAT
def metrics(name: str | None, format: str) -> None:
    """List the metrics, or describe one.

    The description lists parameters, presets and limitations of the metric.

    \b
    Examples:
      understudy metrics
      understudy metrics bleu
      understudy metrics bleu:papineni2002
    """
    from understudy.metrics.base import registry

    if name is not None:
        chosen = registry.metric(name)
        print_text(_json(_described(chosen)) if format == "json" else _explained(chosen))
        return
    if format == "json":
        print_text(_json([_described(made()) for made in registry.metrics().values()]))
        return
    rows = [
        (name, known.better(), " ".join([known.summary, *_other_names(known)]))
        for name, known in registry.metrics().items()
    ]
    print_text(listing(("name", "better", "summary"), rows))
    print_text("\nUse understudy metrics NAME for parameters and presets.")
    print_text(f"Default panel (-m {registry.PANEL}): {', '.join(registry.panel())}.")


def _other_names(metric: type[Metric]) -> list[str]:
    """The aliases in words: one for each preset that has any. Other spellings are accepted but not listed."""
    first: dict[str, str] = {}
    for alias, preset in metric.aliases.items():
        first.setdefault(preset, alias)
    return [f"Also: {', '.join(first.values())}."] if first else []


@click.command()
@_FORMAT
def tokenizers(format: str) -> None:
    """List the tokenizers and their requirements.

    \b
    Examples:
      understudy tokenizers
      understudy score nmt.txt -r ref.txt -m bleu:tokenize=intl
    """
    from understudy.text.tokenizers import KINDS

    found = [(kind, _is_installed(kind)) for kind in KINDS.values()]
    if format == "json":
        print_text(
            _json(
                [
                    {
                        "name": kind.name,
                        "native": kind.open is None,
                        "extra": kind.extra,
                        "installed": installed,
                        "takes_model": kind.takes_model,
                        "summary": kind.summary,
                    }
                    for kind, installed in found
                ]
            )
        )
        return
    rows = [
        (
            kind.written,
            _availability(kind, installed),
            kind.summary,
        )
        for kind, installed in found
    ]
    print_text(listing(("name", "available", "summary"), rows))


def _is_installed(kind: Kind) -> bool:
    if kind.open is None:
        return True
    try:
        kind.open(kind, None)
    except MissingExtra:
        return False
    except (UnderstudyError, RuntimeError):
        pass  # the library is installed; only the model is missing
    return True


def _availability(kind: Kind, installed: bool) -> str:
    if kind.open is None:
        return "built in"
    return "installed" if installed else install_command(str(kind.extra))


# --- one metric ----------------------------------------------------------------------------------------


def _explained(metric: Metric) -> str:
    width = terminal_width()
    parameters = metric.parameters().values()
    changed = any(getattr(metric, p.name) != p.default for p in parameters)
    rows = [
        (
            p.name,
            *([p.format(getattr(metric, p.name))] if changed else []),
            p.format(p.default),
            f"{p.help} [{p.expected}]",
        )
        for p in parameters
    ]
    headers = ("parameter", *(["here"] if changed else []), "default", "meaning [values]")
    presets = [(_named(metric, name), _settings(metric, dict(s))) for name, s in metric.presets.items()]
    programs = [(name, metric.preset_notes[name]) for name in metric.presets if name in metric.preset_notes]
    sections = [
        f"{metric.label}: {metric.spec}",
        metric.summary,
        f"{metric.better().capitalize()} is better{', in percent' if metric.percent else ''}.",
        listing(headers, rows),
        *([listing(("preset", "parameters"), presets)] if presets else []),
        *([listing(("preset", "identical to"), programs)] if programs else []),
        f"When not to use it: {metric.not_for}",
        f"Source: {metric.citation}",
        "Examples:"
        + "".join(f"\n  understudy score nmt.txt -r ref.txt -m {spec}" for spec in _examples(metric)),
    ]
    wrapped = [text if "\n" in text or width is None else textwrap.fill(text, width) for text in sections]
    return "\n\n".join(wrapped)


def _described(metric: Metric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.label,
        "spec": metric.spec,
        "summary": metric.summary,
        "higher_is_better": metric.higher_is_better,
        "target": metric.target,
        "percent": metric.percent,
        "formula": metric.formula,
        "citation": metric.citation,
        "not_for": metric.not_for,
        "parameters": [
            {
                "name": p.name,
                "value": getattr(metric, p.name),
                "default": p.default,
                "choices": list(p.choices) or None,
                "expected": p.expected,
                "help": p.help,
            }
            for p in metric.parameters().values()
        ],
        "presets": {name: dict(settings) for name, settings in metric.presets.items()},
        "preset_notes": {
            name: metric.preset_notes[name] for name in metric.presets if name in metric.preset_notes
        },
        "aliases": dict(metric.aliases),
        "examples": _examples(metric),
    }


def _examples(metric: Metric) -> list[str]:
    """Valid specs: the default, one with a parameter, one with a preset."""
    made = type(metric)
    if made.written_as:
        return [made.written_as]
    chosen = [made()]
    for p in metric.parameters().values():
        others = [choice for choice in p.choices if choice != p.default]
        if others:
            chosen.append(made(**{p.name: others[0]}))
            break
    chosen += [made.preset(name) for name, settings in metric.presets.items() if settings][:1]
    specs = [example.spec for example in chosen]
    return [*specs, metric.spec] if metric.spec not in specs else specs


def _named(metric: Metric, preset: str) -> str:
    """The spec of a preset."""
    aliases = [alias for alias, meant in metric.aliases.items() if meant == preset]
    return ", ".join([*aliases, f"{metric.name}:{preset}"])


def _settings(metric: Metric, settings: dict[str, Any]) -> str:
    parameters = metric.parameters()
    pieces = [f"{name}={parameters[name].format(value)}" for name, value in settings.items()]
    return ", ".join(pieces) or "the defaults"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
