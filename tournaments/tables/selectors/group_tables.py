"""The tables of many groups side by side, with who goes on to the next stage, and a group's cross table."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from formats.advancement import AdvanceRule
from formats.grouping import MIN_SIZE, GroupingOptions, league_of, league_sizes
from formats.play_offs import list_play_offs
from formats.promotion import Newcomer, SeasonPlace, leagues_after
from formats.scoring.points import PointTable
from rules_engine.values import BySide
from tournaments.models import (
    OF_PLAY,
    SITTING,
    CompetitionStatus,
    Entry,
    Fixture,
    Group,
    Seat,
    Stage,
    Standing,
)
from tournaments.models.carry_overs import PROMOTION
from tournaments.models.elo import START
from tournaments.records.competitions import IN_COMPETITION
from tournaments.records.entrant_ratings import ratings_now
from tournaments.records.groups import standing_of
from tournaments.records.matches import with_players
from tournaments.records.meetings import meetings_of
from tournaments.records.seasons import PLAY_OFF
from tournaments.tables.selectors.tables import IN_CUP_WITHOUT_PLACE


class LeagueMove(StrEnum):
    """The ways out of a league, and the place for which a play-off tells it that has not been decided."""

    UP = "up"
    DOWN = "down"
    PLAY_OFF = "play-off"


def league_moves(stage: Stage) -> dict[int, LeagueMove]:
    """Return who would play in a higher or lower league next season, or play off, by entry id, as the tables are now.

    That is if all who are still in it play on, and nobody else comes. Nothing before a first result, where nobody
    goes up or down, and where too few are still in it for a group. Four queries for a season of leagues, five with
    play-offs, none for anything else.
    """
    options, competition = stage.grouping_options, stage.competition
    if options is None or options.league_size is None or competition.series is None:
        return {}
    if competition.series.carry_over != PROMOTION:
        return {}
    size = options.league_size
    columns = ("entry_id", "group__number", "standing__place", "standing__played", "entry__status", "entry__draw")
    seats = Seat.objects.filter(stage=stage, group__started_at__isnull=False)
    rows = list(seats.annotate(won=PLAY_OFF).values_list("won", *columns))
    if not any(played for _won, _entry, _group, _place, played, _status, _lot in rows):
        return {}
    places = [
        SeasonPlace(
            entry,
            1,
            league_of(group),
            group,
            place,
            still_in=status in IN_COMPETITION,
            last_promoted=options.promoted_to,
            last_to_stay=options.stays_to,
            play_offs=stage.play_offs or 0,
            won_play_off=won,
        )
        for won, entry, group, place, _played, status, _lot in rows
    ]
    if sum(place.still_in for place in places) < MIN_SIZE:
        return {}
    ratings = ratings_now(competition)
    newcomers = [Newcomer(row[1], float(ratings.get(row[1], START)), row[-1]) for row in rows]
    after = leagues_after(newcomers, places, lambda count: list(map(sum, league_sizes(count, size))))
    now = {each.entrant: each.league for each in places}
    moves = {
        entry: LeagueMove.UP if league < now[entry] else LeagueMove.DOWN
        for entry, league in after.items()
        if league != now[entry]
    }
    if stage.play_offs is None or competition.status == CompetitionStatus.FINISHED:
        return moves
    return moves | dict.fromkeys(_who_plays_off(stage, options, places), LeagueMove.PLAY_OFF)


def _who_plays_off(stage: Stage, options: GroupingOptions, places: Sequence[SeasonPlace[int]]) -> list[int]:
    """Return who would play off as the tables are now, or does so once that is drawn, and has not won or lost it yet.

    One query.
    """
    undecided = [each for each in places if each.still_in and each.won_play_off is None]
    if drawn := entries_gone_on(stage):
        return [each.entrant for each in undecided if each.entrant in drawn]
    sizes = Counter(each.group for each in places if each.place is not None)
    met = list_play_offs(
        [sizes[group] for group in range(1, max(sizes, default=0) + 1)],
        stage.play_offs or 0,
        last_promoted=options.promoted_to,
        last_to_stay=options.stays_to,
    )
    sources = {(source.group, source.rank) for sources in met for source in sources}
    return [each.entrant for each in undecided if (each.group, each.place) in sources]


IS_IN = Q(entry__status__in=IN_COMPETITION)
"""Seats whose entrants have not left."""
MIN_ROWS = 8
"""The fewest rows of each group that are shown, if it has them."""
MAX_LEAGUE_ROWS = 12
"""The fewest rows of a group of a league: what becomes of the last ones matters, too."""


class GoingOn(StrEnum):
    """The prospect of somebody to go on: for sure, by the table as it is, or only as one of the best of the next rank.

    In leagues: whether they would play in a higher or lower one if the season ended now, or a play-off decides that.
    """

    YES = "yes"
    SO_FAR = "so-far"
    PERHAPS = "perhaps"
    NO = "no"
    UP = "up"
    DOWN = "down"
    PLAY_OFF = "play-off"

    @property
    def is_likely(self) -> bool:
        """Return whether the place is one from which players go on."""
        return self in {GoingOn.YES, GoingOn.SO_FAR, GoingOn.UP}


@dataclass(frozen=True, slots=True)
class ShortRow:
    """A row of a group's table. ``place`` is empty for those who have none yet; so is ``standing`` before results."""

    place: int | None
    entry: Entry
    standing: Standing | None
    going_on: GoingOn = GoingOn.NO


