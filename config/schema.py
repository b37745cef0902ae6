"""The OpenAPI description of the API: how one authenticates, and what refusals look like."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from config.problems import CONTENT_TYPE

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


def describe_problems(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Say of every operation that it refuses with a problem. Named in SPECTACULAR_SETTINGS."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = {"description": "Refused", "content": content}
    return result
