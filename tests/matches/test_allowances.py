"""What clocks of live matches allow for the ways of moves: measured by the server, stored with the move, bounded."""

from datetime import timedelta
from random import Random

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from database import clock as site_clock
from matches.clock import CORRESPONDENCE, MAX_ALLOWANCE, MAX_ALLOWED, MILLISECOND, SECOND, TimeControl, allowance
from matches.errors import MatchOver, TooLate
from matches.models import Match, Move, OfferKind
from matches.services import accept_offer, expire_match, make_offer
from matches.services.verification import verify_match
from matches.tasks import expire_turns
from players.connections import note_echo
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, begin_match, reread

LIVE = TimeControl.of_seconds(60, 2, 60)
LENGTHS = st.timedeltas(timedelta(0), timedelta(minutes=1))


@given(way=LENGTHS, thinking=LENGTHS, before=st.timedeltas(timedelta(0), MAX_ALLOWED))
def test_no_way_is_allowed_more_than_was_thought_or_than_the_bounds(way, thinking, before):
    given_now = allowance(LIVE, way, thinking, before)
    assert timedelta(0) <= given_now <= min(way, thinking, MAX_ALLOWANCE)
    assert before + given_now <= MAX_ALLOWED
    assert allowance(CORRESPONDENCE, way, thinking, before) == timedelta(0)


@pytest.fixture(autouse=True)
def _no_echoes(borne_out):
    cache.clear()


@pytest.fixture
def match(anna, piotr):
    return begin_match(anna, piotr, time_control=LIVE)


def echo(player, *, way, at=NOON):
    """Let the server measure twice how far away a player is."""
    for _ in range(2):
        note_echo(player_id=player.pk, sent_at=at - way * MILLISECOND, now=at)


def test_the_way_of_a_move_is_not_charged_and_stored_with_it(match, anna, client_of):
    echo(anna, way=400)
    match = act(match, YELLOW_SET_UP, now=NOON + 10 * SECOND)
    assert match.banks.yellow == 52_400 * MILLISECOND
    act(match, RED_SET_UP, now=NOON + 12 * SECOND)
    shown = client_of(anna).get(f"/api/v1/matches/{match.pk}/").json()["moves"][:2]
    assert [(move["thinking"], move["allowance"]) for move in shown] == [(10_000, 400), (2_000, 0)]


def test_who_answers_late_to_gain_time_gains_a_second_a_move_and_ten_in_a_match(anna, piotr):
    match, now, source = begin_match(anna, piotr, time_control=LIVE), NOON, Random(1)
    while match.ply < 60:
        now += 3 * SECOND
        echo(anna, way=9_000, at=now)
        match = act(match, source.choice(list(match.state.legal_moves())), now=now)
    own = [move.allowance for move in match.moves.filter(actor="yellow", by_itself=False)]
    assert own[:11] == [1000] * 10 + [0]
    assert (match.allowed.yellow, match.allowed.red) == (MAX_ALLOWED, timedelta(0))


def test_an_echo_that_is_long_past_allows_nothing_and_a_slow_one_alone_neither(match, anna):
    note_echo(player_id=anna.pk, sent_at=NOON - 100 * MILLISECOND, now=NOON)
    note_echo(player_id=anna.pk, sent_at=NOON - 900 * MILLISECOND, now=NOON)
    assert act(match, YELLOW_SET_UP, now=NOON + 5 * SECOND).moves.get().allowance == 100
    again = begin_match(match.yellow, match.red, time_control=LIVE)
    assert act(again, YELLOW_SET_UP, now=NOON + 31 * SECOND).moves.get().allowance == 0


def test_over_days_nothing_is_allowed(anna, piotr):
    echo(anna, way=400)
    match = act(begin_match(anna, piotr), YELLOW_SET_UP, now=NOON + 10 * SECOND)
    assert match.moves.get().allowance == 0


def test_a_move_that_was_on_its_way_at_the_deadline_counts(match, anna):
    late = match.deadline + 300 * MILLISECOND
    echo(anna, way=300, at=late)
    with pytest.raises(TooLate):
        act(match, YELLOW_SET_UP, now=late)
    echo(anna, way=301, at=late)
    match = act(match, YELLOW_SET_UP, now=late)
    assert (match.ply, match.moves.get().allowance) == (1, 301)


def test_the_sweep_waits_until_no_move_can_make_up_for_its_way(match, anna):
    deadline = match.deadline
    try:
        site_clock.use(lambda: deadline + MAX_ALLOWANCE - MILLISECOND)
        expire_turns()
        assert reread(match).side == Side.YELLOW
        site_clock.use(lambda: deadline + MAX_ALLOWANCE)
        expire_turns()
    finally:
        site_clock.use(None)
    match = reread(match)
    assert (match.ending, match.finished_at) == ("timeout", deadline)


def test_once_the_end_is_stored_no_way_counts(match, anna):
    echo(anna, way=900, at=match.deadline)
    assert expire_match(match_id=match.pk, now=match.deadline)
    with pytest.raises(MatchOver):
        act(match, YELLOW_SET_UP, now=match.deadline + 100 * MILLISECOND, player=anna)


def test_a_turn_with_an_allowance_is_taken_back_soundly(anna, piotr):
    match = begin_match(anna, piotr, game="paper-soccer", time_control=LIVE)
    mover, ply = match.player_to_act, match.ply
    echo(mover, way=400)
    match = act(match, now=NOON + 10 * SECOND)
    other = piotr if mover == anna else anna
    for service, player in ((make_offer, mover), (accept_offer, other)):
        service(match_id=match.pk, player=player, kind=OfferKind.TAKE_BACK, now=NOON + 11 * SECOND)
    match = reread(match)
    assert (match.take_backs, match.ply, sum(match.allowed, timedelta(0))) == (1, ply, 400 * MILLISECOND)
    assert match.clock_extensions.get().moves.get().allowance == 400


def test_verification_finds_an_allowance_that_nobody_could_have(match, anna):
    echo(anna, way=400)
    match = act(match, YELLOW_SET_UP, now=NOON + 10 * SECOND)
    for stored, faulty in ((1_400, True), (400, False)):
        Move.objects.filter(match=match).update(allowance=stored)
        Match.objects.filter(pk=match.pk).update(allowed_yellow=stored)
        faults = verify_match(match=reread(match))
        assert any("allowance is 1400" in fault for fault in faults) is faulty
