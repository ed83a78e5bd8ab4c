"""A crowd: many participants enter by one link, each with the id that their platform writes into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from understudy.judging.campaigns.payloads import BadAnswer

if TYPE_CHECKING:
    from understudy.judging.campaigns.desk import Desk, Judge

CROWD = "crowd"  # name and role of the shared link
PLACEHOLDER = "ID"  # in the link, where the platform's own placeholder belongs
_USUAL_FIELDS = ("PROLIFIC_PID", "workerId", "participant")  # Prolific, Mechanical Turk, and by hand


def participant_id(judge: Judge, participant_field: str | None) -> str | None:
    """The id that came with the judge's link."""
    return _id_in((judge.profile or {}).get("participant", {}), _fields(participant_field))


class CrowdPlaces:
    """Which judge of the campaign a participant is. A place is theirs from the first moment; when the server starts
    again, those whose id was stored with it have it still.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._field = desk.plan.participant_field
        self._given: dict[str, int] = {}  # judges by participant since the server was started

    def id_of(self, participant: Mapping[str, str]) -> str:
        known = _fields(self._field)
        found = _id_in(participant, known)
        if found is None:
            raise BadAnswer(
                f"This link has no participant id ({' or '.join(known)}). Open the study from its platform again."
            )
        if _is_placeholder(found):
            raise BadAnswer(
                f"This link has '{found}' where the platform's participant id belongs. Tell the person who made the "
                "study: the platform's placeholder is missing or misspelled."
            )
        return found

    def take(self, id: str) -> Judge | None:
        """The participant's place, or else the next free one; None if all are taken."""
        judges = [judge for judge in self._desk.judges.values() if judge.role == "judge"]
        if id in self._given:
            return self._desk.judges[self._given[id]]
        for judge in judges:
            if participant_id(judge, self._field) == id:
                return judge
        for judge in self._free(judges):
            self._given[id] = judge.id
            return judge
        return None

    def _free(self, judges: Iterable[Judge]) -> Iterable[Judge]:
        entered = self._desk.judges_with_sessions() | set(self._given.values())
        return (judge for judge in judges if not judge.revoked and not judge.keys and judge.id not in entered)


def _is_placeholder(id: str) -> bool:
    """Not filled in: everyone who opens this link would be one and the same judge."""
    return id == PLACEHOLDER or re.fullmatch(r"(\{\{|\$\{|\[\[|%7B%7B).*", id, re.IGNORECASE) is not None


def _fields(participant_field: str | None) -> tuple[str, ...]:
    return _USUAL_FIELDS if participant_field is None else (participant_field,)


def _id_in(participant: Mapping[str, str], known: Sequence[str]) -> str | None:
    """The first of these parameters that has one."""
    return next((found for name in known if (found := participant.get(name, "").strip())), None)
