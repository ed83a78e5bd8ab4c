"""What judges say about themselves: consent, demographics, and the participant id of a crowd platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from understudy.judging.campaigns.campaign_plan import CampaignPlan, DemographicField
from understudy.judging.campaigns.payloads import BadAnswer, is_number

_LONGEST_ENTRY = 1000  # code points
_MOST_PARTICIPANT_FIELDS = 10


def checked_profile(body: Mapping[str, Any], plan: CampaignPlan) -> dict[str, Any]:
    """Consent and demographics as the campaign asks for them."""
    if unknown := set(body) - {"key", "consent", "demographics"}:
        raise BadAnswer(f"unknown field '{min(unknown)[:40]}' in a profile.")
    profile: dict[str, Any] = {}
    if plan.consent:
        if body.get("consent") is not True:
            raise BadAnswer("consent: expected true. Without consent there are no tasks.")
        profile["consent"] = True
    if plan.demographics:
        profile["demographics"] = _demographics(body.get("demographics"), plan.demographics)
    return profile


def checked_participant(given: Any) -> dict[str, str]:
    """The fields that a crowd platform adds to the link, e.g. PROLIFIC_PID."""
    if given is None:
        return {}
    if not isinstance(given, dict) or len(given) > _MOST_PARTICIPANT_FIELDS:
        raise BadAnswer(f"participant: expected an object with at most {_MOST_PARTICIPANT_FIELDS} fields.")
    for name, value in given.items():
        if not isinstance(value, str) or len(value) > 200 or len(name) > 64:
            raise BadAnswer("participant: expected names of at most 64 and values of at most 200 characters.")
    return given


def _demographics(given: Any, fields: Sequence[DemographicField]) -> dict[str, Any]:
    known = {field.name: field for field in fields}
    if not isinstance(given, dict) or set(given) - set(known):
        raise BadAnswer(f"demographics: expected an object with the fields {', '.join(known)}.")
    for name, value in given.items():
        _check_entry(name, value, known[name])
    return given


def _check_entry(name: str, value: Any, field: DemographicField) -> None:
    if value is None or value == "":  # everyone may keep this to themselves
        return
    if field.kind == "number":
        if not is_number(value):
            raise BadAnswer(f"demographics: {name}: expected a number.")
    elif not isinstance(value, str) or len(value) > _LONGEST_ENTRY:
        raise BadAnswer(f"demographics: {name}: expected text of at most {_LONGEST_ENTRY:,} characters.")
    elif field.kind == "choice" and value not in field.choices:
        raise BadAnswer(f"demographics: {name}: expected one of the choices.")
