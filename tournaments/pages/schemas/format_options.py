"""The options of formats in JSON, described from the formats' own dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from formats.options import Option, options_of
from formats.protocol import Format
from formats.registry import FORMATS
from web.api.openapi import ObjectSchema, OneOf

_TYPES = {bool: "boolean", int: "integer", str: "string"}


def describe_options(spec: Format) -> ObjectSchema:
    """Return what the API's description says of a format's options."""
    members = {each.name: _describe(each) for each in options_of(spec.options)}
    return ObjectSchema(spec.options.__name__, f"What was chosen of a stage with the format `{spec.key}`.", members)


def _describe(known: Option) -> Mapping[str, Any]:
    type_ = _TYPES[known.kind]
    bounds = {"minimum": known.minimum, "maximum": known.maximum}
    described: dict[str, Any] = {"type": [type_, "null"] if known.may_be_empty else type_}
    described |= {name: bound for name, bound in bounds.items() if bound is not None}
    if known.choices:
        described["enum"] = [value for value, _label in known.choices]
    text = known.label[:1].upper() + known.label[1:]
    return {**described, "description": f"{text}. {known.help_text}".rstrip() if known.help_text else f"{text}."}


FormatOptions = Annotated[
    dict[str, bool | int | str | None], OneOf(tuple(describe_options(spec) for spec in FORMATS.values()))
]
"""The options of a stage, by name: all that its format has, with bounds and with what empty values mean."""
