"""What nobody means to write: values for any field of any form or body, by which something might break."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.forms import BaseForm

TEXTS = (
    "",
    " ",
    "\u200b\u200d",
    "\u202eevil\u202c",
    "one\r\nBcc: two",
    "\ufffe\uffff",
    "a\x00b",
    "\x1b[31m\x07",
    "a" + "\u0301" * 60,
    "\U0001f1e6\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "\uff1dSUM(A1)\uff0b1",
    "e\u0301\ufb01\u212b",
    "\ufeffmark",
    "\ue000\U000f0000",
    "\U000e0041\U000e0042",
    "\u1680\u2003\u3000",
    "\u2028\u2029\x85",
    "\u0130\u0131\u1e9e",
    "\u0e01\u0e33\u0e49\u0e49\u0e49",
    "<script>alert(1)</script>{{7*7}}{% now %}",
    "%s%(x)s%n\\'\";--",
    "../../../etc/passwd",
    "x" * 5000,
)
MOMENTS = (
    "0001-01-01T00:00",
    "0001-01-01T00:00:00+14:00",
    "1970-01-01T00:00:00Z",
    "1999-12-31T23:59:59.999999Z",
    "2026-02-30T25:61",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59",
    "10000-01-01",
    "0000-00-00",
    "0001-01-01",
    "9999-12-31",
    "+002026-01-01",
)
NUMBERS = (0, -1, 1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**400, 0.5, "1e999", "NaN", "-0", "\u0663")
OTHERS: tuple[Any, ...] = (None, True, [], {}, [[]], ["x"] * 200, {"a": {"b": None}}, [None], [{}])

WRITTEN = (*TEXTS, *MOMENTS, *(str(number) for number in NUMBERS))
"""What a form can send."""

SENT = (*TEXTS, *MOMENTS, *NUMBERS, *OTHERS)
"""What a body in JSON can hold."""


def members_of(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the path of each member that a schema of the API's description names, outer ones before inner ones."""
    schema = resolve(schema, components)
    for inner in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from members_of(inner, components)
    for name, member in schema.get("properties", {}).items():
        yield (name,)
        yield from ((name, *rest) for rest in members_of(member, components))


def resolve(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a schema refers to, or itself."""
    return components[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def with_member(body: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a body with another value of the member at the path."""
    name, *rest = path
    if not rest:
        return {**body, name: value}
    inner = body.get(name)
    return {**body, name: with_member(inner if isinstance(inner, Mapping) else {}, tuple(rest), value)}


def forms_of(response: Any) -> list[BaseForm]:
    """Return the forms that a page shows, those of the admin too."""
    found: dict[int, BaseForm] = {}
    for layer in response.context or ():
        for each in layer.flatten().values() if hasattr(layer, "flatten") else layer.values():
            form = getattr(each, "form", each)
            if isinstance(form, BaseForm):
                found[id(form)] = form
    return list(found.values())
