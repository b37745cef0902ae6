"""docs/api.md speaks of what there is: the addresses of its examples, and every code with its status."""

from __future__ import annotations

import re

import pytest
from django.urls import resolve

from tests.docs.texts import ROOT, blocks, table
from web.problems import STATUS_OF_CODE

TEXT = (ROOT / "docs" / "api.md").read_text()
SESSION = "\n".join(blocks(TEXT, "sh"))
ADDRESS = re.compile(r"\$API(/[^\s\"?]*)")
MENTIONED = re.compile(r"`(GET|POST) (/[^`?]*)[^`]*`")


def calls():
    """Yield the method and the address of every call of the session."""
    for arguments in SESSION.split("curl ")[1:]:
        posts = "--json" in arguments or "-X POST" in arguments
        yield "post" if posts else "get", ADDRESS.search(arguments)[1]


def answers(method: str, address: str) -> bool:
    """Return whether there is a view at this address of the API that knows the method."""
    concrete = re.sub(r"\$[A-Z]+|<\w+>", "1", address)
    view = resolve(f"/api/v1{concrete}").func.view_class  # type: ignore[attr-defined]
    return hasattr(view, method)


@pytest.mark.parametrize(("method", "address"), sorted(set(calls())))
def test_the_addresses_of_the_examples_answer(method, address):
    assert answers(method, address)


@pytest.mark.parametrize(("method", "address"), sorted(set(MENTIONED.findall(TEXT))))
def test_the_addresses_in_the_text_answer(method, address):
    assert answers(method.lower(), address)


def test_the_table_of_codes_is_the_one_of_the_site():
    rows = table(TEXT, "codes")
    assert {code.strip("`"): int(status) for code, status, _when in rows} == STATUS_OF_CODE