@dataclass(frozen=True, slots=True)
class ShortTable:
    """The first rows of a group's table, with that of the viewer wherever it is."""

    group: Group
    rows: tuple[ShortRow, ...]


def short_tables(groups: Sequence[Group], *, mine: Entry | None = None) -> list[ShortTable]:
    """Return the first rows of the tables of groups of one stage, which were read with it. Two queries at any size."""
    if not groups:
        return []
    stage = groups[0].stage
    rule = stage.advance_rule
    most = MIN_ROWS if rule is None else max(MIN_ROWS, rule.first + 1)
    if stage.has_leagues:
        most = MAX_LEAGUE_ROWS
    in_order = [F("standing__place").asc(nulls_last=True), F("seed").asc(nulls_last=True), F("pk").asc()]
    rank = Window(RowNumber(), partition_by=F("group_id"), order_by=in_order)
    still_in = Window(Count("pk", filter=IS_IN), partition_by=F("group_id"), order_by=in_order)
    seats = (
        Seat.objects.filter(Q(standing__place__isnull=False) | IN_CUP_WITHOUT_PLACE, group__in=groups)
        .annotate(rank=rank, rank_of_those_in=still_in)
        .filter(Q(rank__lte=most) | Q(entry=mine))
        .select_related("entry__player", "entry__team", "standing")
        .order_by("group_id", "rank")
    )
    rows: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        rows[seat.group_id or 0].append(seat)
    went_on, moves = entries_gone_on(stage), move_states(stage)
    return [ShortTable(group, _rows_of(group, rows[group.pk], went_on, moves)) for group in groups]


def move_states(stage: Stage) -> dict[int, GoingOn]:
    """Return who would play in another league next season, by entry id; nobody where there are no leagues."""
    return {entry: GoingOn(move.value) for entry, move in league_moves(stage).items()}


def entries_gone_on(stage: Stage) -> frozenset[int]:
    """Return the entries that have a seat in the stage after this one; none before it is formed. One query.

    None either where groups form one by one: there the table of each group tells who goes on from it.
    """
    if stage.advance is None or stage.gathers:
        return frozenset()
    seats = Seat.objects.filter(stage__competition_id=stage.competition_id, stage__number=stage.number + 1)
    return frozenset(seats.values_list("entry_id", flat=True))


def count_before(seat: Seat) -> int:
    """Return how many who are still in have a better place in the table of their group than a seat. One query."""
    placed = Seat.objects.filter(IS_IN, group=seat.group_id, standing__place__isnull=False)
    row = standing_of(seat)
    if row is not None and row.place is not None:
        placed = placed.filter(Q(standing__place__lt=row.place) | Q(standing__place=row.place, pk__lt=seat.pk))
    return placed.count()


