"""Races on a real database: two at the same moment leave an event as one after the other would."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from matches.models import Match, Status
from matches.services.adjudicating import adjudicate_match
from rules_engine.values import Side
from tests.matches.test_races import race
from tests.tournaments.competing.running import (
    NOON,
    ROUND_ROBIN,
    enter_all,
    make_cup,
    make_ladder,
    make_players,
    running,
    settle_all,
    start,
    start_cup,
)
from tournaments.models import Cup, Entry, EventStatus, Fixture, LadderSystem, Tie
from tournaments.services.cups.advancing import advance_tie
from tournaments.services.entries.entering import enter_event
from tournaments.services.entries.leaving import withdraw_entry
from tournaments.services.ladders.challenging import challenge
from tournaments.services.ladders.pairing import pair_ladder
from tournaments.services.lifecycle.starting import start_event, start_event_if_due
from tournaments.services.settlement import settle_match

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def quiet_doorbells(monkeypatch):
    """Nobody hears: what follows is done by the test itself."""
    monkeypatch.setattr("tournaments.services.doorbells._send", lambda *_: None)
    monkeypatch.setattr("matches.services.doorbells._announce_end", lambda _: None)


def finish_all(event):
    for fixture in running(event):
        adjudicate_match(match_id=fixture.match_id, winner=Side.YELLOW, now=NOON)


def test_of_two_who_take_the_last_place_one_gets_it_and_the_event_starts_once():
    players = make_players(12)
    for number in range(4):
        cup = make_cup(slug=f"cup-{number}", max_entrants=3, starts_when_full=True)
        enter_all(cup, players[:2])
        results = race(*(partial(enter_event, event_id=cup.pk, player=each, now=NOON) for each in players[2:5]))
        assert Counter(results) == Counter({"ok": 1, "event_full": 2})
        starting = partial(start_event_if_due, event_id=cup.pk, now=NOON)
        assert race(starting, starting) == ["ok", "ok"]
        assert Tie.objects.filter(round__cup=cup).count() == 2
        assert Fixture.objects.filter(event=cup).count() == 2


def test_two_who_start_a_cup_at_once_start_it_once():
    for number in range(4):
        cup = make_cup(slug=f"cup-{number}", **ROUND_ROBIN)
        enter_all(cup, make_players(4, prefix=f"p{number}"))
        starting = partial(start_event, event_id=cup.pk, actor=None, now=NOON)
        assert race(starting, starting) == ["ok", "ok"]
        assert Match.objects.filter(fixture__event=cup).count() == 6


def test_both_legs_settled_at_once_decide_the_tie_once():
    for number in range(6):
        cup = make_cup(slug=f"cup-{number}", legs=2, replays=1)
        enter_all(cup, make_players(4, prefix=f"p{number}"))
        start(cup)
        finish_all(cup)
        settling = [
            partial(settle_match, match_id=each.match_id, now=NOON) for each in Fixture.objects.filter(event=cup)
        ]
        assert set(race(*settling, *settling)) == {"ok"}
        # Yellow has won every leg, so each tie is level and has exactly one replay pair.
        assert sorted(Fixture.objects.filter(event=cup).values_list("tie__slot", "leg")) == [
            (slot, leg) for slot in (0, 1) for leg in (1, 2, 3, 4)
        ]


def test_two_workers_who_advance_the_same_tie_start_its_legs_once():
    cup, _ = start_cup(2, legs=2)
    tie = Tie.objects.select_related("round").get(round__cup=cup)
    for fixture in running(cup):
        adjudicate_match(match_id=fixture.match_id, winner=None, now=NOON)
    settle_all()
    Fixture.objects.filter(tie=tie, leg__gt=2).delete()
    assert race(*[partial(advance_tie, tie=tie, now=NOON)] * 3) == ["ok"] * 3
    assert sorted(Fixture.objects.filter(tie=tie).values_list("leg", flat=True)) == [1, 2, 3, 4]


def test_a_withdrawal_and_the_last_result_at_once_leave_a_sound_cup():
    for number in range(6):
        cup = make_cup(slug=f"cup-{number}", legs=1)
        entries = enter_all(cup, make_players(2, prefix=f"p{number}"))
        start(cup)
        (fixture,) = running(cup)
        finish_all(cup)
        results = race(
            partial(settle_match, match_id=fixture.match_id, now=NOON),
            partial(withdraw_entry, entry_id=entries[0].pk, actor=entries[0].player, reason="", now=NOON),
        )
        assert results[0] == "ok"
        assert results[1] in {"ok", "wrong_event_status"}
        settle_all()
        cup = Cup.objects.get(pk=cup.pk)
        assert cup.status == EventStatus.FINISHED
        assert Tie.objects.get(round__cup=cup).winner == cup.winner


def test_two_workers_pair_a_ladder_once():
    ladder = make_ladder()
    enter_all(ladder, make_players(8))
    start(ladder)
    pairing = partial(pair_ladder, ladder_id=ladder.pk, now=NOON)
    assert race(pairing, pairing) == ["ok", "ok"]
    counts = Counter(entry for fixture in running(ladder) for entry in (fixture.yellow_id, fixture.red_id))
    assert set(counts.values()) == {2}


def test_two_challenges_at_once_keep_the_limit():
    players = make_players(6)
    ladder = make_ladder(system=LadderSystem.CHALLENGE)
    enter_all(ladder, players)
    start(ladder)
    results = race(
        *(
            partial(challenge, ladder_id=ladder.pk, challenger=players[4], opponent=players[above], now=NOON)
            for above in (1, 2, 3)
        )
    )
    assert Counter(results) == Counter({"ok": 1, "challenge_refused": 2})
    assert Match.objects.filter(status=Status.PLAYING).count() == 1


def test_newcomers_at_once_get_positions_of_their_own():
    ladder = make_ladder(system=LadderSystem.CHALLENGE)
    results = race(*(partial(enter_event, event_id=ladder.pk, player=player, now=NOON) for player in make_players(4)))
    assert results == ["ok"] * 4
    assert sorted(Entry.objects.filter(event=ladder).values_list("position", flat=True)) == [1, 2, 3, 4]
