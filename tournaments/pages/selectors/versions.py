"""The versions of what the pages of a competition share: it was read with them, before anything that is shown."""

from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet, Subquery

from database.compiled_queries import CompiledQuery
from matches.models import Match, Status
from tournaments.models import Competition, CompetitionStatus, Title

Version = tuple[Any, ...]
"""Plain values that differ wherever something that is shown does."""

MAX_NEXT = 8
"""The number of matches of a cup that its page names as the next to end."""


def _going_on(competition_id: int) -> QuerySet[Match]:
    return Match.objects.filter(competition=competition_id, status=Status.PLAYING)


_NEXT = CompiledQuery(
    lambda competition_id: (
        _going_on(competition_id)
        # As a window it would be counted with all that is joined.
        .annotate(
            number=Subquery(_going_on(competition_id).values("competition").annotate(of=Count("pk")).values("of"))
        )
        .order_by("deadline", "pk")
        .values_list("pk", "changed_at", "number", "fixture__round__ends_at")[:MAX_NEXT]
    )
)


def version_of(competition: Competition, *, holder: Title | None, beside: list[Competition], now: datetime) -> Version:
    """Return the version of a competition's pages, without the matches that go on.

    What is done under the lock of the competition draws another ``page_version``, and each table counts its own
    changes. The rest is what others decide: names, the forecast, the series with its ``holder`` and the seasons
    ``beside``, and the time.
    """
    until, series = competition.provisional_until, competition.series
    forecast = getattr(competition, "forecast", None)
    read = vars(competition)
    return (
        competition.page_version,
        read["tables_version"],
        read["names_version"],
        forecast and forecast.made_at,
        holder and (holder.pk, holder.player_id, holder.team_id),
        tuple((each.slug, each.season) for each in beside),
        series and (series.slug, series.name),
        competition.is_checking_in(now),
        until is not None and now < until,
    )


def version_of_next(competition: Competition, *, now: datetime) -> Version:
    """Return the version of what a cup waits for: how many matches go on, and those that end next.

    One query while it runs.
    """
    if competition.status != CompetitionStatus.RUNNING:
        return ()
    found = _NEXT.rows(competition_id=competition.pk)
    return tuple((*row, ends_at is not None and ends_at <= now) for *row, ends_at in found)
