"""The files that everybody who may see a competition can take away."""

import csv
import io
import json

import pytest
from django.core.cache import cache

from tests.tournaments.pages.parts import begin_groups, make_stages, play_rounds
from tests.tournaments.verbs import ALL_TIEBREAKS, ROUND_ROBIN, play_some, points_ladder, start_cup

pytestmark = pytest.mark.django_db

FILES = [f"{what}.{form}" for what in ("entries", "results", "standings") for form in ("csv", "json")]


def read(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode()


@pytest.fixture
def robin(db):
    """Make a round robin of four of which three matches are over."""
    cup, _entries = start_cup(4, **ROUND_ROBIN, tiebreaks=ALL_TIEBREAKS)
    play_some(cup, 3)
    return cup


@pytest.mark.parametrize("file", FILES)
def test_a_visitor_takes_a_file_by_the_page_and_over_the_api(robin, visitor, api, file):
    by_page = read(visitor, f"/cups/cup/export/{file}")
    assert by_page == read(api(), f"/api/v1/competitions/cup/export/{file}")
    rows = json.loads(by_page) if file.endswith("json") else list(csv.DictReader(io.StringIO(by_page)))
    assert len(rows) == (3 if "results" in file else 4)
    named = visitor.get(f"/cups/cup/export/{file}")["Content-Disposition"]
    assert named == f'attachment; filename="cup-{file}"'


def test_results_have_their_round_and_tables_the_numbers_that_decide_them(robin, visitor):
    (first, *_rest) = json.loads(read(visitor, "/cups/cup/export/results.json"))
    assert first["round"] == 1
    rows = json.loads(read(visitor, "/cups/cup/export/standings.json"))
    assert set(rows[0]) >= {"place", "points", "goal-difference", "head-to-head"}


def test_a_ladder_has_files_too(visitor, db):
    points_ladder(4, results=2)
    assert len(json.loads(read(visitor, "/ladders/ladder/export/results.json"))) == 2


@pytest.mark.parametrize("file", ["passwords.csv", "entries.xml"])
def test_there_are_no_other_files(robin, visitor, file):
    for base in ("/cups/cup/export/", "/api/v1/competitions/cup/export/"):
        assert visitor.get(base + file).status_code == 404


def test_exports_are_limited_on_pages_and_over_the_api_together(robin, visitor, api, settings):
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {**rates, "exports": "2/min"}}
    cache.clear()
    read(visitor, "/cups/cup/export/entries.csv")
    read(api(), "/api/v1/competitions/cup/export/entries.csv")
    assert visitor.get("/cups/cup/export/entries.csv").status_code == 429
    refused = api().get("/api/v1/competitions/cup/export/entries.csv")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")


def test_pages_link_to_the_files_and_those_of_groups_to_their_own(visitor, db):
    cup = make_stages(8, grouping={"groups": 2, "size": None})
    begin_groups(cup)
    play_rounds(cup, 2)
    page = visitor.get("/cups/cup/").content.decode()
    assert 'href="/cups/cup/export/standings.csv"' in page
    page = visitor.get("/cups/cup/stages/1/groups/2/").content.decode()
    assert 'href="/cups/cup/export/standings.csv?stage=1&amp;group=2"' in page
    rows = list(csv.DictReader(io.StringIO(read(visitor, "/cups/cup/export/standings.csv?stage=1&group=2"))))
    assert {(row["stage"], row["group"]) for row in rows} == {("1", "2")}
