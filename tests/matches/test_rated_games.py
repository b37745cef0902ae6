"""How many games are rated outside of competitions, and that it is said before that a further one is casual."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from matches.errors import RatedGamesUsedUp
from matches.models import Match, Seek
from matches.services import offer_rematch, take_seek
from matches.services.resignation import resign
from players.services import ensure_computer
from tests.matches.conftest import NOON
from tests.matches.locks import do_while_others_come
from tests.matches.play import begin_match, move_both, seek_of
from tests.pages.html import text_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOUR = timedelta(hours=1)
GAME = {"game": "streetsoccer-board", "colour": "yellow"}


@pytest.fixture
def club(db):
    return ensure_computer(level="club", now=NOON)


def play_rated(player, opponent, *, now=NOON, winner=None):
    """Let two players begin a rated game by an invitation, and win it an hour later if a winner is given."""
    seek = seek_of(player, invited=opponent, is_rated=True, now=now)
    match = seek.match or take_seek(seek_id=seek.pk, player=opponent, now=now)
    if winner is not None:
        loser = move_both(match).players[match.side_of(winner.pk).opponent]
        resign(match_id=match.pk, player=loser, now=now + HOUR)
    return match


def test_two_wins_a_day_over_one_level_are_rated(anna, club):
    lost = play_rated(anna, club, winner=club)
    first = play_rated(anna, club, winner=anna)
    running = play_rated(anna, club)
    assert all(match.is_rated for match in (lost, first, running))
    with pytest.raises(RatedGamesUsedUp, match="won or are still playing"):
        play_rated(anna, club)
    assert play_rated(anna, ensure_computer(level="strong", now=NOON)).is_rated
    resign(match_id=running.pk, player=anna, now=NOON + HOUR)
    assert play_rated(anna, club, winner=anna).is_rated
    with pytest.raises(RatedGamesUsedUp):
        play_rated(anna, club, now=NOON + 11 * HOUR)
    assert play_rated(anna, club, now=NOON + 12 * HOUR).is_rated


def test_a_running_game_takes_the_place_of_a_win_on_the_day_on_which_it_may_come(anna, club):
    for _game in range(2):
        play_rated(anna, club)
    with pytest.raises(RatedGamesUsedUp):
        play_rated(anna, club, now=NOON + 48 * HOUR)


def test_a_computer_that_joins_a_seek_by_itself_plays_a_third_game_as_a_casual_one(anna, club):
    for _game in range(2):
        play_rated(anna, club)
    seek = seek_of(anna, is_rated=True, admits_computers=True)
    assert not take_seek(seek_id=seek.pk, player=club, now=NOON).is_rated


def test_five_games_of_the_same_two_people_are_rated_in_24_hours(anna, piotr):
    games = [play_rated(*players, now=NOON) for players in [(anna, piotr), (piotr, anna)] * 2]
    # A match that ended before both had moved is not rated, and so takes no place.
    resign(match_id=games[0].pk, player=anna, now=NOON)
    games += [play_rated(anna, piotr) for _game in range(2)]
    assert all(match.is_rated for match in games)
    with pytest.raises(RatedGamesUsedUp, match="You and piotr have begun 5 rated games"):
        play_rated(anna, piotr, now=NOON + 23 * HOUR)
    assert play_rated(anna, piotr, now=NOON + 24 * HOUR).is_rated


def test_games_of_competitions_and_casual_ones_do_not_count(anna, piotr):
    for _game in range(5):
        begin_match(anna, piotr, is_rated=True, competition=7)
        begin_match(anna, piotr)
    assert play_rated(anna, piotr).is_rated


@pytest.fixture
def used_up(anna, piotr):
    """Let two players have used up their rated games just now, and return the last of these, which is over."""
    now = timezone.now()
    for _game in range(4):
        play_rated(anna, piotr, now=now)
    return play_rated(anna, piotr, now=now - 2 * HOUR, winner=anna)


def test_the_api_says_before_that_a_game_would_be_casual(anna, piotr, carla, used_up):
    seek = seek_of(piotr, is_rated=True, now=timezone.now())
    client = APIClient()
    reasons = {}
    for player in (anna, carla):
        client.force_authenticate(player)
        (listed,) = client.get("/api/v1/seeks/", {"status": "open"}).data["results"]
        assert client.get(f"/api/v1/seeks/{seek.pk}/").data["why_casual"] == listed["why_casual"]
        reasons[player] = listed["why_casual"]
    assert reasons[carla] is None
    assert reasons[anna].startswith("You and piotr have begun 5 rated games")
    client.force_authenticate(anna)
    refused = client.post("/api/v1/seeks/", GAME | {"invited": "piotr", "is_rated": True})
    assert (refused.status_code, refused.data["code"]) == (409, "rated_games_used_up")
    assert client.post("/api/v1/seeks/", GAME | {"invited": "piotr", "is_rated": False}).status_code == 201
    assert client.post(f"/api/v1/seeks/{seek.pk}/take/").data["is_rated"] is False


def test_the_pages_say_before_that_a_game_would_be_casual(client, anna, piotr, used_up):
    seek_of(piotr, is_rated=True, now=timezone.now())
    client.force_login(anna)
    reason = "You and piotr have begun 5 rated games in the last 24 hours. Further ones are casual."
    for path in ("/", "/seeks/", used_up.get_absolute_url()):
        assert text_of(client.get(path)).count(reason) == 1, path
    asked = client.post("/seeks/", GAME | {"pace": "slow", "invited": "piotr", "is_rated": "on"})
    assert asked.status_code == 400
    assert reason in text_of(asked)
    assert not Seek.objects.filter(creator=anna, status="open").exists()
    assert not offer_rematch(match_id=used_up.pk, player=anna, now=timezone.now()).is_rated


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_games_that_begin_at_the_same_moment_no_more_are_rated(anna, piotr):
    for _game in range(4):
        play_rated(anna, piotr)
    one, two = (seek_of(anna, invited=piotr, is_rated=True) for _seek in range(2))
    takes = [lambda seek=seek: take_seek(seek_id=seek.pk, player=piotr, now=NOON) for seek in (one, two)]
    assert do_while_others_come(*takes) == ["ok"]
    assert Match.objects.filter(is_rated=True).count() == 5
