"""A player's own matches at the boards of a team in a competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, prefetch_related_objects

from players.models import Player
from rules_engine.values import Side
from tournaments.models import SITTING, Competition, Entry, Fixture
from tournaments.selectors.groups import SEATS

MAX_OWN_BOARDS = 30


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A match that the player has played at a board, and its result, their own part first."""

    fixture: Fixture
    opponent: str
    points: tuple[int, int]
    goals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OwnBoards:
    """The team for which a player sits at boards, and their matches that have a result, the latest first."""

    entry: Entry
    results: Sequence[OwnBoard]


def own_boards_in(competition: Competition, player: Player | None) -> OwnBoards | None:
    """Return for which team a player sits or has sat in a competition, and their results; ``None`` for nobody else.

    The entry has its seats. Three queries at most.
    """
    if player is None or competition.boards is None:
        return None
    own = Q(yellow_player=player) | Q(red_player=player)
    fixtures = Fixture.objects.filter(own, competition=competition.pk, is_annulled=False)
    found = list(fixtures.select_related("round", *SITTING).order_by("-round__number", "-pk")[:MAX_OWN_BOARDS])
    if not found:
        return None
    latest = found[0]
    entry = latest.yellow if latest.yellow_player_id == player.pk else latest.red
    entry.competition = competition
    prefetch_related_objects([entry], SEATS)
    return OwnBoards(entry, [board for each in found if (board := _read(each, player)) is not None])


def _read(fixture: Fixture, player: Player) -> OwnBoard | None:
    if fixture.points is None or fixture.goals is None:
        return None
    own = Side.YELLOW if fixture.yellow_player_id == player.pk else Side.RED
    other = own.opponent
    return OwnBoard(
        fixture,
        fixture.name_of(other),
        (fixture.points[own], fixture.points[other]),
        (fixture.goals[own], fixture.goals[other]),
    )
