"""The readable page of the API, made from its OpenAPI description."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from config.described import describe_api

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One thing that a client can ask for."""

    method: str
    path: str
    title: str
    text: str
    parameters: list[dict[str, Any]]
    request: str
    responses: dict[str, str]


@dataclass(frozen=True)
class Shape:
    """An object in JSON: its name, what it is, and its members as (name, type, text) rows."""

    name: str
    text: str
    members: list[tuple[str, str, str]] = field(default_factory=list)


@require_GET
def show_docs(request: HttpRequest) -> HttpResponse:
    """All operations by subject, and all shapes that they send and receive."""
    subjects, shapes = _describe()
    return render(request, "api/docs.html", {"subjects": subjects, "shapes": shapes})


@cache
def _describe() -> tuple[dict[str, list[Operation]], list[Shape]]:
    schema = describe_api()
    subjects: dict[str, list[Operation]] = {}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                subject = operation.get("tags", ["api"])[0]
                subjects.setdefault(subject, []).append(_operation(method, path, operation))
    shapes = [
        Shape(name, shape.get("description", ""), _members(shape))
        for name, shape in sorted(schema["components"]["schemas"].items())
    ]
    return subjects, shapes


def _operation(method: str, path: str, operation: dict[str, Any]) -> Operation:
    title, _newline, text = operation.get("description", "").partition("\n")
    return Operation(
        method=method.upper(),
        path=path,
        title=title or operation["operationId"].replace("_", " ").capitalize(),
        text=text.strip(),
        parameters=[
            {**parameter, "type": _type(parameter.get("schema", {}))} for parameter in operation.get("parameters", [])
        ],
        request=_content(operation.get("requestBody", {})),
        responses={
            status: _content(response) or response.get("description", "")
            for status, response in operation["responses"].items()
            if "$ref" not in response
        },
    )


def _content(body: dict[str, Any]) -> str:
    kinds = body.get("content", {})
    return " / ".join(dict.fromkeys(_type(kind.get("schema", {})) for kind in kinds.values()))


def _members(shape: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (name, _type(member), member.get("description", "")) for name, member in shape.get("properties", {}).items()
    ]


def _type(schema: dict[str, Any]) -> str:
    """A type in words: ``integer``, ``list of Step``, ``string or null``."""
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
