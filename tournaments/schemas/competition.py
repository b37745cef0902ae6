"""Ladders and cups in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict, cast

from django.utils import timezone

from matches.schemas.time_control import TimeControlSchema, time_control_to_json
from players.models import Player
from tournaments.models import Competition, Cup, Entry, Ladder
from tournaments.schemas.entry import (
    OwnEntrySchema,
    RefusalSchema,
    own_entry_to_json,
    refusal_to_json,
)
from tournaments.schemas.round import RoundSchema, round_to_json
from tournaments.scoring import PointTable, name_table
from tournaments.selectors.competitions import count_entrants
from tournaments.selectors.cups import Waiting, cup_waits_for, rounds_of
from tournaments.selectors.entry_conditions import reasons_not_to_enter
from tournaments.selectors.ladders import foresee_return
from tournaments.selectors.lists import entrants_of, own_of
from tournaments.sentences import list_facts, waiting_sentence

KindName = Literal["ladder", "cup"]
StatusName = Literal["draft", "open", "closed", "running", "finished", "cancelled"]
FormatName = Literal["points", "challenge", "elimination", "round-robin"]
SeedingName = Literal["rating", "draw", "hand"]
RoundEndName = Literal["wait", "adjudicate", "forfeit"]


class CompetitionSchema(TypedDict):
    """A ladder or a cup in a list. Only its organisers see a draft."""

    id: int
    """The value of ``competition`` in its matches."""
    slug: str
    url: str
    """Its page."""
    kind: KindName
    name: str
    format: FormatName
    """A cup's format, or a ladder's system."""
    game: str
    """The key of the game."""
    title: str
    """The title of the game."""
    status: StatusName
    is_rated: bool
    admits_computers: bool
    has_password: bool
    entrants: int
    max_entrants: int | None
    min_rating: int | None
    max_rating: int | None
    time_control: TimeControlSchema
    vacation_limit: int | None
    """How many days of vacation each player may use in it, null for all that they have."""
    starts_at: datetime | None
    starts_when_full: bool
    started_at: datetime | None
    paused_at: datetime | None
    """Since when its clocks have been stopped, null while they run."""
    finished_at: datetime | None
    winner: str | None
    """The winner of a cup that has finished."""


class WaitingSchema(TypedDict):
    """One thing that a cup waits for."""

    kind: Literal["opening", "entrants", "start", "move", "settlement"]
    detail: str
    match: int | None
    """The match in which it waits for a move."""
    player: str | None
    """The player to move."""
    until: datetime | None


class LadderOptionsSchema(TypedDict):
    """The options of a ladder."""

    window_days: int
    """How many days results count, 0 for ever."""
    best_results: int | None
    """How many of the best results count, null for all."""
    min_matches: int
    games_each: int
    """How many games at once everybody on a points ladder has."""
    rematch_days: int
    max_outgoing: int
    """How many games at once a player on a challenge ladder may have as challenger."""
    max_incoming: int
    """How many games at once a player on a challenge ladder may have as the one challenged."""
    inactive_days: int
    """After how many days without an act a player leaves, 0 for never."""
    return_days: int
    """For how many days a challenge ladder remembers the positions of those who have left."""


class CupOptionsSchema(TypedDict):
    """The options of a cup."""

    seeding: SeedingName
    draw_seed: int | None
    """With it and the numbers of the entries anybody can repeat the draw; null before the draw."""
    legs: int
    """How many games a tie of a knock-out has."""
    replays: int
    """How many pairs of games are added to a tie of a knock-out that is level."""
    third_place: bool
    """Whether a knock-out has a tie for the third place."""
    cycles: int
    """How often all meet each other in a round robin."""
    round_days: int | None
    at_round_end: RoundEndName
    late_entry: bool


class WinSchema(TypedDict):
    """What an outcome that somebody won is worth in a competition."""

    outcome: Literal["5-0", "4-1", "3-2"]
    """What the game gives for it."""
    winner: int
    loser: int


class PointTableSchema(TypedDict):
    """What a match is worth in a competition."""

    stock: Literal["5-4-3-2", "3-1-0", "2-1-0"] | None
    """The name of the table, null for numbers of the organiser's own."""
    wins: list[WinSchema]
    drawn: int
    """What each side gets if nobody wins."""
    bye: int
    neither: int
    """What each side gets for a match that neither played."""
    maximum: int
    """The most that can be had in a match."""


class CompetitionDetailSchema(CompetitionSchema):
    """A whole ladder or cup as the caller sees it."""

    description: str
    organisers: list[str]
    options: list[str]
    """The options in sentences."""
    ladder: LadderOptionsSchema | None
    """The options of a ladder."""
    cup: CupOptionsSchema | None
    """The options of a cup."""
    match_points: PointTableSchema
    tiebreaks: list[str]
    """The numbers that order its table, the first one first."""
    entry: OwnEntrySchema | None
    """The caller's own entry."""
    returns_at: int | None
    """The position on a challenge ladder at which the caller, who has left it, would re-enter it now."""
    obstacles: list[RefusalSchema]
    """Why the caller may not enter; empty if they may."""
    rounds: list[RoundSchema]
    """The rounds of a cup."""
    waits_for: list[WaitingSchema]
    """Something that a cup waits for."""


class OwnCompetitionSchema(TypedDict):
    """A ladder or cup in which a player is or was, and their entry."""

    competition: CompetitionSchema
    entry: OwnEntrySchema


