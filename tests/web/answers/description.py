"""The API's description as a judge of what is answered, by JSON Schema 2020-12."""

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DESCRIPTION = Path("docs/openapi.yaml")
METHODS = ("get", "post", "put", "patch", "delete")
URI = "urn:kickabout"


@cache
def read_description() -> dict[str, Any]:
    """Return the committed description."""
    described: dict[str, Any] = yaml.load(DESCRIPTION.read_text(), Loader=yaml.CSafeLoader)
    return described


@cache
def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return the method, the path and the description of every operation, by its id."""
    return {
        operation["operationId"]: (method, path, operation)
        for path, item in read_description()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def path_of(route: str) -> str:
    """Return the path by which the description names a route."""
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)


def required_members(route: str) -> list[str]:
    """Return the members that a body sent to a route must have."""
    described = read_description()["paths"].get(path_of(route), {}).values()
    bodies = [operation["requestBody"]["content"] for operation in described if "requestBody" in operation]
    return [name for body in bodies for name in resolve(body["application/json"]["schema"]).get("required", ())]


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema itself, or the one that it refers to."""
    found: dict[str, Any] = schema
    if "$ref" in schema:
        found = read_description()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def complaints(schema: dict[str, Any], value: Any) -> list[str]:
    """Return what a schema of the description has to say against a value; no member may be missing in the schema."""
    validator = Draft202012Validator(_absolute(schema), registry=_registry(), format_checker=_formats())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def _formats() -> Any:
    return Draft202012Validator.FORMAT_CHECKER


@cache
def _registry() -> Registry:
    """Return the description in which objects have no other members than those that are described."""
    closed = deepcopy(read_description())
    for schema in closed["components"]["schemas"].values():
        _close(schema)
    return Registry().with_resource(URI, Resource.from_contents(closed, default_specification=DRAFT202012))


def _close(schema: Any) -> None:
    if isinstance(schema, list):
        for each in schema:
            _close(each)
    elif isinstance(schema, dict):
        for each in schema.values():
            _close(each)
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)


def _absolute(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_absolute(each) for each in schema]
    if isinstance(schema, dict):
        return {name: f"{URI}{each}" if name == "$ref" else _absolute(each) for name, each in schema.items()}
    return schema
