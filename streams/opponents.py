"""The connections of those against whom players play live, as their streams tell it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from matches.selectors.matches import live_matches
from players.connections import find_connections
from rules_engine.values import Side


class Opponent(NamedTuple):
    """The opponent's side in a match, and since when their connection is gone, if it is."""

    side: Side
    gone_since: datetime | None


Opponents = Mapping[int, Opponent]
"""The opponents of a player by match."""


def find_opponents(players: Collection[int], now: datetime) -> dict[int, Opponents]:
    """Return the opponents in all live matches of these players, by player. One query."""
    found: dict[int, dict[int, Opponent]] = defaultdict(dict)
    matches = live_matches(players)
    connections = find_connections({player for _match, *both in matches for player in both})
    for match, yellow, red in matches:
        for player, other, side in ((yellow, red, Side.RED), (red, yellow, Side.YELLOW)):
            if player in players:
                connection = connections.get(other)
                found[player][match] = Opponent(side, connection.gone_since(now) if connection else None)
    return dict(found)
