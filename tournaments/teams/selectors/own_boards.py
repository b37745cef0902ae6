"""A player's own matches at the boards of a team in a competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, prefetch_related_objects

from players.models import Player
from rules_engine.values import Side
from tournaments.models import ENDED, SITTING, Competition, Entry, Fixture, MembershipStatus, TeamMembership, Tie
from tournaments.records.groups import SEATS

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
    """The team for which a player sits at boards, and their matches that have a result, the latest first.

    ``is_past`` says that they cannot sit there any more.
    """

    entry: Entry
    results: Sequence[OwnBoard]
    is_past: bool


def own_boards_in(competition: Competition, player: Player | None) -> OwnBoards | None:
    """Return for which team a player sits or has sat in a competition, and their results; ``None`` for nobody else.

    The entry has its seats. Five queries at most.
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
    results = [board for each in found if (board := _read(each, player)) is not None]
    return OwnBoards(entry, results, is_past=not _plays_on(entry) or not _is_member(entry, player))


def _plays_on(entry: Entry) -> bool:
    """Return whether a team that has played is not out: in a knock-out it has an open tie."""
    competition = entry.competition
    if competition.status in ENDED or not entry.is_in:
        return False
    open_ties = Tie.objects.filter(Q(first=entry) | Q(second=entry), decided_at=None)
    return not competition.first_stage.is_bracket or open_ties.exists()


def _is_member(entry: Entry, player: Player) -> bool:
    own = TeamMembership.objects.filter(team=entry.team_id, player=player, status=MembershipStatus.MEMBER)
    return own.exists()


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
