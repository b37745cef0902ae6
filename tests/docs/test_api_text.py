"""docs/api.md speaks of what there is: the URLs of its examples, and every code with its status."""

import re

import pytest
from django.urls import resolve

from streams.schemas import PLAYER_STREAM
from tests.docs.texts import ROOT, blocks, table
from web.problems import STATUS_OF_CODE

TEXT = (ROOT / "docs" / "api.md").read_text()
SESSION = "\n".join(blocks(TEXT, "sh"))
URL = re.compile(r"\$API(/[^\s\"?]*)")
MENTIONED = re.compile(r"`(GET|POST) (/[^`?]*)[^`]*`")


def calls():
    """Yield the method and the URL of every call of the session."""
    for arguments in SESSION.split("curl ")[1:]:
        posts = "--json" in arguments or "-X POST" in arguments
        yield "post" if posts else "get", URL.search(arguments)[1]


def answers(method: str, url: str) -> bool:
    """Return whether there is a view at this URL of the API that knows the method."""
    concrete = re.sub(r"\$[A-Z]+|<\w+>", "1", url)
    view = resolve(f"/api/v1{concrete}").func.view_class  # type: ignore[attr-defined]
    return hasattr(view, method)


@pytest.mark.parametrize(("method", "url"), sorted(set(calls())))
def test_the_urls_of_the_examples_answer(method, url):
    assert answers(method, url)


@pytest.mark.parametrize(("method", "url"), sorted(set(MENTIONED.findall(TEXT))))
def test_the_urls_in_the_text_answer(method, url):
    assert answers(method.lower(), url)


def test_the_table_of_events_has_all_that_streams_send():
    rows = TEXT.partition("| event | data | when |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", rows, re.MULTILINE)) == set(PLAYER_STREAM)


def test_the_table_of_codes_is_the_one_of_the_site():
    rows = table(TEXT, "codes")
    assert {code.strip("`"): int(status) for code, status, _when in rows} == STATUS_OF_CODE
