"""Titles in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.models import Title
from tournaments.office.schemas.entrant import TeamNameSchema, team_name_to_json

TitleKindName = Literal["champion", "year", "month", "cup", "mini-cup"]


class TitleSchema(TypedDict):
    """A title that a player or a team has won."""

    player: str
    """Of a team, who entered it as its captain."""
    team: TeamNameSchema | None
    """Null for single players."""
    kind: TitleKindName
    game: str
    """The family of games, whose presets share titles."""
    competition: str
    """The slug of the competition that was won."""
    name: str
    """The name of that competition."""
    url: str
    """The page of that competition."""
    series: str | None
    """The slug of its series, null where it does not come again."""
    season: int | None
    won_at: datetime
    """The end of the competition."""
    is_held: bool
    """True if it is a title of a series of which nobody has won a later season."""


def title_to_json(title: Title) -> TitleSchema:
    """Return a title as ``selectors.titles.list_titles`` reads it."""
    competition = title.competition
    return {
        "player": title.player.username,
        "team": team_name_to_json(title.team),
        "kind": cast("TitleKindName", str(title.kind)),
        "game": title.family,
        "competition": competition.slug,
        "name": competition.name,
        "url": competition.get_absolute_url(),
        "series": None if competition.series is None else competition.series.slug,
        "season": competition.season,
        "won_at": title.won_at,
        "is_held": vars(title)["is_held"],
    }
