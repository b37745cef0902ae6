"""Waiting lists on a real database: what happens at the same moment leaves them as one after the other would."""

from collections import Counter
from functools import partial
from typing import Any

import pytest

from players.models import Player
from tests.matches.test_races import race
from tests.tournaments.verbs import NOON, enter_all, faults_of, leave, make_cup, make_players
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.waiting_list import join_waiting_list, leave_waiting_list, remove_from_waiting_list
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import Cup, Entry, WaitingPlayer
from tournaments.running.services.start import start_competition

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def nothing_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no task follow: a test does what it is about."""
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)


def make_full_cup(number: int) -> tuple[Cup, list[Entry], list[Player]]:
    """Return a cup of four places, which are all taken, its entries, and three players who wait for nothing yet."""
    cup = make_cup(slug=f"cup-{number}", max_entrants=4, legs=1)
    *entered, one, two, three = make_players(7, prefix=f"p{number}")
    return cup, enter_all(cup, entered), [one, two, three]


def counts(cup: Cup) -> tuple[int, int]:
    waiting = WaitingPlayer.objects.filter(competition=cup, removed_at=None).count()
    return Entry.objects.filter(competition=cup).count(), waiting


def test_two_who_leave_at_once_let_two_move_up_and_nobody_twice():
    for number in range(4):
        cup, entries, players = make_full_cup(number)
        for player in players:
            join_waiting_list(competition_id=cup.pk, player=player, now=NOON)
        assert race(*(partial(leave_competition, entry_id=each.pk, now=NOON) for each in entries[:2])) == ["ok", "ok"]
        assert counts(cup) == (4, 1)
        assert WaitingPlayer.objects.get(competition=cup).player == players[2]
        assert faults_of(cup) == []


def test_the_last_place_is_taken_by_one_and_the_other_may_wait():
    for number in range(4):
        cup, entries, players = make_full_cup(number)
        leave(entries[0])
        about: dict[str, Any] = {"competition_id": cup.pk, "now": NOON}
        results = race(
            *(partial(enter_competition, player=each, **about) for each in players[:2]),
            partial(join_waiting_list, player=players[2], **about),
        )
        assert Counter(results[:2]) == Counter({"ok": 1, "competition_full": 1})
        assert results[2] in {"ok", "places_free"}
        assert counts(cup) == (4, int(results[2] == "ok"))


def test_joining_the_list_twice_at_once_takes_one_place_on_it():
    cup, _entries, players = make_full_cup(0)
    joining = partial(join_waiting_list, competition_id=cup.pk, player=players[0], now=NOON)
    assert race(joining, joining, joining) == ["ok", "ok", "ok"]
    assert counts(cup) == (4, 1)


def test_a_player_who_leaves_the_list_as_a_place_becomes_free_has_entered_or_is_gone():
    olga = Player.objects.create(username="olga")
    for number in range(2 * 3):
        cup, entries, players = make_full_cup(number)
        cup.organisers.add(olga)
        waiting = join_waiting_list(competition_id=cup.pk, player=players[0], now=NOON)
        going = (
            partial(leave_waiting_list, competition_id=cup.pk, player=players[0], now=NOON)
            if number % 2
            else partial(remove_from_waiting_list, waiting_id=waiting.pk, actor=olga, reason="No.", now=NOON)
        )
        _left, gone = race(partial(leave_competition, entry_id=entries[0].pk, now=NOON), going)
        assert (gone, counts(cup)) in {("ok", (3, 0)), ("not_found", (4, 0))}


def test_a_player_who_leaves_as_the_cup_starts_is_replaced_before_or_withdrawn_after():
    for number in range(4):
        cup, entries, players = make_full_cup(number)
        join_waiting_list(competition_id=cup.pk, player=players[0], now=NOON)
        results = race(
            partial(leave_competition, entry_id=entries[0].pk, now=NOON),
            partial(start_competition, competition_id=cup.pk, actor=None, now=NOON),
        )
        assert results == ["ok", "ok"]
        cup.refresh_from_db()
        moved_up = Entry.objects.filter(competition=cup, player=players[0]).exists()
        assert moved_up is not Entry.objects.filter(pk=entries[0].pk).exists()
        assert faults_of(cup) == []
