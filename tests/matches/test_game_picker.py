"""Games are chosen by a picture, one line, how long they take, and the ways to play them."""

from datetime import timedelta

import pytest
from django.urls import reverse

from matches.clock import TimeControl
from matches.game_cards import ABOUT, TURNS, WAYS
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


def test_every_game_can_be_chosen():
    assert set(ABOUT) == set(SPECS)
    assert set(WAYS) == set(TURNS) == set(GAMES)


@pytest.mark.parametrize("path", PAGES)
def test_pages_choose_games_by_pictures_and_know_how_long_they_take(path, client):
    page = client.get(reverse(path)).content.decode()
    for family in SPECS:
        assert f"img/{family}.svg" in page
    assert page.count("About 180 turns.") == 2 * page.count('value="paper-soccer"')


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
    assert "About 50 turns, 2 weeks by turns." in client.get(reverse("seeks")).content.decode()


def test_who_has_not_won_yet_is_offered_a_beginner(begin, anna, piotr, client):
    def offered() -> str:
        return client.get(reverse("play-computer")).context["form"]["level"].value()

    assert offered() == "beginner"
    client.force_login(piotr)
    assert offered() == "beginner"
    resign(match_id=begin().pk, player=anna, now=NOON)
    assert offered() == "club"
