"""What became of everybody through the seasons of a series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from players.models import Player
from tournaments.grouping import letter_of
from tournaments.models import CompetitionStatus, EntryStatus, Seat, Series

MAX_SEASONS = 6
"""Of so many seasons a page shows everybody's places, the latest first."""


@dataclass(frozen=True, slots=True)
class PastSeason:
    """A season that somebody has played: where, and the place they had at its end; ``None`` while it goes on.

    The ``league`` is empty where there are none, else as groups are called: 1, 2A, 2B and so on.
    """

    season: int
    slug: str
    league: str
    place: int | None


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A player, and what they have played in each of the seasons that are shown; ``None`` where they have not."""

    player: Player
    seasons: tuple[PastSeason | None, ...]


def players_through(series: Series) -> QuerySet[Seat, int]:
    """Return the ids of all who have played a season, as they stand in the latest one that they have played.

    Of several stages it is the last that they came to, and whoever came further comes first.
    """
    order = (
        F("entry__competition__season").desc(),
        F("stage__number").desc(),
        F("group__number").asc(),
        F("standing__place").asc(nulls_last=True),
        F("pk").asc(),
    )
    latest = Window(RowNumber(), partition_by=F("entry__player_id"), order_by=order)
    seats = _seats_in(series).annotate(latest=latest).filter(latest=1)
    return seats.order_by(*order).values_list("entry__player_id", flat=True)


def history_of(series: Series, *, players: Sequence[int], seasons: Sequence[int]) -> list[HistoryRow]:
    """Return the rows of these players for these seasons, in the order in which both are named. Two queries."""
    found = _places(_seats_in(series).filter(entry__player__in=players, entry__competition__season__in=seasons))
    known = Player.objects.in_bulk(players)
    return [HistoryRow(known[key], tuple(found[key].get(season) for season in seasons)) for key in players]


def seasons_of_player(series: Series, player: Player) -> list[PastSeason]:
    """Return the seasons that a player has played, the latest first. One query."""
    found = _places(_seats_in(series).filter(entry__player=player))
    return [past for _season, past in sorted(found[player.pk].items(), reverse=True)]


def _seats_in(series: Series) -> QuerySet[Seat]:
    """Return the seats in groups of a season that has begun and anybody sees, but for those who were replaced."""
    seats = Seat.objects.filter(
        group__isnull=False, entry__competition__series=series, entry__competition__hidden_at=None
    )
    begun = seats.filter(entry__competition__status__in=[CompetitionStatus.RUNNING, CompetitionStatus.FINISHED])
    return begun.exclude(entry__status=EntryStatus.REPLACED)


def _places(seats: QuerySet[Seat]) -> dict[int, dict[int, PastSeason]]:
    """Return what players have played, by their ids and the seasons; of several stages the last they came to."""
    rows = seats.order_by("stage__number", "pk").values_list(
        "entry__player_id",
        "entry__competition__season",
        "entry__competition__slug",
        "entry__competition__status",
        "stage__grouping",
        "group__number",
        "standing__place",
    )
    found: dict[int, dict[int, PastSeason]] = defaultdict(dict)
    for player, season, slug, status, grouping, group, place in rows:
        is_over = status == CompetitionStatus.FINISHED
        number = season or 1
        found[player][number] = PastSeason(number, slug, _league(grouping, group), place if is_over else None)
    return found


def _league(grouping: dict[str, int | None] | None, group: int | None) -> str:
    if group is None or grouping is None or grouping.get("league_size") is None:
        return ""
    return letter_of(group, in_leagues=True)
