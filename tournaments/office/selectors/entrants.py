"""Players in competitions, alone or with a team: they hear of what all of its players hear of."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from rules_engine.values import Side
from tournaments.models import Entry, Fixture, MembershipStatus, TeamMembership
from tournaments.records.competitions import IN_COMPETITION


def entrants_in(
    competitions: Collection[int], *, of_teams: Collection[int], player_id: int | None = None
) -> list[QuerySet[Any, Any]]:
    """Return the parts of a union of who is in these competitions, as rows.

    A row has ``entrant``, the ids of the competition and of the player, and since when they are in. Those ``of_teams``
    are read for teams as well, in more parts, and their players may come several times. If a player is given, their
    rows alone.
    """
    parts = [*_entered(Q(competition__in=competitions))]
    if of_teams:
        parts += _in_teams(Q(competition__in=of_teams))
    return [
        (rows if player_id is None else rows.filter(**{column: player_id}))
        .annotate(role=Value("entrant"))
        .values_list("role", "competition_id", column, since)
        for rows, column, since in parts
    ]


def entrants_at(since: Mapping[int, datetime], at: datetime) -> list[int]:
    """Return those of the players, by ids, who were in the competition at a moment: nobody hears of what was before."""
    return [player for player, entered_at in since.items() if entered_at <= at]


def was_in(player_id: int) -> Q:
    """Return the condition of lines of a competition's log since a player is in it, alone or with a team."""
    condition = Q()
    of_line = Q(competition=OuterRef("competition"))
    for rows, column, since in (*_entered(of_line), *_in_teams(of_line)):
        condition |= Q(Exists(rows.filter(**{column: player_id, f"{since}__lte": OuterRef("logged_at")})))
    return condition


def _entered(condition: Q) -> list[tuple[QuerySet[Any], str, str]]:
    """Return the entries of those who have entered alone, with the columns of the player and of the moment."""
    return [(Entry.objects.filter(condition, status__in=IN_COMPETITION, team=None), "player_id", "entered_at")]


def _in_teams(condition: Q) -> list[tuple[QuerySet[Any], str, str]]:
    """Return the entries of teams, and the boards at which members of them sit or have sat, with the same columns.

    Of a team that is out nobody is there, and nobody who has left the team.
    """
    entries = Entry.objects.filter(condition, status__in=IN_COMPETITION, team__isnull=False)
    parts: list[tuple[QuerySet[Any], str, str]] = [(entries, "team__captain_id", "entered_at")]
    for side in Side:
        members = TeamMembership.objects.filter(
            status=MembershipStatus.MEMBER, team=OuterRef(f"{side}__team"), player=OuterRef(f"{side}_player")
        )
        seated = Fixture.objects.filter(condition, Exists(members), **{f"{side}__status__in": IN_COMPETITION})
        parts.append((seated.distinct(), f"{side}_player_id", f"{side}__entered_at"))
    return parts
