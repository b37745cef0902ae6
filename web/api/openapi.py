"""The OpenAPI description of the API: what it answers, how clients authenticate, and what refusals look like.

Each resource of the API is a TypedDict. A docstring below a member describes it.
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from django.utils.module_loading import import_string
from drf_spectacular.authentication import SessionScheme as DjangoSessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, build_basic_type
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import Direction, PolymorphicProxySerializer
from rest_framework.permissions import SAFE_METHODS, AllowAny

from web.problems import CODES, CONTENT_TYPE, STATUS_OF_CODE

PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457). Decide by `code`; `detail` is for people.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "What the status means."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "One sentence about this refusal."},
        "code": {"$ref": "#/components/schemas/ProblemCode"},
        "rule": {"type": "string", "description": "The id of the broken rule, such as `S12`."},
        "preset": {"type": "string", "description": "The game whose rule it is."},
        "reason": {
            "type": "string",
            "description": "Why a move is illegal, a text unreadable, or a time control or an order of seeds none that"
            " can be: a stable code such as `kick_blocked`.",
        },
        "parameters": {
            "type": "object",
            "additionalProperties": True,
            "description": "What `detail` tells beside `reason`, by name: spaces, numbers, lists, or another reason.",
        },
        "ply": {
            "type": "integer",
            "description": "The ply that the refused move, or action of a turn, would have had.",
        },
        "matches": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "The matches that would be annulled although somebody has moved in them.",
        },
        "obstacle": {"type": "string", "description": "Why a challenge is not allowed, a stable code."},
        "errors": {"type": "object", "additionalProperties": True, "description": "Sentences by field."},
    },
}
PROBLEM_CODE = {
    "type": "string",
    "description": "What was refused, and why. A code never changes its meaning; new ones may come.",
    "enum": sorted(CODES),
}


class TokenScheme(OpenApiAuthenticationExtension):
    """The security scheme of personal access tokens."""

    target_class = "players.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return that it is a bearer token."""
        description = (
            "A personal access token, `kick_…`. Its scopes are those of `read` (what you can read), `play` (your "
            "matches and entries) and `organise` (competitions) that you gave it; an operation names the one it needs."
        )
        return {"type": "http", "scheme": "bearer", "description": description}


class SessionScheme(DjangoSessionScheme):
    """The security scheme of the pages' session."""

    target_class = "players.api.authentication.OwnOriginSession"
    priority = 0


class PasswordScheme(OpenApiAuthenticationExtension):
    """The security scheme of username and password, only for endpoints that no token may use."""

    target_class = "players.api.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return that it is HTTP Basic."""
        return {"type": "http", "scheme": "basic", "description": "Username and password."}


READING_REFUSALS = frozenset({400, 401, 403, 404, 406, 429, 503})
"""Statuses of refusals that any request may get, whatever it asks for."""

WRITING_REFUSALS = READING_REFUSALS | {408, 413, 415} | set(map(int, STATUS_OF_CODE.values()))
"""Statuses of refusals that any request with a body may get, those of the services among them."""

HEADERS = {
    "ETag": ("string", "Changes when the answer does. Send it as `If-None-Match` to hear only of changes."),
    "Preference-Applied": ("string", "The preference of `Prefer` that the answer follows."),
    "RateLimit": ("string", 'How many requests are left, and for how many seconds: `"write";r=598;t=42`.'),
    "RateLimit-Policy": ("string", 'How many requests are allowed in how many seconds: `"write";q=600;w=60`.'),
    "Retry-After": ("integer", "Seconds to wait."),
    "WWW-Authenticate": ("string", "How to say who you are."),
}
"""The headers of answers, with their types and what they mean."""

RATES = ("RateLimit", "RateLimit-Policy")
REFUSAL_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After", *RATES), 503: ("Retry-After",)}
HEADER_ASKED_BY = {"If-None-Match": "ETag", "Prefer": "Preference-Applied"}
"""The headers of answers, by the headers of requests that ask for them."""


