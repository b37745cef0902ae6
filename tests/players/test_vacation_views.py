"""The page and the endpoints of vacation: both call the same services."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from players.models import Scope, VacationDay
from players.services import create_token
from tests.players.conftest import NOON

DAY = timedelta(days=1)
SOON = (datetime.now(UTC) + 2 * DAY).date()
"""A day that can be planned, even if midnight passes before the tests have run."""


@pytest.fixture
def program(api, anna):
    _token, secret = create_token(player=anna, name="bot", scopes=[Scope.READ, Scope.PLAY], now=NOON)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return api


def days() -> list[Any]:
    return [day.starts_at.date() for day in VacationDay.objects.all()]


def test_days_are_planned_and_cancelled_on_the_page(browser):
    response = browser.post("/profile/vacation/", {"first": SOON, "last": SOON + DAY}, follow=True)
    assert "2 days are planned." in response.content.decode()
    browser.post(f"/profile/vacation/{SOON}/cancel/")
    assert days() == [SOON + DAY]


def test_the_page_shows_what_is_left(browser, settings):
    settings.VACATION_DAYS = 9
    browser.post("/profile/vacation/", {"first": SOON, "last": SOON})
    years = browser.get("/profile/vacation/").context["years"]
    assert sum(year.left for year in years) == 17


def test_a_refusal_is_explained_at_the_form(browser):
    response = browser.post("/profile/vacation/", {"first": SOON + DAY, "last": SOON})
    assert response.status_code == 400
    assert response.context["form"].non_field_errors() == [
        "You can plan days from tomorrow up to a year ahead. The first day cannot be after the last."
    ]


@pytest.mark.parametrize("day", ["2026-02-30", "tomorrow", "0000-00-00"])
def test_a_day_that_is_none_is_not_found(browser, program, day):
    assert browser.post(f"/profile/vacation/{day}/cancel/").status_code == 404
    assert program.delete(f"/api/v1/vacation/{day}/").status_code == 404


def test_a_program_plans_and_cancels_days(program):
    planned = program.post("/api/v1/vacation/", {"first": f"{SOON}", "last": f"{SOON}"})
    assert planned.status_code == 200
    assert planned.json()["days"] == [
        {"date": f"{SOON}", "starts_at": f"{SOON}T00:00:00Z", "ends_at": f"{SOON + DAY}T00:00:00Z", "is_planned": True}
    ]
    assert program.get("/api/v1/vacation/").json() == planned.json()
    assert program.delete(f"/api/v1/vacation/{SOON}/").status_code == 204
    assert program.delete(f"/api/v1/vacation/{SOON}/").json()["code"] == "not_found"


def test_a_program_gets_what_is_left(program, settings):
    settings.VACATION_DAYS = 2
    refused = program.post("/api/v1/vacation/", {"first": f"{SOON}", "last": f"{SOON + 200 * DAY}"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_vacation_left")
    year = program.get("/api/v1/vacation/").json()["years"][0]
    assert year == {"year": datetime.now(UTC).year, "allowance": 2, "spent": 0, "planned": 0, "left": 2}
