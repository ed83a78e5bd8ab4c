"""Secrets of links and sessions: made at random, stored as hashes, compared in constant time.

A token has two parts. The selector finds the row in a table; the whole token is compared with the hash there. So no
secret takes part in a search, whose duration could tell something about it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

_SELECTOR_LENGTH = 12  # characters, of which each has 6 bits
_TOKEN_LENGTH = 44  # the other 32 characters are 192 secret bits


class StoredToken(NamedTuple):
    """What the database has of a token."""

    selector: str
    hash: str


def new_token() -> tuple[str, StoredToken]:
    """A token for its owner, and what is stored of it.

    >>> token, stored = new_token()
    >>> matches(token, stored.hash), matches(token[:-1], stored.hash)
    (True, False)
    """
    token = secrets.token_urlsafe(33)
    return token, StoredToken(selector_of(token), _hash(token))


def selector_of(token: str) -> str:
    return token[:_SELECTOR_LENGTH]


def matches(token: str, stored_hash: str) -> bool:
    """Whether this is the token of the hash."""
    return hmac.compare_digest(_hash(token), stored_hash)


def _hash(token: str) -> str:
    # A random token of 264 bits cannot be guessed from a list, so a fast hash without salt is sufficient.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
