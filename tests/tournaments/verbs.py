"""Running competitions in tests: players, cups and ladders, and results without whole matches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from database.compiled_queries import CompiledQuery
from formats.options import options_of
from formats.protocol import Part
from formats.registry import FORMATS
from matches.models import Match, Status
from matches.services import play_move
from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tournaments.entries.services.admission import enter_competition
from tournaments.making.recipes import formats_of
from tournaments.making.services.competitions import STAGE_OPTIONS
from tournaments.models import (
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Ladder,
    Round,
    Stage,
    Tie,
)
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.ladders import RUNNING
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.entry_rows import make_entry, store_entries
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.start import start_competition

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
TIEBREAKS = ["points", "wins", "draw"]
RUNNING_FIXTURES = Fixture.objects.filter(RUNNING, match__status=Status.PLAYING).order_by("pk")
"""All fixtures whose match goes on."""
_OF_PLAYERS = CompiledQuery(
    lambda competition_id: RUNNING_FIXTURES.filter(competition=competition_id).select_related(
        "match", "yellow__player", "red__player"
    ),
    is_prepared=False,
)
"""The same of a competition that is none of teams: most tests ask for them, and compiling takes most of the time."""
_MATCHES = CompiledQuery(
    lambda competition_id: RUNNING_FIXTURES.filter(competition=competition_id).values_list("match_id"),
    is_prepared=False,
)
"""The matches of a competition that go on."""


def make_players(count: int, prefix: str = "player") -> list[Player]:
    return Player.objects.bulk_create(
        [Player(username=f"{prefix}-{number}", date_joined=NOON) for number in range(1, count + 1)]
    )


def make_cup(**options: Any) -> Cup:
    return _make(Cup, {"slug": "cup", "name": "Cup"} | options)


def make_ladder(**options: Any) -> Ladder:
    return _make(Ladder, {"slug": "ladder", "name": "Ladder"} | options)


def make_stage(kind: type[Competition], options: dict[str, Any]) -> Stage:
    """Return a stage with those of the options that are its own, or its format's, and take these away from them."""
    stage = Stage(format=options.pop("format", formats_of(CompetitionKind(kind().kind))[0].key))
    for name in (STAGE_OPTIONS | {"grouping", "advance"}).intersection(options):
        setattr(stage, name, options.pop(name))
    known = {option.name for spec in FORMATS.values() for option in options_of(spec.options)}
    chosen = {name: options.pop(name) for name in known.intersection(options)}
    own = {option.name for option in options_of(stage.format_spec.options)}
    stage.options = {name: value for name, value in chosen.items() if name in own}
    return stage


def _make(kind: Any, options: dict[str, Any]) -> Any:
    options = {"tiebreaks": TIEBREAKS} | options
    later = options.pop("later", ())
    stage = make_stage(kind, options)
    # ``open_competition`` would leave it like this, and take four times as long.
    competition = kind(game="streetsoccer-board", created_at=NOON, status=CompetitionStatus.OPEN, **options)
    store_competition(competition=competition, stage=stage, later=[make_stage(kind, dict(each)) for each in later])
    log_action(competition=competition, action="opened", now=NOON)
    competition.refresh_from_db()
    return competition


def enter_all(competition: Competition, players: Sequence[Player], now: datetime = NOON) -> list[Entry]:
    """Let these players join, in this order: all of them at once where nothing happens between two of them."""
    with transaction.atomic():
        locked = lock_competition(competition_id=competition.pk)
        if locked.status != CompetitionStatus.OPEN or locked.starts_when_full:
            return [enter_competition(competition_id=competition.pk, player=player, now=now) for player in players]
        entries = [make_entry(competition=locked, player=player, now=now) for player in players]
        store_entries(competition=locked, entries=entries, now=now)
        for player in players:
            log_action(competition=locked, action="joined", actor=player, subject=str(player), now=now)
    return entries


def start(competition: Competition, now: datetime = NOON) -> None:
    start_competition(competition_id=competition.pk, actor=None, now=now)
    competition.refresh_from_db()


def start_cup(size: int, *, now: datetime = NOON, **options: Any) -> tuple[Cup, list[Entry]]:
    """Return a running cup of so many players, and their entries, first seed first."""
    cup = make_cup(**options)
    enter_all(cup, make_players(size), now)
    start(cup, now)
    return cup, list(Entry.objects.filter(competition=cup).order_by("seats__seed").select_related("player"))


def running(competition: Competition) -> list[Fixture]:
    """Return the competition's fixtures whose match goes on."""
    if competition.boards is None:
        return _OF_PLAYERS.all(competition_id=competition.pk)
    fixtures = RUNNING_FIXTURES.filter(competition_id=competition.pk)
    return list(fixtures.select_related("match", "yellow__player", "red__player"))


def end(fixture: Fixture, winner: Side | Entry | None, now: datetime = NOON) -> None:
    """End the fixture's match so, and settle it."""
    assert fixture.match_id is not None
    if isinstance(winner, Entry):
        winner = Side.YELLOW if winner == fixture.yellow else Side.RED
    end_match(fixture.match_id, winner, now)


def end_match(match_id: int, winner: Side | None, now: datetime) -> None:
    """End a match so, and settle it."""
    adjudicate_match(match_id=match_id, winner=winner, now=now)
    settle_match(match_id=match_id, now=now)


def settle_all(now: datetime = NOON) -> None:
    """Settle what has finished, as the sweep would."""
    while unsettled := list(Match.objects.filter(status=Status.FINISHED, settled_at=None).values_list("pk", flat=True)):
        for match_id in unsettled:
            settle_match(match_id=match_id, now=now)


def play_out(
    competition: Competition,
    source: random.Random,
    *,
    now: datetime = NOON,
    winners: Sequence[Side | None] = (*Side, None),
) -> int:
    """End running matches in a random order with random winners until none goes on; return how many there were."""
    ended = 0
    while matches := [match_id for (match_id,) in _MATCHES.rows(competition_id=competition.pk)]:
        ended += 1
        end_match(source.choice(matches), source.choice(list(winners)), now + timedelta(minutes=ended))
    competition.refresh_from_db()
    return ended


def move_in(fixture: Fixture, now: datetime = NOON) -> None:
    """Let the player to act in a fixture's match play a move."""
    match = Match.objects.get(pk=fixture.match_id)
    player, text = match.player_to_act, match.state.legal_moves()[0]
    play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=now)


def tie_of(cup: Cup, number: int, slot: int, *, third_place: bool = False) -> Tie:
    return Tie.objects.select_related("first__player", "second__player", "winner__player", "round").get(
        round__group__stage__competition=cup,
        round__number=number,
        slot=slot,
        part=Part.THIRD_PLACE if third_place else Part.MAIN,
    )


def round_of(cup: Cup, number: int) -> Round:
    return Round.objects.get(group__stage__competition=cup, number=number)


ROUND_ROBIN: dict[str, Any] = {"format": "round-robin"}
