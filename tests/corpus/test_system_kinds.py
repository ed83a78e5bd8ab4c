"""Kinds of systems: how they are named, and what is refused."""

from __future__ import annotations

import pytest

from understudy import UnderstudyError, compare
from understudy.corpus.system_kinds import Kinds

SYSTEMS = ["A", "B", "C", "H", "odd"]


def test_kinds_as_the_command_line_and_as_python_give_them() -> None:
    written = Kinds.of(["nmt:A, B", "human:H", "nmt:C"], SYSTEMS)
    assert written == Kinds.of({"nmt": ["A", "B", "C"], "human": ["H"]}, SYSTEMS)
    assert written.members == {"nmt": ("A", "B", "C"), "human": ("H",)}
    assert written.without == ("odd",)
    assert Kinds.of("nmt:A", SYSTEMS).members == {"nmt": ("A",)}


def test_which_systems_are_of_different_kinds() -> None:
    kinds = Kinds.of(["nmt:A,B", "human:H"], SYSTEMS)
    assert kinds["A"] == "nmt"
    assert kinds["odd"] is None
    assert kinds.apart("H", "A") == ("nmt", "human")  # in the order in which they were given
    assert kinds.apart("A", "B") is None
    assert kinds.apart("A", "odd") is None
    assert kinds.between("nmt", "human") == [("A", "H"), ("B", "H")]
    assert kinds.between("nmt", "nmt") == [("A", "B")]
    assert not Kinds()
    assert kinds


def test_names_with_commas_and_colons() -> None:
    systems = ["all.tsv:x", "a,b", "a"]
    assert Kinds.of(["k:all.tsv:x"], systems)["all.tsv:x"] == "k"
    assert Kinds.of(["k:a,b"], systems).members == {"k": ("a,b",)}


def test_naming_a_system_twice_in_one_kind_changes_nothing() -> None:
    assert Kinds.of(["nmt:A,A", "nmt:A"], SYSTEMS).members == {"nmt": ("A",)}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nmt:A", "human:A"], "system 'A' has the types 'nmt' and 'human'"),
        (["nmt:AB"], "system type 'nmt': unknown system 'AB'. Did you mean"),
        (["nmt:nothing"], "unknown system 'nothing'. Known: A, B, C, H, odd."),
        (["nmt:"], "system type 'nmt' has no systems"),
        (["nmt: ,"], "system type 'nmt' has no systems"),
        ({"nmt": []}, "system type 'nmt' has no systems"),
        (["A,B"], "expected a type and its systems, e.g. nmt:A,B"),
        ([":A"], "expected a type and its systems"),
    ],
)
def test_what_cannot_be_meant_is_refused(given: object, said: str) -> None:
    with pytest.raises(UnderstudyError) as error:
        Kinds.of(given, SYSTEMS)  # type: ignore[arg-type]
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_kinds_are_checked_before_anything_is_counted() -> None:
    counted: list[int] = []
    texts = {"A": ["A cat sat."], "B": ["A cow sat."]}
    with pytest.raises(UnderstudyError, match="unknown system 'odd'"):
        compare(texts, ["A cat sat."], kinds=["nmt:odd"], progress=counted.append)
    assert counted == []
