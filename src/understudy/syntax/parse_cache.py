"""The parse cache: parses stored on disk by parser and text, for reuse in later runs."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import ClassVar

from understudy.disk_cache import DiskCache

Trees = tuple[str | None, str | None]  # constituents, dependencies

FILE = "parses-2.sqlite3"  # to be incremented when the layout changes


class ParseCache(DiskCache):
    """The parses in a file, about a million sentences at most."""

    title = "parse cache"
    clear_with = "understudy parse --clear-cache"

    default: ClassVar[ParseCache | None] = None
    """The default parse cache of all parsers. Set by the command line."""

    def find(self, signature: str, texts: Iterable[str]) -> dict[str, Trees]:
        """The cached parses of this parser for these texts."""
        keys = {_key(text): text for text in texts}
        return {keys[key]: trees for key, trees in self.entries(signature, keys, _unpacked).items()}

    def keep(self, signature: str, parses: Mapping[str, Trees]) -> None:
        """Store the trees of texts."""
        self.add(signature, {_key(text): _packed(trees) for text, trees in parses.items()})


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _packed(trees: Trees) -> bytes:
    return zlib.compress(json.dumps(trees).encode(), 1)


def _unpacked(content: bytes) -> Trees:
    constituents, dependencies = json.loads(zlib.decompress(content))
    return constituents, dependencies
