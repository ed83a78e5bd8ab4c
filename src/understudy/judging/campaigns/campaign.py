"""Campaign: human evaluation from the first link to the last answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy.errors import BadParameter, did_you_mean
from understudy.judging.campaigns.design import CampaignDesign, Problem
from understudy.judging.campaigns.design_rows import assignment_rows, judge_row, read_design
from understudy.judging.campaigns.store import Store
from understudy.judging.campaigns.tokens import new_token

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Link(NamedTuple):
    """A personal link. It is shown once: the campaign has a hash of its token only."""

    name: str
    group: str | None
    role: str  # judge, lead or viewer
    token: str

    def at(self, url: str) -> str:
        """The link to a page at this address. The token is in the fragment, which browsers send to no one."""
        return f"{url.rstrip('/')}/#{self.token}"


class Campaign:
    """A campaign in an SQLite file or a PostgreSQL database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(cls, place: str | os.PathLike[str]) -> Campaign:
        """The campaign in a file, or at postgresql://HOST/DATABASE?campaign=NAME."""
        return cls(Store.open(place))

    @property
    def name(self) -> str:
        return str(self._store.meta()["name"])

    @property
    def design(self) -> CampaignDesign:
        """Segments, outputs, tasks and assignments as they are now."""
        return read_design(self._store)

    def links(self, names: Sequence[str] | None = None, *, replace: bool = False) -> list[Link]:
        """New links for these people, by default for all whose links are not revoked. Earlier links stay valid unless
        `replace` is true.
        """
        known = self._store.tables
        with self._store.writing() as connection:
            people = self._people(connection, names)
            made = [(person, *new_token()) for person in people]
            if replace:
                self._end_links(connection, [person.id for person in people])
            if made:
                now = time.time()
                rows = [
                    {**stored._asdict(), "judge": person.id, "created": now, "revoked": False}
                    for person, _, stored in made
                ]
                connection.execute(known.links.insert(), rows)
                self._store.note_change(connection)
        return [Link(person.name, person.group, person.role, token) for person, token, _ in made]

    def revoke(self, names: Sequence[str]) -> None:
        """End all links and sessions of these people. Their answers stay."""
        known = self._store.tables
        with self._store.writing() as connection:
            ids = [person.id for person in self._people(connection, names)]
            self._end_links(connection, ids)
            connection.execute(known.judges.update().where(known.judges.c.id.in_(ids)).values(revoked=True))
            self._store.note_change(connection)

    def check(self) -> tuple[Problem, ...]:
        """What is wrong with the campaign."""
        return self.design.problems

    def serve(
        self,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        url: str | None = None,
        ready: Callable[[str], None] = lambda address: None,
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

    def _people(self, connection: Connection, names: Sequence[str] | None) -> list[Any]:
        table = self._store.tables.judges
        found = {row.name: row for row in connection.execute(table.select().order_by(table.c.id))}
        if names is None:
            return [row for row in found.values() if not row.revoked]
        for name in names:
            if name not in found:
                raise BadParameter(f"'{self._store.where}' has no judge '{name}'. {did_you_mean(name, found)}")
            if found[name].revoked:
                raise BadParameter(f"judge '{name}' is revoked already.")
        return [found[name] for name in dict.fromkeys(names)]

    def _end_links(self, connection: Connection, judges: Iterable[int]) -> None:
        links, sessions = self._store.tables.links, self._store.tables.sessions
        ids = list(judges)
        connection.execute(links.update().where(links.c.judge.in_(ids)).values(revoked=True))
        over = sessions.c.judge.in_(ids) & sessions.c.ended.is_(None)
        connection.execute(sessions.update().where(over).values(ended=time.time()))
