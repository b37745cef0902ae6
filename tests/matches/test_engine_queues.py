"""The engines work for each client in turn, for weaker levels first, and for moves before analyses."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from computers.levels import COSTS, Level
from matches.models import EngineQueue, EngineShare, Match, MatchAnalysis, QueueName
from matches.services import (
    call_waiting_analyses,
    call_waiting_computers,
    claim_turn,
    play_move,
    request_analysis,
    resign,
)
from matches.services.analyses import claim_piece
from matches.services.computer_moves import CLAIM_TIMEOUT, SWEEP_DELAY
from matches.tasks import analyse_match, move_computer
from players.models import Player
from players.services import create_guest, ensure_computer
from tests.matches.conftest import NOON
from tests.matches.locks import do_while_others_come
from tests.matches.play import begin_match, reread
from tests.matches.test_races import race

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db, pytest.mark.usefixtures("calls")]

SCHOOL = "198.51.100.7"
STRONG_AS_MANY_BEGINNERS = COSTS[Level.STRONG] // COSTS[Level.BEGINNER]


def waiting(player: Player, level: Level, *, since: datetime = NOON) -> Match:
    """Start a match in which the computer is to act."""
    computer = ensure_computer(level=level, now=NOON)
    return begin_match(computer, player, now=since)


def claim_all(now: datetime = NOON) -> list[int]:
    """Claim until nothing is left."""
    return list(iter(lambda: claim_turn(now=now), None))


def test_a_flood_of_one_guest_does_not_keep_another_player_waiting(anna):
    guest = create_guest(now=NOON, network=SCHOOL)
    flood = [waiting(guest, Level.STRONG) for _ in range(150)]
    assert claim_turn(now=NOON) == flood[0].pk
    own = waiting(anna, Level.BEGINNER, since=NOON + timedelta(minutes=1))
    assert claim_turn(now=NOON) == own.pk
    assert claim_turn(now=NOON) == flood[1].pk


def test_players_come_one_after_the_other_each_by_who_has_waited_longest(anna, piotr):
    late, early, *rest = (waiting(anna, Level.STRONG, since=NOON - timedelta(hours=hour)) for hour in range(4))
    own = [waiting(piotr, Level.STRONG, since=NOON + timedelta(hours=hour)) for hour in range(2)]
    assert claim_all() == [rest[1].pk, own[0].pk, rest[0].pk, own[1].pk, early.pk, late.pk]


def test_a_weaker_level_comes_first(anna, piotr, carla):
    strong, club = waiting(anna, Level.STRONG), waiting(piotr, Level.CLUB)
    own_strong, beginner = waiting(carla, Level.STRONG), waiting(carla, Level.BEGINNER)
    assert claim_all() == [beginner.pk, club.pk, strong.pk, own_strong.pk]


def test_weak_levels_do_not_keep_a_strong_one_waiting_for_ever(anna, piotr):
    strong = [waiting(piotr, Level.STRONG).pk for _ in range(2)]
    beginners = {waiting(anna, Level.BEGINNER).pk for _ in range(STRONG_AS_MANY_BEGINNERS + 10)}
    order = claim_all()
    first, second = (order.index(pk) for pk in strong)
    assert first == 1
    assert second == STRONG_AS_MANY_BEGINNERS + 2
    assert set(order) == {*strong, *beginners}


def test_guests_of_one_client_are_served_as_one(anna):
    matches = [waiting(create_guest(now=NOON, network=SCHOOL), Level.STRONG) for _ in range(3)]
    alone = waiting(create_guest(now=NOON, network="203.0.113.9"), Level.STRONG)
    own = [waiting(anna, Level.STRONG) for _ in range(2)]
    first, *others = (match.pk for match in matches)
    assert claim_all() == [first, alone.pk, own[0].pk, others[0], own[1].pk, others[1]]


def test_a_player_who_comes_back_has_saved_nothing_up(anna, piotr):
    for _ in range(3):
        waiting(anna, Level.STRONG)
    claim_all()
    again = [waiting(anna, Level.STRONG).pk for _ in range(3)]
    new = [waiting(piotr, Level.STRONG).pk for _ in range(3)]
    assert claim_all() == [new[0], again[0], new[1], again[1], new[2], again[2]]


def test_a_turn_is_claimed_once_until_the_claim_ends(anna):
    match = waiting(anna, Level.BEGINNER)
    assert [claim_turn(now=NOON) for _ in range(2)] == [match.pk, None]
    assert claim_turn(now=NOON + CLAIM_TIMEOUT - timedelta(milliseconds=1)) is None
    assert claim_turn(now=NOON + CLAIM_TIMEOUT) == match.pk


def test_a_claim_is_for_one_action(anna):
    match = waiting(anna, Level.BEGINNER)
    assert claim_turn(now=NOON) == match.pk
    after = play_move(match_id=match.pk, player=match.yellow, ply=0, text="@d1", now=NOON).match
    assert (after.side, after.ply) == ("yellow", 1)
    assert claim_turn(now=NOON) == match.pk


def test_a_match_that_is_over_or_paused_is_not_claimed(anna):
    resign(match_id=waiting(anna, Level.BEGINNER).pk, player=anna, now=NOON)
    Match.objects.filter(pk=waiting(anna, Level.BEGINNER).pk).update(paused_at=NOON)
    assert claim_turn(now=NOON) is None


def test_a_message_too_many_does_nothing(anna):
    match = waiting(anna, Level.BEGINNER, since=timezone.now())
    for _ in range(9):
        move_computer()
    after = reread(match)
    assert after.side == "red"
    assert after.ply == after.moves.count() <= 5


def test_a_lost_message_loses_nothing(anna, calls):
    now = timezone.now()
    matches = [waiting(anna, Level.BEGINNER, since=now) for _ in range(3)]
    calls.clear()
    assert call_waiting_computers(now=now + SWEEP_DELAY) == len(calls) == 3
    for _ in range(3 * 5):
        move_computer()
    assert [reread(match).side for match in matches] == ["red"] * 3


def finished(player: Player, opponent: Player) -> Match:
    match = begin_match(player, opponent)
    return resign(match_id=match.pk, player=player, now=NOON)


def test_analyses_come_after_moves(anna, piotr, calls):
    analysis = request_analysis(match_id=finished(anna, piotr).pk, player=anna, now=NOON)
    match = waiting(piotr, Level.BEGINNER, since=timezone.now())
    while (before := reread(match)).side == "yellow":
        calls.clear()
        analyse_match()
        assert reread(match).ply == before.ply + 1
        assert "matches.tasks.analyse_match" in calls
    analysis.refresh_from_db()
    assert analysis.judged == 0
    assert analysis.status == "waiting"
    analyse_match()
    analysis.refresh_from_db()
    assert analysis.status == "done"


@pytest.fixture
def one_at_a_time(monkeypatch):
    """Hold one piece at a time."""
    monkeypatch.setattr("matches.services.analyses.MAX_HELD_PIECES", 1)


@pytest.mark.usefixtures("one_at_a_time")
def test_analyses_come_one_player_after_the_other(anna, piotr, carla):
    of: dict[Any, list[Any]] = {player: [] for player in (anna, carla)}
    for player, number in ((anna, 3), (carla, 1)):
        for _ in range(number):
            match_id = finished(player, piotr).pk
            of[player].append(request_analysis(match_id=match_id, player=player, now=NOON).pk)
    order = []
    for _ in range(4):
        piece = claim_piece(now=NOON)
        assert claim_piece(now=NOON) is None
        order.append(piece.analysis_id)
        MatchAnalysis.objects.filter(pk=piece.analysis_id).update(held_until=None, attempts=0)
    assert order == [of[anna][0], of[carla][0]] * 2


def test_shares_are_forgotten_when_they_make_no_difference(anna, piotr):
    waiting(anna, Level.STRONG)
    assert len(claim_all()) == 1
    for _ in range(COSTS[Level.STRONG] + 2):
        waiting(piotr, Level.BEGINNER)
    for _ in range(COSTS[Level.STRONG] + 1):
        claim_turn(now=NOON)
    call_waiting_computers(now=NOON)
    assert list(EngineShare.objects.values_list("client", flat=True)) == [f"player {piotr.pk}"]
    claim_turn(now=NOON)
    call_waiting_computers(now=NOON)
    call_waiting_analyses(now=NOON)
    assert not EngineShare.objects.exists()
    assert EngineQueue.objects.get().name == QueueName.TURNS


@pytest.mark.parametrize("others", [2, 20])
def test_a_claim_asks_the_same_number_of_queries_however_many_wait(anna, others, django_assert_num_queries):
    for _ in range(others):
        waiting(create_guest(now=NOON), Level.CLUB)
    waiting(anna, Level.CLUB)
    claim_turn(now=NOON)
    with django_assert_num_queries(12):
        assert claim_turn(now=NOON) is not None


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_the_same_moment_keep_the_order():
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    flood = [waiting(anna, Level.STRONG).pk for _ in range(10)]
    own = [waiting(piotr, Level.STRONG).pk for _ in range(4)]
    claimed: list[int | None] = []
    assert race(*[lambda: claimed.append(claim_turn(now=NOON))] * 8) == ["ok"] * 8
    assert set(claimed) == {*flood[:4], *own}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_match_that_a_long_transaction_holds_keeps_no_other_waiting():
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    held, free = waiting(anna, Level.CLUB).pk, waiting(piotr, Level.CLUB).pk
    claimed: list[int | None] = []
    results = do_while_others_come(
        lambda: Match.objects.select_for_update().get(pk=held), lambda: claimed.append(claim_turn(now=NOON))
    )
    assert (results, claimed) == (["ok"], [free])
    assert claim_turn(now=NOON) == held
