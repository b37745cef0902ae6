"""The organisers' overview: who is to move, since when and with how much time, and rounds with open matches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.verbs import ROUND_ROBIN, end, end_all, enter_all, make_ladder, running, start, start_cup

pytestmark = pytest.mark.django_db

DESK = "/cups/cup/organise/"


def words(client, path):
    return " ".join(client.get(path).content.decode().split())


def test_the_overview_says_who_is_to_move_since_when_and_with_how_much_time(client_of, olga):
    cup, _entries = start_cup(2, now=timezone.now() - timedelta(hours=3, minutes=1), legs=1, organiser=olga)
    (fixture,) = running(cup)
    late = fixture.yellow if fixture.match.side == "yellow" else fixture.red
    assert f"{late} to move for 3 h 01 min, 9 d 20 h left" in words(client_of(olga), DESK)


def test_a_round_says_how_many_matches_are_open(client_of, olga):
    cup, _entries = start_cup(4, now=timezone.now(), **ROUND_ROBIN, round_days=7, organiser=olga)
    assert "2 matches not finished" in words(client_of(olga), DESK)
    end(running(cup)[0], None, timezone.now())
    assert "1 match not finished" in words(client_of(olga), DESK)


def test_matches_that_go_on_are_counted_up_to_a_bound(client_of, olga, monkeypatch):
    _cup, _entries = start_cup(4, now=timezone.now(), **ROUND_ROBIN, round_days=7, organiser=olga)
    said = "<dt>Upcoming and running matches</dt>"
    assert f"{said} <dd> 6 </dd>" in words(client_of(olga), DESK)
    monkeypatch.setattr("tournaments.desk.views.desk.MAX_COUNTED", 5)
    assert f"{said} <dd> 5 or more </dd>" in words(client_of(olga), DESK)


def test_closed_accounts_wait_for_organisers_of_cups_and_have_left_ladders(client_of, olga):
    cup, entries = start_cup(2, now=timezone.now(), legs=1)
    ladder = make_ladder()
    enter_all(ladder, [entry.player for entry in entries])
    start(ladder)
    for competition in (cup, ladder):
        competition.organisers.add(olga)
    Player.objects.filter(pk=entries[0].player_id).update(is_active=False, closed_at=timezone.now())
    assert f"The account {entries[0]} was closed" in words(client_of(olga), DESK)
    assert "was closed" not in words(client_of(olga), "/ladders/ladder/organise/")


def test_the_final_and_the_match_for_third_place_have_their_names(client, olga):
    cup, _entries = start_cup(4, slug="small", prefix="small", legs=1, third_place=True, organiser=olga)
    end_all(cup)
    desk = cup.get_desk_url()
    assert "Semi-finals" in text_of(client.get(desk))
    assert "Final · Third place" in text_of(client.get(desk))
    shown = text_of(client.get(f"{desk}fixtures/"))
    assert [shown.count(name) for name in ("Final ·", "Third place ·", "Round")] == [1, 1, 0]
    for fixture in cup.fixtures.filter(counted_at=None).select_related("tie"):
        part = {"main": "Final", "third-place": "Third place"}[fixture.tie.part]
        assert f"{part} ·" in text_of(client.get(f"{desk}fixtures/{fixture.pk}/"))
