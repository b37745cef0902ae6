"""The readable page of the API, made from its OpenAPI description."""

from dataclasses import dataclass, field, replace
from functools import cache
from inspect import cleandoc
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_GET
from markdown_it import MarkdownIt

from web.api.description import describe_api
from web.api.documents import Document

METHODS = ("get", "post", "put", "patch", "delete")

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True)
class Type:
    """The type of a value: the name of a schema or another phrase, after a ``prefix`` such as "list of"."""

    name: str
    is_schema: bool = False
    prefix: str = ""


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    method: str
    path: str
    text: SafeString
    parameters: list[dict[str, Any]]
    request: list[Type]
    responses: dict[str, list[Type]]


@dataclass(frozen=True)
class Schema:
    """A schema of the API: its name, its description, and its members as (name, types, text) rows."""

    name: str
    text: SafeString
    members: list[tuple[str, list[Type], SafeString]] = field(default_factory=list)


@require_GET
def show_docs(request: HttpRequest) -> HttpResponse:
    """Return all operations by subject, and all schemas that they use."""
    return _write(get_language() or settings.LANGUAGE_CODE).answer(request)


@cache
def _write(language: str) -> Document:
    """Return the page in a language, without what its header says to a player."""
    subjects, schemas = _describe()
    with translation.override(language):
        text = render_to_string(
            "api/docs.html", {"subjects": subjects, "schemas": schemas, "site_url": settings.SITE_URL}
        )
    return Document.of(text.encode(), content_type="text/html; charset=utf-8")


@cache
def _describe() -> tuple[dict[str, list[Operation]], list[Schema]]:
    described = describe_api()
    subjects: dict[str, list[Operation]] = {}
    for path, operations in described["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                subject = operation.get("tags", ["api"])[0]
                subjects.setdefault(subject, []).append(_operation(method, path, operation))
    schemas = [
        Schema(name, _render(schema.get("description") or _list_values(schema)), _members(schema))
        for name, schema in sorted(described["components"]["schemas"].items())
    ]
    return subjects, schemas


def _operation(method: str, path: str, operation: dict[str, Any]) -> Operation:
    return Operation(
        method=method.upper(),
        path=path,
        text=_render(operation.get("description") or f"{operation['summary']}."),
        parameters=[
            {
                **parameter,
                "types": _types(parameter.get("schema", {})),
                "description": _render(parameter.get("description", "")),
            }
            for parameter in operation.get("parameters", [])
        ],
        request=_content(operation.get("requestBody", {})),
        responses={
            status: _content(response) or [Type(response.get("description", ""))]
            for status, response in operation["responses"].items()
            if "$ref" not in response
        },
    )


def _content(body: dict[str, Any]) -> list[Type]:
    schemas = [kind.get("schema", {}) for kind in body.get("content", {}).values()]
    return list(dict.fromkeys(each for schema in schemas for each in _types(schema)))


def _members(schema: dict[str, Any]) -> list[tuple[str, list[Type], SafeString]]:
    return [
        (name, _types(member), _render(member.get("description", "")))
        for name, member in schema.get("properties", {}).items()
    ]


def _render(text: str) -> SafeString:
    """Return a description's Markdown as HTML; tags in it stay text."""
    return mark_safe(_MARKDOWN.render(cleandoc(text)))  # noqa: S308 - written by this project, and rendered without HTML of its own


def _types(schema: dict[str, Any]) -> list[Type]:
    """Return what a value may be: ``integer``, ``list of Step``, ``Side`` or ``null``."""
    if "$ref" in schema:
        return [Type(str(schema["$ref"]).rpartition("/")[2], is_schema=True)]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return [each for part in schema[several] for each in _types(part)]
    if "enum" in schema:
        return [Type(" | ".join("null" if value is None else str(value) for value in schema["enum"]))]
    if "contentSchema" in schema:
        return _events(schema["contentSchema"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return [replace(each, prefix=f"list of {each.prefix}") for each in _types(schema.get("items", {}))]
    return [Type(each) for each in kind] if isinstance(kind, list) else [Type(str(kind))]


def _events(schema: dict[str, Any]) -> list[Type]:
    """Return what the data of a stream's events may be."""
    events = [each["properties"] for each in schema.get("oneOf", [schema])]
    return [
        replace(each, prefix=f"event {event['event']['const']}: ")
        for event in events
        for each in _types(event["data"]["contentSchema"])
    ]


def _list_values(schema: dict[str, Any]) -> str:
    return f"One of {', '.join(f'`{value}`' for value in schema['enum'])}." if "enum" in schema else ""
