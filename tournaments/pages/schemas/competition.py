"""Ladders and cups in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from database.clock import current_moment
from formats.scoring.points import PointTable, name_table
from matches.schemas.values import TimeControlSchema, time_control_to_json
from players.models import Player
from tournaments.entries.schemas import (
    OwnEntrySchema,
    OwnWaitingSchema,
    RefusalSchema,
    own_entry_to_json,
    own_waiting_to_json,
    refusal_to_json,
)
from tournaments.entries.selectors.byes import list_bye_rounds
from tournaments.models import NOT_STARTED, Competition, Cup, Entry
from tournaments.models.rights import Role
from tournaments.office.schemas import RoundWithByesSchema, round_with_byes_to_json
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.selectors.organisers import people_of
from tournaments.office.sentences import list_facts
from tournaments.office.stage_names import name_stages
from tournaments.pages.schemas.stage import StageSchema, stage_to_json
from tournaments.records.challenges import chooses_until
from tournaments.records.competitions import THOSE_IN_IT_FIRST, count_checked_in, find_ladder
from tournaments.records.cups import Waiting, cup_waits_for, rounds_of, with_byes
from tournaments.records.groups import SEATS
from tournaments.records.ladders import foresee_return
from tournaments.records.stages import latest_of, stages_of
from tournaments.running.schemas import ForecastSchema, forecast_to_json
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.running.selectors.forecasts import find_forecast
from tournaments.running.selectors.waiting_lists import can_wait, count_waiting, find_waiting
from tournaments.running.sentences import waiting_sentence

KindName = Literal["ladder", "cup"]
AdmissionName = Literal["open", "password", "invitation"]
StatusName = Literal["draft", "open", "closed", "running", "finished", "cancelled"]


class CompetitionSchema(TypedDict):
    """A ladder or a cup in a list. Only its organisers and helpers see a draft."""

    id: int
    """The value of ``competition`` in its matches."""
    slug: str
    url: str
    """Its page."""
    kind: KindName
    name: str
    format: str
    """The key of the format of its first stage."""
    game: str
    """The key of the game."""
    title: str
    """The title of the game."""
    status: StatusName
    is_rated: bool
    admits_computers: bool
    has_password: bool
    admission: AdmissionName
    """The players who can join: everybody, those who know the password, or only invited players."""
    entrants: int
    max_entrants: int | None
    min_rating: int | None
    max_rating: int | None
    time_control: TimeControlSchema
    vacation_limit: int | None
    """The number of days of vacation that each player may use in it, null for all that they have."""
    disqualification: Literal["stand", "lost", "annulled", "comeback"]
    """The rule for the results of disqualified players."""
    begin_hours: int | None
    """The hours for each player's first move in a match, null for the whole clock."""
    protest_hours: int | None
    """The hours after its end for which the final result of a cup is provisional, null for none."""
    starts_at: datetime | None
    starts_when_full: bool
    check_in_minutes: int | None
    """The minutes from the opening of the check-in to the start; null if nobody has to, or organisers open it."""
    boards: int | None
    """The number of boards at which its teams meet; null where single players join."""
    started_at: datetime | None
    paused_at: datetime | None
    """The moment since which its clocks have been stopped, null while they run."""
    finished_at: datetime | None
    provisional_until: datetime | None
    """The moment from which its final result stands, null before its end and without a protest time."""
    winner: str | None
    """The winner of a cup that has finished."""


class WaitingSchema(TypedDict):
    """One thing that a cup waits for."""

    kind: Literal[
        "opening", "entrants", "start", "move", "settlement", "pairing", "players", "publication", "stage", "check-in"
    ]
    detail: str
    match: int | None
    """The match in which it waits for a move."""
    player: str | None
    """The player to move."""
    until: datetime | None


class CheckInSchema(TypedDict):
    """The check-in before the start: players who have not checked in by then do not play."""

    opens_at: datetime
    is_open: bool
    """True while players can check in."""
    checked_in: int
    """The number of those in the competition who have checked in."""


class WinSchema(TypedDict):
    """The worth in a competition of an outcome that somebody won."""

    outcome: Literal["5-0", "4-1", "3-2"]
    """The points that the game gives for it."""
    winner: int
    loser: int


