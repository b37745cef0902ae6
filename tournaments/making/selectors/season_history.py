"""The history of everybody through the seasons of a series."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from formats.grouping import letter_of
from players.models import Player
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Seat, Series

MAX_SEASONS = 6
"""Of so many seasons a page shows everybody's places, the latest first."""

MAX_PLAYED = 20
"""The most seasons of a player that their page shows, the latest first."""

BEGUN = (CompetitionStatus.RUNNING, CompetitionStatus.FINISHED)
"""The status of seasons that have players: what was cancelled counts for nobody."""


@dataclass(frozen=True, slots=True)
class PastSeason:
    """A season that somebody has played: where, and the place they had at its end; ``None`` while it goes on.

    The ``league`` is empty where there are none, else as groups are called: 1, 2A, 2B and so on.
    """

    season: int
    slug: str
    url: str
    league: str
    place: int | None
    is_over: bool


@dataclass(frozen=True, slots=True)
class SeasonsPlayed:
    """Seasons of one series that a player has played, the latest first."""

    series: Series
    seasons: tuple[PastSeason, ...]


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A player, and what they have played in each of the seasons that are shown; ``None`` where they have not."""

    player: Player
    seasons: tuple[PastSeason | None, ...]


def history_of(players: Sequence[Player], seasons: Sequence[Competition]) -> list[HistoryRow]:
    """Return the rows of these players for these seasons of a series, in the order in which both are given.

    The seasons have begun, and anybody sees them. One query.
    """
    seats = Seat.objects.filter(entry__player__in=players, entry__competition__in=seasons)
    found = _places_by_season(_begun(seats))
    return [HistoryRow(player, tuple(found.get((player.pk, season.pk)) for season in seasons)) for player in players]


def seasons_of_player(series: Series, player: Player) -> list[PastSeason]:
    """Return the seasons that a player has played, the latest first. One query."""
    own = Seat.objects.filter(entry__player=player, entry__competition__series=series)
    found = _places_by_season(
        _begun(own.filter(entry__competition__season__isnull=False, entry__competition__hidden_at=None))
    )
    return sorted(found.values(), key=lambda past: past.season, reverse=True)


def latest_seasons_of(player: Player) -> list[SeasonsPlayed]:
    """Return the latest seasons of any series that a player has played, those series first that began last.

    Two queries, of the player's own entries and seats alone.
    """
    entered = Entry.objects.filter(player=player, team=None).exclude(status=EntryStatus.REPLACED)
    begun = Competition.objects.filter(
        pk__in=entered.values("competition"), season__isnull=False, hidden_at=None, status__in=BEGUN
    )
    latest = list(begun.select_related("series").order_by("-started_at", "-pk")[:MAX_PLAYED])
    by_series: dict[int, list[Competition]] = defaultdict(list)
    for season in latest:
        by_series[season.series_id or 0].append(season)
    found = _places_by_season(_begun(Seat.objects.filter(entry__player=player, entry__competition__in=latest)))
    return [
        SeasonsPlayed(seasons[0].series, played)
        for seasons in by_series.values()
        if seasons[0].series is not None
        and (played := tuple(found[player.pk, each.pk] for each in seasons if (player.pk, each.pk) in found))
    ]


def _begun(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    # Players have not played what teams of theirs have.
    in_groups = seats.filter(group__isnull=False, entry__team=None, entry__competition__status__in=BEGUN)
    return in_groups.exclude(entry__status=EntryStatus.REPLACED)


def _places_by_season(seats: QuerySet[Seat]) -> dict[tuple[int, int], PastSeason]:
    """Return what players have played, by their ids and those of the seasons; of several stages the last they came to.

    One query.
    """
    rows = seats.order_by("stage__number", "pk").values_list(
        "entry__player_id",
        "entry__competition_id",
        "entry__competition__season",
        "entry__competition__kind",
        "entry__competition__slug",
        "entry__competition__status",
        "stage__grouping",
        "group__number",
        "standing__place",
    )
    found: dict[tuple[int, int], PastSeason] = {}
    for player, competition, season, kind, slug, status, grouping, group, place in rows:
        is_over = status == CompetitionStatus.FINISHED
        found[player, competition] = PastSeason(
            season or 1, slug, f"/{kind}s/{slug}/", _league(grouping, group), place if is_over else None, is_over
        )
    return found


def _league(grouping: dict[str, int | None] | None, group: int | None) -> str:
    if group is None or grouping is None or grouping.get("league_size") is None:
        return ""
    return letter_of(group, in_leagues=True)
