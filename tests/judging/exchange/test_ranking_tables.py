"""Tables of rankings as judgments."""

from __future__ import annotations

import pytest

from understudy import read_judged
from understudy.errors import BadInput

WIDE = "seg\tjudge\tsystem1\trank1\tsystem2\trank2\tsystem3\trank3\n"
OFFICIAL = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system1rank,system2rank\n"
)


def read(tmp_path, text, name="ranks.tsv", **how):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_judged(str(path), **how)


def rankings(judgments):
    """The ranks of the systems on every screen."""
    found: dict[tuple, dict] = {}
    rows = judgments.rankings
    for row in range(len(rows)):
        key = (
            judgments.judges[rows.judge[row]],
            judgments.segments[rows.segment[row]],
            int(rows.screen[row]),
        )
        found.setdefault(key, {})[judgments.systems[rows.system[row]]] = int(rows.rank[row])
    return [(*key[:2], ranks) for key, ranks in found.items()]


def test_one_ranking_per_line(tmp_path):
    found = read(tmp_path, WIDE + "5\tx\tA\t1\tB\t2\tC\t2\n")
    assert rankings(found) == [("x", 5, {"A": 1, "B": 2, "C": 2})]


def test_blank_ranks_are_dropped_and_counted(tmp_path):
    found = read(tmp_path, WIDE + "5\tx\tA\t1\tB\t-1\tC\t2\n6\tx\tA\t1\tB\t-1\tC\t-1\n")
    assert rankings(found) == [("x", 5, {"A": 1, "C": 2})]
    assert "3 outputs without a rank were dropped, and 1 rankings" in found.notes[0]


def test_the_official_table(tmp_path):
    text = OFFICIAL + "cze,eng,12,-1,12,j1,1,A,2,B,2,1\n"
    assert rankings(read(tmp_path, text, "r.csv")) == [("j1", 12, {"A": 2, "B": 1})]


def test_a_language_pair_is_selected(tmp_path):
    text = OFFICIAL + "cze,eng,12,-1,12,j1,1,A,2,B,2,1\neng,cze,13,-1,13,j1,1,A,2,B,1,2\n"
    found = read(tmp_path, text, "r.csv", language_pair="eng-cze")
    assert rankings(found) == [("j1", 13, {"A": 1, "B": 2})]


def test_several_language_pairs_are_refused(tmp_path):
    text = OFFICIAL + "cze,eng,12,-1,12,j1,1,A,2,B,2,1\neng,cze,13,-1,13,j1,1,A,2,B,1,2\n"
    with pytest.raises(BadInput, match="has the language pairs cze-eng, eng-cze, expected one"):
        read(tmp_path, text, "r.csv")


def test_one_ranked_system_per_line(tmp_path):
    text = "judge\tseg\tsystem\trank\nx\t1\tA\t1\nx\t1\tB\t2\ny\t1\tA\t2\ny\t1\tB\t1\n"
    assert rankings(read(tmp_path, text)) == [("x", 1, {"A": 1, "B": 2}), ("y", 1, {"A": 2, "B": 1})]


def test_a_system_that_returns_begins_another_ranking(tmp_path):
    text = "judge\tseg\tsystem\trank\nx\t1\tA\t1\nx\t1\tB\t2\nx\t1\tA\t2\nx\t1\tB\t1\n"
    assert rankings(read(tmp_path, text)) == [("x", 1, {"A": 1, "B": 2}), ("x", 1, {"A": 2, "B": 1})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WIDE + "5\tx\tA\t0\tB\t2\tC\t2\n", "line 2: rank 0"),
        (WIDE + "5\tx\tA\tfirst\tB\t2\tC\t2\n", "line 2: rank 'first'"),
        (WIDE + "5\tx\tA\t1\tA\t2\tC\t2\n", "line 2: system 'A' is ranked 2 times"),
        (WIDE + "0\tx\tA\t1\tB\t2\tC\t2\n", "line 2: segment '0'"),
        (WIDE + "5\t\tA\t1\tB\t2\tC\t2\n", "line 2: no judge"),
        (WIDE + "5\tx\tA\t1\tB\t-1\tC\t-1\n", "line 2: this line and all others rank fewer than two systems"),
        (WIDE + "5\tx\tA\t1\n", "line 2: 4 columns, expected 8"),
        (WIDE, "has a header and no judgments"),
        ("judge\tsystem\trank\nx\tA\t1\n", "line 1 has no column 'srcindex'"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, message):
    with pytest.raises(BadInput, match=message) as raised:
        read(tmp_path, text)
    assert "ranks.tsv" in str(raised.value)
