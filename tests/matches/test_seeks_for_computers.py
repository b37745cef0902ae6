"""Seeks that computers may take: when they do, which of them, and who is refused."""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from matches.errors import ComputersNotAdmitted
from matches.models import Colour, Seek
from matches.services import play_against_computer, take_seek, take_waiting_seeks, withdraw_seek
from matches.services.adjudication import adjudicate_match
from matches.services.computer_moves import SEEK_DELAY
from players.models import Player, Rating
from players.selectors import ratings_in
from players.services import create_computer, create_guest, ensure_computer
from rules_engine.registry import SPECS
from rules_engine.values import Side
from tests.game_specs import change_spec
from tests.matches import play
from tests.matches.conftest import NOON
from tests.matches.play import move_both
from tournaments.running.services.settlement import settle_match
from tournaments.tables.services.ratings import rate_pending

LATER = NOON + SEEK_DELAY
FAMILY = "streetsoccer"


@pytest.fixture
def seek_of(anna):
    """Open a seek of anna's at noon, which computers may take."""
    return partial(play.seek_of, anna, admits_computers=True)


def give_rating(player: Player, rating: int) -> None:
    Rating.objects.create(player=player, family=FAMILY, rating=Decimal(rating))


def give_ratings() -> None:
    for level, rating in (("beginner", 1200), ("club", 1500), ("strong", 1800)):
        give_rating(ensure_computer(level=level, now=NOON), rating)


def test_a_seek_is_left_to_people_first(seek_of):
    seek = seek_of()
    assert take_waiting_seeks(now=LATER - timedelta(milliseconds=1)) == 0
    assert take_waiting_seeks(now=LATER) == 1
    seek.refresh_from_db()
    assert (seek.status, seek.match.yellow, seek.match.red.is_computer) == ("taken", seek.creator, True)


def test_only_open_seeks_that_admit_computers_are_taken_by_them(seek_of, anna, piotr):
    seek_of(admits_computers=False)
    seek_of(invited=piotr)
    withdraw_seek(seek_id=seek_of().pk, player=anna)
    take_seek(seek_id=seek_of().pk, player=piotr, now=NOON)
    assert take_waiting_seeks(now=LATER) == 0


@pytest.mark.parametrize(
    ("rating", "level"), [(1000, "beginner"), (1349, "beginner"), (1351, "club"), (1649, "club"), (2100, "strong")]
)
def test_the_computer_whose_rating_is_nearest_takes_it(seek_of, anna, rating, level):
    give_ratings()
    give_rating(anna, rating)
    seek_of()
    take_waiting_seeks(now=LATER)
    assert Seek.objects.get().match.red.level == level


def test_a_computer_has_the_rating_that_the_seek_asks_for(seek_of, anna):
    give_ratings()
    give_rating(anna, 1500)
    seek_of(min_rating=1801)
    seek_of(min_rating=1700)
    assert take_waiting_seeks(now=LATER) == 1
    assert [seek.match and seek.match.red.level for seek in Seek.objects.order_by("pk")] == [None, "strong"]


def test_no_computer_takes_a_seek_of_a_game_that_it_does_not_play(seek_of, monkeypatch):
    change_spec(monkeypatch, FAMILY, strategies={"beginner": SPECS[FAMILY].strategies["beginner"]})
    seek_of(min_rating=1400)
    take_waiting_seeks(now=LATER)
    assert Seek.objects.get().match.red.level == "beginner"


def test_a_program_that_plays_takes_only_seeks_that_admit_it(seek_of):
    program = create_computer(username="computer-2", now=NOON)
    with pytest.raises(ComputersNotAdmitted):
        take_seek(seek_id=seek_of(admits_computers=False).pk, player=program, now=NOON)
    assert take_seek(seek_id=seek_of().pk, player=program, now=NOON).red == program


def test_a_guests_casual_seek_is_taken_too(seek_of):
    guest = create_guest(now=NOON)
    play.seek_of(guest, admits_computers=True)
    assert take_waiting_seeks(now=LATER) == 1


def test_one_seek_that_fails_stops_none_of_the_others(seek_of, monkeypatch):
    first, second = seek_of(), seek_of()
    take = take_seek

    def fail_once(*, seek_id: int, **more: Any) -> object:
        if seek_id == first.pk:
            raise ZeroDivisionError
        return take(seek_id=seek_id, **more)

    monkeypatch.setattr("matches.services.computer_moves.take_seek", fail_once)
    assert take_waiting_seeks(now=LATER) == 1
    second.refresh_from_db()
    assert second.status == "taken"


def test_the_number_of_waiting_seeks_makes_no_difference_to_looking_for_opponents(seek_of, django_assert_num_queries):
    for count in (1, 5):
        while Seek.objects.count() < count:
            seek_of(min_rating=9000)
        with django_assert_num_queries(3):
            assert take_waiting_seeks(now=LATER) == 0


@pytest.mark.parametrize("invited", [True, False])
def test_a_rated_match_against_a_computer_changes_both_ratings(seek_of, anna, invited):
    computer = ensure_computer(level="strong", now=NOON)
    give_rating(ensure_computer(level="club", now=NOON), 1000)
    give_rating(ensure_computer(level="beginner", now=NOON), 1000)
    seek = seek_of(is_rated=True, invited=computer if invited else None)
    take_waiting_seeks(now=LATER)
    seek.refresh_from_db()
    assert seek.match.is_rated
    assert seek.match.red == computer
    adjudicate_match(match_id=move_both(seek.match).pk, winner=Side.RED, now=LATER)
    settle_match(match_id=seek.match.pk, now=LATER)
    rate_pending(family=FAMILY, now=LATER)
    after = ratings_in(family=FAMILY, players=[anna, computer])
    assert after[computer.pk] > 1500 > after[anna.pk]


def test_playing_at_once_stays_casual(anna):
    match = play_against_computer(player=anna, game="streetsoccer-board", colour=Colour.RED, now=NOON)
    assert not match.is_rated


def test_a_client_opens_a_seek_for_computers_too(client_of, anna):
    wish = {"game": "streetsoccer-board", "admits_computers": True}
    assert client_of(anna).post("/api/v1/seeks/", wish).json()["admits_computers"] is True
    assert client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board"}).json()["admits_computers"] is False


def test_a_person_lets_computers_take_their_seek_by_a_tick(client, anna):
    client.force_login(anna)
    client.post("/seeks/", {"game": "streetsoccer-board", "colour": "red", "pace": "slow", "admits_computers": "on"})
    assert Seek.objects.get().admits_computers
    assert "computers too" in client.get("/seeks/").content.decode()