def who_goes_on(
    group: Group, seats: Sequence[Seat], went_on: Collection[int], *, before: int = 0
) -> dict[int, GoingOn]:
    """Return who of a table goes on, by entry id.

    An entrant who has withdrawn does not go on, and the next in the table does. Seats were read with
    ``rank_of_those_in``, or follow each other, and before them are so many who are still in.
    """
    rule = group.stage.advance_rule
    if rule is None or group.stage.is_last_level:
        return {}
    if went_on:
        return {seat.entry_id: GoingOn.YES for seat in seats if seat.entry_id in went_on}
    table = group.stage.competition.scoring
    found: dict[int, GoingOn] = {}
    rank = before
    is_played = group.ended_at is not None or any((row := standing_of(seat)) and row.played for seat in seats)
    for seat in seats:
        if seat.entry.status not in IN_COMPETITION or not is_played:
            continue
        rank = vars(seat).get("rank_of_those_in", rank + 1)
        if (state := _state_of(seat, rank, rule, table)) is not GoingOn.NO:
            is_sure = state is GoingOn.SO_FAR and group.ended_at is not None
            found[seat.entry_id] = GoingOn.YES if is_sure else state
    return found


def _rows_of(
    group: Group, seats: Sequence[Seat], went_on: Collection[int], moves: Mapping[int, GoingOn]
) -> tuple[ShortRow, ...]:
    states = moves or who_goes_on(group, seats, went_on)
    rows = ((seat, standing_of(seat)) for seat in seats)
    return tuple(
        ShortRow(row.place if row else None, seat.entry, row, states.get(seat.entry_id, GoingOn.NO))
        for seat, row in rows
    )


def _state_of(seat: Seat, rank: int, rule: AdvanceRule, table: PointTable) -> GoingOn:
    row = standing_of(seat)
    if rule.above_percent is not None:
        is_above = row is not None and row.points * 100 > rule.above_percent * table.maximum * row.played
        return GoingOn.SO_FAR if is_above else GoingOn.NO
    if rank <= rule.first:
        return GoingOn.SO_FAR
    return GoingOn.PERHAPS if rule.best and rank == rule.first + 1 else GoingOn.NO


MAX_CROSSED = 24
"""More entrants than this make a crosstable that nobody can read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting from the row's view; points and goals are (the row's, the column's), empty until they are counted.

    Of two teams the points are all match points of their boards, and ``fixture`` is the match at the first one.
    """

    fixture: Fixture
    points: tuple[int, int] | None
    goals: tuple[int, int] | None
    is_of_teams: bool = False
    by_decision: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entrant's meetings with everybody in the columns' order; ``None`` in the entrant's own column."""

    entry: Entry
    cells: tuple[tuple[Cell, ...] | None, ...]


def fixtures_of_group(group_id: int) -> QuerySet[Fixture]:
    """Return a group's fixtures that are not annulled in the order of its rounds, with matches, entries and players."""
    fixtures = (
        Fixture.objects.filter(group_id=group_id, is_annulled=False)
        .select_related("match", *SITTING)
        .defer(*OF_PLAY)
        .order_by("round__number", "pk")
    )
    return with_players(fixtures)


def cross(entries: Sequence[Entry], fixtures: Sequence[Fixture]) -> tuple[CrossRow, ...]:
    """Return the crosstable of the entrants, rows and columns in their order."""
    met: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for meeting in meetings_of(fixtures):
        home, guests = meeting.teams.map(lambda team: team.pk)
        points = None if meeting.points is None else meeting.score.match_points
        goals = None if meeting.points is None else meeting.score.goals
        first, decided = meeting.boards[0], any(board.by_decision for board in meeting.boards)
        for pair, swapped in (((home, guests), False), ((guests, home), True)):
            sums = _pair(points, swapped=swapped), _pair(goals, swapped=swapped)
            met[pair].append(Cell(first, *sums, is_of_teams=True, by_decision=decided))
    for fixture in (each for each in fixtures if each.board is None):
        yellow, red = fixture.yellow_id, fixture.red_id
        points, goals = fixture.points, fixture.goals
        for pair, swapped in (((yellow, red), False), ((red, yellow), True)):
            sums = _pair(points, swapped=swapped), _pair(goals, swapped=swapped)
            met[pair].append(Cell(fixture, *sums, by_decision=fixture.by_decision))
    return tuple(
        CrossRow(
            row,
            tuple(None if row.pk == column.pk else tuple(met[row.pk, column.pk]) for column in entries),
        )
        for row in entries
    )


def _pair(numbers: BySide[int] | None, *, swapped: bool = False) -> tuple[int, int] | None:
    if numbers is None:
        return None
    return (numbers.red, numbers.yellow) if swapped else (numbers.yellow, numbers.red)
