"""The shape of events and ratings in JSON. Moments are in UTC, lengths of time in seconds."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

from matches.shapes import EndingName, NumbersShape, PlayerShape, SideName, TimeControlShape

EventKindName = Literal["ladder", "cup"]
EventStatusName = Literal["draft", "open", "closed", "running", "finished", "cancelled"]
FormatName = Literal["points", "challenge", "elimination", "round-robin"]
SeedingName = Literal["rating", "draw", "hand"]
RoundEndName = Literal["wait", "adjudicate", "forfeit"]
EntryStatusName = Literal["active", "on-hold", "gone", "replaced"]


class EventShape(TypedDict):
    """A ladder or a cup in a list. ``format`` is a cup's format or a ladder's system, ``winner`` a finished cup's.

    Its matches have the ``id`` as their ``competition``. ``vacation_limit`` is how many days of vacation each player
    may use in it, null for all that he has. Since ``paused_at`` its clocks stand still. Drafts are seen by their
    organisers only.
    """

    id: int
    slug: str
    url: str
    kind: EventKindName
    name: str
    format: FormatName
    game: str
    title: str
    status: EventStatusName
    is_rated: bool
    admits_computers: bool
    has_password: bool
    entrants: int
    max_entrants: int | None
    min_rating: int | None
    max_rating: int | None
    time_control: TimeControlShape
    vacation_limit: int | None
    starts_at: datetime | None
    starts_when_full: bool
    started_at: datetime | None
    paused_at: datetime | None
    finished_at: datetime | None
    winner: str | None


class OwnEntryShape(TypedDict):
    """The caller's own entry. ``place`` is null until he has one; he ``waits`` for games since a loss on time."""

    status: EntryStatusName
    seed: int | None
    place: int | None
    waits_since: datetime | None
    entered_at: datetime


class RefusalShape(TypedDict):
    """A reason why not: a stable code, and a sentence."""

    code: str
    detail: str


class RoundShape(TypedDict):
    """A round of a cup, from 1."""

    number: int
    started_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None


class WaitingShape(TypedDict):
    """One thing that a cup waits for. A ``move`` has the match, who is to make it, and until when."""

    kind: Literal["opening", "entrants", "start", "move", "settlement"]
    detail: str
    match: int | None
    player: str | None
    until: datetime | None


class LadderOptionsShape(TypedDict):
    """The options of a ladder. ``window_days`` is 0 where all results count, ``best_results`` null likewise.

    A points ladder keeps everybody at ``games_each``; ``most_outgoing`` and ``most_incoming`` are a challenge ladder's.
    """

    window_days: int
    best_results: int | None
    least_matches: int
    games_each: int
    rematch_days: int
    most_outgoing: int
    most_incoming: int


class CupOptionsShape(TypedDict):
    """The options of a cup. ``legs``, ``replays`` and ``third_place`` are a knock-out's, ``cycles`` a round robin's.

    By ``draw_seed`` and the numbers of the entries anybody can repeat the draw; it is null before that.
    """

    seeding: SeedingName
    draw_seed: int | None
    legs: int
    replays: int
    third_place: bool
    cycles: int
    round_days: int | None
    at_round_end: RoundEndName
    late_entry: bool


class EventDetailShape(EventShape):
    """A whole event as the caller sees it.

    ``options`` say in sentences what ``ladder`` or ``cup`` say in numbers. ``metrics`` order its table. ``entry`` is
    the caller's, ``obstacles`` are why he may not enter. ``rounds`` and ``waits_for`` are a cup's.
    """

    description: str
    organisers: list[str]
    options: list[str]
    ladder: LadderOptionsShape | None
    cup: CupOptionsShape | None
    metrics: list[str]
    entry: OwnEntryShape | None
    obstacles: list[RefusalShape]
    rounds: list[RoundShape]
    waits_for: list[WaitingShape]


class StandingShape(TypedDict):
    """A row of a table. ``place`` is null for those who have not played enough; ``reason`` says why it is here.

    ``entry`` is the number of the entry. ``decided_by`` is the metric that set the row apart from the one above,
    ``values`` are by metric those numbers that were needed and are more than sums of results, as texts.
    """

    place: int | None
    previous_place: int | None
    entry: int
    player: PlayerShape
    status: EntryStatusName
    seed: int | None
    played: int
    won: int
    drawn: int
    lost: int
    as_red: int
    goals_for: int
    goals_against: int
    points: int
    values: dict[str, str]
    decided_by: str | None
    reason: str


class PlaceChangeShape(TypedDict):
    """An entrant's place after a match, dated by its end; ``place`` is null for those not ranked, or who left."""

    player: str
    place: int | None
    match: int | None
    changed_at: datetime


class FixtureShape(TypedDict):
    """A match of an event; ``match`` is null until it begins, points and goals are until they are counted.

    ``round`` and ``leg`` are a cup's, ``challenger`` a challenge ladder's.
    """

    id: int
    match: int | None
    round: int | None
    leg: int | None
    yellow: str
    red: str
    challenger: str | None
    ending: EndingName | None
    points: NumbersShape | None
    goals: NumbersShape | None
    finished_at: datetime | None


class TieSideShape(TypedDict):
    """One of both in a tie, null while nobody knows who; points and goals of all counted legs."""

    player: str | None
    seed: int | None
    points: int
    goals: int


class TieShape(TypedDict):
    """A tie of a knock-out. The winners of slots 2n and 2n + 1 meet in slot n of the next round."""

    slot: int
    is_third_place: bool
    first: TieSideShape
    second: TieSideShape
    winner: str | None
    decided_by: str | None
    matches: list[int]


class BracketRoundShape(RoundShape):
    """A round of a bracket; slots of byes are left out."""

    name: str
    ties: list[TieShape]


class BracketShape(TypedDict):
    """The bracket of a knock-out, round by round; empty before the draw."""

    rounds: list[BracketRoundShape]


class ProspectShape(TypedDict):
    """What one end of a game would mean: the position after it, and a sentence."""

    position: int
    detail: str


class ProspectsShape(TypedDict):
    """What each end of a game would mean to the challenger."""

    win: ProspectShape
    draw: ProspectShape
    loss: ProspectShape
    timeout: ProspectShape


class ChallengeOptionShape(TypedDict):
    """Whom the caller can challenge and what it would do, or why he can't: one of both is null."""

    opponent: str
    position: int
    obstacle: RefusalShape | None
    prospects: ProspectsShape | None


class LogLineShape(TypedDict):
    """One thing that was done in an event; by the rules themselves where ``actor`` is null."""

    at: datetime
    actor: str | None
    action: str
    subject: str
    reason: str


class RatingShape(TypedDict):
    """A player's rating in a family of games, and his permanent rank."""

    player: PlayerShape
    game: str
    rating: str
    rank: str
    games: int
    wins: int


class RatingChangeShape(TypedDict):
    """What a rated match did to a player's rating; ``side`` is his."""

    match: int
    opponent: str
    side: SideName
    finished_at: datetime
    before: str
    after: str
    rank: str


class OwnEventShape(TypedDict):
    """An event in which a player is or was, and his place."""

    event: EventShape
    entry: OwnEntryShape
