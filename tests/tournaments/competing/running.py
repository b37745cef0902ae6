"""Running events in tests: players, cups and ladders, and results without whole matches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from matches.models import Match, Status
from matches.services.adjudicating import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tournaments.models import Cup, CupFormat, Entry, Event, Fixture, Ladder, Round, Tie
from tournaments.selectors.ladders import RUNNING
from tournaments.services.entries.entering import enter_event
from tournaments.services.lifecycle.stages import open_event
from tournaments.services.lifecycle.starting import start_event
from tournaments.services.settlement import settle_match

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
METRICS = ["points", "wins", "draw"]


def make_players(count: int, prefix: str = "player") -> list[Player]:
    return Player.objects.bulk_create(
        [Player(username=f"{prefix}-{number}", date_joined=NOON) for number in range(1, count + 1)]
    )


def make_cup(**options: Any) -> Cup:
    return _make(Cup, {"slug": "cup", "name": "Cup"} | options)


def make_ladder(**options: Any) -> Ladder:
    return _make(Ladder, {"slug": "ladder", "name": "Ladder"} | options)


def _make(kind: Any, options: dict[str, Any]) -> Any:
    event = kind.objects.create(game="streetsoccer-board", metrics=METRICS, created_at=NOON, **options)
    open_event(event_id=event.pk, actor=None, now=NOON)
    event.refresh_from_db()
    return event


def enter_all(event: Event, players: Sequence[Player], now: datetime = NOON) -> list[Entry]:
    return [enter_event(event_id=event.pk, player=player, now=now) for player in players]


def start(event: Event, now: datetime = NOON) -> None:
    start_event(event_id=event.pk, actor=None, now=now)
    event.refresh_from_db()


def start_cup(size: int, *, now: datetime = NOON, **options: Any) -> tuple[Cup, list[Entry]]:
    """A running cup of so many players, and their entries, first seed first."""
    cup = make_cup(**options)
    enter_all(cup, make_players(size), now)
    start(cup, now)
    return cup, list(Entry.objects.filter(event=cup).order_by("seed").select_related("player"))


def running(event: Event) -> list[Fixture]:
    """The event's fixtures whose match goes on."""
    fixtures = Fixture.objects.filter(RUNNING, event_id=event.pk, match__status=Status.PLAYING)
    return list(fixtures.select_related("match", "yellow__player", "red__player").order_by("pk"))


def end(fixture: Fixture, winner: Side | Entry | None, now: datetime = NOON) -> None:
    """End the fixture's match so, and settle it."""
    assert fixture.match_id is not None
    if isinstance(winner, Entry):
        winner = Side.YELLOW if winner == fixture.yellow else Side.RED
    adjudicate_match(match_id=fixture.match_id, winner=winner, now=now)
    settle_match(match_id=fixture.match_id, now=now)


def settle_all(now: datetime = NOON) -> None:
    """Settle what has finished, as the sweep would."""
    while unsettled := list(Match.objects.filter(status=Status.FINISHED, settled_at=None).values_list("pk", flat=True)):
        for match_id in unsettled:
            settle_match(match_id=match_id, now=now)


def play_out(
    event: Event, source: random.Random, *, now: datetime = NOON, winners: Sequence[Side | None] = (*Side, None)
) -> int:
    """End running matches in a random order with random winners until none goes on; return how many there were."""
    ended = 0
    while going_on := running(event):
        ended += 1
        end(source.choice(going_on), source.choice(list(winners)), now + timedelta(minutes=ended))
    event.refresh_from_db()
    return ended


def tie_of(cup: Cup, number: int, slot: int, *, third_place: bool = False) -> Tie:
    return Tie.objects.select_related("first__player", "second__player", "winner__player", "round").get(
        round__cup=cup, round__number=number, slot=slot, is_third_place=third_place
    )


def round_of(cup: Cup, number: int) -> Round:
    return Round.objects.get(cup=cup, number=number)


ROUND_ROBIN = {"format": CupFormat.ROUND_ROBIN}
