"""The sources of forecasts, which of them are due, and what is shown of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from formats.advancement import NEXT_MONTH
from formats.grouping import GroupingOptions, count_groups, split_evenly
from formats.protocol import Part
from formats.stage_plans import ImpossibleStage, StagePlan, outline_stage, plan_stages
from matches.models import Match, Status
from rules_engine.values import Side
from tournaments.models import (
    OF_PLAY,
    SITTING,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    EntryStatus,
    Fixture,
    Forecast,
    Group,
    Round,
    RoundEnd,
    Seat,
    Stage,
    Tie,
)
from tournaments.models.season_dates import find_month_after
from tournaments.records.levels import qualifiers_by_group
from tournaments.records.stages import StageGroups, latest_of, stages_of
from tournaments.running.forecast_inputs import (
    GroupOfLevel,
    Known,
    LevelsAhead,
    OpenMatch,
    PlayedMatch,
    RoundAhead,
    StageAhead,
)
from tournaments.running.forecast_ranges import Range

MAX_PLAYED = 500
"""Of so many matches of a competition paces are learned, the latest."""

MAX_ELSEWHERE = 400
"""Of so many matches of the game, the latest that began, it is known how long they get."""

TURNS_TO_COME = 60
"""For so many turns a match may get time on its clocks: what is shown is no promise, and clocks seldom decide."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """The rest of a competition: its stage with the rounds of its groups, the stages after it, what is known."""

    stage: Stage
    groups: tuple[tuple[RoundAhead[int], ...], ...]
    later: tuple[StageAhead, ...] | None
    known: Known[int]
    levels: LevelsAhead[int] | None = None


@dataclass(frozen=True, slots=True)
class HoldsUp:
    """A match that will probably end last, and the names of its slower and its faster player."""

    match: int
    slower: str
    faster: str


@dataclass(frozen=True, slots=True)
class ShownForecast:
    """A forecast as it is shown, with who holds what up.

    Where groups form one by one, ``gathers``, the stage is all groups that play, and the whole is as if nobody else
    joined while players can.
    """

    made_at: datetime
    stage_number: int
    round_number: int | None
    round: Range | None
    stage: Range | None
    whole: Range | None
    holds_up: tuple[HoldsUp, ...]
    gathers: bool = False
    may_join: bool = False

    @property
    def shows_stage(self) -> bool:
        """Return whether the end of the stage is not that of the whole."""
        return self.stage is not None and self.stage != self.whole


def forecasts_due(now: datetime) -> QuerySet[Competition]:
    """Return the running competitions that come to an end whose forecast is missing or due, the longest due first."""
    begun = Round.objects.filter(group__stage__competition=OuterRef("pk"), started_at__gt=OuterRef("forecast__made_at"))
    return (
        Competition.objects.filter(kind=CompetitionKind.CUP, status=CompetitionStatus.RUNNING, paused_at=None)
        .filter(Q(forecast=None) | Q(forecast__due_at__lte=now) | Exists(begun))
        .order_by(F("forecast__due_at").asc(nulls_first=True), "pk")
    )


def find_forecast(competition: Competition) -> ShownForecast | None:
    """Return the forecast of a competition that runs, ``None`` where nothing is known yet.

    One query for who holds it up, and one more unless the competition was read with its forecast.
    """
    if competition.status != CompetitionStatus.RUNNING or competition.paused_at is not None or competition.is_endless:
        return None
    forecast: Forecast | None = getattr(competition, "forecast", None)
    if forecast is None or forecast.stage_likely is None:
        return None
    return ShownForecast(
        made_at=forecast.made_at,
        stage_number=forecast.stage_number,
        round_number=forecast.round_number,
        round=_range(forecast.round_early, forecast.round_likely, forecast.round_late),
        stage=_range(forecast.stage_early, forecast.stage_likely, forecast.stage_late),
        whole=_range(forecast.whole_early, forecast.whole_likely, forecast.whole_late),
        holds_up=_name_holding_up(forecast),
        gathers=competition.first_stage.gathers,
        may_join=competition.first_stage.gathers and competition.first_stage.takes_late_entries,
    )


def _name_holding_up(forecast: Forecast) -> tuple[HoldsUp, ...]:
    """Return who holds up a competition: the matches, and who plays them for both entrants. One query."""
    matches = [match for match, _entry in forecast.holds_up]
    fixtures = Fixture.objects.filter(competition=forecast.competition_id, match__in=matches).select_related(*SITTING)
    names = {
        (each.match_id, entry): (each.name_of(side), each.name_of(side.opponent))
        for each in fixtures
        for side, entry in ((Side.YELLOW, each.yellow_id), (Side.RED, each.red_id))
    }
    return tuple(HoldsUp(match, *names[match, entry]) for match, entry in forecast.holds_up if (match, entry) in names)


def look_ahead(competition: Competition, now: datetime) -> Ahead:
    """Return what lies ahead of a running competition that comes to an end.

    Eight queries at any size, two or three more where it is played in levels, and those for who goes on from groups
    that have ended before their level has.
    """
    stages = stages_of(competition)
    current = latest_of(stages)
    # Where groups form one by one, those of several levels play at the same time.
    playing = stages if current.stage.gathers else [current]
    groups = [group for each in playing for group in each.groups if group.started_at and group.ended_at is None]
    sizes = {group.pk: size for each in playing for group, size in zip(each.groups, each.sizes, strict=True)}
    fixtures = list(_open_fixtures(competition, groups))
    rounds = _rounds_ahead(current.stage, groups, sizes, fixtures, now)
    known = _what_is_known(competition)
    return Ahead(current.stage, rounds, _later_stages(stages, current), known, _levels_ahead(playing, current, groups))


def _range(early: datetime | None, likely: datetime | None, late: datetime | None) -> Range | None:
    return None if early is None or likely is None or late is None else Range(early, likely, late)


def _open_fixtures(competition: Competition, groups: Sequence[Group]) -> QuerySet[Fixture]:
    fixtures = Fixture.objects.filter(
        competition_id=competition.pk, group__in=groups, counted_at=None, is_annulled=False
    )
    return fixtures.select_related("match").defer(*OF_PLAY).order_by("pk")


def _rounds_ahead(
    stage: Stage, groups: Sequence[Group], sizes: Mapping[int, int], fixtures: Sequence[Fixture], now: datetime
) -> tuple[tuple[RoundAhead[int], ...], ...]:
    in_round: dict[int | None, list[Fixture]] = defaultdict(list)
    for fixture in fixtures:
        in_round[fixture.round_id].append(fixture)
    rounds: dict[int, list[Round]] = defaultdict(list)
    for each in Round.objects.filter(group__in=groups, ended_at=None).order_by("number"):
        rounds[each.group_id].append(each)
    ties = _ties_to_come(stage, groups, fixtures)
    length = _hard_length(stage)
    ahead = []
    for group in groups:
        own = [
            RoundAhead(
                number=each.number,
                open=tuple(_open_match(fixture, now) for fixture in in_round[each.pk] if fixture.match is not None),
                to_come=sum(fixture.match is None for fixture in in_round[each.pk]) + ties[each.pk],
                ends_at=each.ends_at if stage.at_round_end != RoundEnd.WAIT and each.started_at else None,
                length=length,
            )
            for each in rounds[group.pk]
        ]
        if stage.abilities.pairs_by_results:
            last = own[-1].number if own else 0
            total = stage.format_spec.outline(sizes[group.pk], stage.chosen_options).rounds or 0
            coming = range(last + 1, total + 1)
            own += [RoundAhead(number, (), to_come=sizes[group.pk] // 2, length=length) for number in coming]
        ahead.append(tuple(own))
    return tuple(ahead)


def _ties_to_come(stage: Stage, groups: Sequence[Group], fixtures: Sequence[Fixture]) -> Counter[int]:
    """Return how many matches ties make that have none yet, by round; a second final may not be needed."""
    if not stage.is_bracket:
        return Counter()
    begun = {fixture.tie_id for fixture in fixtures}
    open_ties = Tie.objects.filter(round__group__in=groups, decided_at=None).exclude(part=Part.RESET.value)
    matches = stage.chosen_options.legs * (stage.competition.boards or 1)
    counted: Counter[int] = Counter()
    for tie, round_id in open_ties.values_list("pk", "round_id"):
        counted[round_id] += 0 if tie in begun else matches
    return counted


def _hard_length(stage: Stage) -> timedelta | None:
    """Return after which time a round is ended from outside."""
    if stage.round_days is None or stage.at_round_end == RoundEnd.WAIT:
        return None
    return timedelta(days=stage.round_days)


def _open_match(fixture: Fixture, now: datetime) -> OpenMatch[int]:
    match = fixture.match
    if match is None or match.status != Status.PLAYING:
        # It is over, and waits to be counted.
        return OpenMatch(fixture.pk, (fixture.yellow_id, fixture.red_id), timedelta(0), 0, timedelta(0))
    increments = timedelta(seconds=match.time_increment * TURNS_TO_COME)
    # While it is paused its clocks stand still.
    at = match.paused_at or now
    left = match.banks.yellow + match.banks.red - (at - match.turn_started_at) + increments
    lasted = max(timedelta(0), at - match.created_at)
    return OpenMatch(match.pk, (fixture.yellow_id, fixture.red_id), lasted, match.ply, left)


def _later_stages(stages: Sequence[StageGroups], current: StageGroups) -> tuple[StageAhead, ...] | None:
    """Return the stages after the current one, ``None`` where only the players or the results will tell."""
    stage = current.stage
    if stage.gathers or stage.max_levels is not None:
        return None
    following = [each.stage for each in stages if each.stage.number > stage.number]
    if not following:
        return ()
    try:
        plans = plan_stages([each.stage for each in stages], sum(stages[0].sizes))
    except ImpossibleStage:
        return None
    by_number = dict(zip((each.stage.number for each in stages), plans, strict=True))
    played = (each for each in following if by_number[each.number].sizes)
    return tuple(part for each in played for part in _parts_of(each, by_number[each.number]))


def _levels_ahead(
    playing: Sequence[StageGroups], current: StageGroups, groups: Sequence[Group]
) -> LevelsAhead[int] | None:
    """Return how a stage is played on in levels, ``None`` where it is not, or in a way of which no forecast is made."""
    stage, competition = current.stage, current.stage.competition
    rule, options, last = stage.advance_rule, stage.grouping_options, stage.max_levels
    if rule is None or options is None or last is None or rule.best or options.league_size or stage.is_bracket:
        return None
    if stage.gathers:
        waiting = {each.stage.number: [seat.entry_id for seat in each.waiting] for each in playing}
    else:
        ended = [group for group in current.groups if group.ended_at is not None]
        found = qualifiers_by_group(stage, ended)
        waiting = {stage.number + 1: [entry for group in ended for entry in found[group.pk]]}
    won = _won_so_far(groups)
    number_of = {each.stage.pk: each.stage.number for each in playing}
    begun = [group.started_at for group in current.groups if group.started_at is not None]
    anchor = competition.starts_at or competition.started_at
    by_month = rule.begins == NEXT_MONTH and anchor is not None
    return LevelsAhead(
        groups=tuple(GroupOfLevel(number_of[group.stage_id], won[group.pk]) for group in groups),
        waiting=waiting,
        last=last,
        shape=partial(_shape_of, stage),
        split=partial(_split, options),
        first=rule.first,
        above=None if rule.above_percent is None else rule.above_percent / 100,
        gathers=options.whenever,
        begins=partial(find_month_after, anchor) if by_month and anchor is not None else None,
        begun=min(begun, default=None),
        at_once=stage.is_played_at_once,
        length=_hard_length(stage),
        placed=_placed_at(playing) if stage.gathers else {},
    )


def _placed_at(playing: Sequence[StageGroups]) -> dict[int, set[int]]:
    """Return who has or has had a place at each level above the first, by its number. One query."""
    placed: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(stage__in=[each.stage.pk for each in playing if each.stage.number > 1])
    for number, entry in seats.values_list("stage__number", "entry"):
        placed[number].add(entry)
    return dict(placed)


def _won_so_far(groups: Sequence[Group]) -> dict[int, dict[int, float]]:
    """Return the shares of matches that those who are in it have won, by group and entry. Two queries."""
    won: dict[int, dict[int, float]] = {group.pk: {} for group in groups}
    seats = Seat.objects.filter(group__in=groups, entry__status=EntryStatus.ACTIVE).order_by("pk")
    for group_id, entry in seats.values_list("group", "entry"):
        won[group_id or 0][entry] = 0.0
    counted = Fixture.objects.filter(group__in=groups, counted_at__isnull=False, is_annulled=False).order_by("pk")
    for group_id, yellow, red, of_yellow, of_red in counted.values_list(
        "group", "yellow", "red", "points_yellow", "points_red"
    ):
        points = (of_yellow or 0, of_red or 0)
        for entry, own in zip((yellow, red), points, strict=True):
            if entry in won[group_id]:
                won[group_id][entry] += own / sum(points) if sum(points) else 0.5
    return won


def _shape_of(stage: Stage, size: int) -> tuple[int, int]:
    outline = stage.format_spec.outline(size, stage.chosen_options)
    return outline.rounds or 1, outline.matches or 1


def _split(options: GroupingOptions, entrants: int) -> list[int]:
    """Return the sizes of the groups of a level; of too few there is one."""
    try:
        return split_evenly(entrants, count_groups(entrants, options))
    except ValueError:
        return [entrants]


def _parts_of(stage: Stage, plan: StagePlan) -> list[StageAhead]:
    """Return the rounds of a stage to come: in a bracket each has half as many ties as the one before."""
    length, outline = _hard_length(stage), outline_stage(stage, plan)
    rounds, matches = outline.rounds or 1, outline.matches or 1
    if stage.is_bracket:
        legs = stage.chosen_options.legs
        return [
            StageAhead(1, legs * sum(max(1, size >> number) for size in plan.sizes), length)
            for number in range(1, rounds + 1)
        ]
    if stage.is_played_at_once:
        return [StageAhead(1, matches)]
    return [StageAhead(rounds, ceil(matches / rounds), length)]


def _what_is_known(competition: Competition) -> Known[int]:
    counted = Fixture.objects.filter(
        competition_id=competition.pk, counted_at__isnull=False, is_annulled=False, match__finished_at__isnull=False
    ).order_by("-pk")[:MAX_PLAYED]
    columns = ("yellow_id", "red_id", "match__created_at", "match__finished_at", "match__ply")
    played = [
        PlayedMatch((yellow, red), max(timedelta(0), ended - began), moves)
        for yellow, red, began, ended, moves in counted.values_list(*columns)
        if moves
    ]
    latest = Match.objects.filter(game=competition.game).order_by("-pk")[:MAX_ELSEWHERE]
    lengths, paces = [], []
    for status, annulled, moves, began, ended, bank, increment in latest.values_list(
        "status", "annulled_at", "ply", "created_at", "finished_at", "time_bank", "time_increment"
    ):
        if status != Status.FINISHED or annulled is not None or not moves or ended is None:
            continue
        lengths.append(moves)
        if (bank, increment) == (competition.time_bank, competition.time_increment):
            paces.append((ended - began).total_seconds() / moves)
    return Known(played, [*lengths, *(each.moves for each in played)], paces)