class PointTableSchema(TypedDict):
    """The worth of a match in a competition."""

    stock: Literal["5-4-3-2", "3-1-0", "2-1-0"] | None
    """The name of the table, null for numbers of the organiser's own."""
    wins: list[WinSchema]
    drawn: int
    """The match points of each side if nobody wins."""
    bye: int
    neither: int
    """The match points of each side for a match that neither played."""
    maximum: int
    """The most that can be had in a match."""


class CompetitionDetailSchema(CompetitionSchema):
    """A whole ladder or cup as the caller sees it."""

    entered: int
    """The number of those who are in it, or have left since it started; `entrants` are those who are still in."""
    version: int
    """Counts the changes of its options and organisers."""
    description: str
    organisers: list[str]
    helpers: list[str]
    """The players who may decide matches, and nothing else."""
    options: list[str]
    """The options in sentences."""
    match_points: PointTableSchema
    stages: list[StageSchema]
    """Its parts, in the order in which they are played; most competitions have one."""
    entry: OwnEntrySchema | None
    """The caller's own entry."""
    check_in: CheckInSchema | None
    """Null where nobody has to check in, and once it has started."""
    waiting: int
    """The number of players on the waiting list."""
    own_waiting: OwnWaitingSchema | None
    """The caller's own place on the waiting list."""
    can_wait: bool
    """True if the caller can join the waiting list."""
    returns_at: int | None
    """The position on a challenge ladder at which the caller, who has left it, would re-enter it now."""
    chooses_until: datetime | None
    """The moment after which a challenge ladder starts a game for the caller, who can choose an opponent until then."""
    is_invited: bool
    """True if the caller can accept an invitation and has not answered it."""
    obstacles: list[RefusalSchema]
    """The reasons why the caller may not enter; empty if they may."""
    bye_rounds: list[int]
    """The rounds that the caller can ask to sit out; those that have been drawn are not among them."""
    rounds: list[RoundWithByesSchema]
    """The rounds of a cup: of several groups those of group 1 of the latest stage that has begun."""
    waits_for: list[WaitingSchema]
    """Something that a cup waits for."""
    forecast: ForecastSchema | None
    """The forecast of when a running cup ends, null while too little is known."""


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
    """The moment since which its clocks have been stopped, null while they run."""
    entrants: int


def competition_to_json(competition: Competition) -> CompetitionSchema:
    """Return a ladder or a cup as a list shows it."""
    winner = competition.winner
    return {
        "id": competition.pk,
        "slug": competition.slug,
        "url": competition.get_absolute_url(),
        "kind": cast("KindName", competition.kind),
        "name": competition.name,
        "format": competition.first_stage.format,
        "game": competition.game,
        "title": competition.rules.title,
        "status": cast("StatusName", str(competition.status)),
        "is_rated": competition.is_rated,
        "admits_computers": competition.admits_computers,
        "has_password": bool(competition.password),
        "admission": admission_of(competition),
        "entrants": competition.entrants,
        "max_entrants": competition.max_entrants,
        "min_rating": competition.min_rating,
        "max_rating": competition.max_rating,
        "time_control": time_control_to_json(competition.time_control),
        "vacation_limit": competition.vacation_limit,
        "disqualification": cast('Literal["stand", "lost", "annulled", "comeback"]', str(competition.disqualification)),
        "begin_hours": competition.begin_hours,
        "protest_hours": competition.protest_hours,
        "starts_at": competition.starts_at,
        "starts_when_full": competition.starts_when_full,
        "check_in_minutes": competition.check_in_minutes,
        "boards": competition.boards,
        "started_at": competition.started_at,
        "paused_at": competition.paused_at,
        "finished_at": competition.finished_at,
        "provisional_until": competition.provisional_until,
        "winner": winner.name if winner else None,
    }


def admission_of(competition: Competition) -> AdmissionName:
    """Return who can join a competition."""
    if competition.by_invitation:
        return "invitation"
    return "password" if competition.password else "open"


