"""A row that cannot be read stops no sweep: the others are found and done all the same."""

from datetime import timedelta

import pytest

from matches.clock import CORRESPONDENCE
from matches.models import Colour, Seek
from matches.services.computer_moves import take_waiting_seeks
from matches.services.seeks import open_seek
from players.services import ensure_computer
from tests.tournaments.verbs import NOON, make_cup, make_players, start_ladder
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.making.services.series import make_series
from tournaments.models import Competition, Group, Series, Stage
from tournaments.models.season_dates import Rhythm
from tournaments.tables.services.standings import move_windows, recompute_stale

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_a_series_with_dates_that_are_none_lets_the_others_be_announced(olga):
    for name in ("first", "second"):
        cup = make_cup(slug=name, name=name, starts_at=NOON, organiser=olga)
        make_series(competition=cup, options={"rhythm": Rhythm.WEEKLY}, actor=olga, now=NOON)
        Competition.objects.filter(pk=cup.pk).update(status="running", started_at=NOON)
    Series.objects.filter(name="first").update(rhythm=Rhythm.DATES, days=["13-32"])
    assert announce_due_seasons(now=NOON + DAY) == 1
    assert Competition.objects.filter(season=2).get().series.name == "second"


def test_a_seek_of_a_game_that_is_gone_lets_the_others_be_taken(olga):
    ensure_computer(level="club", now=NOON)
    for _number in range(2):
        open_seek(
            creator=make_players(1, f"seeker-{_number}")[0],
            game="streetsoccer-board",
            colour=Colour.RANDOM,
            time_control=CORRESPONDENCE,
            admits_computers=True,
            now=NOON,
        )
    Seek.objects.filter(pk=Seek.objects.earliest("pk").pk).update(game="gone")
    assert take_waiting_seeks(now=NOON + DAY) == 1


def test_a_ladder_with_options_that_are_none_lets_the_windows_of_others_move():
    for name in ("first", "second"):
        start_ladder(2, prefix=name, slug=name, name=name, window_days=10)
    recompute_stale(now=NOON)
    Group.objects.update(window_since=None)
    Stage.objects.filter(competition__slug="first").update(options={"window_days": 10, "gone": 1})
    move_windows(now=NOON + DAY)
    stale = Group.objects.filter(standings_stale_since__isnull=False)
    assert [group.competition.slug for group in stale] == ["second"]


def test_more_tables_than_a_batch_that_cannot_be_made_do_not_starve_the_next():
    for name in ("first", "second", "third"):
        start_ladder(2, prefix=name, slug=name, name=name)
    Stage.objects.exclude(competition__slug="third").update(options={"gone": 1})
    Group.objects.update(standings_stale_since=NOON)
    assert recompute_stale(now=NOON, limit=1) == 1
    assert Group.objects.filter(standings_stale_since=None).get().competition.slug == "third"


def test_lists_show_the_others_where_one_competition_cannot_be_shown(olga, client_of, api):
    for name in ("first", "second"):
        make_cup(slug=name, name=name, organiser=olga)
    Competition.objects.filter(slug="first").update(game="gone")
    for page in ("/cups/", "/organise/"):
        shown = client_of(olga).get(page)
        assert (shown.status_code, 'href="/cups/second/' in shown.content.decode()) == (200, True)
    for url in ("/api/v1/competitions/", "/api/v1/organised/"):
        answer = api(olga).get(url)
        assert (answer.status_code, "second" in answer.content.decode()) == (200, True)
