"""The tables of a campaign, the same in SQLite and PostgreSQL, and the version of their layout."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import Connection, MetaData, Table

# Raised whenever a table changes. `store.py` refuses campaigns of any other version with the reason.
SCHEMA_VERSION = 1


class Tables(NamedTuple):
    """All tables, in an order in which each refers to earlier ones only."""

    meta: Table  # facts about the campaign, by name
    segments: Table
    outputs: (
        Table  # texts to judge: identical hypotheses of one segment are one output, credited to all systems
    )
    tasks: Table  # outputs that are shown together
    judges: Table  # judges, leads and viewers
    links: Table  # personal links, hashed
    sessions: Table  # browsers that opened a link, hashed
    assignments: Table  # the tasks of each judge, in order
    answers: Table  # append-only: a changed answer is another row
    profiles: Table  # consent, demographics and participant ids; append-only

    @property
    def metadata(self) -> MetaData:
        return self.meta.metadata


@functools.cache
def tables() -> Tables:
    """The tables, for SQLAlchemy."""
    import sqlalchemy as sa

    class Json(sa.types.TypeDecorator[Any]):
        """A value as ASCII JSON. PostgreSQL stores no NUL and no lone surrogate in text; their escapes it does."""

        impl = sa.Text
        cache_ok = True

        def process_bind_param(self, value: Any, dialect: Any) -> str | None:  # noqa: ARG002
            return None if value is None else json.dumps(value)

        def process_result_value(self, value: str | None, dialect: Any) -> Any:  # noqa: ARG002
            return None if value is None else json.loads(value)

    def column(name: str, kind: Any, *more: Any, optional: bool = False, **options: Any) -> Any:
        return sa.Column(name, kind, *more, nullable=optional, **options)

    def refers(name: str, to: str, *, optional: bool = False, **options: Any) -> Any:
        return column(name, sa.Integer, sa.ForeignKey(to), optional=optional, **options)

    number = functools.partial(sa.Column, "id", sa.Integer, primary_key=True)
    text, seconds = sa.Text, sa.Double
    metadata = sa.MetaData()
    return Tables(
        meta=sa.Table("meta", metadata, column("name", text, primary_key=True), column("value", Json)),
        segments=sa.Table(
            "segments",
            metadata,
            number(),
            column("number", sa.Integer, optional=True),  # in the corpus, from 1; practice items have none
            column("document", Json, optional=True),
            column("source", Json, optional=True),
            column("reference", Json, optional=True),
        ),
        outputs=sa.Table(
            "outputs",
            metadata,
            number(),
            refers("segment", "segments.id"),
            column("text", Json),
            column("systems", Json),  # the names of all systems with this text
            refers("control_of", "outputs.id", optional=True),  # this is that output, degraded
            column("prefilled", Json),  # error spans to start from
        ),
        tasks=sa.Table(
            "tasks",
            metadata,
            number(),
            refers("segment", "segments.id"),
            column("outputs", Json),  # their ids, in the order shown
            column("role", text),  # main, repeat, control or practice
            refers("repeat_of", "tasks.id", optional=True),
            refers("control_of", "tasks.id", optional=True),
            column("details", Json),  # context, and the number of a practice item
        ),
        judges=sa.Table(
            "judges",
            metadata,
            number(),
            column("name", text, unique=True),
            column("group", text, optional=True),
            column("role", text),  # judge, lead or viewer
            column("revoked", sa.Boolean),
        ),
        links=sa.Table(
            "links",
            metadata,
            column("selector", text, primary_key=True),
            column("hash", text),
            refers("judge", "judges.id", index=True),
            column("created", seconds),
            column("revoked", sa.Boolean),
        ),
        sessions=sa.Table(
            "sessions",
            metadata,
            column("selector", text, primary_key=True),
            column("hash", text),
            refers("judge", "judges.id", index=True),
            column("created", seconds),
            column("ended", seconds, optional=True),
        ),
        assignments=sa.Table(
            "assignments",
            metadata,
            refers("judge", "judges.id", primary_key=True),
            column("position", sa.Integer, primary_key=True),
            refers("task", "tasks.id"),
            sa.UniqueConstraint("judge", "task"),
        ),
        answers=sa.Table(
            "answers",
            metadata,
            number(),
            refers("judge", "judges.id"),
            column("key", text),  # chosen by the browser: an answer sent twice is stored once
            refers("task", "tasks.id"),
            column("step", text),
            column("payload", Json),
            column("seconds", seconds, optional=True),
            column("received", seconds),
            sa.UniqueConstraint("judge", "key"),
        ),
        profiles=sa.Table(
            "profiles",
            metadata,
            number(),
            refers("judge", "judges.id"),
            column("key", text),
            column("profile", Json),
            column("received", seconds),
            sa.UniqueConstraint("judge", "key"),
        ),
    )


_APPEND_ONLY = ("answers", "profiles")


def create_tables(connection: Connection) -> None:
    """All tables, and the triggers that make answers append-only whatever program opens the campaign."""
    tables().metadata.create_all(connection)
    statements = _sqlite_triggers() if connection.dialect.name == "sqlite" else _postgresql_triggers()
    for statement in statements:
        connection.exec_driver_sql(statement)


def _sqlite_triggers() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        for table in _APPEND_ONLY
        for change in ("UPDATE", "DELETE")
    ]


def _postgresql_triggers() -> list[str]:
    refuse = (
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '%% are append-only', TG_TABLE_NAME; END $$"
    )
    return [refuse] + [
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        for table in _APPEND_ONLY
    ]
