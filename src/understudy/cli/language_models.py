"""Options of language models: the server, the file of replies, and what may be asked without a question."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from understudy.cli import say
from understudy.cli.arguments import complete_file
from understudy.cli.number_types import Integer, Number
from understudy.cli.progress import progress

if TYPE_CHECKING:
    from understudy.language_models.endpoint import Endpoint
    from understudy.language_models.estimates import Estimate
    from understudy.metrics.base.metric import Metric

_MOST_CALLS = 1000  # without a question; as in Endpoint

_OPTIONS = (
    click.option(
        "--endpoint",
        metavar="URL",
        help="Server with the chat completions interface of OpenAI (vLLM, llama.cpp, Ollama, ...), for llm-judge, e.g. "
        "http://localhost:8000/v1.",
    ),
    click.option(
        "--api-key-env",
        metavar="VARIABLE",
        help="Environment variable with the key of the server (default: no key). The key is not stored.",
    ),
    click.option(
        "--replies",
        metavar="FILE",
        shell_complete=complete_file,
        help="SQLite file of all replies, which are never asked for again (default: in the cache folder).",
    ),
    click.option(
        "--parallel",
        metavar="N",
        type=Integer(1, 256),
        default=4,
        show_default=True,
        help="Number of calls at a time. Does not affect the results.",
    ),
    click.option(
        "--price-in",
        metavar="P",
        type=Number(min=0),
        help="Price of a million tokens sent, for the estimate of costs.",
    ),
    click.option("--price-out", metavar="P", type=Number(min=0), help="Price of a million tokens received."),
    click.option(
        "--max-calls",
        metavar="N",
        type=Integer(min=0),
        default=_MOST_CALLS,
        show_default=True,
        help="Number of calls above which to ask before the first one.",
    ),
    click.option(
        "--max-cost",
        metavar="P",
        type=Number(min=0),
        help="Estimated costs above which to ask, in the unit of the prices (default: no limit).",
    ),
    click.option(
        "-y", "--yes", is_flag=True, help="Call without asking, whatever the number of calls and the costs."
    ),
)
NAMES = (
    "endpoint",
    "api_key_env",
    "replies",
    "parallel",
    "price_in",
    "price_out",
    "max_calls",
    "max_cost",
    "yes",
)


def language_model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options, under their own names."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@contextmanager
def language_models_shown(
    metrics: Sequence[Metric], settings: dict[str, Any], *, wanted: bool = True, more_calls: bool = False
) -> Iterator[None]:
    """Context for metrics that ask language models, if there are any. Options without effect are refused."""
    if not any(metric.prepares for metric in metrics):
        from understudy.cli.options import refuse_idle

        refuse_idle(NAMES, unless=False, cure="add -m llm-judge:model=NAME")
        yield
        return
    with asking(settings, wanted=wanted, more_calls=more_calls):
        yield


@contextmanager
def asking(settings: dict[str, Any], *, wanted: bool = True, more_calls: bool = False) -> Iterator[Endpoint]:
    """Context in which language models are asked. The estimate is printed before the calls, the tally after them.
    `more_calls`: the first estimate is not of all calls.
    """
    from understudy.disk_cache import cache_folder
    from understudy.language_models.endpoint import Endpoint
    from understudy.language_models.reply_store import FILE

    limits = {name: settings[name] for name in ("parallel", "price_in", "price_out", "max_calls", "max_cost")}
    endpoint = Endpoint(
        settings["endpoint"],
        api_key=_key(settings["api_key_env"]),
        replies=settings["replies"] or cache_folder(os.environ, sys.platform) / FILE,
        approve=_approval(settings, wanted=wanted, more_calls=more_calls),
        **limits,
    )
    try:
        with endpoint:
            yield endpoint
    finally:
        tally = endpoint.tally
        if wanted and (tally.calls or any(tally.problems.values())):
            say(tally.sentence)


@contextmanager
def calls_shown() -> Iterator[None]:
    """Context in which calls are shown in a progress bar of their own."""
    from understudy.neural.scored_pairs import PairScorer

    before = PairScorer.watch
    PairScorer.watch = lambda title, calls: progress(f"asking {title}", lambda: calls, unit="replies")
    try:
        yield
    finally:
        PairScorer.watch = before


def _key(variable: str | None) -> str | None:
    if variable is None:
        return None
    if not os.environ.get(variable):
        if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", variable):  # it may be the key itself, and errors are logged
            raise click.UsageError(
                "--api-key-env: there is no such environment variable. Use the name of the variable, e.g. "
                "OPENAI_API_KEY, not the key."
            )
        raise click.UsageError(
            f"--api-key-env {variable}: there is no such environment variable, or it is empty."
        )
    return os.environ[variable]


def _approval(settings: dict[str, Any], *, wanted: bool, more_calls: bool) -> Callable[[Estimate, str], bool]:
    from understudy.language_models.asking import Unasked, excess

    told, allowed = False, 0

    def approve(planned: Estimate, above: str) -> bool:
        nonlocal told, allowed
        asks = bool(above) and not settings["yes"]
        if asks and not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
            limit = f"--{above.replace('_', '-')} {settings[above]:g}"
            raise Unasked(f"{excess(planned, allowed, limit)} Use --yes, or a higher limit.")
        if asks or (wanted and not told):
            told = True
            say(f"{planned.sentence}{'; other calls may follow' if more_calls else ''}")
        allowed += planned.calls
        return not asks or click.confirm("Make these calls?", err=True)

    return approve


def _is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())
