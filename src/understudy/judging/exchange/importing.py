"""Judgments of other tools: which kind a file is, and the one `Judgments` that files make together."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from understudy.choices import JUDGMENT_KINDS
from understudy.corpus.error_spans import JSON_LINES
from understudy.corpus.files import is_campaign as is_campaign_file
from understudy.corpus.files import shown, without_compression
from understudy.corpus.score_tables import Table, is_file, numbered_lines, score_table_name
from understudy.corpus.segment_sources import name_of, readable_twice
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.judging.exchange.appraise import is_appraise, read_appraise
from understudy.judging.exchange.given import Given
from understudy.judging.exchange.ranking_tables import rank_columns, read_rankings
from understudy.judging.exchange.ratings_tables import read_ratings
from understudy.judging.exchange.span_tables import add_scores, read_marked_text, read_spans
from understudy.judging.exchange.weights import Weights
from understudy.judging.judgments import Judgments

if TYPE_CHECKING:
    from understudy.judging.campaigns.campaign import Campaign

RATINGS, RANKINGS, SPANS, MARKED_TEXT, APPRAISE = JUDGMENT_KINDS


def read_judged(
    tables: Sequence[Table] | Table,
    *,
    kind: str | None = None,
    weights: Mapping[str, float] | str | None = None,
    language_pair: str | None = None,
    name: str | None = None,
) -> Judgments:
    """What files, or tables in memory, say together. `kind` is one of JUDGMENT_KINDS; without it, the columns of each
    file determine it. `weights` replace the penalties of errors, such as `{"minor": 1, "major": 5}`.

    Beside a table of error spans, a table of ratings says which translations were annotated, and has their scores.
    Without one, the score of a translation is minus the sum of its penalties.
    """
    if kind is not None and kind not in JUDGMENT_KINDS:
        raise BadParameter(f"unknown kind of judgments '{kind}'. {did_you_mean(kind, JUDGMENT_KINDS)}")
    given_tables: list[Any] = (
        [tables] if is_file(tables) or not isinstance(tables, (list, tuple)) else list(tables)
    )
    if not given_tables:
        raise BadParameter("no file of judgments is given, expected at least one.")
    files = [os.fspath(each) for each in given_tables if is_file(each)]
    if twice := [file for place, file in enumerate(files) if file in files[:place]]:
        raise BadParameter(f"'{twice[0]}' is given twice. Omit one of them.")
    for file in files:
        if is_campaign(file):
            raise BadInput(
                f"'{file}' is a campaign, expected files of judgments. Copy a campaign with 'understudy judge backup'."
            )
        if not readable_twice(file) and not os.path.isdir(file):
            raise BadInput(
                f"{shown(file)} can be read only once. Write its content to a file, and give that."
            )
    by_weight = None if weights is None else Weights.of(weights)
    read: dict[str, Callable[[Table], Given]] = {
        RATINGS: read_ratings,
        RANKINGS: lambda table: read_rankings(table, language_pair=language_pair),
        SPANS: lambda table: read_spans(table, weights=by_weight),
        MARKED_TEXT: lambda table: read_marked_text(table, weights=by_weight),
        APPRAISE: lambda table: read_appraise(table, weights=by_weight, language_pair=language_pair),
    }
    parts = [read[kind or kind_of(table)](table) for table in given_tables]
    whole = parts[0]
    for part in parts[1:]:
        whole.add(part)
    _join_annotated(whole, recompute=by_weight is not None)
    return whole.judgments(name or _name(given_tables))


def kind_of(table: Table) -> str:
    """One of JUDGMENT_KINDS, by the columns."""
    if is_file(table) and without_compression(os.fspath(table)).lower().endswith(JSON_LINES):
        return SPANS
    first = numbered_lines(table)[0][1]
    header = {name.strip().lower() for name in first}
    if is_appraise(first):
        return APPRAISE
    if "severity" in header:
        return SPANS if "start" in header else MARKED_TEXT
    return RANKINGS if "rank" in header or rank_columns(first) else RATINGS


def judgments_from(
    what: Judgments | Campaign | Any,
    *,
    kind: str | None = None,
    weights: Mapping[str, float] | str | None = None,
    language_pair: str | None = None,
) -> Judgments:
    """Human judgments, wherever they are."""
    for_files = {"kind": kind, "weights": weights, "language_pair": language_pair}
    if isinstance(what, Judgments):
        _refuse_options_of_files(for_files)
        return what
    one = what[0] if isinstance(what, (list, tuple)) and len(what) == 1 else what
    if hasattr(one, "judgments"):
        _refuse_options_of_files(for_files)
        collected: Judgments = one.judgments()
        return collected
    if isinstance(one, (str, os.PathLike)) and is_campaign(one):
        from understudy.judging.campaigns.campaign import Campaign

        _refuse_options_of_files(for_files)
        with Campaign.open(one) as campaign:
            return campaign.judgments()
    if isinstance(what, (list, tuple)):
        for each in what:
            if isinstance(each, (str, os.PathLike)) and is_campaign(each):
                raise BadInput(
                    f"'{os.fspath(each)}' is a campaign, expected it alone, or files of judgments."
                )
    return read_judged(what, kind=kind, weights=weights, language_pair=language_pair)


def _refuse_options_of_files(given: Mapping[str, Any]) -> None:
    """A campaign has its own weights, in its protocol: other ones must not be taken for those of its results."""
    for name, value in given.items():
        if value is not None:
            cure = "Omit it."
            if name == "weights":
                cure = "To use other weights than the protocol's, export the error spans and give that file."
            raise BadParameter(f"{name}={value!r}: this is for files of judgments only. {cure}")


def is_campaign(place: str | os.PathLike[str]) -> bool:
    """Whether it is a campaign rather than a file of judgments."""
    from understudy.judging.campaigns.store import POSTGRESQL

    named = os.fspath(place)
    return named.startswith(POSTGRESQL) or is_campaign_file(named)


def _join_annotated(given: Given, *, recompute: bool) -> None:
    """Whoever rated a translation looked at it, if there are spans at all."""
    if not given.has_spans:
        return
    of_raters = [row for rows in given.ratings.values() for row in rows if not row.repeat]
    for row in of_raters:
        given.annotated.setdefault((row.judge, row.system, row.segment), None)
    if not given.ratings and len({(span.judge, span.system, span.segment) for span in given.spans}) == len(
        given.annotated
    ):
        given.notes.append(
            "Every annotated translation has an error span. If translations without errors were annotated, too, add "
            "their scores as a second file."
        )
    if recompute or not given.ratings:
        given.ratings, given.questions = {}, {}
        add_scores(given)


def _name(tables: Sequence[Table]) -> str:
    return name_of(score_table_name(tables[0])) if is_file(tables[0]) else "judgments"
