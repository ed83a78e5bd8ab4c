"""Headers of every response: nothing from elsewhere is loaded, nothing is told to elsewhere, nothing is framed."""

from __future__ import annotations

_CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS = {
    "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

# Answers and texts shall not stay in a cache; scripts and styles are asked for anew, but need not be sent again.
NO_STORE = {"Cache-Control": "no-store"}
REVALIDATE = {"Cache-Control": "no-cache"}


def as_raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """As ASGI wants them."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
