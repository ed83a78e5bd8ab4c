"""Addresses of the page."""

from __future__ import annotations

from urllib.parse import urlsplit

from understudy.errors import BadParameter


def page_origin(url: str) -> str:
    """The address without a slash at its end. A page needs a host of its own: its files and cookies are below `/`.

    >>> page_origin("https://judge.example.org/")
    'https://judge.example.org'
    """
    try:
        parts = urlsplit(url)
        known = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:  # a bracket without its other half, a port that is no number
        known = False
    if not known or "@" in parts.netloc or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BadParameter(
            f"--url '{url}': expected http:// or https:// and a host, without a path, such as "
            "https://judge.example.org."
        )
    return f"{parts.scheme}://{parts.netloc}"
