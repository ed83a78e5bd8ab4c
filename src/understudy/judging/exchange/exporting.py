"""Judgments written for other programs: tables that `understudy trust` reads, mt-metrics-eval's layout, rankings."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.choices import EXPORT_LAYOUTS
from understudy.corpus.error_spans import NO_ERROR
from understudy.corpus.files import Path, made_folder, written_whole
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.judging.analysis.own_means import OwnMeans
from understudy.judging.exchange.importing import is_campaign, judgments_from
from understudy.judging.judgments import Judgments, Rankings, Ratings, Spans

if TYPE_CHECKING:
    from understudy.judging.campaigns.campaign import Campaign

RATINGS, SPANS, RANKINGS, ANSWERS, MT_METRICS_EVAL = EXPORT_LAYOUTS
_FILES = {RATINGS: "human.tsv", SPANS: "human-spans.tsv", RANKINGS: "human-rankings.tsv"}
_ANSWERS_FILE = "answers.jsonl"
_OTHER_FORMATS = (".csv", ".xlsx", ".xls", ".json", ".jsonl", ".parquet", ".gz", ".html")
_MOST_LINES = 1_000_000  # of a system in mt-metrics-eval
_NOT_TOLD = "\t\r\n"


def export_judgments(
    what: Judgments | Campaign | Any,
    to: Path,
    *,
    layout: str | None = None,
    language_pair: str | None = None,
    kind: str | None = None,
    weights: Mapping[str, float] | str | None = None,
) -> list[str]:
    """Write judgments to a file in one of EXPORT_LAYOUTS, or everything to a folder; returns the files. `what`, `kind`
    and `weights` are as in `understudy.judge`.

    `ratings` is the long table of `understudy trust --human`, `spans` the one of `--human-spans`. Hidden repeats are
    marked in a column `type` where there are any. `mt-metrics-eval` writes `human-scores/PAIR.NAME.seg.score` and
    `.sys.score` in a folder; a score is the mean over judges, and `None` where nobody judged. `answers` has all that
    judges said in a campaign, in JSON lines: with comments, corrected texts, and what became of prefilled spans.
    """
    if layout is not None and layout not in EXPORT_LAYOUTS:
        raise BadParameter(f"unknown layout '{layout}'. {did_you_mean(layout, EXPORT_LAYOUTS)}")
    target = os.fspath(to)
    # The language pair is that of the files which are written, or one of several in a file which is read.
    wanted = None if layout == MT_METRICS_EVAL else language_pair
    if layout == ANSWERS:
        return [_write_answers(_answers(what), target)]
    judgments = judgments_from(what, kind=kind, weights=weights, language_pair=wanted)
    there = _tables(judgments)
    if layout == MT_METRICS_EVAL:
        return _write_mt_metrics_eval(judgments, target, language_pair)
    is_folder = os.path.isdir(target) or target.endswith(os.sep) or not os.path.splitext(target)[1]
    if not is_folder and target.lower().endswith(_OTHER_FORMATS):
        raise BadParameter(f"'{target}': tables are written as TSV, expected a name that ends in .tsv.")
    if is_folder and layout is None:
        made_folder(target)
        written = [_write(os.path.join(target, _FILES[name]), rows) for name, rows in there.items()]
        if (answers := _answers(what)) is not None:
            written.append(_write_answers(answers, os.path.join(target, _ANSWERS_FILE)))
        return written
    chosen = layout or next(iter(there))
    if chosen not in there:
        raise BadInput(f"{judgments.name} has no {chosen}. It has {', '.join(there)}.")
    return [_write(target, there[chosen])]


_Rows = Iterable[Sequence[Any]]


def _tables(judgments: Judgments) -> dict[str, _Rows]:
    found: dict[str, _Rows] = {}
    if judgments.ratings:
        found[RATINGS] = _rating_rows(judgments)
    if judgments.spans is not None:
        found[SPANS] = _span_rows(judgments, judgments.spans)
    if judgments.rankings is not None:
        found[RANKINGS] = _ranking_rows(judgments, judgments.rankings)
    if not found:
        raise BadInput(f"{judgments.name} has no judgments yet.")
    return found


def _rated(judgments: Judgments) -> dict[str, Ratings]:
    """The questions that have answers. Readers of these files take higher scores to be better: others change sign."""
    lower = {each.name for each in judgments.questions if not each.higher_is_better}
    return {
        f"negative {name}" if name in lower else name: replace(ratings, value=-ratings.value)
        if name in lower
        else ratings
        for name, ratings in judgments.ratings.items()
        if len(ratings)
    }


def _rating_rows(judgments: Judgments) -> _Rows:
    repeated = any(ratings.repeat.any() for ratings in judgments.ratings.values())
    yield ("system", "seg", "question", "judge", "score", *(("type",) if repeated else ()))
    for question, ratings in _rated(judgments).items():
        for row in range(len(ratings)):
            yield (
                *_who(judgments, ratings, row)[:2],
                question,
                judgments.judges[ratings.judge[row]],
                _number(ratings.value[row]),
                *((("repeat" if ratings.repeat[row] else "system"),) if repeated else ()),
            )


def _span_rows(judgments: Judgments, spans: Spans) -> _Rows:
    """A translation without errors has a line that says so."""
    yield ("system", "seg", "rater", "side", "start", "end", "category", "severity", "score")
    known = spans.annotated
    of_answer: dict[tuple[int, int], list[int]] = {}
    for row in range(len(spans)):
        of_answer.setdefault((int(spans.answer[row]), int(spans.system[row])), []).append(row)
    for place in range(len(known)):
        if known.repeat[place]:
            continue
        who = (*_who(judgments, known, place)[:2], judgments.judges[known.judge[place]])
        rows = of_answer.get((int(known.answer[place]), int(known.system[place])), [])
        for row in rows:
            yield (
                *who,
                *(
                    spans.side[row],
                    spans.start[row],
                    spans.end[row],
                    spans.category[row],
                    spans.severity[row],
                ),
                _number(-spans.penalty[row]),
            )
        if not rows:
            yield (*who, "", "", "", "", NO_ERROR, "")


def _ranking_rows(judgments: Judgments, rankings: Rankings) -> _Rows:
    repeated = rankings.repeat.any()
    yield ("judge", "seg", "system", "rank", "screen", *(("type",) if repeated else ()))
    for row in range(len(rankings)):
        system, segment = _who(judgments, rankings, row)[:2]
        judge = judgments.judges[rankings.judge[row]]
        kind = (("repeat" if rankings.repeat[row] else "system"),) if repeated else ()
        yield (judge, segment, system, rankings.rank[row], rankings.screen[row], *kind)


def _who(judgments: Judgments, columns: Any, row: int) -> tuple[str, int]:
    return judgments.systems[columns.system[row]], judgments.segments[columns.segment[row]]


# --- mt-metrics-eval -----------------------------------------------------------------------------------------


def _write_mt_metrics_eval(judgments: Judgments, folder: str, language_pair: str | None) -> list[str]:
    if language_pair is None:
        raise BadParameter(
            "mt-metrics-eval names files by language pair. Give it with --language-pair, such as en-de."
        )
    if not re.fullmatch(r"[\w-]+", language_pair):
        raise BadParameter(
            f"language pair '{language_pair}': expected letters, digits and '-', such as en-de."
        )
    if not judgments.ratings:
        raise BadInput(f"{judgments.name} has no ratings, and mt-metrics-eval has no layout for rankings.")
    if max(judgments.segments) > _MOST_LINES:
        raise BadInput(
            f"{judgments.name} has segment {max(judgments.segments):,}, and mt-metrics-eval has a line for every "
            f"segment. Expected at most {_MOST_LINES:,}."
        )
    home = os.path.join(folder, "human-scores")
    os.makedirs(home, exist_ok=True)
    written = []
    for question, ratings in _rated(judgments).items():
        name = "".join(each if each.isalnum() or each in "-_" else "-" for each in question) or "score"
        start = os.path.join(home, f"{language_pair}.{name}")
        by_segment, of_systems = _means(judgments, ratings)
        written += [
            _write(f"{start}.seg.score", by_segment),
            _write(f"{start}.sys.score", of_systems),
        ]
    return written


def _means(judgments: Judgments, ratings: Ratings) -> tuple[list[Sequence[Any]], list[Sequence[Any]]]:
    """Every segment up to the last that was judged has a line."""
    means = OwnMeans.of(ratings).segment_means(len(judgments.systems), len(judgments.segments))
    places = {number: place for place, number in enumerate(judgments.segments)}
    by_segment: list[Sequence[Any]] = []
    of_systems: list[Sequence[Any]] = []
    for system, name in enumerate(judgments.systems):
        known = means[system][~np.isnan(means[system])]
        of_systems.append((name, _number(known.mean()) if len(known) else None))
        for number in range(1, max(judgments.segments) + 1):
            score = means[system][places[number]] if number in places else np.nan
            by_segment.append((name, None if np.isnan(score) else _number(score)))
    return by_segment, of_systems


# --- answers -------------------------------------------------------------------------------------------------


def _answers(what: Any) -> list[dict[str, Any]] | None:
    """All answers of a campaign in which people judged; None: it is something else."""
    one = what[0] if isinstance(what, (list, tuple)) and len(what) == 1 else what
    if hasattr(one, "answers"):
        found: list[dict[str, Any]] | None = one.answers()
        return found
    if isinstance(one, (str, os.PathLike)) and is_campaign(one):
        from understudy.judging.campaigns.campaign import Campaign

        with Campaign.open(one) as campaign:
            return campaign.answers()
    return None


def _write_answers(answers: list[dict[str, Any]] | None, path: str) -> str:
    if answers is None:
        raise BadInput("the layout answers is for campaigns in which people judged. Use another layout.")
    with written_whole(path) as file:
        for answer in answers:
            file.write((json.dumps(answer, ensure_ascii=False) + "\n").encode("utf-8"))
    return path


# --- files ---------------------------------------------------------------------------------------------------


def _write(path: str, rows: _Rows) -> str:
    lines = ["\t".join(_cell(path, each) for each in row) for row in rows]
    with written_whole(path) as file:
        file.write(("\n".join(lines) + "\n").encode("utf-8"))
    return path


def _cell(path: str, value: Any) -> str:
    text = str(value)
    for character in _NOT_TOLD:
        if character in text:
            raise BadInput(
                f"'{path}': the name {text!r} has a tab or a line break, which a table cannot hold. Rename it."
            )
    return text


def _number(value: float) -> str:
    """With all digits, and integers without a point."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
