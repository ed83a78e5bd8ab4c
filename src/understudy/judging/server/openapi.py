"""The interface's own description, in OpenAPI 3.1: for tests, and for programs other than the page."""

from __future__ import annotations

from typing import Any

from understudy.version import __version__

_STATUSES = {
    "400": "The request is malformed.",
    "401": "There is no valid session or link.",
    "403": "The request comes from another page, or this role may not do this.",
    "404": "There is no such task.",
    "409": "All places of a crowd are taken.",
    "413": "The request is too large.",
    "415": "The request is not JSON.",
    "429": "Too many requests.",
    "507": "The answer could not be stored. Send it again later, with the same key.",
}


def description(cookie: str) -> dict[str, Any]:
    """All routes. It holds no secret: neither names nor texts of the campaign."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "understudy judge", "version": __version__},
        "paths": {
            "/api/enter": {
                "post": _post("Exchange the token of a link for a session.", _ENTER, "401", "409", open=True)
            },
            "/api/leave": {"post": _post("End the session.", _NOTHING, open=True)},
            "/api/campaign": {"get": _get("The campaign as the judge meets it.")},
            "/api/profile": {"post": _post("Consent and demographics.", _PROFILE)},
            "/api/task": {
                "get": {**_get("The next task, or one by position.", "404"), "parameters": [_POSITION]}
            },
            "/api/answers": {"post": _post("Store answers.", _ANSWERS)},
            "/api/lead": {"get": _get("Progress and results, for leads and viewers.")},
            "/healthz": {
                "get": {"summary": "Whether the server runs.", "responses": _responses(), "security": []}
            },
        },
        "components": {"securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": cookie}}},
        "security": [{"session": []}],
    }


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties}


_TEXT = {"type": "string"}
_KEY = {"type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[ -~]+$"}
_NOTHING = _object([])
_ENTER = _object(["token"], token=_TEXT, participant={"type": "object", "additionalProperties": _TEXT})
_PROFILE = _object(["key"], key=_KEY, consent={"const": True}, demographics={"type": "object"})
_POSITION = {"name": "position", "in": "query", "schema": {"type": "integer", "minimum": 1}}

_BY_OUTPUT = {"type": "object", "propertyNames": {"pattern": "^o[1-9]$"}}
_SPAN = _object(
    ["start", "end", "text", "side", "severity"],
    start={"type": "integer", "minimum": 0},
    end={"type": "integer", "minimum": 0},
    text=_TEXT,
    side={"enum": ["target", "source", "omission"]},
    category={"type": ["string", "null"]},
    severity=_TEXT,
    origin={"enum": ["judge", "kept", "changed"]},
    prefilled={"type": ["integer", "null"]},
)
_PAYLOAD = {
    "type": "object",
    "properties": {
        "values": {**_BY_OUTPUT, "additionalProperties": {"type": "number"}},
        "ranks": {**_BY_OUTPUT, "additionalProperties": {"type": "integer", "minimum": 1}},
        "spans": {**_BY_OUTPUT, "additionalProperties": {"type": "array", "items": _SPAN}},
        "removed": {**_BY_OUTPUT, "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
        "final": {"type": "boolean"},
        "skipped": {"const": True},
        "comment": _TEXT,
        "post_edit": {**_BY_OUTPUT, "additionalProperties": _TEXT},
    },
}
_ANSWER = _object(
    ["key", "task", "step", "payload"],
    key=_KEY,
    task={"type": "integer"},
    step=_TEXT,
    payload=_PAYLOAD,
    seconds={"type": ["number", "null"], "minimum": 0},
)
_ANSWERS = _object(["answers"], answers={"type": "array", "minItems": 1, "maxItems": 200, "items": _ANSWER})


def _get(summary: str, *statuses: str) -> dict[str, Any]:
    return {"summary": summary, "responses": _responses("401", "403", "429", *statuses)}


def _post(summary: str, body: dict[str, Any], *statuses: str, open: bool = False) -> dict[str, Any]:
    always = ("400", "403", "413", "415", "429", "507") + (() if open else ("401",))
    described = {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": _responses(*always, *statuses),
    }
    return {**described, "security": []} if open else described


def _responses(*statuses: str) -> dict[str, Any]:
    def response(text: str, schema: dict[str, Any]) -> dict[str, Any]:
        return {"description": text, "content": {"application/json": {"schema": schema}}}

    failed = {
        status: response(_STATUSES[status], _object(["error"], error=_TEXT)) for status in sorted(statuses)
    }
    return {"200": response("Done.", {"type": "object"}), **failed}
