"""Races on a real database: of two who act at the same moment one wins, the other gets a clear answer."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from threading import Barrier
from typing import Any

import pytest
from django.db import transaction

from matches.clock import CORRESPONDENCE, TimeControl
from matches.models import ClockExtension, Colour, Match, OfferKind, Seek, SeekStatus, Status
from matches.seek_links import link_to
from matches.services import (
    abort,
    accept_offer,
    decline_offer,
    expire_due,
    expire_match,
    give_days,
    make_offer,
    offer_rematch,
    pause_matches,
    play_move,
    play_turn,
    resign,
    resume_matches,
    take_by_link,
    take_seek,
    withdraw_seek,
)
from matches.services.verification import verify_match
from matches.signals import matches_finished
from players.connections import note_echo
from players.models import Player, VacationDay
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.locks import begin
from tests.matches.play import YELLOW_SET_UP, act, begin_match, heard, reread, seek_of
from web.api.idempotency.responses import Answer, respond_once

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

BLITZ = TimeControl.of_seconds(60, 0, 60)


def race(*actions: Callable[[], object]) -> list[str]:
    """Run the actions at the same moment in threads of their own; return what became of each, as ``begin`` says it."""
    barrier = Barrier(len(actions))
    results: dict[int, str] = {}

    def run(action: Callable[[], object]) -> None:
        barrier.wait()
        action()

    threads = [begin(number, partial(run, action), results) for number, action in enumerate(actions)]
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(actions))]


def moving(match: Match, **changes: Any) -> Callable[[], object]:
    """Return the act that plays a first legal move at noon, if the changes say nothing else."""
    usual: dict[str, Any] = {
        "player": match.player_to_act,
        "ply": match.ply,
        "text": match.state.legal_moves()[0],
        "now": NOON,
    }
    return partial(play_move, match_id=match.pk, **(usual | changes))


def expiring(number: int, match: Match, now: datetime) -> Callable[[], object]:
    """Return the act that ends the match on time: by itself, or in the sweep, in turn."""
    return partial(expire_match, match_id=match.pk, now=now) if number % 2 else partial(expire_due, now=now)


@pytest.fixture
def players(db):
    return Player.objects.create(username="anna"), Player.objects.create(username="piotr")


@pytest.fixture
def start(players):
    return lambda time_control=CORRESPONDENCE: begin_match(*players, time_control=time_control)


def test_of_two_moves_for_the_same_ply_exactly_one_wins_every_time(start):
    match = start()
    for _ in range(200):
        match = match if match.side else start()
        while len(match.state.legal_moves()) == 1:
            match = act(match, now=NOON)
        results = race(*(moving(match, text=text) for text in match.state.legal_moves()[:2]))
        assert match.moves.filter(ply=match.ply).count() == 1
        match = reread(match)
        assert sorted(results) == (["ok", "stale_ply"] if match.side else ["match_over", "ok"])
    assert verify_match(match=reread(match)) == []


def test_the_same_move_sent_twice_at_once_is_stored_once_and_answered_twice(start):
    for _ in range(20):
        match = start()
        assert race(*[moving(match)] * 2) == ["ok", "ok"]
        assert match.moves.count() == 1


@pytest.fixture
def before_roll(players):
    """Return a way to begin a match in which a side can ask for a die and then move, and both texts."""

    def start(time_control: TimeControl = CORRESPONDENCE) -> tuple[Match, tuple[str, str]]:
        match = begin_match(*players, game="soccer-tactics", time_control=time_control)
        while "roll" not in match.state.legal_moves():
            match = act(match, now=NOON)
        with transaction.atomic():
            rolled = act(match, "roll", now=NOON)
            transaction.set_rollback(True)
        return match, ("roll", rolled.state.legal_moves()[0])

    return start


def sending(match: Match, texts: tuple[str, ...], now: datetime = NOON) -> Callable[[], object]:
    """Return the act that sends a turn across its rolls."""
    return partial(
        play_turn, match_id=match.pk, player=match.player_to_act, ply=match.ply, texts=texts, across_rolls=True, now=now
    )


def test_a_turn_across_rolls_sent_twice_at_once_is_stored_once_and_answered_twice(before_roll):
    for _ in range(10):
        match, texts = before_roll()
        assert race(*[sending(match, texts)] * 2) == ["ok", "ok"]
        played = list(match.moves.filter(ply__gte=match.ply).values_list("actor", "text")[:3])
        assert [text for actor, text in played if actor == match.side] == list(texts)
        assert (len(played), played[1][0]) == (3, "chance")
        assert verify_match(match=reread(match)) == []


def test_a_turn_across_rolls_and_the_expiry_exclude_each_other(before_roll):
    for number in range(30):
        match, texts = before_roll(BLITZ)
        in_time = match.deadline - timedelta(milliseconds=1)
        turn, _expiry = race(sending(match, texts, in_time), expiring(number, match, match.deadline))
        after = reread(match)
        own = after.moves.filter(ply__gte=match.ply, actor=match.side, by_itself=False).count()
        assert (turn, own) in {("ok", 2), ("match_over", 0)}
        # Who keeps the turn in the last millisecond loses on time after it.
        assert after.ending == ("" if own and after.side else "timeout")
        assert verify_match(match=after) == []
        Match.objects.filter(pk=match.pk, status=Status.PLAYING).update(deadline=NOON + timedelta(days=1))


@pytest.mark.parametrize(("begin_within", "ending"), [(None, "timeout"), (30, "forfeit")])
def test_of_a_move_and_the_expiry_exactly_one_counts_every_time(players, begin_within, ending):
    deadline = NOON + timedelta(seconds=begin_within or 60)
    for number in range(500):
        match = begin_match(*players, time_control=BLITZ, begin_within=begin_within)
        in_time = deadline - timedelta(milliseconds=1)
        move, _expiry = race(moving(match, text=YELLOW_SET_UP, now=in_time), expiring(number, match, deadline))
        match = reread(match)
        assert (move, match.ply, match.moves.count(), match.ending) in {
            ("ok", 1, 1, ""),
            ("match_over", 0, 0, ending),
        }
        assert verify_match(match=match) == []
        Match.objects.filter(pk=match.pk, status=Status.PLAYING).update(deadline=deadline + timedelta(days=1))


def test_of_a_move_within_its_allowance_and_its_timeout_exactly_one_counts_every_time(players):
    deadline = NOON + BLITZ.bank
    arriving = deadline + timedelta(milliseconds=300)
    for number in range(300):
        match = begin_match(*players, time_control=BLITZ)
        for _ in range(2):
            note_echo(player_id=match.yellow_id, sent_at=arriving - timedelta(milliseconds=800), now=arriving)
        move, _expiry = race(moving(match, text=YELLOW_SET_UP, now=arriving), expiring(number, match, arriving))
        match = reread(match)
        assert (move, match.ply, match.allowed_yellow, match.ending) in {
            ("ok", 1, 800, ""),
            ("match_over", 0, 0, "timeout"),
        }
        assert verify_match(match=match) == []
        Match.objects.filter(pk=match.pk, status=Status.PLAYING).update(deadline=deadline + timedelta(days=1))


def test_a_late_move_and_the_sweep_spend_one_day_between_them(start):
    deadline = NOON + CORRESPONDENCE.bank
    late = deadline + timedelta(hours=1)
    for _ in range(30):
        match, other = start(), start()
        late_move = moving(match, text=YELLOW_SET_UP, now=late)
        assert race(late_move, partial(expire_due, now=late), partial(give_days, now=late)) == ["ok"] * 3
        assert reread(match).ply == 1
        assert reread(other).deadline == deadline + timedelta(days=1)
        assert VacationDay.objects.count() == 1
        assert [verify_match(match=reread(each)) for each in (match, other)] == [[], []]
        ClockExtension.objects.all().delete()
        VacationDay.objects.all().delete()
        Match.objects.update(paused_at=NOON)


def test_a_move_and_a_pause_leave_a_sound_match(players):
    for number in range(1, 31):
        match = begin_match(players[0], players[1], competition=number)
        move, pause = race(moving(match, text=YELLOW_SET_UP), partial(pause_matches, competition=number, now=NOON))
        match = reread(match)
        assert (move, pause, match.ply) in {("ok", "ok", 1), ("match_paused", "ok", 0)}
        assert match.paused_at == NOON
        resume_matches(competition=number, now=NOON + timedelta(hours=1))
        assert verify_match(match=reread(match)) == []


def test_many_sweeps_at_once_end_each_match_once(start):
    matches = [start(BLITZ) for _ in range(60)]
    with heard(matches_finished, "match_ids") as ended:
        sweep = partial(expire_due, now=NOON + timedelta(seconds=60), batch=7)
        assert race(*[sweep] * 4) == ["ok"] * 4
    assert sorted(chain(*ended)) == [match.pk for match in matches]
    assert not Match.objects.filter(status=Status.PLAYING).exists()


def test_two_sweeps_end_a_match_once(start):
    for _ in range(20):
        match = start(BLITZ)
        ended: list[bool] = []
        expire = partial(expire_match, match_id=match.pk, now=NOON + timedelta(seconds=60))
        assert race(*[lambda expire=expire, ended=ended: ended.append(expire())] * 2) == ["ok", "ok"]
        assert sorted(ended) == [False, True]


def test_a_move_and_a_resignation_leave_a_sound_match(start, players):
    for _ in range(20):
        match = start()
        move, resignation = race(moving(match), partial(resign, match_id=match.pk, player=players[1], now=NOON))
        match = reread(match)
        assert resignation == "ok"
        assert (move, match.ply) in {("ok", 1), ("match_over", 0)}
        assert verify_match(match=match) == []


def test_an_abort_and_the_first_move_of_the_second_side_exclude_each_other(start, players):
    for _ in range(30):
        match = start()
        match = act(match, YELLOW_SET_UP, now=NOON)
        results = race(moving(match), partial(abort, match_id=match.pk, player=players[0], now=NOON))
        match = reread(match)
        assert results == (["match_over", "ok"] if match.status == Status.FINISHED else ["ok", "abort_not_possible"])
        assert verify_match(match=match) == []


def test_a_turn_is_taken_back_or_answered(players):
    for _ in range(30):
        match = act(begin_match(*players, game="paper-soccer"), now=NOON)
        answering, asking = match.player_to_act, match.players[Side(match.side).opponent]
        offer: dict[str, Any] = {"match_id": match.pk, "kind": OfferKind.TAKE_BACK, "now": NOON}
        make_offer(player=asking, **offer)
        results = race(moving(match), *(partial(accept_offer, player=answering, **offer) for _twice in range(2)))
        match = reread(match)
        assert results[1:].count("ok") == match.take_backs <= 1
        assert (results[0] == "ok") is not bool(match.take_backs)
        assert verify_match(match=match) == []


def test_an_offer_is_withdrawn_or_accepted(start, players):
    anna, piotr = players
    for _ in range(30):
        match = make_offer(match_id=start().pk, player=anna, kind=OfferKind.DRAW, now=NOON)
        withdrawing = partial(decline_offer, match_id=match.pk, player=anna, now=NOON)
        accepting = partial(accept_offer, match_id=match.pk, player=piotr, kind=OfferKind.DRAW, now=NOON)
        results = race(withdrawing, accepting)
        assert results == (["match_over", "ok"] if reread(match).ending == "agreement" else ["ok", "no_such_offer"])


def test_of_two_who_take_a_seek_exactly_one_gets_it(players):
    anna, piotr = players
    carla = Player.objects.create(username="carla")
    for _ in range(30):
        seek = seek_of(anna, colour=Colour.RANDOM)
        results = race(*(partial(take_seek, seek_id=seek.pk, player=player, now=NOON) for player in (piotr, carla)))
        assert sorted(results) == ["ok", "seek_closed"]
    assert Match.objects.count() == 30


def test_of_two_who_follow_a_link_while_it_is_withdrawn_at_most_one_plays(players):
    anna, piotr = players
    carla = Player.objects.create(username="carla")
    for _ in range(30):
        seek = seek_of(anna, by_link=True)
        token = link_to(seek.pk).split("/")[-2]
        following = [partial(take_by_link, token=token, player=player, now=NOON) for player in (piotr, carla)]
        results = race(*following, partial(withdraw_seek, seek_id=seek.pk, player=anna))
        assert sorted(results) == ["ok", "seek_closed", "seek_closed"]
        seek.refresh_from_db()
        assert (seek.status == SeekStatus.WITHDRAWN, seek.match is None) == ((results[2] == "ok"),) * 2


def test_two_offers_of_a_rematch_at_once_make_one_rematch(start, players):
    for _ in range(20):
        match = resign(match_id=start().pk, player=players[0], now=NOON)
        results = race(*(partial(offer_rematch, match_id=match.pk, player=player, now=NOON) for player in players))
        assert results == ["ok", "ok"]
        assert Match.objects.filter(rematch_of=match).count() == 1
        assert not Seek.objects.filter(rematch_of=match, status=SeekStatus.OPEN).exists()


def test_two_requests_with_the_same_key_at_once_are_done_once(players):
    calls: list[int] = []

    def answer() -> Answer:
        calls.append(1)
        return Answer(201, "{}")

    rounds = 20
    for number in range(rounds):
        request = partial(
            respond_once, player_id=players[0].pk, key=f"key-{number}", fingerprint="a", now=NOON, answer=answer
        )
        assert race(request, request) == ["ok", "ok"]
    assert len(calls) == rounds
