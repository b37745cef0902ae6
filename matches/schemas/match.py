"""Matches in JSON."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypedDict, cast

from django.contrib.auth.models import AnonymousUser

from matches.clock import SECOND
from matches.models import Actor, Match, Offer, Status, TakenBackMove
from matches.schemas.move import MoveSchema, moves_to_json
from matches.schemas.position import PictureSchema, picture_to_json
from matches.schemas.values import (
    NumbersSchema,
    OutcomeSchema,
    SideName,
    TimeControlSchema,
    numbers_to_json,
    outcome_to_json,
    side_to_json,
    time_control_to_json,
)
from matches.selectors.take_backs import taken_back_turns
from players.models import Player
from players.schemas import PlayerSummarySchema, player_summary_to_json
from rules_engine.description import summarise
from rules_engine.protocol import State
from rules_engine.values import Side

Viewer = Player | AnonymousUser | None
StatusName = Literal["playing", "finished"]
OfferKindName = Literal["cancel", "draw", "take-back"]


class PlayersSchema(TypedDict):
    """The players of both sides."""

    yellow: PlayerSummarySchema
    red: PlayerSummarySchema


class ClockSchema(TypedDict):
    """A side's clock."""

    bank: float
    """The seconds that the side had when the turn started, with what it was given since."""
    held: float
    """The seconds that it gets with its first move: it forfeits if its bank is over before."""


class ClocksSchema(TypedDict):
    """Both clocks. That of the side to act has been running since ``turn_started_at``, unless the match is paused."""

    yellow: ClockSchema
    red: ClockSchema


class VacationRulesSchema(TypedDict):
    """The effect of vacation in a match."""

    allowed: bool
    """True if a day of vacation may save a clock."""
    limit: int | None
    """The number of days that each player may use here, null for all that they have."""


class DiceSchema(TypedDict):
    """The commitment to the seed of the dice, and the seed itself once the match is over."""

    commitment: str
    seed: str | None
    """Hexadecimal."""


class OfferSchema(TypedDict):
    """What one side offers the other: to cancel the match, a draw, or to take back its own last turn."""

    kind: OfferKindName
    by: SideName


class TakenBackSchema(TypedDict):
    """A turn that was taken back."""

    ply: int
    """The ply of its first move, from which the match went on."""
    side: SideName
    moves: list[str]
    taken_back_at: datetime


class MatchSummarySchema(TypedDict):
    """A match in a list."""

    id: int
    url: str
    """The match's page."""
    game: str
    """The key of the game."""
    title: str
    """The title of the game."""
    status: StatusName
    players: PlayersSchema
    turn: SideName | None
    """The side to act, null once the match is over."""
    you: SideName | None
    """Your side, null if you do not play in the match."""
    ply: int
    """The number of moves and rolls that have been played."""
    stage: str
    score: NumbersSchema
    position: str
    deadline: datetime | None
    """The moment when the time of the side to act runs out, null while no clock runs."""
    clocks: ClocksSchema
    turn_started_at: datetime
    paused_at: datetime | None
    """The moment since which both clocks have been stopped, null while they run."""
    time_control: TimeControlSchema
    vacation: VacationRulesSchema
    outcome: OutcomeSchema | None
    match_points: NumbersSchema | None
    is_rated: bool
    """True if the match counts for the ratings, provided that both sides make a move of their own before it ends."""
    competition: int | None
    """The number of the ladder or cup to which the match belongs."""
    rematch_of: int | None
    """The match of which this one is a rematch."""
    offer: OfferSchema | None
    """The offer that stands until somebody moves."""
    take_backs: int
    """The number of turns that were taken back: since each of them, its plies may have other moves."""
    created_at: datetime
    finished_at: datetime | None
    annulled_at: datetime | None
    """The moment since which the match has counted for nothing, whatever its outcome."""
    corrected_at: datetime | None
    """The moment since which its competition has counted another result, whatever its outcome."""
    by_decision: bool
    """True if somebody else than the players has decided on the result that counts."""


class MatchSchema(MatchSummarySchema):
    """A whole match."""

    task: str
    """The task of the side to act now."""
    in_words: list[str]
    """The position in sentences."""
    roll: str | None
    """The roll that the side to act has to play."""
    picture: PictureSchema
    legal_moves: list[str]
    """All legal moves if it is your turn, else none."""
    by_hand: bool | None
    """True if nothing is played by itself for you in this match, null if you do not play in it."""
    moves: list[MoveSchema]
    taken_back: list[TakenBackSchema]
    """The turns that were taken back, in that order."""
    dice: DiceSchema