class OrganisedCompetitionSchema(TypedDict):
    """The status of a ladder or cup."""

    slug: str
    kind: KindName
    url: str
    """Its page."""
    status: StatusName
    paused_at: datetime | None
    """Since when its clocks have been stopped, null while they run."""
    entrants: int


def competition_to_json(competition: Competition, entrants: int) -> CompetitionSchema:
    """Return a ladder or a cup as a list shows it."""
    own = own_of(competition)
    winner = own.winner if isinstance(own, Cup) else None
    return {
        "id": own.pk,
        "slug": own.slug,
        "url": own.get_absolute_url(),
        "kind": "cup" if isinstance(own, Cup) else "ladder",
        "name": own.name,
        "format": cast("FormatName", str(own.format if isinstance(own, Cup) else own.system)),
        "game": own.game,
        "title": own.rules.title,
        "status": cast("StatusName", str(own.status)),
        "is_rated": own.is_rated,
        "admits_computers": own.admits_computers,
        "has_password": bool(own.password),
        "entrants": entrants,
        "max_entrants": own.max_entrants,
        "min_rating": own.min_rating,
        "max_rating": own.max_rating,
        "time_control": time_control_to_json(own.time_control),
        "vacation_limit": own.vacation_limit,
        "starts_at": own.starts_at,
        "starts_when_full": own.starts_when_full,
        "started_at": own.started_at,
        "paused_at": own.paused_at,
        "finished_at": own.finished_at,
        "winner": winner.player.username if winner else None,
    }


def competition_detail_to_json(competition: Competition, viewer: Player | None) -> CompetitionDetailSchema:
    """Return a whole ladder or cup as a viewer sees it."""
    own = own_of(competition)
    entries = Entry.objects.filter(competition_id=competition.pk, player=viewer).select_related("standing")
    entry = entries.first() if viewer else None
    refusals = reasons_not_to_enter(competition=competition, player=viewer) if viewer else []
    cup = own if isinstance(own, Cup) else None
    return {
        **competition_to_json(competition, entrants_of(competition)),
        "description": competition.description,
        "organisers": list(competition.organisers.order_by("username").values_list("username", flat=True)),
        "options": list_facts(own),
        "ladder": _ladder_to_json(own) if isinstance(own, Ladder) else None,
        "cup": _cup_to_json(own) if isinstance(own, Cup) else None,
        "match_points": _point_table_to_json(competition.scoring),
        "tiebreaks": competition.tiebreaks,
        "entry": own_entry_to_json(entry) if entry else None,
        "returns_at": _returns_at(own, entry) if entry else None,
        "obstacles": [refusal_to_json(refusal) for refusal in refusals],
        "rounds": [round_to_json(each) for each in rounds_of(cup)] if cup else [],
        "waits_for": [_waiting_to_json(each) for each in cup_waits_for(cup, timezone.now())] if cup else [],
    }


def _returns_at(own: Cup | Ladder, entry: Entry) -> int | None:
    return foresee_return(ladder=own, entry=entry, now=timezone.now()) if isinstance(own, Ladder) else None


def own_competition_to_json(entry: Entry) -> OwnCompetitionSchema:
    """Return what a player has entered."""
    return {
        "competition": competition_to_json(entry.competition, entrants_of(entry)),
        "entry": own_entry_to_json(entry),
    }


def organised_competition_to_json(competition: Cup | Ladder) -> OrganisedCompetitionSchema:
    """Return how far a ladder or cup has come, as it is stored now."""
    competition.refresh_from_db(fields=["status", "paused_at"])
    return {
        "slug": competition.slug,
        "kind": "cup" if isinstance(competition, Cup) else "ladder",
        "url": competition.get_absolute_url(),
        "status": cast("StatusName", str(competition.status)),
        "paused_at": competition.paused_at,
        "entrants": count_entrants(competition),
    }


def _point_table_to_json(table: PointTable) -> PointTableSchema:
    return {
        "stock": cast('Literal["5-4-3-2", "3-1-0", "2-1-0"] | None', name_table(table)),
        "wins": [
            {"outcome": cast('Literal["5-0", "4-1", "3-2"]', name), "winner": worth.winner, "loser": worth.loser}
            for name, worth in table.wins.items()
        ],
        "drawn": table.drawn,
        "bye": table.bye,
        "neither": table.neither,
        "maximum": table.maximum,
    }


def _ladder_to_json(ladder: Ladder) -> LadderOptionsSchema:
    return {
        "window_days": ladder.window_days,
        "best_results": ladder.best_results,
        "min_matches": ladder.min_matches,
        "games_each": ladder.games_each,
        "rematch_days": ladder.rematch_days,
        "max_outgoing": ladder.max_outgoing,
        "max_incoming": ladder.max_incoming,
        "inactive_days": ladder.inactive_days,
        "return_days": ladder.return_days,
    }


def _cup_to_json(cup: Cup) -> CupOptionsSchema:
    return {
        "seeding": cast("SeedingName", str(cup.seeding)),
        "draw_seed": cup.draw_seed,
        "legs": cup.legs,
        "replays": cup.replays,
        "third_place": cup.third_place,
        "cycles": cup.cycles,
        "round_days": cup.round_days,
        "at_round_end": cast("RoundEndName", str(cup.at_round_end)),
        "late_entry": cup.late_entry and cup.allows_late_entry,
    }


def _waiting_to_json(waiting: Waiting) -> WaitingSchema:
    return {
        "kind": waiting.kind.value,
        "detail": waiting_sentence(waiting),
        "match": waiting.fixture.match_id if waiting.fixture else None,
        "player": waiting.entry.player.username if waiting.entry else None,
        "until": waiting.until,
    }
