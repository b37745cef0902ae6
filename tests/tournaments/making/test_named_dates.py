"""Dates that people name: none is taken with which nothing could be reckoned, on pages, over the API, in the admin."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from players.models import ApiToken
from tests.tournaments.making.staff_form import ADD_CUP, faults_at
from tests.tournaments.making.test_draft_pages import CUP, faults
from tests.tournaments.verbs import NOON, enter_all, make_cup, make_players, running, start_cup
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.making.services.series import make_series
from tournaments.models import Competition, Round, Series
from tournaments.models.season_dates import Rhythm, SeasonCalendar, find_date_after
from tournaments.running.forecast_ranges import MAX_AHEAD, make_range

pytestmark = pytest.mark.django_db

FIRST, LAST = "0001-01-01T00:00", "9999-12-31T23:59"
WITH_ZONES = [f"{FIRST}:00+14:00", f"{FIRST}:00Z", f"{LAST}:59-14:00", f"{LAST}:59Z", "1999-12-31T23:59:59Z"]
MIGRATIONS = (
    "tournaments.migrations.0083_bound_moments_that_people_name",
    "players.migrations.0024_bound_ends_of_tokens",
)
IN_BOUNDS = "Choose a date from 1 Jan 2000 to 31 Dec"
FROM_YESTERDAY = "Choose a start that is at most a day ago, and at most ten years ahead."


def yesterday():
    return (timezone.now() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize("moment", [FIRST, LAST])
def test_no_page_takes_a_moment_outside_the_calendar(client_of, mia, moment):
    own = make_cup(slug="own", name="Own", organiser=mia)
    client = client_of(mia)
    assert faults(client, {**CUP, "start": "time", "starts_at": moment})["starts_at"][0].startswith(IN_BOUNDS)
    series = client.post(f"{own.get_desk_url()}series/", {"rhythm": "weekly", "anchor": moment})
    assert series.context["form"].errors["anchor"][0].startswith(IN_BOUNDS)
    planned = client.post("/profile/vacation/", {"first": moment[:10], "last": moment[:10]})
    assert planned.context["form"].errors["first"][0].startswith(IN_BOUNDS)
    assert (Competition.objects.count(), Series.objects.count()) == (1, 0)


@pytest.mark.parametrize("moment", WITH_ZONES)
def test_the_api_takes_none_either(api, mia, moment):
    cup, _entries = start_cup(2, organiser=mia)
    client, round_ = api(mia), "/api/v1/competitions/cup/rounds/1/date/"
    body = {"recipe": "knock-out", "name": "Spring", "game": cup.game, "starts_at": moment}
    answers = {
        "starts_at": client.post("/api/v1/competitions/", body),
        "anchor": client.post("/api/v1/series/", {"competition": "cup", "rhythm": "weekly", "anchor": moment}),
        "ends_at": client.put(round_, {"ends_at": moment}),
        "first": client.post("/api/v1/vacation/", {"first": moment[:10], "last": moment[:10]}),
    }
    assert {name: (answer.status_code, [*answer.json()["errors"]][:1]) for name, answer in answers.items()} == {
        name: (400, [name]) for name in answers
    }
    assert (Competition.objects.count(), Series.objects.count()) == (1, 0)


def test_nor_does_the_admin(client_of, olga):
    found = faults_at(client_of(olga), ADD_CUP, start="time", starts_at=FIRST)
    assert found["starts_at"][0].startswith(IN_BOUNDS)


def test_a_start_lies_between_a_day_ago_and_ten_years_ahead_unless_it_is_stored(client_of, api, mia):
    client, far = client_of(mia), f"{timezone.now().year + 11}-01-01T00:00"
    for moment in (yesterday(), far):
        assert faults(client, {**CUP, "start": "time", "starts_at": moment}) == {"starts_at": [FROM_YESTERDAY]}
    make_cup(slug="own", name="Own", starts_at=NOON, organiser=mia)
    edited = api(mia).patch("/api/v1/competitions/own/", {"name": "Renamed", "starts_at": NOON.isoformat()})
    assert (edited.status_code, edited.json()["name"]) == (200, "Renamed")
    refused = api(mia).patch("/api/v1/competitions/own/", {"starts_at": f"{yesterday()}:00Z"})
    assert (refused.status_code, refused.json()["errors"]) == (400, {"starts_at": [FROM_YESTERDAY]})


def test_the_first_date_of_a_series_is_found_at_both_ends_of_the_calendar():
    for rhythm in (Rhythm.WEEKLY, Rhythm.MONTHLY, Rhythm.DATES):
        first = datetime.min.replace(tzinfo=UTC)
        calendar = SeasonCalendar(rhythm, first, 60, ((1, 1),))
        assert find_date_after(calendar, first) > first
        late = SeasonCalendar(rhythm, datetime(9999, 1, 1, tzinfo=UTC), 60, ((1, 1),))
        assert find_date_after(late, NOON) == late.anchor


def test_a_forecast_of_very_many_rounds_ends_in_the_calendar():
    """A round robin of a thousand with ten years for each round takes longer than there are years."""
    found = make_range(NOON, [0.0, 10.0 * 365 * 86400 * 999])
    assert found.late - NOON <= MAX_AHEAD + timedelta(hours=1)


def test_the_migration_mends_what_was_named_before_there_were_bounds(mia):
    cup, _entries = start_cup(2)
    far = datetime(9999, 12, 31, tzinfo=UTC)
    waiting = make_cup(slug="waiting", name="Waiting", check_in_minutes=60, organiser=mia)
    series = make_series(competition=waiting, options={"rhythm": Rhythm.WEEKLY}, actor=mia, now=NOON)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        Competition.objects.filter(pk=cup.pk).update(starts_at=far)
        Competition.objects.filter(pk=waiting.pk).update(starts_at=datetime(1, 1, 1, tzinfo=UTC))
        Series.objects.update(anchor=datetime(1, 1, 1, tzinfo=UTC))
        Round.objects.update(ends_at=far)
        ApiToken.objects.create(player=mia, name="bot", created_at=NOON, expires_at=far)
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    editor = SimpleNamespace(connection=connection)
    for name in MIGRATIONS:
        import_module(name).mend_moments(apps, editor)
    assert [each.starts_at for each in Competition.objects.order_by("pk")] == [NOON, None]
    assert (Series.objects.get(pk=series.pk).anchor, Round.objects.first().ends_at) == (NOON, None)
    assert ApiToken.objects.get().expires_at.year == 2046
    enter_all(waiting, make_players(2, "late"))
    assert running(cup)
    assert announce_due_seasons(now=NOON) == 0
