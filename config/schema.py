"""The OpenAPI description of the API: how one authenticates, and what refusals look like."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS

from config.problems import CONTENT_TYPE, STATUS_OF_CODE

PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457). Decide by `code`; `detail` is for people.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "What the status means."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "One sentence about this refusal."},
        "code": {"type": "string", "description": "Stable, such as `not_your_turn`."},
        "rule": {"type": "string", "description": "The id of the broken rule, such as `S12`."},
        "preset": {"type": "string", "description": "The game whose rule it is."},
        "ply": {
            "type": "integer",
            "description": "The ply that the refused move, or action of a turn, would have had.",
        },
        "obstacle": {"type": "string", "description": "Why a challenge is not allowed, a stable code."},
        "errors": {"type": "object", "additionalProperties": True, "description": "Sentences by field."},
    },
}


class TokenScheme(OpenApiAuthenticationExtension):
    """Personal access tokens."""

    target_class = "players.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """A bearer token."""
        return {"type": "http", "scheme": "bearer", "description": "A personal access token, `kick_…`."}


class PasswordScheme(OpenApiAuthenticationExtension):
    """Username and password, only where tokens are made and revoked."""

    target_class = "players.api.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """HTTP Basic."""
        return {"type": "http", "scheme": "basic", "description": "Username and password."}


READING_REFUSALS = frozenset({400, 401, 403, 404, 406, 429, 503})
"""Statuses of refusals that any request may get, whatever it asks for."""

WRITING_REFUSALS = READING_REFUSALS | {408, 413, 415} | set(map(int, STATUS_OF_CODE.values()))
"""Statuses of refusals that any request with a body may get, those of the services among them."""

RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}
REFUSAL_HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "How to say who you are."}},
    429: RETRY_AFTER,
    503: RETRY_AFTER,
}


class RefusingSchema(AutoSchema):
    """Describes the refusals of every operation: those of its method, and what its view names in ``refusals``."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return the description of the view's method, if it has one."""
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        usual = READING_REFUSALS if self.method in SAFE_METHODS else WRITING_REFUSALS
        for status in sorted(usual | set(getattr(self.view, "refusals", ()))):
            operation["responses"].setdefault(str(status), {"$ref": f"#/components/responses/{_name_of(status)}"})
        return operation


def describe_problems(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add the refusals that the operations refer to. Named in SPECTACULAR_SETTINGS."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    components["responses"] = {
        _name_of(status): {
            "description": f"Refused: {HTTPStatus(status).phrase}",
            "content": content,
            **({"headers": REFUSAL_HEADERS[status]} if status in REFUSAL_HEADERS else {}),
        }
        for status in sorted(WRITING_REFUSALS)
    }
    return result


def write_null_as_type(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Replace ``nullable``, which OpenAPI 3.1 does not know, by the type ``null``. Named in SPECTACULAR_SETTINGS."""
    _write_null(result["paths"])
    _write_null(result.get("components", {}))
    return result


def _write_null(described: Any) -> None:
    if isinstance(described, list):
        for each in described:
            _write_null(each)
    elif isinstance(described, dict):
        for each in described.values():
            _write_null(each)
        if described.get("nullable") is True:
            _allow_null(described)


def _allow_null(schema: dict[str, Any]) -> None:
    del schema["nullable"]
    if "type" not in schema:
        rest = {name: schema.pop(name) for name in ("$ref", "allOf", "oneOf", "anyOf") if name in schema}
        schema["anyOf"] = [rest, {"type": "null"}]
        return
    schema["type"] = [schema["type"], "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]


def _name_of(status: int) -> str:
    return "".join(word.capitalize() for word in HTTPStatus(status).phrase.replace("-", " ").split())
