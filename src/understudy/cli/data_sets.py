"""`understudy data list`, `show`, `get`, `path` and `echo`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from understudy.cli import say
from understudy.cli.downloading import bring
from understudy.cli.named_sets import complete_set
from understudy.cli.output import delivered_in_parts, listing, print_data, print_text
from understudy.corpus.test_sets.names import JUDGED, is_in_table
from understudy.errors import BadParameter, MissingFile
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.corpus.test_sets.catalog import CatalogEntry

_format = click.option(
    "-f",
    "--format",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Output format.",
)


@contextmanager
def _only_stored() -> Iterator[None]:
    """For commands without --download: the error about a missing set names `data get` alone."""
    try:
        yield
    except MissingFile as error:
        raise MissingFile(str(error)) from None


_name = click.argument("name", metavar="NAME", shell_complete=complete_set)
_pair = click.argument("pair", metavar="PAIR")


@click.command("list")
@click.option(
    "-l", "--lang", "--language-pair", "pair", metavar="PAIR", help="Only sets with this language pair."
)
@click.option("--stored", is_flag=True, help="Only sets that are on this machine.")
@_format
def list_(*, pair: str | None, stored: bool, format: str) -> None:
    """List the test sets, with the number of their language pairs and of those on this machine."""
    from understudy.corpus.test_sets.catalog import catalog, folder_formats, judged_archive
    from understudy.corpus.test_sets.judged import judged_here
    from understudy.corpus.test_sets.stored_sets import pairs_here

    found = [
        (entry, list(here))
        for entry in catalog().values()
        if (pair is None or pair in entry.pairs) and ((here := pairs_here(entry)) or not stored)
    ]
    judged = judged_here()
    if format == "json":
        sets = [
            {"name": entry.name, "description": entry.description, "pairs": list(entry.pairs), "stored": here}
            for entry, here in found
        ]
        print_text(json.dumps({"sets": sets, "judged": judged}, indent=2, ensure_ascii=False))
        return
    rows = [(entry.name, str(len(entry.pairs)), str(len(here)), entry.description) for entry, here in found]
    if rows:
        print_text(listing(("name", "pairs", "stored", "description"), rows))
    else:
        print_text(f"No {'stored ' * stored}test set{f' has {pair}' if pair else ''}.")
    if pair is None:
        print_text("")
        names = ", ".join(f"{JUDGED}{name}" for name in judged) or f"{JUDGED}NAME (not stored)"
        print_text(f"{judged_archive().description}: {names}.")
        for kind, facts in folder_formats().items():
            print_text(f"{facts.description}: {kind}:FOLDER.")


@click.command()
@_name
@_format
def show(*, name: str, format: str) -> None:
    """Show a test set: description, language pairs, addresses and checksums, citation in BibTeX."""
    from understudy.corpus.test_sets.catalog import entry_of

    if not is_in_table(name):
        _show_other(name, format)
        return
    entry = entry_of(name)
    if format == "json":
        print_text(json.dumps(_described(entry), indent=2, ensure_ascii=False))
        return
    from understudy.corpus.test_sets.places import data_places
    from understudy.corpus.test_sets.stored_sets import pairs_here

    here = pairs_here(entry)
    print_text(f"{name}: {entry.description}")
    print_text(f"Language pairs: {', '.join(entry.pairs)}")
    print_text(f"Stored in {data_places().sets / name}: {', '.join(here) or 'none'}")
    for url, digest in entry.addresses:
        print_text(f"Address: {url} (MD5 {digest})")
    print_text(f"\n{entry.citation.strip()}" if entry.citation else "No citation is known.")


def _described(entry: CatalogEntry) -> dict[str, Any]:
    from understudy.corpus.test_sets.stored_sets import pairs_here

    return {
        "name": entry.name,
        "description": entry.description,
        "layout": entry.layout,
        "pairs": list(entry.pairs),
        "stored": list(pairs_here(entry)),
        "files": [{"url": url, "md5": digest} for url, digest in entry.addresses],
        "citation": entry.citation or None,
    }


def _show_other(name: str, format: str) -> None:
    from understudy.corpus.test_sets.catalog import folder_formats, judged_archive
    from understudy.corpus.test_sets.judged import judged_folder, judged_pairs

    kind = name.partition(":")[0]
    if kind in folder_formats():
        facts = folder_formats()[kind]
        described: dict[str, Any] = {
            "name": kind,
            "description": facts.description,
            "citation": facts.citation,
        }
    elif name.startswith(JUDGED):
        archive = judged_archive()
        with _only_stored():
            described = {
                "name": name,
                "description": archive.description,
                "folder": judged_folder(name),
                "pairs": judged_pairs(name),
                "address": archive.address,
            }
    else:
        raise BadParameter(f"unknown test set '{name}'. See `understudy data list`.")
    if format == "json":
        print_text(json.dumps(described, indent=2, ensure_ascii=False))
        return
    print_text(f"{described['name']}: {described['description']}")
    if "pairs" in described:
        print_text(f"Language pairs: {', '.join(described['pairs'])}")
        print_text(f"Stored in {described['folder']}")
        print_text(f"Address: {described['address']}")
    if "citation" in described:
        print_text(f"\n{described['citation']}")


@click.command()
@_name
@click.argument("pairs", metavar="[PAIR...]", nargs=-1)
@click.option("--again", is_flag=True, help="Replace the stored files, because they are damaged.")
def get(*, name: str, pairs: Sequence[str], again: bool) -> None:
    """Download a test set: the given language pairs, or all.

    Checksums are verified. A download that was cut continues where it stopped. Nothing is left half-written.

    \b
    Examples:
      understudy data get wmt23 en-de
      understudy data get mtme:wmt23
    """
    if name.startswith(JUDGED):
        from understudy.corpus.test_sets.judged import judged_folder

        say(f"{name} is in {judged_folder(name, bring, again=again)}.")
        return
    if not is_in_table(name):
        raise BadParameter(
            f"'{name}' is read from a folder, and not downloaded. See `understudy data show {name}`."
        )
    from understudy.corpus.test_sets.catalog import entry_of
    from understudy.corpus.test_sets.stored_sets import stored_set

    wanted = [stored_set(name, pair) for pair in pairs or entry_of(name).pairs]
    for number, stored in enumerate(wanted):
        stored.get(bring, again=again and number == 0)
        if again and number:
            stored.process(again=True)
    say(f"{name} is in {wanted[0].folder}: {number_of(len(wanted), 'language pair')}.")


@click.command()
@_name
@_pair
@click.argument("fields", metavar="[FIELD...]", nargs=-1)
def path(*, name: str, pair: str, fields: Sequence[str]) -> None:
    """Print the files of fields, such as src, ref or docid; without FIELD, of all, with the names of the fields."""
    from understudy.corpus.test_sets.fields import chosen_fields
    from understudy.corpus.test_sets.stored_sets import stored_set

    if name.startswith(JUDGED):
        from understudy.corpus.test_sets.judged import judged_folder

        with _only_stored():
            print_data(judged_folder(name))
        return
    if not is_in_table(name):
        raise BadParameter(f"'{name}' is read from a folder, and has no other files.")
    stored = stored_set(name, pair)
    with _only_stored():
        chosen = chosen_fields(name, pair, fields or ["all"])
    for field in chosen:
        where = os.fspath(stored.path(field))
        print_data(where if fields else f"{field}\t{where}")


@click.command()
@_name
@_pair
@click.argument("fields", metavar="[FIELD...]", nargs=-1)
@click.option(
    "--origlang", metavar="CODE", help="Only segments with this original language, e.g. en, or non-en."
)
@click.option("--subset", metavar="REGEX", help="Only segments whose domain matches.")
@click.option("--download", is_flag=True, help="Download the test set if it is missing.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to FILE (atomically) instead of standard output.",
)
def echo(
    *,
    name: str,
    pair: str,
    fields: Sequence[str],
    origlang: str | None,
    subset: str | None,
    download: bool,
    output: str | None,
) -> None:
    """Print fields of a test set, separated by tabs: src (the default), ref, docid, origlang, domain, or all.

    \b
    Examples:
      understudy data echo wmt23 en-de > source.txt
      understudy data echo wmt19 en-de src ref --origlang en
      understudy data echo wmt23 en-de all
    """
    from understudy.corpus.test_sets.fields import echoed

    with delivered_in_parts(output) as deliver:
        lines = echoed(
            name, pair, fields or ["src"], origlang=origlang, subset=subset, download=download and bring
        )
        deliver("\n".join(lines))
