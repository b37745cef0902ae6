"""Ratings in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, cast

from matches.schemas.values import SideName
from players.models import Rating
from players.schemas.player import PlayerSummarySchema, player_summary_to_json
from tournaments.models import RatingChange
from tournaments.models.elo import name_rank


class RatingSchema(TypedDict):
    """A player's rating in a family of games."""

    player: PlayerSummarySchema
    game: str
    """The key of the family of games."""
    rating: str
    """With four decimals."""
    rank: str
    """The player's permanent rank."""
    games: int
    wins: int


class RatingChangeSchema(TypedDict):
    """The change of a player's rating by a rated match."""

    match: int
    opponent: str
    side: SideName
    """The player's side."""
    finished_at: datetime
    before: str
    after: str
    rank: str


def rating_to_json(rating: Rating) -> RatingSchema:
    """Return a player's rating."""
    return {
        "player": player_summary_to_json(rating.player),
        "game": rating.family,
        "rating": f"{rating.rating:.4f}",
        "rank": name_rank(rating.rank),
        "games": rating.games,
        "wins": rating.wins,
    }


def rating_change_to_json(change: RatingChange) -> RatingChangeSchema:
    """Return what a match did to a rating."""
    match = change.match
    side = match.side_of(change.player_id)
    opponent = match.red if match.yellow_id == change.player_id else match.yellow
    return {
        "match": change.match_id,
        "opponent": opponent.username,
        "side": cast("SideName", str(side)),
        "finished_at": change.finished_at,
        "before": f"{change.before:.4f}",
        "after": f"{change.after:.4f}",
        "rank": name_rank(change.rank),
    }
