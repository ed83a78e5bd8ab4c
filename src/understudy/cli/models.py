"""`understudy models`: the models on this machine, the score cache, and the models of tokenizers to fetch."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from understudy.cli import say, warn
from understudy.cli.learned_models import cache_of_scores, scores_cached
from understudy.cli.output import listing, print_cache, print_text
from understudy.errors import UnderstudyError
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.neural.model_files import FoundModel


_LISTING = (
    click.option(
        "-f",
        "--format",
        type=click.Choice(("table", "json")),
        default="table",
        show_default=True,
        help="Output format. json has the complete SHA-256, the path and damaged models.",
    ),
    click.option(
        "--cache-info", is_flag=True, help="Show the score cache: models, and number of cached scores."
    ),
    click.option("--clear-cache", is_flag=True, help="Remove the score cache."),
)


def _listing_options(command: Any) -> Any:
    for option in reversed(_LISTING):
        command = option(command)
    return command


@click.group(invoke_without_command=True, epilog="Help for a command: understudy models fetch --help")
@_listing_options
@click.pass_context
def models(ctx: click.Context, /, **options: Any) -> None:
    """List the models on this machine, or fetch the model of a tokenizer.

    \b
    Examples:
      understudy models
      understudy models fetch flores200

    These are the learned models in the models folder (UNDERSTUDY_MODELS), in installed packages and in the Hugging Face
    cache, and the tokenizer models in sacreBLEU's folder. Use their names in specs, e.g. -m
    comet:model=Unbabel/wmt22-comet-da. Only fetch downloads anything.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_models, **options)


@models.command("list")
@_listing_options
def list_models(*, format: str, cache_info: bool, clear_cache: bool) -> None:
    """List the models on this machine. This is the default."""
    if cache_info or clear_cache:
        print_cache(cache_of_scores(), "scores", clear=clear_cache)
        return
    from understudy.neural.model_files import all_models, model_places
    from understudy.text.subword_models import models_folder

    with scores_cached():  # and the hashes of weights
        found = [*map(_described, all_models()), *_subword_models()]
    for each in found:
        if each["problem"]:
            warn(f"{each['name']} is damaged: {each['problem']}")
    if format == "json":
        print_text(json.dumps(found, indent=2))
        return
    rows = [
        (
            printable(each["name"]),
            printable(each["architecture"]),
            f"{each['bytes'] / 1e6:,.1f} MB",
            each["sha256"][:12],
            printable(each["license"] or "-"),
            each["origin"],
        )
        for each in found
        if not each["problem"]
    ]
    if rows:
        print_text(listing(("name", "architecture", "size", "SHA-256", "license", "found in"), rows))
        print_text("")
    else:
        print_text("No models found.")
    places = model_places()
    print_text(
        f"Models folder: {places.folder}. Hugging Face cache: {places.hub}. Tokenizer models: "
        f"{models_folder(os.environ)}."
    )


@models.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
def fetch(names: tuple[str, ...]) -> None:
    """Download the models of the tokenizers flores101, flores200 and spBLEU-1K.

    They go into sacreBLEU's folder (SACREBLEU, or ~/.sacrebleu), which both programs use. The checksum is checked,
    and an interrupted download is continued.
    """
    from understudy.cli.downloading import bring
    from understudy.errors import BadParameter, did_you_mean
    from understudy.text.subword_models import PUBLISHED

    for name in names:
        if name not in PUBLISHED:
            raise BadParameter(
                f"unknown model '{name}'. {did_you_mean(name, PUBLISHED)} Bring models of the Hugging Face Hub with "
                "hf download ORGANIZATION/NAME."
            )
    for name in names:
        model = PUBLISHED[name]
        path = model.path(os.environ)
        if path.is_file() and not model.checksum:
            say(f"{name} is there, and has no published checksum. To fetch it again, remove the file.")
        else:
            bring(model.remote, path)
        print_text(str(path))


def _subword_models() -> list[dict[str, Any]]:
    """The models of tokenizers that are on this machine."""
    from understudy.neural.file_hashes import file_hash
    from understudy.text.subword_models import PUBLISHED

    paths = {name: model.path(os.environ) for name, model in PUBLISHED.items()}
    return [
        {
            "name": name,
            "architecture": "SentencePiece",
            "bytes": path.stat().st_size,
            "sha256": file_hash(path),
            "license": None,
            "origin": "sacreBLEU's folder",
            "path": str(path),
            "problem": None,
        }
        for name, path in paths.items()
        if path.is_file()
    ]


def _described(model: FoundModel) -> dict[str, Any]:
    """The facts of a model. Of a damaged one, its problem is the only one."""
    facts: dict[str, Any]
    try:
        facts = {
            "architecture": model.kind,
            "bytes": model.size,
            "sha256": model.digest,
            "license": model.license or None,
        }
        problem = None
    except (OSError, UnderstudyError) as error:
        facts = dict.fromkeys(("architecture", "bytes", "sha256", "license"))
        problem = str(error)
    return {
        "name": model.name,
        **facts,
        "origin": model.origin,
        "path": str(model.path),
        "problem": problem,
    }
