"""Reading pages in tests."""

from __future__ import annotations

import json
import re
from typing import Any

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
