"""The players of the seasons of a series: of one season group by group, and everybody's history through them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, QuerySet

from formats.grouping import letter_of
from players.models import Player
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Group, Seat, Series, Stage
from tournaments.records.groups import standing_of

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
        "group__is_only_one",
        "standing__place",
    )
    found: dict[tuple[int, int], PastSeason] = {}
    for player, competition, season, kind, slug, status, grouping, group, is_only_one, place in rows:
        if (known := found.get((player, competition))) is not None and known.league:
            # Play-offs come after the league, and are none.
            continue
        is_over = status == CompetitionStatus.FINISHED
        found[player, competition] = PastSeason(
            season or 1,
            slug,
            f"/{kind}s/{slug}/",
            _league(grouping, group, is_only_one=is_only_one),
            place if is_over else None,
            is_over,
        )
    return found


def _league(grouping: dict[str, int | None] | None, group: int | None, *, is_only_one: bool) -> str:
    if group is None or grouping is None or grouping.get("league_size") is None:
        return ""
    return letter_of(group, in_leagues=True, is_only_one=is_only_one)


M = TypeVar("M", bound=Model)


def seasons_about(series: Series, number: int | None, *, most: int) -> tuple[list[Competition], list[Competition]]:
    """Return the season with a number and those before it, the latest first, and those after it, the next one first.

    At most so many of each, of the seasons that have begun and anybody sees. Of a number that none has it is the one
    before, or else after it, and without a number the latest one; there may be none. Two queries at most.
    """
    seasons = Competition.objects.filter(series=series, season__isnull=False, hidden_at=None, status__in=BEGUN)
    if number is None:
        return list(seasons.order_by("-season")[:most]), []
    return _about(seasons, "season", number, most)


def stages_with_groups(season: Competition) -> list[Stage]:
    """Return the stages of a season that has begun in which anybody has a group, in order. One query."""
    formed = Exists(Group.objects.filter(stage=OuterRef("pk")))
    return list(Stage.objects.filter(formed, competition=season).order_by("number"))


def groups_about(stage: Stage, number: int, *, most: int) -> tuple[Group | None, list[Group]]:
    """Return the group of a stage with a number, and the groups beside it, in order: at most so many on each side.

    The groups in order have that group among them. Of a number that none has it is the one before, or else after it;
    ``None`` if the stage has no group. Two queries.
    """
    before, after = _about(Group.objects.filter(stage=stage), "number", number, most)
    groups = [*reversed(before), *after]
    for group in groups:
        group.stage = stage
    return next(iter(before), None), groups


def seats_in(group: Group) -> QuerySet[Seat]:
    """Return the seats of a group, to be read page by page in the order of their entries."""
    return Seat.objects.filter(group=group)


def with_players(seats: Iterable[Seat]) -> list[Seat]:
    """Return seats that a page has read with their players and standings, in the same order. One query.

    It is one of its own: joined, the database may look for the page among the entries of all groups. Seats that have
    been taken away since are left out.
    """
    keys = [seat.pk for seat in seats]
    found = Seat.objects.select_related("entry__player", "standing").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def order_by_place(seats: Iterable[Seat]) -> list[Seat]:
    """Return all seats of a group in the order of its table, those last who have no place in it."""

    def key(seat: Seat) -> tuple[bool, int, int]:
        row = standing_of(seat)
        place = None if row is None else row.place
        return place is None, place or 0, seat.pk

    return sorted(seats, key=key)


def _about(rows: QuerySet[M, Any], column: str, number: int, most: int) -> tuple[list[M], list[M]]:
    """Return the row with a number and those before it, backwards, and those after it, at most so many of each.

    The first of the former is the row, or the nearest one.
    """
    before = list(rows.filter(**{f"{column}__lte": number}).order_by(f"-{column}")[:most])
    after = list(rows.filter(**{f"{column}__gt": number}).order_by(column)[:most])
    return (before, after) if before else (after[:1], after[1:])
