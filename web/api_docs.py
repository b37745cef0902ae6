"""The readable page of the API, made from its OpenAPI description."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from inspect import cleandoc
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET
from markdown_it import MarkdownIt

from web.api_description import describe_api

METHODS = ("get", "post", "put", "patch", "delete")

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True)
class Content:
    """What a body is: the name of a schema, or else some words."""

    name: str
    is_schema: bool


@dataclass(frozen=True)
class Operation:
    """One thing that a client can ask for."""

    method: str
    path: str
    text: SafeString
    parameters: list[dict[str, Any]]
    request: list[Content]
    responses: dict[str, list[Content]]


@dataclass(frozen=True)
class Schema:
    """An object in JSON: its name, what it is, and its members as (name, type, text) rows."""

    name: str
    text: SafeString
    members: list[tuple[str, str, SafeString]] = field(default_factory=list)


@require_GET
def show_docs(request: HttpRequest) -> HttpResponse:
    """Return all operations by subject, and all schemas that they send and receive."""
    subjects, schemas = _describe()
    return render(request, "api/docs.html", {"subjects": subjects, "schemas": schemas})


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
        Schema(name, _render(schema.get("description", "")), _members(schema))
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
                "type": _type(parameter.get("schema", {})),
                "description": _render(parameter.get("description", "")),
            }
            for parameter in operation.get("parameters", [])
        ],
        request=_content(operation.get("requestBody", {})),
        responses={
            status: _content(response) or [Content(response.get("description", ""), is_schema=False)]
            for status, response in operation["responses"].items()
            if "$ref" not in response
        },
    )


def _content(body: dict[str, Any]) -> list[Content]:
    schemas = [kind.get("schema", {}) for kind in body.get("content", {}).values()]
    parts = [part for schema in schemas for part in schema.get("oneOf", [schema])]
    return list(dict.fromkeys(Content(_type(part), "$ref" in part) for part in parts))


def _members(schema: dict[str, Any]) -> list[tuple[str, str, SafeString]]:
    return [
        (name, _type(member), _render(member.get("description", "")))
        for name, member in schema.get("properties", {}).items()
    ]


def _render(text: str) -> SafeString:
    """Return a description's Markdown as HTML; tags in it stay text."""
    return mark_safe(_MARKDOWN.render(cleandoc(text)))  # noqa: S308 - written by this project, and rendered without HTML of its own


def _type(schema: dict[str, Any]) -> str:
    """Return a type in words: ``integer``, ``list of Step``, ``string or null``."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return " or ".join(_type(part) for part in schema[several])
    if "enum" in schema:
        return " | ".join("null" if value is None else str(value) for value in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
