"""Questions about judges, from JSON or from Python."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from understudy.errors import BadInput
from understudy.judging.campaigns.campaign_plan import DemographicField

_KNOWN = [each.name for each in fields(DemographicField)]


def demographic_fields(given: str | Sequence[Any] | None) -> tuple[DemographicField, ...]:
    """
    >>> demographic_fields('[{"name": "years", "label": "Years of experience", "kind": "number"}]')
    (DemographicField(name='years', label='Years of experience', kind='number', choices=()),)
    """
    if not given:
        return ()
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise BadInput(f"demographics: not JSON: {error}.") from None
    if not isinstance(given, (list, tuple)):
        raise BadInput("demographics: expected a list of objects with name, label, kind and choices.")
    return tuple(_field(each) for each in given)


def _field(given: Any) -> DemographicField:
    if isinstance(given, DemographicField):
        return given
    if not isinstance(given, dict) or not {"name", "label"} <= set(given) <= set(_KNOWN):
        raise BadInput(
            f"demographics: expected objects with {', '.join(_KNOWN)}; got {json.dumps(given)[:80]}."
        )
    choices = given.get("choices", ())
    texts = [given["name"], given["label"], given.get("kind", "text"), *choices]
    if not isinstance(choices, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise BadInput(
            "demographics: expected text for name, label and kind, and a list of texts for choices."
        )
    return DemographicField(**{**given, "choices": tuple(choices)})
