"""Endpoint: the server of a language model, how it may be asked, and what that may cost."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import SplitResult, urlsplit

from understudy.errors import BadParameter, ModelWarning
from understudy.language_models.tally import Tally
from understudy.settings import Settings, check_whole

if TYPE_CHECKING:
    from understudy.language_models.estimates import Estimate

_PARALLEL = 4
_MOST_CALLS = 1000
_MOST_PARALLEL = 256
_CALL = "chat/completions"


@dataclass(frozen=True, kw_only=True)
class Patience(Settings):
    """How often and how long failed calls are repeated. Delays double from `first` to `longest`, with jitter."""

    calls: int = 6  # of one reply, if the server fails
    first: float = 1.0  # seconds
    longest: float = 60.0
    timeout: float = 180.0  # of one call
    retry_after: float = 600.0  # longest delay that a server may ask for
    failures: int = 8  # of replies in a row, after which the server counts as down

    def delay(self, failed: int, chance: float) -> float:
        """Seconds before the next call, after so many failed ones; `chance` is a random number from 0 to 1.

        >>> Patience().delay(1, 0.0), Patience().delay(3, 1.0), Patience().delay(50, 1.0)
        (0.5, 4.0, 60.0)
        """
        longest = min(self.longest, self.first * 2.0 ** min(failed - 1, 60))
        return longest * (0.5 + chance / 2)


@dataclass(frozen=True)
class Endpoint(Settings):
    """A server with the chat completions interface of OpenAI, such as vLLM, llama.cpp or Ollama; the file of replies;
    and limits. Used in a `with` statement, it serves all language models that are asked inside:

        with understudy.Endpoint("http://localhost:8000/v1", parallel=8):
            understudy.score(...)

    Without `url`, stored replies alone are used. `replies` is the file of replies, by default in the cache folder.
    Prices are per million tokens. Above `max_calls` or `max_cost`, nothing is asked unless `approve` allows it; None is
    no limit. `approve` is called with every estimate, and the name of the limit that it exceeds, if any.
    """

    url: str | None = None
    api_key: str | None = field(default=None, repr=False, compare=False)
    replies: str | Path | None = None
    parallel: int = _PARALLEL
    price_in: float | None = None
    price_out: float | None = None
    max_calls: int | None = _MOST_CALLS
    max_cost: float | None = None
    approve: Callable[[Estimate, str], bool] | None = field(default=None, compare=False)
    patience: Patience = field(default_factory=Patience)
    tally: Tally = field(default_factory=Tally, compare=False, repr=False)

    default: ClassVar[Endpoint | None] = None
    """The endpoint in use. Set by the command line, or by a `with` statement."""

    _outer: ClassVar[list[Endpoint | None]] = []

    def __post_init__(self) -> None:
        if self.api_key is not None:
            object.__setattr__(self, "api_key", _checked_key(self.api_key))
        if self.url is not None:
            parts = _checked_url(self.url)
            if self.api_key and parts.scheme == "http" and not _is_here(parts.hostname or ""):
                warnings.warn(
                    f"the key is sent to '{parts.hostname}' without encryption. Use https if the server has it.",
                    ModelWarning,
                    stacklevel=3,
                )
        check_whole("parallel", self.parallel, most=_MOST_PARALLEL)
        if self.max_calls is not None:
            check_whole("max_calls", self.max_calls, least=0)
        for name in ("price_in", "price_out", "max_cost"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int | float) and 0 <= value < float("inf")):
                raise BadParameter(f"{name}={value!r}: expected a number of at least 0.")
        if self.max_cost is not None and (self.price_in is None or self.price_out is None):
            raise BadParameter(
                "max_cost: the prices of tokens are not known. Add price_in= and price_out=.",
                "--max-cost: the prices of tokens are not known. Add --price-in and --price-out.",
            )

    @property
    def address(self) -> SplitResult:
        """Where calls go."""
        assert self.url is not None, "only of an endpoint with a server"
        parts = _checked_url(self.url)
        path = parts.path.rstrip("/")
        return parts._replace(path=path if path.endswith(f"/{_CALL}") else f"{path}/{_CALL}")

    @property
    def place(self) -> str:
        """The address for messages, without its query, which may be secret."""
        return self.address._replace(query="", fragment="").geturl()

    def without_key(self, text: str) -> str:
        """A text of the server, which may quote the key."""
        return text if not self.api_key else text.replace(self.api_key, "[key]")

    def cost(self, tokens_in: float, tokens_out: float) -> float | None:
        """The price of so many tokens; None if it is not known."""
        if self.price_in is None or self.price_out is None:
            return None
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6

    def __enter__(self) -> Endpoint:
        Endpoint._outer.append(Endpoint.default)
        Endpoint.default = self
        return self

    def __exit__(self, *_: Any) -> None:
        Endpoint.default = Endpoint._outer.pop()


def _checked_url(url: str) -> SplitResult:
    expected = "expected an address such as http://localhost:8000/v1"
    try:
        parts = urlsplit(url)
        _ = parts.port
        (parts.hostname or "").encode("idna")  # as a connection will
    except (ValueError, TypeError, AttributeError):
        raise BadParameter(f"endpoint: not a URL, {expected}.") from None
    if parts.username is not None or parts.password is not None:
        raise BadParameter(
            "endpoint: the URL has a user name or password. Omit it, and give the key as api_key=.",
            "--endpoint: the URL has a user name or password. Omit it, and name the variable with the key: "
            "--api-key-env.",
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x1f\x7f]", url):
        raise BadParameter(f"endpoint '{url}': {expected}.")
    if not f"{parts.path}{parts.query}".isascii():
        raise BadParameter(
            "endpoint: the path of the URL has characters other than ASCII. Use percent-encoding, e.g. %C3%BC for ü."
        )
    return parts


def _is_here(host: str) -> bool:
    """Whether it is this machine."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _checked_key(key: str) -> str:
    """The key without spaces and line ends around it. The error must not show it."""
    stripped = key.strip() if isinstance(key, str) else ""
    if not stripped or not all("!" <= character <= "~" for character in stripped):
        raise BadParameter("the API key is empty or has characters that no key has. Check its variable.")
    return stripped