class TypedDictExtension(OpenApiSerializerExtension):
    """Describes a TypedDict as a component: ``MatchSchema`` as ``Match``."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the name of the TypedDict without its last word."""
        name: str = self.target.__name__
        return name.removesuffix("Schema")

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Return an object with the members of the TypedDict."""
        hints = get_type_hints(self.target, include_extras=True)
        texts = _member_texts(self.target)
        optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
        members = {}
        for name, hint in hints.items():
            described = describe_type(get_args(hint)[0] if name in optional else hint, auto_schema)
            members[name] = described | ({"description": texts[name]} if name in texts else {})
        required = [name for name in hints if name not in optional]
        return {
            "type": "object",
            "description": _flatten(inspect.getdoc(self.target) or ""),
            "properties": members,
            **({"required": required} if required else {}),
        }


@dataclass(frozen=True, eq=False)
class ObjectSchema:
    """A component that is not made of a TypedDict: the JSON Schemas of its members, of which none is left out."""

    name: str
    description: str
    members: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class OneOf:
    """The type of a member of a TypedDict, given in ``Annotated``: one of these components."""

    components: tuple[ObjectSchema, ...]


class ObjectSchemaExtension(OpenApiSerializerExtension):
    """Describes an ``ObjectSchema`` as a component."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return isinstance(target, ObjectSchema)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return its own name."""
        return str(self.target.name)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Return an object with all its members."""
        return {
            "type": "object",
            "description": self.target.description,
            "properties": {name: dict(member) for name, member in self.target.members.items()},
            "required": list(self.target.members),
        }


def describe_type(hint: Any, auto_schema: AutoSchema) -> dict[str, Any]:
    """Return the schema of a type hint; a TypedDict becomes a reference to its component."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        (one_of,) = arguments[1:]
        return {"oneOf": [auto_schema.resolve_serializer(each, "response").ref for each in one_of.components]}
    if is_typeddict(hint):
        reference: dict[str, Any] = auto_schema.resolve_serializer(hint, "response").ref
        return reference
    if origin is list:
        return {"type": "array", "items": describe_type(arguments[0], auto_schema)}
    if origin is dict:
        return {"type": "object", "additionalProperties": describe_type(arguments[1], auto_schema)}
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in {Union, UnionType}:
        parts = [describe_type(each, auto_schema) for each in arguments if each is not NoneType]
        if NoneType not in arguments:
            return {"oneOf": parts}
        if len(parts) == 1 and isinstance(parts[0].get("type"), str) and "enum" not in parts[0]:
            return {**parts[0], "type": [parts[0]["type"], "null"]}
        return {"oneOf": [*parts, {"type": "null"}]}
    return dict(build_basic_type(hint) or {})


@cache
def _member_texts(described: type) -> dict[str, str]:
    """Return the docstrings below the members of a TypedDict, and of those that it extends."""
    module = vars(sys.modules[described.__module__])
    definition: Any = ast.parse(textwrap.dedent(inspect.getsource(described))).body[0]
    texts: dict[str, str] = {}
    for base in definition.bases:
        if is_typeddict(module[base.id]):
            texts |= _member_texts(module[base.id])
    for member, text in pairwise(definition.body):
        match member, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                texts[name] = _flatten(words)
    return texts


@dataclass(frozen=True, eq=False)
class EventStream:
    """An answer of server-sent events: the TypedDict of the data by the name of each event, if it has data."""

    events: Mapping[str, type | None]


