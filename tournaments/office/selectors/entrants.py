"""Players in competitions, alone or with a team: they hear of what all of its players hear of."""

from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from rules_engine.values import Side
from tournaments.models import Entry, Fixture, MembershipStatus, TeamMembership
from tournaments.records.competitions import IN_COMPETITION


def entrants_in(
    competitions: Collection[int], *, of_teams: Collection[int], player_id: int | None = None
) -> list[QuerySet[Any, Any]]:
    """Return the parts of a union of who is in these competitions, as rows: ``entrant``, competition, player, by ids.

    Those ``of_teams`` are read for teams as well, in more parts, and their players may come several times. If a
    player is given, their rows alone.
    """
    parts = [*_entered(Q(competition__in=competitions))]
    if of_teams:
        parts += _in_teams(Q(competition__in=of_teams))
    return [
        (rows if player_id is None else rows.filter(**{column: player_id}))
        .annotate(role=Value("entrant"))
        .values_list("role", "competition_id", column)
        for rows, column in parts
    ]


def is_in(player_id: int) -> Q:
    """Return the condition of what belongs to a competition that a player is in, alone or with a team."""
    condition = Q()
    for rows, column in (*_entered(Q()), *_in_teams(Q())):
        condition |= Q(competition__in=rows.filter(**{column: player_id}).values("competition"))
    return condition


def _entered(condition: Q) -> list[tuple[QuerySet[Any], str]]:
    """Return the entries of those who have entered alone, with the column of the player."""
    return [(Entry.objects.filter(condition, status__in=IN_COMPETITION, team=None), "player_id")]


def _in_teams(condition: Q) -> list[tuple[QuerySet[Any], str]]:
    """Return the entries of teams, and the boards at which members of them sit or have sat, with the columns of both.

    Of a team that is out nobody is there, and nobody who has left the team.
    """
    entries = Entry.objects.filter(condition, status__in=IN_COMPETITION, team__isnull=False)
    parts: list[tuple[QuerySet[Any], str]] = [(entries, "team__captain_id")]
    for side in Side:
        members = TeamMembership.objects.filter(
            status=MembershipStatus.MEMBER, team=OuterRef(f"{side}__team"), player=OuterRef(f"{side}_player")
        )
        seated = Fixture.objects.filter(condition, Exists(members), **{f"{side}__status__in": IN_COMPETITION})
        parts.append((seated.distinct(), f"{side}_player_id"))
    return parts