def competition_detail_to_json(competition: Competition, viewer: Player | None) -> CompetitionDetailSchema:
    """Return a whole ladder or cup as a viewer sees it."""
    entry = _own_entry(competition, viewer) if viewer else None
    refusals = reasons_not_to_enter(competition=competition, player=viewer) if viewer else []
    waiting = None if entry is not None and entry.is_in else find_waiting(competition=competition, player=viewer)
    cup = competition if isinstance(competition, Cup) else None
    people = people_of(competition)
    forecast = find_forecast(competition)
    stages = stages_of(competition)
    names = name_stages(each.stage for each in stages)
    rounds = with_byes(rounds_of(latest_of(stages).groups[0].pk)) if cup else ()
    return {
        **competition_to_json(competition),
        "entered": competition.entered,
        "version": competition.options_version,
        "description": competition.description,
        "organisers": [player.username for player, role in people if role is Role.ORGANISER],
        "helpers": [player.username for player, role in people if role is Role.HELPER],
        "options": list_facts(competition),
        "match_points": _point_table_to_json(competition.scoring),
        "stages": [stage_to_json(each, names[each.stage.number]) for each in stages],
        "entry": own_entry_to_json(entry) if entry else None,
        "check_in": _check_in_to_json(competition),
        "waiting": count_waiting(competition),
        "own_waiting": own_waiting_to_json(waiting) if waiting else None,
        "can_wait": not waiting and can_wait(competition, refusals),
        "returns_at": _returns_at(competition, entry) if entry else None,
        "chooses_until": chooses_until(ladder=competition, entry=entry, now=current_moment()) if entry else None,
        "is_invited": viewer is not None
        and open_invitations(player=viewer).filter(competition_id=competition.pk).exists(),
        "obstacles": [refusal_to_json(refusal) for refusal in refusals],
        "bye_rounds": list_bye_rounds(entry) if entry else [],
        "rounds": [round_with_byes_to_json(each) for each in rounds],
        "waits_for": [_waiting_to_json(each) for each in cup_waits_for(cup, current_moment())] if cup else [],
        "forecast": forecast_to_json(forecast) if forecast else None,
    }


def _own_entry(competition: Competition, viewer: Player) -> Entry | None:
    """Return the viewer's entry, of teams that of the one whose captain they are."""
    entries = Entry.objects.filter(competition_id=competition.pk)
    own = entries.filter(player=viewer) if competition.boards is None else entries.filter(team__captain=viewer)
    return own.prefetch_related(SEATS).order_by(*THOSE_IN_IT_FIRST).first()


def _check_in_to_json(competition: Competition) -> CheckInSchema | None:
    opens_at = competition.check_in_opens_at
    if opens_at is None or competition.status not in NOT_STARTED:
        return None
    is_open = competition.is_checking_in(current_moment())
    return {
        "opens_at": opens_at,
        "is_open": is_open,
        "checked_in": count_checked_in(competition) if is_open else 0,
    }


def _returns_at(competition: Competition, entry: Entry) -> int | None:
    ladder = find_ladder(competition)
    return foresee_return(ladder=ladder, entry=entry, now=current_moment()) if ladder is not None else None


def own_competition_to_json(entry: Entry) -> OwnCompetitionSchema:
    """Return what a player has entered."""
    return {
        "competition": competition_to_json(entry.competition),
        "entry": own_entry_to_json(entry),
    }


def organised_competition_to_json(competition: Competition) -> OrganisedCompetitionSchema:
    """Return how far a ladder or cup has come, as it is stored now."""
    competition.refresh_from_db(fields=["status", "paused_at", "entrants"])
    return {
        "slug": competition.slug,
        "kind": cast("KindName", competition.kind),
        "url": competition.get_absolute_url(),
        "status": cast("StatusName", str(competition.status)),
        "paused_at": competition.paused_at,
        "entrants": competition.entrants,
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


def _waiting_to_json(waiting: Waiting) -> WaitingSchema:
    return {
        "kind": waiting.kind.value,
        "detail": waiting_sentence(waiting),
        "match": waiting.fixture.match_id if waiting.fixture else None,
        "player": waiting.player.username if waiting.player else None,
        "until": waiting.until,
    }
