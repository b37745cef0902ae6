"""Find whom a player meets first in a competition that has been drawn."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from rules_engine.values import Side
from tournaments.models import Fixture, Tie

MAX_OPPONENTS = 5
"""So many opponents a mail names."""


@dataclass(frozen=True, slots=True)
class FirstMatches:
    """Whom a player meets in round 1, by usernames; the player's side where it is drawn. Nobody is a bye."""

    opponents: tuple[tuple[str, Side | None], ...]


def first_matches_of(*, competition_id: int, player_id: int) -> FirstMatches | None:
    """Return whom a player meets in the first round of a competition; ``None`` if there is no draw. Three queries."""
    ties = Tie.objects.filter(round__group__stage__competition=competition_id, round__number=1)
    own = ties.filter(Q(first__player=player_id) | Q(second__player=player_id)).order_by("part", "slot")
    tie = own.select_related("first__player", "second__player").first()
    if tie is not None:
        others = [entry for entry in (tie.first, tie.second) if entry is not None and entry.player_id != player_id]
        return FirstMatches(tuple((entry.player.username, None) for entry in others))
    drawn = Fixture.objects.filter(competition=competition_id, round__number=1, is_annulled=False)
    mine = drawn.filter(Q(yellow__player=player_id) | Q(red__player=player_id)).order_by("pk")
    fixtures = list(mine.select_related("yellow__player", "red__player"))
    if not fixtures and not drawn.exists():
        return None
    return FirstMatches(
        tuple(
            (each.red.player.username, Side.YELLOW)
            if each.yellow.player_id == player_id
            else (each.yellow.player.username, Side.RED)
            for each in fixtures
        )
    )
