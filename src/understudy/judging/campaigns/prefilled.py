"""Prefilled spans: errors that are marked before a judge sees an output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from understudy.corpus.error_spans import MarkedSpan
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.judging.campaigns.texts import CampaignTexts
from understudy.judging.protocols.protocol import Protocol, Step


def checked_prefilled(
    spans: Sequence[MarkedSpan], protocol: Protocol, texts: CampaignTexts
) -> dict[tuple[str, int], list[MarkedSpan]]:
    """The spans by system and segment, with severities and categories as the protocol names them. A category that it
    does not have is left open for the judge.
    """
    if not spans:
        return {}
    step = next((step for step in protocol.steps if step.widget == "spans"), None)
    if step is None:
        raise BadParameter(f"prefilled spans: protocol '{protocol.name}' has no spans. Use esa, mqm or cesa.")
    found: dict[tuple[str, int], list[MarkedSpan]] = {}
    for span in spans:
        if span.system not in texts.outputs:
            raise BadInput(
                f"prefilled spans: unknown system '{span.system}'. {did_you_mean(span.system, texts.outputs)}"
            )
        _check_place(span, step, texts)
        found.setdefault((span.system, span.segment), []).append(_named(span, step))
    return found


def _check_place(span: MarkedSpan, step: Step, texts: CampaignTexts) -> None:
    where = f"prefilled spans: '{span.system}', segment {span.segment:,}"
    if not 1 <= span.segment <= len(texts):
        raise BadInput(f"{where}: expected a segment from 1 to {len(texts):,}. Is this another test set?")
    if span.side not in step.sides:
        raise BadInput(f"{where}: side '{span.side}', expected {' or '.join(step.sides)}.")
    text = (
        texts.source(span.segment - 1)
        if span.side == "source"
        else texts.outputs[span.system][span.segment - 1]
    )
    if text is None or not 0 <= span.start < span.end <= len(text):
        raise BadInput(
            f"{where}: a span from {span.start:,} to {span.end:,}, but the text has {len(text or ''):,} characters. "
            "Are offsets counted in bytes, or is this another text?"
        )


def _named(span: MarkedSpan, step: Step) -> MarkedSpan:
    severities = [severity.name for severity in step.severities]
    severity = _as_name(span.severity)
    if severity not in severities:
        raise BadInput(
            f"prefilled spans: '{span.system}', segment {span.segment:,}: unknown severity '{span.severity}'. "
            f"{did_you_mean(severity, severities)}"
        )
    category = "/".join(map(_as_name, span.category.split("/")))
    return replace(span, severity=severity, category=category if category in step.leaf_categories() else "")


def _as_name(text: str) -> str:
    """As names are written in protocols: Character Encoding is character-encoding."""
    return "-".join(text.replace("_", " ").lower().split())
