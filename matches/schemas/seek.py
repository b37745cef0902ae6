"""Seeks and invitations in JSON."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict, cast

from matches.models import Seek
from matches.schemas.values import TimeControlSchema, time_control_to_json
from matches.seek_links import link_to
from matches.selectors.rated_games import casual_seeks
from players.models import Player
from players.schemas import PlayerSummarySchema, player_summary_to_json
from rules_engine.registry import get_game

SeekStatusName = Literal["open", "taken", "withdrawn", "declined"]
ColourName = Literal["yellow", "red", "random"]


class SeekSchema(TypedDict):
    """A seek, or an invitation."""

    id: int
    creator: PlayerSummarySchema
    invited: PlayerSummarySchema | None
    """The invited player, null for an open seek."""
    game: str
    """The key of the game."""
    title: str
    """The title of the game."""
    colour: ColourName
    """The side of the creator."""
    time_control: TimeControlSchema
    is_rated: bool
    min_rating: int | None
    max_rating: int | None
    admits_computers: bool
    """True if a computer may take it."""
    link: str | None
    """The URL by which anybody takes it once who was given it, null for a seek without such a link."""
    status: SeekStatusName
    match: int | None
    """The match that it led to."""
    rematch_of: int | None
    """The match of which it offers a rematch."""
    created_at: datetime


class SeenSeekSchema(SeekSchema):
    """A seek as the player who asks sees it."""

    why_casual: str | None
    """The reason why the match would be casual if you took this rated seek now, null if it would not."""


def seen_seeks_to_json(seeks: Sequence[Seek], viewer: Player | None, *, now: datetime) -> list[SeenSeekSchema]:
    """Return seeks as a player sees them. At most two queries."""
    reasons = casual_seeks(seeks, viewer, now=now)
    return [{**seek_to_json(seek), "why_casual": reasons.get(seek.pk)} for seek in seeks]


def seek_to_json(seek: Seek) -> SeekSchema:
    """Return a seek."""
    return {
        "id": seek.pk,
        "creator": player_summary_to_json(seek.creator),
        "invited": player_summary_to_json(seek.invited) if seek.invited else None,
        "game": seek.game,
        "title": get_game(seek.game).title,
        "colour": cast("ColourName", str(seek.colour)),
        "time_control": time_control_to_json(seek.time_control),
        "is_rated": seek.is_rated,
        "min_rating": seek.min_rating,
        "max_rating": seek.max_rating,
        "admits_computers": seek.admits_computers,
        "link": link_to(seek.pk) if seek.by_link else None,
        "status": cast("SeekStatusName", str(seek.status)),
        "match": seek.match_id,
        "rematch_of": seek.rematch_of_id,
        "created_at": seek.created_at,
    }
