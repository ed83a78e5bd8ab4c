"""The fields of a test set as text: source, references, documents and others, for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from understudy._core import Column
from understudy.corpus.test_sets.names import is_in_table
from understudy.corpus.test_sets.reading import test_set
from understudy.corpus.test_sets.stored_sets import Download, stored_set
from understudy.corpus.test_sets.test_set import TestSet
from understudy.errors import BadParameter, did_you_mean

_ALL = "all"


def _field_names(name: str, pair: str) -> list[str]:
    """The fields of a test set that is on this machine."""
    return stored_set(name, pair).fields() if is_in_table(name) else list(_of_folder(test_set(name, pair)))


def echoed(
    name: str,
    pair: str,
    fields: Sequence[str],
    *,
    origlang: str | None = None,
    subset: str | None = None,
    download: bool | Download = False,
) -> Iterator[str]:
    """The lines of fields, joined by tabs, as sacreBLEU's --echo prints them. `all` stands for all fields, `ref` for
    the first reference. Several sets with commas follow each other.
    """
    for each in name.split(","):
        found = test_set(each, pair, origlang=origlang, subset=subset, download=download)
        columns = [_column(each, found, field) for field in chosen_fields(each, pair, fields)]
        for row in range(len(found)):
            yield "\t".join((column[row] or "").rstrip() for column in columns)


def chosen_fields(name: str, pair: str, fields: Sequence[str]) -> list[str]:
    """The fields with `all` and `ref` replaced; an error for unknown ones."""
    known = _field_names(name, pair)
    if _ALL in fields:
        if len(fields) > 1:
            raise BadParameter(f"'{_ALL}' cannot be combined with other fields. Omit them.")
        return known
    first = min((field for field in known if field.startswith("ref")), default="ref")
    chosen = [first if field == "ref" and field not in known else field for field in fields]
    for field in chosen:
        if field not in known:
            raise BadParameter(
                f"test set '{name}' {pair}: unknown field '{field}'. {did_you_mean(field, known)}"
            )
    return chosen


def _column(name: str, found: TestSet, field: str) -> Column:
    if not is_in_table(name):
        return _of_folder(found)[field]
    column = stored_set(found.name, found.pair).column(field)
    if len(column) != found.whole:
        raise BadParameter(
            f"test set '{found.name}' {found.pair}: the field '{field}' has {len(column):,} lines, expected "
            f"{found.whole:,}. Omit it."
        )
    return column if found.rows is None else column.taken(found.rows)


def _of_folder(found: TestSet) -> Mapping[str, Column]:
    """The fields of a set that is not in the table."""
    labels = {"docid": found.documents, "domain": found.domains}
    return {
        "src": found.sources,
        **{"ref" if name == "ref" else f"ref:{name}": column for name, column in found.references.items()},
        **{name: Column.from_strings(each) for name, each in labels.items() if each is not None},
        **found.systems,
    }