def match_to_json(match: Match, viewer: Viewer) -> MatchSchema:
    """Return a whole match as a viewer sees it."""
    state = match.state
    you = _side_of(match, viewer)
    moves = moves_to_json(match.pk)
    return {
        **_summary_to_json(match, state, you),
        "task": state.task if match.side else "",
        "in_words": list(summarise(state, is_over=match.status == Status.FINISHED)),
        "roll": moves[-1]["text"] if match.side and moves and moves[-1]["actor"] == Actor.CHANCE.value else None,
        "picture": picture_to_json(state.picture()),
        "legal_moves": list(state.legal_moves()) if match.is_running and match.side == you else [],
        "by_hand": match.by_hand[you] if you else None,
        "moves": moves,
        "taken_back": [_taken_back_to_json(turn) for turn in taken_back_turns(match)],
        "dice": {"commitment": match.commitment, "seed": match.revealed_seed},
    }


def match_summary_to_json(match: Match, viewer: Viewer) -> MatchSummarySchema:
    """Return a match as a list shows it."""
    return _summary_to_json(match, match.state, _side_of(match, viewer))


def match_etag(match: Match, viewer: Viewer) -> str:
    """Return a weak entity tag: while it stays the same, so does what ``match_to_json`` returns."""
    parts = (
        match.pk,
        match.ply,
        match.status,
        match.extensions,
        match.annulled_at,
        match.corrected_at,
        match.standing_offer,
        side := _side_of(match, viewer),
        side and match.by_hand[side],
        *map(player_summary_to_json, match.players),
    )
    return f'W/"{sha256(repr(parts).encode()).hexdigest()[:32]}"'


def _summary_to_json(match: Match, state: State, you: Side | None) -> MatchSummarySchema:
    outcome, points = match.outcome, match.points
    banks, held = match.banks, match.held
    return {
        "id": match.pk,
        "url": match.get_absolute_url(),
        "game": match.game,
        "title": match.rules.title,
        "status": cast("StatusName", str(match.status)),
        "players": {"yellow": player_summary_to_json(match.yellow), "red": player_summary_to_json(match.red)},
        "turn": side_to_json(match.side),
        "you": side_to_json(you),
        "ply": match.ply,
        "stage": state.stage,
        "score": numbers_to_json(state.score),
        "position": match.position,
        "deadline": match.deadline if match.paused_at is None else None,
        "clocks": {
            "yellow": {"bank": banks.yellow / SECOND, "held": held.yellow / SECOND},
            "red": {"bank": banks.red / SECOND, "held": held.red / SECOND},
        },
        "turn_started_at": match.turn_started_at,
        "paused_at": match.paused_at,
        "time_control": time_control_to_json(match.time_control),
        "vacation": {"allowed": match.allows_vacation, "limit": match.vacation_limit},
        "outcome": outcome_to_json(outcome) if outcome else None,
        "match_points": numbers_to_json(points) if points else None,
        "is_rated": match.is_rated,
        "competition": match.competition,
        "rematch_of": match.rematch_of_id,
        "offer": offer_to_json(match.standing_offer),
        "take_backs": match.take_backs,
        "created_at": match.created_at,
        "finished_at": match.finished_at,
        "annulled_at": match.annulled_at,
        "corrected_at": match.corrected_at,
        "by_decision": match.by_decision,
    }


def offer_to_json(offer: Offer | None) -> OfferSchema | None:
    """Return an offer that stands, if there is one."""
    if offer is None:
        return None
    return {"kind": cast("OfferKindName", str(offer.kind)), "by": cast("SideName", str(offer.side))}


def _taken_back_to_json(turn: Sequence[TakenBackMove]) -> TakenBackSchema:
    return {
        "ply": turn[0].ply,
        "side": cast("SideName", turn[0].actor),
        "moves": [move.text for move in turn],
        "taken_back_at": turn[0].take_back.granted_at,
    }


def _side_of(match: Match, viewer: Viewer) -> Side | None:
    return match.side_of(viewer.pk) if viewer is not None else None
