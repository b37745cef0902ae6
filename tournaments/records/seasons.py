"""Seasons of a series: their dates, and the order in which one seeds the next."""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from formats.grouping import league_of
from formats.promotion import Newcomer, SeasonPlace
from tournaments.models import ENDED, Competition, CompetitionStatus, Entry, EntryStatus, Seat, Standing
from tournaments.models.season_dates import SeasonDates


def dates_of(season: Competition) -> SeasonDates:
    """Return when a season was to start, has started, and ended."""
    return SeasonDates(season.starts_at, season.started_at, season.finished_at if season.status in ENDED else None)


def places_in(season: Competition, *, at: datetime) -> list[SeasonPlace[int]]:
    """Return where everybody is in a season, by player id, in the order of their tables. One query.

    Of several stages it is the last in which somebody has a group, but for play-offs of leagues. Players who wait for
    their first group come last. Those who had left by ``at`` are not still in it, and those who have entered later are
    not there at all.
    """
    in_groups = Seat.objects.filter(entry=OuterRef("entry"), group__isnull=False)
    is_latest = Q(~Exists(in_groups.filter(stage__number__gt=OuterRef("stage__number"))))
    if season.first_stage.has_leagues:
        is_latest = Q(stage__number=1)
    has_only_waited = Q(stage__number=1) & ~Exists(in_groups)
    seats = Seat.objects.filter(
        has_only_waited | (Q(group__isnull=False) & is_latest), stage__competition=season, entry__entered_at__lte=at
    ).order_by(
        "-stage__number",
        F("group__number").asc(nulls_last=True),
        F("standing__place").asc(nulls_last=True),
        "position",
        "entry_id",
    )
    return _read_places(seats, at)


def seasons_beside(season: Competition) -> list[Competition]:
    """Return the season before one of a series and the one after it, as far as anybody sees them. One query at most."""
    if season.series_id is None or season.season is None:
        return []
    beside = Competition.objects.filter(series=season.series_id, season__in=(season.season - 1, season.season + 1))
    return list(beside.filter(hidden_at=None).exclude(status=CompetitionStatus.DRAFT).order_by("season"))


def latest_places_before(season: Competition) -> list[SeasonPlace[int]]:
    """Return everybody's place in the latest season of the series that they played before this one, by player id.

    Seasons that were cancelled do not count. One query.
    """
    earlier = Seat.objects.filter(
        stage__number=1,
        stage__competition__series=season.series_id,
        stage__competition__season__lt=season.season,
        stage__competition__status=CompetitionStatus.FINISHED,
    )
    places = _read_places(earlier.order_by("stage__competition__season", "pk"), None)
    return list({each.entrant: each for each in places}.values())


def order_season(season: Competition, entries: Collection[Entry], ratings: Mapping[int, Decimal]) -> list[int]:
    """Return the ids of entries in the order in which the seasons before seed them; by rating where none does."""
    newcomers = [Newcomer(entry.player_id, float(ratings[entry.pk]), entry.draw) for entry in entries]
    carries = None if season.series is None else season.series.carries
    if carries is None or carries.order is None:
        order = [each.entrant for each in sorted(newcomers, key=lambda each: (-each.rating, each.lot))]
    else:
        order = carries.order(newcomers, latest_places_before(season))
    entry_of = {entry.player_id: entry.pk for entry in entries}
    return [entry_of[player] for player in order]


PLAY_OFF = Subquery(
    Standing.objects.filter(seat__entry=OuterRef("entry"), group__stage__number=2)
    .annotate(is_won=Q(place=1))
    .filter(place__isnull=False)
    .values("is_won")[:1]
)
"""Whether the entrant of a seat in a league has won a play-off, null for one whom none has decided on."""

_COLUMNS = (
    "entry__player_id",
    "stage__competition__season",
    "stage__grouping",
    "stage__advance",
    "group__number",
    "standing__place",
    "entry__status",
    "entry__left_at",
    "entry__disqualification",
)


def _read_places(seats: QuerySet[Seat], at: datetime | None) -> list[SeasonPlace[int]]:
    return [
        SeasonPlace(
            player,
            season or 1,
            league_of(group or 1) if (grouping or {}).get("league_size") is not None else 1,
            group or 1,
            place,
            still_in=not disqualification and _is_in(status, left_at, at),
            won_play_off=won,
            **_moves(grouping, advance),
        )
        for player, season, grouping, advance, group, place, status, left_at, disqualification, won in (
            seats.annotate(won=PLAY_OFF).values_list(*_COLUMNS, "won")
        )
    ]


def _moves(grouping: dict[str, Any] | None, advance: dict[str, Any] | None) -> dict[str, int]:
    """Return down to which places of a group players go up, stay, and play off, where that is not as usual."""
    chosen = (grouping or {}) | (advance or {})
    names = ("last_promoted", "last_to_stay", "play_offs")
    return {name: chosen[name] for name in names if chosen.get(name) is not None}


def _is_in(status: str, left_at: datetime | None, at: datetime | None) -> bool:
    """Return whether somebody was in a competition at a moment, or is now where none is given."""
    return status != EntryStatus.REPLACED and (left_at is None or (at is not None and left_at > at))
