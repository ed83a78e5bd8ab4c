"""Links, added and revoked judges, copies: `Campaign` on both databases."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlalchemy", reason="needs sqlalchemy: pip install '.[test]'")

from material.small_campaign import fluency, rows_and_tokens, small_design
from understudy import Campaign, Corpus
from understudy.errors import BadParameter
from understudy.judging.campaigns.desk import Desk
from understudy.judging.campaigns.store import Store

TEXTS = {"A": ["one", "two", "three"], "B": ["eins", "two", "drei"]}
CORPUS = Corpus.of_texts(TEXTS, ["a", "b", "c"], sources=["x", "y", "z"])


@pytest.fixture
def campaign(place):
    made = Campaign.create(place(), CORPUS, protocol="adequacy-fluency", judges=["ann", "bob"])
    yield made
    made.close()


def who(campaign, link):
    judge = Desk(campaign._store).judge_of_link(link.token)
    return judge and judge.name


def test_everyone_gets_a_link_of_their_own(campaign):
    links = campaign.links()
    assert [link.name for link in links] == ["ann", "bob", "lead", "viewer"]
    assert [who(campaign, link) for link in links] == ["ann", "bob", "lead", "viewer"]
    assert len({link.token for link in links}) == 4
    assert all(len(link.token) == 44 for link in links)


def test_earlier_links_stay_valid_unless_replaced(campaign):
    (first,), (second,) = campaign.links(["ann"]), campaign.links(["ann"])
    assert [who(campaign, link) for link in (first, second)] == ["ann", "ann"]
    (third,) = campaign.links(["ann"], replace=True)
    assert [who(campaign, link) for link in (first, second, third)] == [None, None, "ann"]


def test_a_revoked_judge_gets_no_link(campaign):
    campaign.revoke(["ann"])
    assert [link.name for link in campaign.links()] == ["bob", "lead", "viewer"]
    with pytest.raises(BadParameter, match="revoked"):
        campaign.links(["ann"])


def test_an_unknown_judge(campaign):
    with pytest.raises(BadParameter, match=r"unknown judge 'anne' in '.*'\. Did you mean 'ann'"):
        campaign.revoke(["anne"])


def test_an_added_judge_has_tasks_and_a_link(campaign):
    assert campaign.add_judges(["cy"]) == ["cy"]
    (link,) = campaign.links(["cy"])
    assert who(campaign, link) == "cy"
    assert campaign.design.assignments["cy"]
    with pytest.raises(BadParameter, match="already"):
        campaign.add_judges(["cy"])


@pytest.mark.parametrize("name", ["lead", "viewer"])
def test_names_of_other_links_are_reserved(campaign, place, name):
    with pytest.raises(BadParameter, match=name):
        campaign.add_judges([name])
    with pytest.raises(BadParameter, match=name):
        Campaign.create(place(), CORPUS, protocol="adequacy-fluency", judges=[name])


def test_the_same_input_and_seed_give_the_same_design(campaign, place):
    again = Campaign.create(place(), CORPUS, protocol="adequacy-fluency", judges=["ann", "bob"])
    assert again.design == campaign.design


def everything(campaign):
    store = campaign._store
    with store.reading() as connection:
        return {
            table.name: sorted(map(str, connection.execute(table.select()).all())) for table in store.tables
        }


def test_a_copy_restored_anywhere_has_everything(campaign, place, tmp_path):
    store, links = campaign._store, campaign.links()
    row = {"judge": 1, "key": "key-00001", "task": 1, "step": "x", "payload": {"comment": "a\0b"}}
    with store.writing() as connection:
        connection.execute(store.tables.answers.insert(), [{**row, "seconds": 1.5, "received": 2.25}])
    campaign.backup(tmp_path / "copy")
    with Campaign.open(tmp_path / "copy") as copy:
        assert everything(copy) == everything(campaign)
    for target in (str(tmp_path / "restored"), place()):
        with Campaign.restore(tmp_path / "copy", target) as restored:
            assert everything(restored) == everything(campaign)
            assert [who(restored, link) for link in links] == ["ann", "bob", "lead", "viewer"]
            assert restored.add_judges(["cy"]) == ["cy"]


def test_a_copy_replaces_nothing(campaign, tmp_path):
    (tmp_path / "copy").write_text("mine")
    with pytest.raises(BadParameter, match="exists already"):
        campaign.backup(tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_campaign_in_a_database_is_opened_by_its_file(tmp_path, postgresql):
    file = tmp_path / "team.campaign"
    made = Campaign.create(file, CORPUS, protocol="da-sqm", judges=2, database=postgresql)
    assert file.read_text() == f"{postgresql}&campaign=team\n"
    with Campaign.open(file) as opened:
        assert opened.design == made.design
        assert opened.name == "team"


def test_judgments_have_the_last_answers_credited_to_all_systems(place):
    store = Store.create(place(), rows_and_tokens(small_design(tasks=2))[0])
    rows = [fluency(1, "key-00001", 2), fluency(1, "key-00002", 5), fluency(2, "key-00003", 3)]
    rows.append({**fluency(2, "key-00004", 4), "payload": {"skipped": True}})
    with store.writing() as connection:
        connection.execute(
            store.tables.answers.insert(),
            [{**row, "judge": 2, "received": float(i)} for i, row in enumerate(rows)],
        )
    found = Campaign(store).judgments()
    ratings = found.ratings["fluency"]
    assert (found.judges, found.systems) == (("judge-1", "judge-2"), ("hidden-system-1",))
    assert (ratings.judge.tolist(), ratings.segment.tolist(), ratings.value.tolist()) == ([1], [0], [5.0])
    assert len(found.ratings["adequacy"]) == 0
    store.close()


def test_a_campaign_is_never_without_a_lead(campaign):
    """A link that leaked is revoked, and the page must open again. A judge who was sent away stays away."""
    campaign.revoke(["lead", "ann"])
    (again,) = campaign.links(["lead"])
    assert who(campaign, again) == "lead"
    with pytest.raises(BadParameter, match=r"'ann' is revoked already\. Add another judge"):
        campaign.links(["ann"])
    assert [link.name for link in campaign.links()] == ["bob", "lead", "viewer"]
