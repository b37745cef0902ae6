"""Line-ups of teams in JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypedDict

from players.models import Player
from tournaments.models import LineUp
from tournaments.office.schemas.entrant import TeamNameSchema, team_name_to_json


class LineUpSchema(TypedDict):
    """The players of a team at its boards from a round on, until there is another line-up."""

    entry: int
    """The number of the team's entry."""
    team: TeamNameSchema | None
    round: int
    """The round from which on it holds: 0 for the order in which the team joined."""
    players: list[str]
    """Their usernames, that of the first board first."""


def line_up_to_json(line_up: LineUp) -> LineUpSchema:
    """Return a line-up that was read with its entry and team. One query."""
    return line_ups_to_json([line_up])[0]


def line_ups_to_json(line_ups: Collection[LineUp]) -> list[LineUpSchema]:
    """Return line-ups that were read with their entries and teams. One query."""
    named = {player for each in line_ups for player in each.players}
    names = dict(Player.objects.filter(pk__in=named).values_list("pk", "username"))
    return [_to_json(each, names) for each in line_ups]


def _to_json(line_up: LineUp, names: Mapping[int, str]) -> LineUpSchema:
    return {
        "entry": line_up.entry_id,
        "team": team_name_to_json(line_up.entry.team),
        "round": line_up.round_number,
        "players": [names[key] for key in line_up.players if key in names],
    }
