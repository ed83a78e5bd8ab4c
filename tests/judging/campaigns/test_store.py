"""The database of a campaign: append-only, of one version, and for its owner's eyes."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys

import pytest

pytest.importorskip("sqlalchemy", reason="needs sqlalchemy: pip install '.[test]'")

from sqlalchemy.exc import DBAPIError

from material.small_campaign import rows_and_tokens, small_design
from understudy.errors import BadInput, BadParameter, MissingFile
from understudy.judging.campaigns.design_rows import read_design
from understudy.judging.campaigns.serving_lock import AlreadyServed
from understudy.judging.campaigns.store import StorageFailed, Store, Target
from understudy.judging.campaigns.writer import Writer


@pytest.fixture
def store(place):
    made = Store.create(place(), rows_and_tokens(small_design())[0])
    yield made
    made.close()


def answer(store, key="key-00001"):
    row = {
        "judge": 1,
        "key": key,
        "task": 1,
        "step": "fluency",
        "payload": {},
        "seconds": None,
        "received": 0.0,
    }
    with store.writing() as connection:
        connection.execute(store.tables.answers.insert(), [row])


def test_the_design_comes_back_as_it_was(store):
    design = small_design()
    again = read_design(store)
    assert (again.plan, again.segments, again.outputs, again.tasks, again.blocks, again.assignments) == (
        design.plan,
        design.segments,
        design.outputs,
        design.tasks,
        design.blocks,
        design.assignments,
    )


@pytest.mark.parametrize("change", ["update", "delete"])
@pytest.mark.parametrize("table", ["answers", "profiles"])
def test_answers_are_append_only_for_every_program(store, change, table):
    answer(store)
    with store.writing() as connection:
        row = {"judge": 1, "key": "key-00001", "profile": {}, "received": 0.0}
        connection.execute(store.tables.profiles.insert(), [row])
    changed = getattr(store.tables, table)
    statement = changed.update().values(received=1.0) if change == "update" else changed.delete()
    with pytest.raises((DBAPIError, StorageFailed), match="append-only"), store.writing() as connection:
        connection.execute(statement)


def test_a_key_is_stored_once(store):
    answer(store)
    with pytest.raises(DBAPIError):
        answer(store)


@pytest.mark.parametrize(("version", "cure"), [(0, "Open it with"), (99, "Upgrade")])
def test_another_version_says_why_it_does_not_open(place, version, cure):
    where = place()
    rows, _ = rows_and_tokens(small_design())
    for row in rows["meta"]:
        row["value"] = version if row["name"] == "schema_version" else row["value"]
    Store.create(where, rows).close()
    with pytest.raises(BadInput, match=f"schema version {version}.*{cure}"):
        Store.open(where)


def test_an_existing_campaign_is_not_overwritten(place):
    where = place()
    rows, _ = rows_and_tokens(small_design())
    Store.create(where, rows).close()
    with pytest.raises(BadParameter, match="exists"):
        Store.create(where, rows)


def test_nothing_is_left_of_a_campaign_that_cannot_be_made(place):
    where = place()
    rows, _ = rows_and_tokens(small_design())
    with pytest.raises(DBAPIError):
        Store.create(where, {**rows, "assignments": [*rows["assignments"], rows["assignments"][0]]})
    Store.create(where, rows).close()


def test_only_the_owner_may_read_the_file(tmp_path):
    Store.create(str(tmp_path / "c"), rows_and_tokens(small_design())[0]).close()
    assert stat.S_IMODE(os.stat(tmp_path / "c").st_mode) == 0o600


def test_what_is_no_campaign(tmp_path):
    import sqlite3

    (tmp_path / "text").write_text("hello")
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE t (x)").connection.close()
    for name in ("text", "other"):
        with pytest.raises(BadInput, match="is not a campaign"):
            Store.open(tmp_path / name)
    with pytest.raises(MissingFile, match="No such file"):
        Store.open(tmp_path / "none")


def test_a_password_is_in_no_message():
    with pytest.raises(StorageFailed) as error:
        Store.open("postgresql://ann:secret@127.0.0.1:1/x?campaign=c")
    assert "secret" not in str(error.value)


def test_every_commit_of_sqlite_is_synchronous(tmp_path):
    store = Store.create(str(tmp_path / "c"), rows_and_tokens(small_design())[0])
    with store.writing() as connection:
        asked = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        ]
    store.close()
    assert asked == ["wal", 2]


def test_every_commit_of_postgresql_is_synchronous(postgresql):
    store = Store.create(f"{postgresql}&campaign=synchronous", rows_and_tokens(small_design())[0])
    with store.writing() as connection:
        asked = [
            connection.exec_driver_sql(f"SHOW {name}").scalar() for name in ("fsync", "synchronous_commit")
        ]
    assert asked == ["on", "on"]


def sqlite_file(tmp_path, name="c.campaign"):
    Store.create(str(tmp_path / name), rows_and_tokens(small_design())[0]).close()
    return tmp_path / name


@pytest.mark.parametrize("damage", ["truncated", "overwritten", "no version"])
def test_a_damaged_file_is_one_sentence(tmp_path, damage):
    file = sqlite_file(tmp_path)
    whole = file.read_bytes()
    if damage == "truncated":
        file.write_bytes(whole[:5000])
    elif damage == "overwritten":
        file.write_bytes(whole[:4096] + bytes(range(256)) * 200 + whole[4096 + 51200 :])
    else:
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE meta SET value = 'x' WHERE name = 'schema_version'")
        connection.close()
    with pytest.raises(BadInput, match=r"is damaged|is not a campaign") as raised:
        Store.open(file)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("url", ["postgresql://ann:secret@[db/x", "postgresql://ann:secret@db:port/x"])
def test_an_address_that_is_none(tmp_path, url):
    with pytest.raises(BadParameter, match="expected postgresql://HOST/NAME") as raised:
        Target(str(tmp_path / "c"), "c", url).check()
    assert "secret" not in str(raised.value)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_one_server_however_the_file_is_named(tmp_path):
    file = sqlite_file(tmp_path)
    (tmp_path / "soft").symlink_to(file)
    first, second = Store.open(file), Store.open(tmp_path / "soft")
    writer = Writer(first)
    writer.start()
    with pytest.raises(AlreadyServed):
        Writer(second).start()
    writer.stop()
    (tmp_path / "hard").hardlink_to(file)
    with pytest.raises(BadInput, match="hard link"):
        Writer(Store.open(tmp_path / "hard")).start()
