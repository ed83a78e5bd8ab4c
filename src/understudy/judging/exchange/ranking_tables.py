"""Tables of rankings: one ranking per line, as WMT published them from 2010 to 2016, or one ranked system per line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from understudy.corpus.score_tables import (
    JUDGE_NAMES,
    SYSTEM_NAMES,
    NumberedLines,
    Table,
    numbered_lines,
    score_table_name,
)
from understudy.corpus.segment_label_files import SEGMENT_NAMES
from understudy.judging.exchange.columns import Row, one_language_pair, rows_with
from understudy.judging.exchange.given import Given, Ranked

_BLANK = -1  # the rank of an output that was left unranked
_SEGMENTS = ("srcindex", *SEGMENT_NAMES, "segmentid")
_JUDGES = (*JUDGE_NAMES, "judgeid")
_SCREENS = ("screen", "ranking", "rankingid")
_LANGUAGES = {"from": ("srclang",), "to": ("trglang", "tgtlang")}
_RANK = re.compile(r"^(?:rank|system)([0-9]+)(?:rank)?$")


def rank_columns(header: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The columns of the system and its rank, of every output on the screen.

    >>> rank_columns(["seg", "judge", "system1", "rank1", "system2", "rank2"])
    {'1': ('system1', 'rank1'), '2': ('system2', 'rank2')}
    """
    names = [name.strip().lower() for name in header]
    found = {}
    for name in names:
        if (matched := _RANK.match(name)) and name.count("rank"):
            place = matched[1]
            system = next((each for each in (f"system{place}id", f"system{place}") if each in names), None)
            if system is not None:
                found[place] = (system, name)
    return found


def read_rankings(table: Table, *, language_pair: str | None = None) -> Given:
    """Ranks from 1, the best; ties allowed. Outputs with rank -1 were left blank and are dropped, as is a ranking with
    fewer than two others. In tables of one ranked system per line, a column `type` tells hidden repeats apart.
    """
    where, lines = score_table_name(table), numbered_lines(table)
    by_place = rank_columns(lines[0][1])
    screens = _wide(where, lines, by_place, language_pair) if by_place else _long(where, lines)
    given, blank, dropped = Given("rankings"), 0, 0
    for number, (row, ranked) in enumerate(screens):
        kept = [(system, rank) for system, rank in ranked if rank != _BLANK]
        blank += len(ranked) - len(kept)
        _check(row, [system for system, _ in ranked])
        if len(kept) < 2:
            dropped += 1
            continue
        judge, segment = row.text("judge"), row.whole("seg", "segment")
        repeat = _is_repeat(row)
        given.rankings += [Ranked(judge, segment, number, system, rank, repeat) for system, rank in kept]
    if not given.rankings:
        raise screens[0][0].problem(
            "this line and all others rank fewer than two systems, expected rankings."
        )
    if blank:
        dropping = f", and {dropped:,} rankings with fewer than two ranks" if dropped else ""
        given.notes.append(f"{where}: {blank:,} outputs without a rank were dropped{dropping}.")
    return given


_Screen = tuple[Row, list[tuple[str, int]]]  # a line of it, and the systems with their ranks


def _wide(
    where: str, lines: NumberedLines, by_place: dict[str, tuple[str, str]], language_pair: str | None
) -> list[_Screen]:
    columns = {"seg": _SEGMENTS, "judge": _JUDGES, **_LANGUAGES}
    for place, (system, rank) in by_place.items():
        columns |= {f"system {place}": (system,), f"rank {place}": (rank,)}
    rows = rows_with(where, lines, columns, optional=("from", "to"))
    pairs = [_pair(row) for row in rows]
    wanted = one_language_pair(where, Counter(filter(None, pairs)), language_pair)
    return [
        (row, [(row.text(f"system {place}"), _rank(row, f"rank {place}")) for place in _shown(row, by_place)])
        for row, pair in zip(rows, pairs, strict=True)
        if pair == wanted
    ]


def _long(where: str, lines: NumberedLines) -> list[_Screen]:
    """Without a column that tells rankings apart, the lines of a judge and segment are one, until a system returns."""
    columns = {
        "seg": _SEGMENTS,
        "judge": _JUDGES,
        "system": SYSTEM_NAMES,
        "rank": ("rank",),
        "screen": _SCREENS,
        "type": ("type",),
    }
    found: dict[tuple[str, str, str, int], _Screen] = {}
    rounds: Counter[tuple[str, str, str]] = Counter()
    for row in rows_with(where, lines, columns, optional=("screen", "type")):
        key = (row.text("judge"), row.text("seg"), row.fields.get("screen", ""))
        system, rank = row.text("system"), _rank(row, "rank")
        current = found.setdefault((*key, rounds[key]), (row, []))
        if "screen" not in row.fields and system in [name for name, _ in current[1]]:
            rounds[key] += 1
            current = found.setdefault((*key, rounds[key]), (row, []))
        current[1].append((system, rank))
    return list(found.values())


def _shown(row: Row, by_place: dict[str, tuple[str, str]]) -> list[str]:
    """Screens need not be full."""
    return [place for place in by_place if row.fields[f"system {place}"].strip()]


def _rank(row: Row, name: str) -> int:
    rank = row.whole(name, "rank", least=_BLANK)
    if rank == 0:
        raise row.problem(f"rank 0, expected 1 for the best, 2 and so on, or {_BLANK} for none.")
    return rank


def _is_repeat(row: Row) -> bool:
    """Of the first line of a ranking."""
    told = row.fields.get("type", "system").strip().lower()
    if told not in ("system", "repeat"):
        raise row.problem(f"type '{told}', expected system or repeat.")
    return told == "repeat"


def _check(row: Row, systems: Sequence[str]) -> None:
    for system, times in Counter(systems).items():
        if times > 1:
            raise row.problem(f"system '{system}' is ranked {times} times, expected once.")


def _pair(row: Row) -> str | None:
    return f"{row.text('from')}-{row.text('to')}" if {"from", "to"} <= set(row.fields) else None
