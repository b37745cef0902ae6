"""Reading pages in tests."""

import json
import re
from typing import Any

from django import forms
from django.http import HttpResponse


def data_of(response: HttpResponse) -> dict[str, Any]:
    """Return the JSON that a page gives to its scripts."""
    found = re.search(
        r'<script id="page-data" type="application/json">(.*?)</script>', response.content.decode(), re.DOTALL
    )
    assert found
    return json.loads(found[1])


def lost_references(response: HttpResponse) -> set[str]:
    """Return the ids by which a page says what describes or names a part of it, and which it has not."""
    content = response.content.decode()
    named = re.findall(r'\saria-(?:describedby|labelledby)="([^"]*)"', content)
    return {name for names in named for name in names.split()} - set(re.findall(r'\sid="([^"]+)"', content))


def text_of(response: Any) -> str:
    """Return a page's words, each run of white space as one space."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def as_shown(form: forms.BaseForm) -> dict[str, str]:
    """Return what a browser sends of a form in which nothing is changed."""
    sent: dict[str, str] = {}
    for field in form:
        if field.widget_type == "checkbox":
            sent |= {field.html_name: "on"} if field.value() else {}
            continue
        shown = field.field.widget.get_context(field.html_name, field.value(), {})["widget"]
        for part in shown.get("subwidgets", [shown]):
            value = part["value"][0] if isinstance(part["value"], list) and part["value"] else part["value"]
            sent[part["name"]] = str(value or "")
    return sent