class ApiSchema(AutoSchema):
    """Describes operations that answer with TypedDicts, and the refusals of every operation.

    These are the refusals of its method, and what its view names in ``refusals``.
    """

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return the description of the view's method, if it has one."""
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        if "requestBody" in operation and isinstance(self.get_request_serializer(), PolymorphicProxySerializer):
            operation["requestBody"]["required"] = True
        answer_headers = RATES + tuple(
            HEADER_ASKED_BY[each["name"]] for each in operation.get("parameters", ()) if each["name"] in HEADER_ASKED_BY
        )
        for code, answer in operation["responses"].items():
            answer["description"] = answer["description"] or HTTPStatus(int(code)).phrase
            answer["headers"] = {**_refer_to_headers(answer_headers), **answer.get("headers", {})}
        usual = READING_REFUSALS if self.method in SAFE_METHODS else WRITING_REFUSALS
        for status in sorted(usual | set(getattr(self.view, "refusals", ()))):
            operation["responses"].setdefault(str(status), {"$ref": f"#/components/responses/{_name_of(status)}"})
        return operation

    def get_summary(self) -> str:
        """Return what the view's method does, in its first words."""
        first, *_more = re.split(r"[.;:](?:\s|$)", _flatten(super().get_description()), maxsplit=1)
        return first.replace("`", "")

    def get_description(self) -> str:  # type: ignore[override]
        """Return what the view's method says, unless the summary is all of it."""
        text = _flatten(super().get_description())
        return text if len(text) > len(self.get_summary()) + 1 else ""

    def get_auth(self) -> list[dict[str, Any]]:
        """Return who may send the request: anybody if ``{}`` is among them, and tokens with the named scope."""
        allowed = [each for each in super().get_auth() if each]
        is_read = self.method in SAFE_METHODS
        is_for_all = any(isinstance(each, AllowAny) for each in self.view.get_permissions())
        if is_for_all or (is_read and not getattr(self.view, "private", False)):
            return [{}, *allowed]
        scope = "read" if is_read else str(getattr(self.view, "write_scope", "play"))
        return [{"token": [scope]} if "token" in each else each for each in allowed]

    def resolve_serializer(self, serializer: Any, direction: Direction, bypass_extensions: bool = False) -> Any:
        """Return the component; a TypedDict has one, whether it is sent or answered."""
        direction = "response" if is_typeddict(serializer) else direction
        return super().resolve_serializer(serializer, direction, bypass_extensions)

    def _get_pagination_parameters(self) -> list[dict[str, Any]]:
        """Return the parameters by which pages are asked for."""
        paginator = self._get_paginator()  # type: ignore[no-untyped-call]
        return paginator.get_schema_operation_parameters(self.view) if paginator and self.method == "GET" else []

    def _get_response_for_code(self, serializer: Any, status_code: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the description of an answer, which may be a list or one of several TypedDicts too."""
        if isinstance(serializer, EventStream):
            serializer = self._describe_stream(serializer)
        elif get_origin(serializer) in {list, Union, UnionType}:
            serializer = self._describe_answer(serializer)
        answer: dict[str, Any] = super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, *args, **kwargs
        )
        return answer

    def _describe_stream(self, stream: EventStream) -> dict[str, Any]:
        """Return the schema of a text that holds events one after the other, each as it is when its lines are read."""
        events = [
            {
                "type": "object",
                "properties": {
                    "event": {"const": name},
                    "id": {"type": "string", "description": "What to send as `Last-Event-ID` to go on after it."},
                    "data": {
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": describe_type(data, self) if data else {"type": "object"},
                    },
                },
                "required": ["event", "id", "data"],
            }
            for name, data in stream.events.items()
        ]
        return {
            "type": "string",
            "contentMediaType": "text/event-stream",
            "contentSchema": {"oneOf": events} if len(events) > 1 else events[0],
        }

    def _describe_answer(self, hint: Any) -> dict[str, Any]:
        described = describe_type(hint, self)
        paginator = self._get_paginator()  # type: ignore[no-untyped-call]
        if paginator is None or get_origin(hint) is not list:
            return described
        (item,) = get_args(hint)
        page = ResolvedComponent(
            name=f"{self._get_serializer_name(item, 'response')}Page",
            type=ResolvedComponent.SCHEMA,
            schema=paginator.get_paginated_response_schema(described),
            object=hint,
        )
        self.registry.register_on_missing(page)
        reference: dict[str, Any] = page.ref
        return reference


def describe_problems(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add the refusals that the operations refer to. Named in SPECTACULAR_SETTINGS."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update(Problem=PROBLEM, ProblemCode=PROBLEM_CODE)
    components["headers"] = {
        name: {"schema": {"type": kind}, "description": text} for name, (kind, text) in HEADERS.items()
    }
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    components["responses"] = {
        _name_of(status): {
            "description": f"Refused: {HTTPStatus(status).phrase}",
            "content": content,
            "headers": _refer_to_headers(REFUSAL_HEADERS.get(status, RATES)),
        }
        for status in sorted(WRITING_REFUSALS)
    }
    return result


def close_requests(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """State that bodies have no other members than those described. Named in SPECTACULAR_SETTINGS."""
    for name, schema in result["components"]["schemas"].items():
        if name.endswith("Request") and "properties" in schema:
            schema["additionalProperties"] = False
    return result


def name_enumerations(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Make one component of each enumeration that ENUM_NAME_OVERRIDES names. Named in SPECTACULAR_SETTINGS."""
    names = {
        frozenset(import_string(values).values if isinstance(values, str) else values): name
        for name, values in spectacular_settings.ENUM_NAME_OVERRIDES.items()
    }
    schemas = result["components"]["schemas"]
    found: dict[str, dict[str, Any]] = {}
    for described in [*result["paths"].values(), *schemas.values()]:
        _name_in(described, names, found)
    result["components"]["schemas"] = dict(sorted((schemas | found).items()))
    return result


def _name_in(described: Any, names: dict[frozenset[str], str], found: dict[str, dict[str, Any]]) -> None:
    if isinstance(described, list):
        for each in described:
            _name_in(each, names, found)
    elif isinstance(described, dict):
        values = described.get("schema", described).get("enum")
        if isinstance(values, list) and frozenset(values) in names:
            _refer(described, names[frozenset(values)], found)
        for each in described.values():
            _name_in(each, names, found)
        described.pop("x-spec-enum-id", None)


def _refer(described: dict[str, Any], name: str, found: dict[str, dict[str, Any]]) -> None:
    """Replace an enumeration, also a parameter's, by a reference; the meanings of its choices move with them."""
    schema = described.get("schema", described)
    component = found.setdefault(name, {"type": "string", "enum": schema["enum"]})
    text, bullet, choices = described.pop("description", "").partition("* `")
    if bullet:
        component.setdefault("description", bullet + choices)
    if text.strip():
        described["description"] = text.strip()
    for member in ("enum", "type", "minLength", "x-spec-enum-id"):
        schema.pop(member, None)
    reference = {"$ref": f"#/components/schemas/{name}"}
    schema |= {"allOf": [reference]} if "default" in schema else reference


def _refer_to_headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _flatten(docstring: str) -> str:
    """Return a docstring as Markdown, each paragraph in one line."""
    return "\n\n".join(" ".join(part.split()) for part in docstring.replace("``", "`").split("\n\n"))


def _name_of(status: int) -> str:
    return "".join(word.capitalize() for word in HTTPStatus(status).phrase.replace("-", " ").split())
