"""Games are chosen by a picture, one line, how long they take, and the ways to play them."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from matches.clock import TimeControl
from matches.models import Match
from matches.selectors.lengths import LEAST, Length, usual_lengths
from matches.services import resign
from players.models import Player
from rules_engine.registry import GAMES, SPECS
from tests.matches.conftest import NOON
from tests.matches.play import play_at_once

pytestmark = pytest.mark.django_db

EVENING = TimeControl(bank=timedelta(hours=20), increment=timedelta(0), cap=timedelta(hours=20))

PAGES = ("home", "seeks", "invite-friend", "play-computer")


@pytest.mark.parametrize("path", PAGES)
def test_pages_choose_games_by_pictures_and_know_how_long_they_take(path, client):
    page = client.get(reverse(path)).content.decode()
    assert [family for family in SPECS if f"img/{family}.svg" not in page] == []
    named = dict(re.findall(r'name="game" value="([^"]+)"[^>]*>\s*<span>\s*<b>([^<]+)</b>', page))
    assert set(named) == set(GAMES)
    assert len(re.findall(r"About \d+ turns", page)) >= len(GAMES) + len(SPECS)


def test_lengths_are_the_medians_of_what_people_have_played_to_the_end(begin, anna, piotr):
    def finish(taken: timedelta, **options) -> None:
        match = play_at_once(begin("paper-soccer-1", **options))
        Match.objects.filter(pk=match.pk).update(created_at=match.finished_at - taken)

    for number in range(LEAST):
        finish(timedelta(minutes=1 + number), time_control=EVENING)
        finish(timedelta(days=1 + number))
    assert usual_lengths() == {
        "paper-soccer-1": Length(live=timedelta(minutes=(1 + LEAST) / 2), by_turns=timedelta(days=(1 + LEAST) / 2))
    }
    for _ in range(LEAST):
        resign(match_id=begin("paper-soccer").pk, player=anna, now=NOON)
    Player.objects.filter(pk=piotr.pk).update(is_computer=True)
    assert usual_lengths() == {}


def test_a_page_says_how_long_matches_take_here(begin, client):
    for _ in range(LEAST):
        match = play_at_once(begin("paper-soccer-1"))
        Match.objects.filter(pk=match.pk).update(created_at=match.finished_at - timedelta(days=15))
    assert "About 50 turns, 2 weeks by turns." in " ".join(client.get(reverse("seeks")).content.decode().split())


def test_who_has_not_won_yet_is_offered_a_beginner(begin, anna, piotr, client):
    def offered() -> str:
        return client.get(reverse("play-computer")).context["form"]["level"].value()

    assert offered() == "beginner"
    client.force_login(piotr)
    assert offered() == "beginner"
    resign(match_id=begin().pk, player=anna, now=NOON)
    assert offered() == "club"
