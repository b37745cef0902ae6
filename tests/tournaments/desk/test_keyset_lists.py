"""Logs, organisers' lists and series by pages: each leads to the next one and back, and keeps what was asked for."""

import re
from html import unescape

import pytest
from django.utils import timezone

from tests.tournaments.verbs import enter_all, make_cup, make_players
from tournaments.desk.views import desk, lists, notes
from tournaments.making.views import series
from tournaments.models import Competition, CompetitionStatus, Cup, Note, WaitingPlayer
from tournaments.models.season_dates import Rhythm
from tournaments.models.series import Series
from tournaments.office.services.log import log_action
from tournaments.pages.views import log

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

DESK = "/cups/cup/organise/"
LINK = re.compile(r'<a class="button slim"(?: rel="\w+")? href="(\?[^"]*)">\s*(First|Previous|Next|Last)\s*</a>')


@pytest.fixture
def cup(olga) -> Cup:
    return make_cup(organiser=olga)


@pytest.fixture(autouse=True)
def pages_of_two(monkeypatch):
    for module in (desk, lists, log, notes, series):
        monkeypatch.setattr(module, "PAGE", 2)
    monkeypatch.setattr(series, "SEASONS", 2)
    monkeypatch.setattr(desk, "OVER", 2)


def walk(client, path, *, name="page", query=""):
    """Return the rows of all pages from the first to the last, as the links say, which also lead back."""
    shown, here = [], path + query
    while True:
        response = client.get(here)
        shown.append([str(row) for row in response.context[name]])
        links = {way: path + unescape(href) for href, way in LINK.findall(response.content.decode())}
        if len(shown) > 1:
            assert [str(row) for row in client.get(links["Previous"]).context[name]] == shown[-2]
            assert [str(row) for row in client.get(links["First"]).context[name]] == shown[0]
        if "Next" not in links:
            return shown
        here = links["Next"]


def test_players_are_listed_in_the_order_of_joining_also_those_who_are_searched_for(cup, client_of, olga):
    enter_all(cup, make_players(5))
    enter_all(cup, make_players(1, "other"))
    names = [f"player-{number}" for number in range(1, 6)]
    assert walk(client_of(olga), f"{DESK}entries/") == [names[:2], names[2:4], [names[4], "other-1"]]
    assert walk(client_of(olga), f"{DESK}entries/", query="?player=player") == [names[:2], names[2:4], names[4:]]


def test_the_waiting_list_goes_on_counting(cup, client_of, olga):
    players = make_players(5)
    for player in players:
        WaitingPlayer.objects.create(competition=cup, player=player, joined_at=timezone.now())
    path = f"{DESK}waiting-list/"
    assert walk(client_of(olga), path) == [[str(each) for each in players[at : at + 2]] for at in (0, 2, 4)]
    assert 'start="1"' in client_of(olga).get(path).content.decode()
    assert 'start="4"' in client_of(olga).get(f"{path}?page=last").content.decode()


def test_logs_and_notes_are_listed_the_latest_first(cup, client_of, olga):
    words = ["one", "two", "three", "four", "five"]
    for word in words:
        log_action(competition=cup, action="announced", subject=word, now=timezone.now())
        Note.objects.create(competition=cup, author=olga, text=word, written_at=timezone.now())
    latest = [["five", "four"], ["three", "two"], ["one"]]
    assert walk(client_of(olga), f"{DESK}notes/") == latest
    said = [["announced five", "announced four"], ["announced three", "announced two"], ["announced one", "opened"]]
    assert walk(client_of(olga), "/cups/cup/log/") == said


def test_own_competitions_that_are_over_are_listed_the_newest_first(cup, client_of, olga, mia):
    for number in range(4):
        other = make_cup(slug=f"cup-{number}", name=f"Cup {number}")
        (other.helpers if number % 2 else other.organisers).add(olga)
    Competition.objects.update(status=CompetitionStatus.FINISHED)
    assert walk(client_of(olga), "/organise/", name="over") == [["Cup 3", "Cup 2"], ["Cup 1", "Cup 0"], ["Cup"]]
    assert client_of(mia).get("/organise/").context["over"].object_list == []


def test_series_and_their_seasons_are_listed_the_latest_first(client_of, olga):
    now = timezone.now()
    made = [
        Series.objects.create(
            name=f"Series {number}", slug=f"series-{number}", rhythm=Rhythm.MONTHLY, anchor=now, created_at=now
        )
        for number in range(3)
    ]
    for number, each in enumerate([*made, *made[:1] * 4]):
        make_cup(slug=f"cup-{number}", name=f"Cup {number}")
        Competition.objects.filter(slug=f"cup-{number}").update(series=each, season=max(1, number - 1))
    shown = walk(client_of(olga), "/series/")
    assert shown == [["Series 2", "Series 1"], ["Series 0"]]
    seasons = walk(client_of(olga), "/series/series-0/", name="seasons")
    assert seasons == [["Cup 6", "Cup 5"], ["Cup 4", "Cup 3"], ["Cup 0"]]
