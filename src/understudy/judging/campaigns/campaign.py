"""Campaign: human evaluation from the first link to the last answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy.corpus.corpus import as_corpus
from understudy.corpus.error_spans import MarkedSpan, read_marked_spans
from understudy.errors import BadParameter, did_you_mean
from understudy.judging.campaigns.addresses import page_origin
from understudy.judging.campaigns.backup import rows_of_copy
from understudy.judging.campaigns.campaign_plan import CampaignPlan, planned_judges
from understudy.judging.campaigns.crowd import CROWD, PLACEHOLDER
from understudy.judging.campaigns.demographics import demographic_fields
from understudy.judging.campaigns.design import CampaignDesign, Problem
from understudy.judging.campaigns.design_rows import (
    IMPORTED,
    RESERVED,
    assignment_rows,
    judge_row,
    read_design,
    refuse_imported,
    refuse_reserved,
    rows_of,
)
from understudy.judging.campaigns.store import Store, Target
from understudy.judging.campaigns.tokens import new_token

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from understudy.judging.campaigns.progress import CampaignStatus
    from understudy.judging.judgments import Judgments


class Link(NamedTuple):
    """A personal link, or the one of a crowd. It is shown once: the campaign has a hash of its token only."""

    name: str
    group: str | None
    role: str  # judge, lead, viewer or crowd
    token: str
    participant_field: str | None = None  # of a crowd: the parameter that has the participant's id

    def at(self, url: str) -> str:
        """The link to a page at this address. The token is in the fragment, which browsers send to no one."""
        query = f"?{self.participant_field}={PLACEHOLDER}" if self.participant_field else ""
        return f"{url.rstrip('/')}/{query}#{self.token}"


class Campaign:
    """A campaign in an SQLite file or a PostgreSQL database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(cls, place: str | os.PathLike[str]) -> Campaign:
        """The campaign in a file, or at postgresql://HOST/DATABASE?campaign=NAME."""
        return cls(Store.open(place))

    @classmethod
    def create(
        cls,
        place: str | os.PathLike[str],
        systems: Any,
        references: Any = None,
        *,
        sources: Any = None,
        protocol: str | os.PathLike[str],
        judges: int | Sequence[str] | Mapping[str, str],
        database: str | None = None,
        prefilled: str | os.PathLike[str] | Sequence[MarkedSpan] | None = None,
        **plan: Any,
    ) -> Campaign:
        """A new campaign in a file that does not exist yet. `systems` is a Corpus or what one can be made of, `judges`
        their number, their names, or their groups by name; `plan` has the fields of CampaignPlan.

        With `database`, the URL of a PostgreSQL database, the campaign is there, and the file has its URL.
        """
        from understudy.judging.campaigns.planning import plan_campaign
        from understudy.judging.protocols.reading import protocol as protocol_named

        corpus = as_corpus(systems, references, **({} if sources is None else {"sources": sources}))
        chosen = protocol_named(protocol)
        if isinstance(prefilled, (str, os.PathLike)):
            prefilled = read_marked_spans(prefilled)
        asked = demographic_fields(plan.pop("demographics", ()))
        people = planned_judges(chosen, judges)
        refuse_reserved(judge.name for judge in people)
        made = CampaignPlan(judges=people, prefilled=tuple(prefilled or ()), demographics=asked, **plan)
        named = _name_of(place)
        target = Target(os.fspath(place), named, database)
        target.check()
        return cls(target.create(rows_of(plan_campaign(corpus, chosen, made), named)))

    @classmethod
    def import_judgments(
        cls, place: str | os.PathLike[str], judgments: Judgments, *, database: str | None = None
    ) -> Campaign:
        """A new campaign of judgments that were collected elsewhere, such as those of `read_judged`. It has results,
        exports and a status; it cannot be served.
        """
        from understudy.judging.campaigns.imported import imported_rows

        target = Target(os.fspath(place), _name_of(place), database)
        target.check()
        return cls(target.create(imported_rows(judgments, target.name)))

    @classmethod
    def restore(
        cls, copy: str | os.PathLike[str], place: str | os.PathLike[str], *, database: str | None = None
    ) -> Campaign:
        """A new campaign with everything that a copy made by `backup` has. Links stay valid."""
        target = Target(os.fspath(place), _name_of(place), database)
        target.check()
        return cls(target.create(rows_of_copy(copy)))

    @staticmethod
    def page_address(url: str) -> str:
        """The address of a page as links have it, or BadParameter: a page needs a host of its own."""
        return page_origin(url)

    @property
    def name(self) -> str:
        return str(self._store.meta()["name"])

    @property
    def design(self) -> CampaignDesign:
        """Segments, outputs, tasks and assignments as they are now."""
        return read_design(self._store)

    def links(self, names: Sequence[str] | None = None, *, replace: bool = False) -> list[Link]:
        """New links for these people, by default for all whose links are not revoked; the judges of a crowd have one
        together. Earlier links stay valid unless `replace` is true.
        """
        facts = self._store.meta()
        refuse_imported(facts, self._store.where)
        known = self._store.tables
        with self._store.writing() as connection:
            people = self._people(connection, names, revived=("lead", "viewer", CROWD))
            if names is None and facts["plan"].get("crowd"):
                people = [person for person in people if person.role != "judge"]
            made = [(person, *new_token()) for person in people]
            if replace:
                self._end_links(connection, [person.id for person in people])
            if made:
                again = known.judges.c.id.in_([person.id for person in people])
                connection.execute(known.judges.update().where(again).values(revoked=False))
                now = time.time()
                rows = [
                    {**stored._asdict(), "judge": person.id, "created": now, "revoked": False}
                    for person, _, stored in made
                ]
                connection.execute(known.links.insert(), rows)
                self._store.note_change(connection)
        field = facts["plan"].get("participant_field") or "participant"
        return [
            Link(person.name, person.group, person.role, token, field if person.role == CROWD else None)
            for person, token, _ in made
        ]

    def add_judges(self, judges: int | Sequence[str] | Mapping[str, str]) -> list[str]:
        """Add judges, by number or by name as in `create`, also while the campaign is served; returns their names."""
        from understudy.judging.campaigns.joining import more_assignments

        known = self._store.tables
        design = self.design
        taken = {judge.name for judge in design.plan.judges} | set(RESERVED)
        added = planned_judges(design.protocol, judges, first=len(design.plan.judges) + 1)
        for judge in added:
            if judge.name in taken:
                raise BadParameter(f"there is a judge '{judge.name}' already. Choose another name.")
        tasks = more_assignments(design, added)
        with _alone(), self._store.writing() as connection:
            last = connection.execute(known.judges.select().order_by(known.judges.c.id.desc())).first()
            first = 1 + (last.id if last else 0)
            ids = {judge.name: first + place for place, judge in enumerate(added)}
            rows = [judge_row(judge.name, judge.group, "judge", ids[judge.name]) for judge in added]
            connection.execute(known.judges.insert(), rows)
            if assigned := assignment_rows({ids[name]: each for name, each in tasks.items()}):
                connection.execute(known.assignments.insert(), assigned)
            self._store.note_change(connection)
        return [judge.name for judge in added]

    def revoke(self, names: Sequence[str]) -> None:
        """End all links and sessions of these people. Their answers stay."""
        known = self._store.tables
        with self._store.writing() as connection:
            ids = [person.id for person in self._people(connection, names)]
            self._end_links(connection, ids)
            connection.execute(known.judges.update().where(known.judges.c.id.in_(ids)).values(revoked=True))
            self._store.note_change(connection)

    def status(self) -> CampaignStatus:
        """How far every judge is, also while the campaign is served."""
        from understudy.judging.campaigns.desk import Desk
        from understudy.judging.campaigns.imported import imported_status
        from understudy.judging.campaigns.progress import status_of

        if IMPORTED in self._store.meta():
            return imported_status(self.judgments())
        return status_of(Desk(self._store))

    def judgments(self) -> Judgments:
        """What has been collected so far, also while the campaign is served."""
        from understudy.judging.campaigns.collected import judgments_of
        from understudy.judging.campaigns.imported import imported_judgments

        if IMPORTED in (facts := self._store.meta()):
            return imported_judgments(facts)
        return judgments_of(self._store)

    def answers(self) -> list[dict[str, Any]] | None:
        """All that judges said, one dict per judged hypothesis and step; None if the judgments were imported."""
        from understudy.judging.campaigns.all_answers import all_answers

        return None if IMPORTED in self._store.meta() else all_answers(self._store)

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the campaign to a new file, also while it is served. The copy is a campaign in SQLite."""
        from understudy.judging.campaigns.backup import back_up

        back_up(self._store, path)

    def archive(self, *, names: bool = False) -> str:
        """One HTML page with protocol, progress, results so far, all items and all answers. Without `names`, judges are
        numbered.
        """
        from understudy.judging.campaigns.archive import archived

        return archived(self._store, names=names)

    def check(self) -> tuple[Problem, ...]:
        """What is wrong with the campaign."""
        return self.design.problems

    def serve(
        self,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        url: str | None = None,
        ready: Callable[[str], None] | None = None,
    ) -> None:
        """Serve the page until the process is interrupted. `ready` is told the address as soon as it can be opened;
        `url` is the address that judges use if it is another one.
        """
        from understudy.judging.server.serving import bound_socket, run_server

        # The writer waits for the interpreter once per statement: at 5 ms each, judges would wait for it.
        sys.setswitchinterval(0.001)
        with bound_socket(host, port) as socket:
            run_server(self._store, socket, url=url, ready=ready)

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Campaign '{self.name}' at {self._store.where}>"

    def _people(
        self, connection: Connection, names: Sequence[str] | None, revived: Sequence[str] = ()
    ) -> list[Any]:
        """Of these names. Revoked ones are an error, but those of a role that a campaign cannot do without."""
        table = self._store.tables.judges
        found = {row.name: row for row in connection.execute(table.select().order_by(table.c.id))}
        if names is None:
            return [row for row in found.values() if not row.revoked]
        for name in names:
            if name not in found:
                raise BadParameter(
                    f"unknown judge '{name}' in '{self._store.where}'. {did_you_mean(name, found)}"
                )
            if found[name].revoked and found[name].role not in revived:
                cure = " Add another judge with 'understudy judge add-judges'." if revived else ""
                raise BadParameter(f"judge '{name}' is revoked already.{cure}")
        return [found[name] for name in dict.fromkeys(names)]

    def _end_links(self, connection: Connection, judges: Iterable[int]) -> None:
        links, sessions = self._store.tables.links, self._store.tables.sessions
        ids = list(judges)
        connection.execute(links.update().where(links.c.judge.in_(ids)).values(revoked=True))
        over = sessions.c.judge.in_(ids) & sessions.c.ended.is_(None)
        connection.execute(sessions.update().where(over).values(ended=time.time()))


@contextmanager
def _alone() -> Iterator[None]:
    """Two commands that add the same judge at the same time: the second one fails."""
    from sqlalchemy.exc import IntegrityError

    try:
        yield
    except IntegrityError:
        raise BadParameter("another command added judges at the same time. Try again.") from None


def _name_of(place: str | os.PathLike[str]) -> str:
    """The name of a file without its folder and ending."""
    return os.path.splitext(os.path.basename(os.fspath(place)))[0] or "campaign"
