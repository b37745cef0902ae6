"""Every sentence of *How it works* is true: each recipe is played, and each kind of sentence has a check of its own."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Q

from formats.advancement import BY_DRAW, BY_RATING, NEXT_MONTH, SNAKE, plan_seeds
from formats.registry import FORMATS
from matches.models import Match
from matches.services import expire_due
from players.models import Player, Rating
from players.services import note_act
from rules_engine.values import Ending, Side
from tests.marks import nightly
from tests.matches.play import move_both
from tests.tournaments import verbs
from tests.tournaments.decisions.undoing import RECIPES, go_on
from tests.tournaments.office.hearing import DETAILS, Sentence, hear, kinds_in_source
from tests.tournaments.teams.cups import make_team_cup
from tests.tournaments.teams.leagues import enter, make_league, make_teams
from tests.tournaments.verbs import NOON, running
from tournaments.decisions.services.pairings import publish_round
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.decisions.services.undo.disqualifications import disqualify_entry
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.byes import request_bye
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.line_ups import set_line_up
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.making.services.series import make_series
from tournaments.models import (
    Bye,
    Competition,
    CompetitionStatus,
    Disqualification,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    ProposedRound,
    RatingChange,
    Round,
    Seat,
    Stage,
    Standing,
    Tie,
)
from tournaments.models.elo import START
from tournaments.models.errors import EntryRefused
from tournaments.models.season_dates import Rhythm
from tournaments.running.errors import ChallengeRefused
from tournaments.running.services.check_in_opening import open_due_check_ins
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.start import start_due_competitions

pytestmark = pytest.mark.django_db

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
WINS = {"5-0": [7, 1], "4-1": [6, 2], "3-2": [5, 3]}
OWN_TABLE = {"point_table": {**WINS, "2-2": 4, "bye": 3, "neither": 1}}
ROBIN = {"format": "round-robin"}


def two_stages(**first: Any) -> dict[str, Any]:
    """Return a round robin in two groups and then a knock-out, with these options of the first stage."""
    return {**ROBIN, "grouping": {"groups": 2}, "later": [{"format": "knock-out", "legs": 1}]} | first


MONTHLY = {**ROBIN, "grouping": {"size": 3}, "advance": {"first": 1, "levels": 99, "begins": NEXT_MONTH}}

MORE: dict[str, dict[str, Any]] = {
    "single matches": {"legs": 1, "replays": 0, "disqualification": Disqualification.ANNULLED},
    "one final": {"format": "double-elimination", "reset": False},
    "comebacks": {"legs": 1, "disqualification": Disqualification.COMEBACK},
    "double round robin": {
        **ROBIN,
        "disqualification": Disqualification.LOST,
        "cycles": 2,
        "begin_hours": 30,
        "protest_hours": 24,
    },
    "swiss of one round": {"format": "swiss", "rounds": 1, "byes_on_request": True, **OWN_TABLE},
    "swiss as long as a knock-out": {"format": "swiss", "organisers_publish": True},
    "own points": {**ROBIN, **OWN_TABLE, "is_rated": False, "disqualification": Disqualification.ANNULLED},
    "ladder of a window": {"rematch_days": 0, "min_matches": 3, "window_days": 30, "best_results": 2},
    "ladder of best results": {
        "rematch_days": 0,
        "window_days": 0,
        "best_results": 1,
        "tiebreaks": ["points", "sonneborn-berger", "draw"],
    },
    "ladder of players": {
        "format": "challenge-ladder",
        "challenges_by": "players",
        "rematch_days": 1,
        "return_days": 1,
    },
    "ladder in time": {"format": "challenge-ladder", "challenges_by": "in-time", "inactive_days": 1},
    "forfeit at the end of rounds": {"legs": 1, "round_days": 7, "at_round_end": "forfeit"},
    "score at the end of rounds": {"legs": 1, "round_days": 7, "at_round_end": "adjudicate"},
    "leagues that one only leaves": {
        **ROBIN,
        "grouping": {"league_size": 6, "last_promoted": 0, "last_to_stay": 4},
        "seeding": "season",
    },
    "leagues with two play-offs": {
        **ROBIN,
        "grouping": {"league_size": 6, "last_promoted": 1, "last_to_stay": 5},
        "advance": {"first": 0, "play_offs": 2},
        "later": [{"format": "knock-out", "legs": 1, "grouping": {"size": 3}}],
    },
    "monthly cup": MONTHLY,
    "two levels": {**ROBIN, "grouping": {"size": 3}, "advance": {"first": 2, "levels": 2}},
    "best in place": two_stages(advance={"first": 1, "best": 1, "seeding": BY_RATING}),
    "by draw": two_stages(advance={"first": 2, "seeding": BY_DRAW}),
    "in a snake": two_stages(advance={"first": 2, "seeding": SNAKE, "begins": NEXT_MONTH}),
    "first of one group": two_stages(grouping=None, advance={"first": 4}),
    "above a share": two_stages(grouping=None, advance={"first": 0, "above_percent": 40}),
    "groups again": two_stages(
        grouping=None,
        advance={"first": 6},
        later=[{**ROBIN, "grouping": {"groups": 2}, "advance": {"first": 1}}, {"format": "knock-out", "legs": 1}],
    ),
    "by invitation": {**ROBIN, "by_invitation": True, "min_rating": 100, "max_rating": 2000},
    "by password": {**ROBIN, "password": "md5$hash", "admits_computers": True},
    "with check-in": {**ROBIN, "check_in_minutes": 60, "starts_at": NOON + DAY},
    "without vacation": {**ROBIN, "vacation_limit": 0},
    "with vacation": {**ROBIN, "vacation_limit": 3},
    "league of teams, twice, by invitation": {"cycles": 2, "by_invitation": True},
    "knock-out of teams, twice, by password": {"legs": 2, "password": "md5$hash"},
}
ALL = RECIPES | MORE
USUAL = ("two legs", "swiss", "groups then knock-out", "points ladder", "leagues with play-offs")
"""The others are asked at night."""


@dataclass
class Case:
    """A recipe, of which competitions are made and played."""

    name: str
    over: Any = None
    """The competition, played to its end or for long; ``None`` before."""
    sentence: Sentence = field(default_factory=lambda: Sentence("", ""))
    """What is asked now."""

    @property
    def options(self) -> dict[str, Any]:
        return {"is_rated": True} | ALL[self.name]

    @property
    def size(self) -> int:
        return 4 if self.is_of_teams else 14 if "leagues" in self.name else 7

    @property
    def is_of_teams(self) -> bool:
        return "teams" in self.name

    @property
    def is_endless(self) -> bool:
        return "ladder" in self.name and "league" not in self.name

    @property
    def stage(self) -> Stage:
        """Return the stage of which the sentence speaks."""
        return Stage.objects.get(competition=self.over, number=self.sentence.stage)

    def make(self, **more: Any) -> Any:
        """Return a competition that is open for entry."""
        options = self.options | more
        if self.is_of_teams:
            return (make_league if "league" in self.name else make_team_cup)(2, **options)
        return verbs.make_ladder(**options) if self.is_endless else verbs.make_cup(**{"tiebreaks": []} | options)

    def open(self, **more: Any) -> Competition:
        """Return one that is open to everybody, which so many have entered."""
        free = {name: value for name, value in FREE.items() if name in self.options}
        competition = self.make(**free | more)
        if self.is_of_teams:
            for team in make_teams(self.size, 3):
                enter(competition, team)
        else:
            verbs.enter_all(competition, verbs.make_players(self.size))
        return competition

    def begin(self, **more: Any) -> Competition:
        """Return one that has started."""
        competition = self.open(**more)
        if competition.status != CompetitionStatus.RUNNING:
            competition.refresh_from_db()
        if competition.status != CompetitionStatus.RUNNING:
            verbs.start(competition)
        settle(competition, NOON)
        return competition

    def play(self) -> None:
        """Play one to its end, or a ladder for some days: of two the one who came first wins."""
        self.over = self.begin()
        play_on(self.over)


FREE = {"by_invitation": False, "password": "", "min_rating": None, "max_rating": None, "check_in_minutes": None}


def settle(competition: Competition, now: datetime) -> None:
    """Let the workers do what there is to do; an organiser publishes what waits for one."""
    go_on(competition, now)
    for proposed in ProposedRound.objects.filter(group__stage__competition=competition).select_related("group__stage"):
        publish_round(proposed=proposed, actor=verbs.boss(), now=now)


def play_on(competition: Competition, until: Callable[[], bool] = lambda: False) -> None:
    """Play a day after the other until it is over, a ladder for a week: of two the one who came first wins."""
    now, days, is_endless = NOON, 0, competition.is_endless
    while competition.status == CompetitionStatus.RUNNING and days < (7 if is_endless else 200) and not until():
        if days == 0 and not running(competition):
            upper, lower = Entry.objects.filter(competition=competition).order_by("seats__position", "pk")[:2]
            verbs.let_challenge(lower, upper, now)
        fixtures = running(competition)
        if days == 0:
            # What nobody has begun is not rated.
            move_both(fixtures[0].match)
        now, days = now + DAY, days + 1
        for fixture in fixtures:
            verbs.end(fixture, min(fixture.yellow, fixture.red, key=lambda each: each.pk), now)
        if competition.first_stage.gathers and competition.first_stage.late_entry and not fixtures:
            verbs.close_entry(competition, by=verbs.boss(), now=now)
        settle(competition, now)


def counting(**given: Any) -> Any:
    return Fixture.objects.filter(is_annulled=False, match__isnull=False, **given).select_related("match", "round")


def meetings(group: Group) -> Counter[tuple[int, int]]:
    """Return how often two have met in a group, board by board, by their ids as they sat."""
    return Counter(counting(group=group, board__in=[1]).values_list("yellow", "red")) or Counter(
        counting(group=group).values_list("yellow", "red")
    )


def groups_of(case: Case) -> list[Group]:
    return list(Group.objects.filter(stage=case.stage).select_related("stage"))


# What is seen once it has been played


def everybody_meets(times: int) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        for group in groups_of(case):
            seats = list(Seat.objects.filter(group=group).values_list("entry", flat=True))
            met = meetings(group)
            for first, second in combinations(seats, 2):
                there, back = met[first, second], met[second, first]
                assert (there + back, there == back or times == 1) == (times, True)

    return check


def each_tie_has(legs: int) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        boards = case.over.boards or 1
        played = Counter(counting(group__stage=case.stage).values_list("tie", flat=True))
        assert played
        assert set(played.values()) == {legs * boards}
        if legs == 2 and boards == 1:
            for tie in played:
                first, second = counting(tie=tie)
                assert (first.yellow_id, first.red_id) == (second.red_id, second.yellow_id)
                assert first.match.created_at == second.match.created_at

    return check


def losers_of_semi_finals_meet(case: Case) -> None:
    last = max(Tie.objects.values_list("round__number", flat=True))
    third = Tie.objects.get(part="third-place")
    semi = Tie.objects.filter(round__number=last - 1, part="main")
    losers = {({each.first_id, each.second_id} - {each.winner_id}).pop() for each in semi}
    assert {third.first_id, third.second_id} == losers


def two_losses_are_the_end(case: Case) -> None:
    lost: Counter[int] = Counter()
    for tie in Tie.objects.filter(winner__isnull=False, first__isnull=False, second__isnull=False).order_by(
        "round__number", "pk"
    ):
        assert all(lost[each] < 2 for each in (tie.first_id, tie.second_id))
        lost[({tie.first_id, tie.second_id} - {tie.winner_id}).pop()] += 1
    others = Entry.objects.exclude(pk=case.over.winner_id).values_list("pk", flat=True)
    assert {lost[each] for each in others} == {2}


def has_rounds(case: Case) -> None:
    given = case.sentence.given
    expected = given["rounds"] if given else 1
    assert Round.objects.filter(group__stage=case.stage, started_at__isnull=False).count() == expected


def has_rounds_of_knock_out(case: Case) -> None:
    assert Round.objects.filter(group__stage=case.stage).count() == (case.size - 1).bit_length()


def nobody_meets_twice(case: Case) -> None:
    for group in groups_of(case):
        assert max(Counter(map(frozenset, meetings(group))).values()) == 1


def nobody_has_two_byes(case: Case) -> None:
    byes = Counter(Bye.objects.filter(is_asked=False).values_list("seat", flat=True))
    assert byes
    assert max(byes.values()) == 1


def bye_gives_points(case: Case) -> None:
    bye = Bye.objects.filter(is_asked=False).first()
    assert bye is not None
    row = Standing.objects.get(seat=bye.seat)
    won = sum(
        each.points[side]
        for each in counting(counted_at__isnull=False)
        for side in Side
        if (each.yellow_id if side is Side.YELLOW else each.red_id) == bye.seat.entry_id
    )
    assert row.points - won == case.sentence.given["points"] == case.over.scoring.bye


def points_are_of_the_table(case: Case) -> None:
    fixtures = counting(counted_at__isnull=False)
    assert fixtures
    pairs = {f"{max(each.points)}–{min(each.points)}" for each in fixtures}
    if case.over.boards is None:
        assert pairs <= {f"{worth.winner}–{worth.loser}" for worth in case.over.scoring.wins.values()}
        assert all(pair in str(case.sentence.given) for pair in pairs)


def rated(*, counts: bool) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        assert Rating.objects.filter(games__gt=0).exists() is counts

    return check


def groups_hold(case: Case) -> None:
    """Check the sizes of groups, or how many there are."""
    stages = [each for each in case.over.all_stages if each.grouping is not None]
    number = case.sentence.given if isinstance(case.sentence.given, int) else case.sentence.given["size"]
    for stage in stages:
        sizes = Counter(Seat.objects.filter(group__stage=stage).values_list("group", flat=True))
        options = stage.grouping_options
        assert options is not None
        if options.whenever is not None:
            assert set(sizes.values()) == {number}
        elif options.size is not None:
            assert max(sizes.values()) <= number
        elif options.groups is not None:
            assert len(sizes) == number


def leagues_double(case: Case) -> None:
    leagues = Counter(each.league for each in groups_of(case))
    assert leagues[1] == 1
    assert len(leagues) > 1
    assert all(leagues[number] <= 2 * leagues[number - 1] for number in leagues if number and number > 1)


def leagues_have_about(case: Case) -> None:
    sizes = Counter(Seat.objects.filter(group__stage=case.stage).values_list("group", flat=True))
    assert all(abs(size - case.sentence.given["size"]) <= case.sentence.given["size"] / 2 for size in sizes.values())


def first_of_the_last_group_wins(case: Case) -> None:
    """Check that who wins is first of League 1, or of the highest level."""
    assert case.over.status == CompetitionStatus.FINISHED
    stage = Stage.objects.filter(competition=case.over, groups__started_at__isnull=False).latest("number")
    if case.over.first_stage.has_leagues:
        stage = case.over.first_stage
    rows = Standing.objects.filter(seat__group__stage=stage, seat__group__number=1, place=1)
    best = rows.values_list("seat__entry", flat=True)
    assert case.over.winner_id in best or stage.groups.count() > 1


def leagues_play_off(case: Case) -> None:
    """Check who defends a place of a group against whom of the groups below it, and that these meet first."""
    stage = case.over.first_stage
    leagues = stage.grouping_options
    assert leagues is not None
    rows = {row.seat.entry_id: row for row in Standing.objects.filter(seat__stage=stage).select_related("seat__group")}
    play_offs = Group.objects.filter(stage__competition=case.over, stage__number=2)
    assert play_offs
    for group in play_offs:
        first, *others = Seat.objects.filter(group=group).order_by("seed").values_list("entry", flat=True)
        number, rank = rows[first].seat.group.number, rows[first].place
        assert leagues.stays_to - stage.play_offs < rank <= leagues.stays_to
        for other in others:
            assert rows[other].seat.group.number in {2 * number, 2 * number + 1}
            assert rows[other].place - leagues.promoted_to == leagues.stays_to + 1 - rank
        opening = Tie.objects.filter(round__group=group).earliest("round__number")
        assert {opening.first_id, opening.second_id} == set(others if len(others) == 2 else [first, *others])


def one_is_left(case: Case) -> None:
    last = Stage.objects.filter(competition=case.over).latest("number")
    assert (case.over.status, last.groups.count(), last.number > 1) == (CompetitionStatus.FINISHED, 1, True)


def at_most_so_many_levels(case: Case) -> None:
    assert Stage.objects.filter(competition=case.over).count() <= case.sentence.given["levels"]


def so_many_go_on(case: Case) -> None:
    """Check that the first of each group go on, and the best of the next place."""
    for stage in case.over.all_stages:
        rule, following = stage.advance_rule, stage.number + 1
        if rule is None:
            continue
        going_on = set(Seat.objects.filter(stage__number=following).values_list("entry", flat=True))
        if not going_on:
            continue
        rows = Standing.objects.filter(seat__stage=stage)
        if rule.above_percent is not None:
            most = case.over.scoring.maximum
            better = {
                each.seat.entry_id
                for each in rows.select_related("seat")
                if each.points * 100 > rule.above_percent * each.played * most
            }
            assert going_on == better
        else:
            first = set(rows.filter(place__lte=rule.first).values_list("seat__entry", flat=True))
            next_ones = set(rows.filter(place=rule.first + 1).values_list("seat__entry", flat=True))
            assert first <= going_on
            assert (len(going_on - first), going_on - first <= next_ones) == (rule.best, True)


def next_level_begins_on_the_day(case: Case) -> None:
    first, second = (
        Group.objects.filter(stage__competition=case.over, stage__number=number).earliest("started_at").started_at
        for number in (1, 2)
    )
    assert (first.day, first.month + 1) == (second.day, second.month)


FirstOnes = list[tuple[int, int]]
"""The first of each group, by their seeds in the next stage: the numbers of their groups, and the players."""


def seeds_follow(are_in_order: Callable[[Stage, FirstOnes], bool]) -> Callable[[Case], None]:
    """Check that those who go on are seeded by their places, the first of the groups as it is said of them.

    In the first round of a bracket nobody meets somebody of the own group.
    """

    def check(case: Case) -> None:
        stage = case.stage
        groups = list(Group.objects.filter(stage__competition=case.over, stage__number=stage.number + 1))
        for group in groups:
            seeds = Seat.objects.filter(group=group).order_by("seed").values_list("seed", flat=True)
            assert list(seeds) == list(range(1, len(seeds) + 1))
        if len(groups) != 1 or stage.gathers:
            return
        rows = Standing.objects.filter(seat__stage=stage)
        came = {entry: each for entry, *each in rows.values_list("seat__entry", "place", "group__number")}
        seats = Seat.objects.filter(group=groups[0]).order_by("seed")
        seeded = [(*came[entry], player) for entry, player in seats.values_list("entry", "entry__player")]
        assert seeded
        assert [place for place, *_ in seeded] == sorted(place for place, *_ in seeded)
        assert are_in_order(stage, [(group, player) for place, group, player in seeded if place == 1])
        if stage.grouping is not None and not stage.advance_rule.best:
            ties = Tie.objects.filter(round__group=groups[0], round__number=1, first__isnull=False)
            ties = ties.filter(second__isnull=False)
            assert all(came[first][1] != came[second][1] for first, second in ties.values_list("first", "second"))

    return check


def by_groups(_stage: Stage, firsts: FirstOnes) -> bool:
    return [group for group, _player in firsts] == sorted(group for group, _player in firsts)


def seeded_by_rating(case: Case) -> None:
    """Check that the first of the last group is seeded first if that group alone has been rated before all ended."""
    competition = case.begin()
    last = Group.objects.filter(stage__competition=competition).latest("number")
    for fixture in running(competition):
        if fixture.group_id == last.pk:
            move_both(fixture.match)
            verbs.end(fixture, min(fixture.yellow, fixture.red, key=lambda each: each.pk), NOON + HOUR)
    settle(competition, NOON + HOUR)
    play_on(competition, until=lambda: Group.objects.filter(stage__number=2, started_at__isnull=False).exists())

    def by_rating(_stage: Stage, firsts: FirstOnes) -> bool:
        changes = RatingChange.objects.filter(finished_at__lte=NOON + HOUR)
        ratings = [changes.filter(player=each).order_by("finished_at", "match").last() for _group, each in firsts]
        rated = [START if each is None else each.after for each in ratings]
        return firsts[0][0] == last.number and rated == sorted(rated, reverse=True) and len(set(rated)) > 1

    seeds_follow(by_rating)(replace(case, over=competition))


def by_draw(stage: Stage, firsts: FirstOnes) -> bool:
    """Return whether they come in an order that another draw would change, as this draw has it."""
    following = Stage.objects.get(competition=stage.competition_id, number=stage.number + 1)
    sizes = [group.seats.count() for group in Group.objects.filter(stage=stage).order_by("number")]
    orders = [
        [each.group for each in plan_seeds(stage.advance_rule, sizes, seed) or () if each.rank == 1]
        for seed in (following.draw_seed or 0, *range(20))
    ]
    return orders[0] == [group for group, _player in firsts] and any(each != orders[0] for each in orders)


def seeded_by_places(case: Case) -> None:
    """Check that those of one table have the seeds of their places, dealt in a snake where there are several groups."""
    for stage in case.over.all_stages:
        rule = stage.advance_rule
        if rule is not None and stage.grouping is None:
            places = Standing.objects.filter(seat__stage=stage).order_by("place")
            following = Seat.objects.filter(stage__number=stage.number + 1, group__isnull=False)
            count = following.values("group").distinct().count()
            dealt: dict[int, list[int]] = defaultdict(list)
            for number, entry in enumerate(places.values_list("seat__entry", flat=True)[: following.count()]):
                row, column = divmod(number, count)
                dealt[count - column if row % 2 else column + 1].append(entry)
            seeded: dict[int, list[int]] = defaultdict(list)
            for group, entry in following.order_by("seed").values_list("group__number", "entry"):
                seeded[group].append(entry)
            assert seeded == dealt


def results_count(case: Case) -> None:
    """Check that the best results count, or all."""
    best = case.stage.chosen_options.best_results
    for row in Standing.objects.filter(place__isnull=False).select_related("seat"):
        points = sorted(
            (
                each.points[side]
                for each in counting(counted_at__isnull=False)
                for side in Side
                if (each.yellow_id if side is Side.YELLOW else each.red_id) == row.seat.entry_id
            ),
            reverse=True,
        )
        assert row.points == sum(points[: best or None])


def ranked_after(case: Case) -> None:
    least = case.sentence.given["number"]
    rows = Standing.objects.all()
    played = {row.seat_id: row.played for row in rows}
    games = Counter(entry for each in counting(counted_at__isnull=False) for entry in (each.yellow_id, each.red_id))
    for row in rows.select_related("seat"):
        assert (row.place is not None) == (games[row.seat.entry_id] >= least), played


def boards_meet(case: Case) -> None:
    boards = set(counting().values_list("board", flat=True))
    assert boards == set(range(1, case.sentence.given + 1))


def teams_win_by_points(case: Case) -> None:
    """Check that who won all boards has won, and that a win counts two."""
    rows = {each.seat.entry_id: each.points for each in Standing.objects.select_related("seat")}
    if case.over.all_stages[0].is_bracket:
        assert case.over.winner_id == min(Entry.objects.values_list("pk", flat=True))
    else:
        met = 2 * case.stage.chosen_options.cycles
        assert max(rows.values()) == met * (case.size - 1)


# What is tried on one of its own


def level_ties(case: Case) -> None:
    competition = case.begin()
    play_on(competition, until=Tie.objects.exists)
    tie = Tie.objects.filter(second__isnull=False, first__isnull=False, decided_at=None).earliest("round", "slot")
    options, boards = tie_stage(tie).chosen_options, competition.boards or 1
    while fixtures := [each for each in running(competition) if each.tie_id == tie.pk]:
        for each in fixtures:
            verbs.end(each, None, NOON + HOUR)
        settle(competition, NOON + HOUR)
    tie.refresh_from_db()
    assert counting(tie=tie).count() == (options.legs + 2 * options.replays) * boards
    seeds = dict(Seat.objects.filter(stage=tie_stage(tie)).values_list("entry", "seed"))
    assert tie.winner_id == min((tie.first_id, tie.second_id), key=lambda each: seeds[each] or 0)


def goals_decide(case: Case) -> None:
    """Check that of two who have won a leg each the one with more goals goes on, who has the lower seed."""
    competition = case.begin()
    play_on(competition, until=Tie.objects.exists)
    tie = Tie.objects.filter(second__isnull=False, first__isnull=False, decided_at=None).earliest("round", "slot")
    better = lower_seed(tie_stage(tie), tie.first_id, tie.second_id)
    for number, leg in enumerate(each for each in running(competition) if each.tie_id == tie.pk):
        win_by_goals(leg, better, wins=number == 0)
    settle(competition, NOON + HOUR)
    tie.refresh_from_db()
    assert (tie.winner_id, tie.decided_by) == (better, "goals")


def goals_decide_between_teams(case: Case) -> None:
    """Check that of two teams who have won as many boards each the one with more goals wins, with the lower seed."""
    competition = case.begin()
    fixtures = running(competition)
    stage, pair = competition.first_stage, {fixtures[0].yellow_id, fixtures[0].red_id}
    better = lower_seed(stage, *pair)
    together = [each for each in fixtures if {each.yellow_id, each.red_id} == pair]
    for number, each in enumerate(together):
        win_by_goals(each, better, wins=number % 2 == 0, goals=3 if number == 0 else 0)
    settle(competition, NOON + HOUR)
    if stage.is_bracket:
        assert Tie.objects.get(first__in=pair, second__in=pair).winner_id == better
    else:
        rows = dict(Standing.objects.filter(seat__entry__in=pair).values_list("seat__entry", "points"))
        assert rows[better] - rows[(pair - {better}).pop()] == 2


def lower_seed(stage: Stage, first: int | None, second: int | None) -> int:
    """Return who of two would not go on by the seeds."""
    seats = Seat.objects.filter(stage=stage, entry__in=[first, second]).order_by("seed")
    return list(seats.values_list("entry", flat=True))[-1]


def win_by_goals(fixture: Fixture, entry: int, *, wins: bool, goals: int = 3) -> None:
    """Let an entrant win a match by so many goals, or lose it with none."""
    own = Side.YELLOW if fixture.yellow_id == entry else Side.RED
    verbs.end(fixture, own if wins else own.opponent, NOON + HOUR)
    if wins and goals:
        shot = {f"goals_{own.value}": goals, f"goals_{own.opponent.value}": 0}
        verbs.correct(fixture, own, verbs.boss(), NOON + HOUR, **shot)


def tie_stage(tie: Tie) -> Stage:
    return Stage.objects.get(groups__rounds=tie.round_id)


def final_is_played(times: int) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        competition = case.begin()
        now = NOON
        while fixtures := running(competition):
            now += DAY
            for each in fixtures:
                # The winner of the losers' bracket, who has lost before, wins the final.
                lost = Tie.objects.filter(Q(first=each.yellow) | Q(second=each.yellow), part="main")
                has_lost = lost.exclude(winner=each.yellow).exists()
                verbs.end(each, Side.YELLOW if has_lost or each.tie.part != "final" else Side.RED, now)
            settle(competition, now)
        finals = counting(tie__part__in=["final", "reset"]).values_list("tie", flat=True)
        assert len(set(finals)) == times

    return check


def withdrawn_leader_does_not_win(case: Case) -> None:
    competition = case.begin()
    leader = Entry.objects.filter(competition=competition).earliest("pk")
    group = Group.objects.filter(seats__entry=leader).first() or Group.objects.first()
    mates = [each for each in running(competition) if each.group_id == group.pk]
    for each in mates[: len(mates) // 2 + 1]:
        verbs.end(each, leader if leader in (each.yellow, each.red) else None, NOON + HOUR)
    left_any = any(leader in (each.yellow, each.red) for each in running(competition))
    verbs.withdraw(leader, by=verbs.boss(), now=NOON + 2 * HOUR)
    settle(competition, NOON + 2 * HOUR)
    play_on(competition)
    competition.refresh_from_db()
    assert (competition.winner_id != leader.pk) or not left_any


def disqualified_has_no_place(case: Case) -> None:
    """Check what becomes of the results of who is disqualified after having won, by the rule of the competition."""
    competition = case.begin()
    if case.is_endless:
        lower, upper = Entry.objects.filter(competition=competition).order_by("pk")[:2]
        first = next(iter(running(competition)), None) or verbs.let_challenge(upper, lower)
    else:
        first = running(competition)[0]
    cheat, beaten = first.yellow, first.red
    for each in running(competition):
        if {cheat, beaten} == {each.yellow, each.red}:
            verbs.end(each, cheat, NOON + HOUR)
    settle(competition, NOON + HOUR)
    rule, late = competition.disqualification, NOON + 2 * HOUR
    disqualify_entry(entry_id=cheat.pk, rule=None, confirm=True, actor=verbs.boss(), reason="A cheat.", now=late)
    settle(competition, late)
    assert not Standing.objects.filter(seat__entry=cheat, place__isnull=False).exists()
    stage = Stage.objects.get(groups=first.group_id)
    first.refresh_from_db()
    if rule == Disqualification.COMEBACK and first.tie is not None:
        following = Tie.objects.exclude(pk=first.tie_id).filter(Q(first=beaten) | Q(second=beaten))
        assert following.exists() or Tie.objects.get(pk=first.tie_id).winner_id == beaten.pk
    elif stage.is_bracket or rule == Disqualification.STAND:
        assert (first.is_annulled, first.points.yellow > first.points.red) == (False, True)
    elif rule == Disqualification.LOST:
        assert (first.is_annulled, first.points.yellow < first.points.red) == (False, True)
    else:
        assert first.is_annulled


def neither_gets(case: Case) -> None:
    competition = case.begin(round_days=7, at_round_end="forfeit")
    end_due_rounds(now=NOON + 7 * DAY)
    settle(competition, NOON + 7 * DAY)
    given = case.sentence.given["points"]
    assert {tuple(each.points) for each in counting(round__number=1)} == {(given, given)}


def refused(case: Case, player: Player | None = None, **given: Any) -> bool:
    competition = case.make()
    stranger = player or verbs.make_players(1, prefix="stranger")[0]
    try:
        enter_competition(competition_id=competition.pk, player=stranger, now=NOON, **given)
    except EntryRefused:
        return True
    return False


def strangers_are_refused(case: Case) -> None:
    if case.is_of_teams:
        (team,) = make_teams(1, 3)
        with pytest.raises(EntryRefused):
            enter(case.make(), team)
    else:
        assert refused(case)


def ratings_limit(case: Case) -> None:
    limit, competition = case.sentence.given["rating"], case.make(by_invitation=False)
    is_least = limit == competition.min_rating
    for number, (rating, is_in) in enumerate([(limit, True), (limit - 1 if is_least else limit + 1, False)]):
        (player,) = verbs.make_players(1, prefix=f"rated-{number}")
        Rating.objects.create(player=player, family=competition.rules.family, rating=rating)
        try:
            verbs.enter(competition, player)
        except EntryRefused:
            assert not is_in
        else:
            assert is_in


def computers_may_enter(case: Case) -> None:
    competition = case.make(password="")
    (odd,) = verbs.make_players(1, prefix="odd")
    odd.is_computer = True
    odd.save()
    assert verbs.enter(competition, odd).is_in


def absent_do_not_play(case: Case) -> None:
    minutes = case.options["check_in_minutes"]
    competition = case.open(check_in_minutes=minutes)
    starts = case.options["starts_at"]
    assert open_due_check_ins(now=starts - timedelta(minutes=minutes + 1)) == 0
    assert open_due_check_ins(now=starts - timedelta(minutes=minutes)) == 1
    there = list(Player.objects.filter(entries__competition=competition).order_by("pk"))[:3]
    for player in there:
        check_in(competition_id=competition.pk, player=player, now=starts - HOUR / 2)
    start_due_competitions(now=starts)
    assert verbs.players_in(competition) == [each.username for each in there]


def vacation_is_limited(case: Case) -> None:
    case.begin()
    limits = set(Match.objects.values_list("vacation_limit", flat=True))
    assert limits == {case.options["vacation_limit"]}
    assert case.sentence.given in ({}, {"count": case.options["vacation_limit"]})


def first_move_is_in_time(case: Case) -> None:
    hours = case.options["begin_hours"]
    competition = case.begin(vacation_limit=0)
    (first, *_others) = running(competition)
    loser = Side(first.match.side)
    expire_due(now=NOON + hours * HOUR - timedelta(seconds=1))
    assert not counting(match__ending=Ending.FORFEIT)
    expire_due(now=NOON + hours * HOUR)
    match = Match.objects.get(pk=first.match_id)
    assert (match.ending, match.winner) == (Ending.FORFEIT, loser.opponent)


def end_is_provisional(case: Case) -> None:
    competition = case.begin()
    play_on(competition)
    assert competition.finished_at is not None
    assert competition.provisional_until == competition.finished_at + case.options["protest_hours"] * HOUR


def round_ends_after_days(case: Case) -> None:
    competition = case.begin()
    ends = Round.objects.filter(group__stage__competition=competition, started_at__isnull=False)
    assert {each.ends_at - each.started_at for each in ends} == {case.sentence.given * DAY}


def at_the_end_of_a_round(decides: str) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        competition = case.begin(**({} if case.is_of_teams else {"replays": 0} if "legs" in case.options else {}))
        moved, untouched, *_others = running(competition)
        verbs.move_in(moved)
        to_move = Side(Match.objects.get(pk=moved.match_id).side)
        end_due_rounds(now=NOON + 7 * DAY)
        match, other = (Match.objects.get(pk=each.match_id) for each in (moved, untouched))
        if decides == "wait":
            assert (match.finished_at, other.finished_at) == (None, None)
        else:
            assert (other.winner or None, other.ending) == (None, Ending.FORFEIT)
            expected = match.side_ahead if decides == "score" else to_move.opponent
            assert (match.finished_at is not None, match.winner or None) == (True, expected)

    return check


def players_move_between_leagues(case: Case) -> None:
    """Check who plays in which league of the next season, as far as there are places."""
    cup = case.open(starts_at=NOON, seeding="season", organiser=verbs.boss())
    options = {"name": "Leagues", "rhythm": Rhythm.AFTER_END, "announce_days": 5}
    series = make_series(competition=cup, options=options, actor=verbs.boss(), now=NOON)
    cup.refresh_from_db()
    verbs.start(cup)
    play_on(cup)
    assert cup.finished_at is not None
    assert announce_due_seasons(now=cup.finished_at + DAY) == 1
    season = Competition.objects.get(series=series, season=2)
    verbs.start(season, cup.finished_at + 9 * DAY)
    before, after = ({each.entry.player_id: each for each in seats_of(one)} for one in (cup, season))
    leagues = cup.first_stage.grouping_options
    assert leagues is not None
    given = {"up": leagues.promoted_to, "stay": leagues.stays_to} | (case.sentence.given or {})
    up, stay = given["up"], given["stay"]
    places = {row.seat.entry.player_id: row.place for row in standings_of(cup)}
    belongs = {}
    for player, seat in before.items():
        league, place = seat.group.league, places[player]
        belongs[player] = max(1, league - 1) if place <= up else league if place <= stay else league + 1
    for group in Group.objects.filter(stage__competition=cup, stage__number=2):
        met = Seat.objects.filter(group=group).values_list("entry__player", flat=True)
        higher = min(before[player].group.league for player in met)
        final = Tie.objects.filter(round__group=group).latest("round__number")
        belongs |= {player: higher + (player != final.winner.player_id) for player in met}
    assert len(set(belongs.values())) > 1
    for player, other in combinations(belongs, 2):
        if belongs[player] < belongs[other]:
            assert after[player].group.league <= after[other].group.league


def seats_of(competition: Competition) -> Any:
    first = Seat.objects.filter(stage__competition=competition, stage__number=1)
    return first.select_related("group__stage", "entry")


def standings_of(competition: Competition) -> Any:
    first = Standing.objects.filter(seat__stage__competition=competition, seat__stage__number=1)
    return first.select_related("seat__entry")


def group_starts_when_full(case: Case) -> None:
    size, competition = case.sentence.given["size"], case.make()
    players = verbs.make_players(size)
    for player in players[:-1]:
        verbs.enter(competition, player)
    start_due_competitions(now=NOON)
    assert not Group.objects.filter(started_at__isnull=False).exists()
    verbs.enter(competition, players[-1])
    start_due_competitions(now=NOON)
    settle(Competition.objects.get(pk=competition.pk), NOON)
    assert Group.objects.filter(started_at__isnull=False).count() == 1


def can_join_again(case: Case) -> None:
    competition = case.begin()
    playing = Entry.objects.filter(seats__group__isnull=False).first()
    assert playing is not None
    waiting = Seat.objects.filter(group=None).select_related("entry").first()
    verbs.enter(competition, playing.player)
    assert Seat.objects.filter(entry=playing).count() == 2
    if waiting is not None:
        with pytest.raises(EntryRefused):
            verbs.enter(competition, waiting.entry.player)


def plays_up_to(case: Case) -> None:
    competition = case.begin()
    games = Counter(entry for each in running(competition) for entry in (each.yellow_id, each.red_id))
    assert max(games.values()) == case.sentence.given["games"]


def window_holds(case: Case) -> None:
    competition = case.begin()
    now = NOON
    for _ in range(3):
        now += DAY
        verbs.end_all(competition, now=now)
        settle(competition, now)
    days = case.sentence.given["days"]
    before = Standing.objects.filter(played__gt=0).count()
    verbs.recompute_tables(competition_id=competition.pk, now=now + (days + 2) * DAY)
    assert (before > 0, Standing.objects.filter(played__gt=0).count()) == (True, 0)


def inactive_leave(case: Case) -> None:
    days, competition = case.sentence.given["days"], case.open()
    for player in Player.objects.filter(entries__competition=competition):
        note_act(player=player, now=NOON)
    verbs.start(competition)
    verbs.pair(competition, NOON + days * DAY - HOUR)
    left = Entry.objects.filter(competition=competition, status=EntryStatus.GONE)
    assert not left.exists()
    for fixture in running(competition):
        verbs.end(fixture, None, NOON + days * DAY)
    verbs.pair(competition, NOON + (days + 2) * DAY)
    assert left.count() == case.size


def challenge_ladder(case: Case, **options: Any) -> tuple[Competition, list[Entry]]:
    """Return a ladder on which games start only by hand, and its entries from the top."""
    competition = case.open(**{"challenges_by": "players", "rematch_days": 0} | options)
    verbs.start(competition)
    return competition, list(Entry.objects.filter(competition=competition).order_by("seats__position"))


def winner_moves_above(case: Case) -> None:
    _ladder, entries = challenge_ladder(case)
    challenger, opponent = entries[4], entries[2]
    verbs.end(verbs.let_challenge(challenger, opponent), challenger, NOON + HOUR)
    order = list(Entry.objects.order_by("seats__position"))
    assert order.index(challenger) == 2
    assert order.index(opponent) == 3


def reach_is(case: Case) -> None:
    _ladder, entries = challenge_ladder(case, max_incoming=9, max_outgoing=9)
    for position, reach in ((3, 2), (4, 2), (5, 3), (7, 3)):
        challenger = entries[position - 1]
        verbs.let_challenge(challenger, entries[position - 1 - reach])
        if position > reach + 1:
            with pytest.raises(ChallengeRefused):
                verbs.let_challenge(challenger, entries[position - 2 - reach])


def games_start(when: str) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        competition = case.open()
        verbs.start(competition)
        verbs.pair(competition, NOON + timedelta(minutes=1))
        at_once = len(running(competition))
        bank = competition.time_control.bank
        verbs.pair(competition, NOON + bank / 10 + timedelta(minutes=1))
        later = len(running(competition))
        assert (at_once > 0, later > 0) == (when == "at-once", when != "players")

    return check


def rematches_are_after(case: Case) -> None:
    days = (case.sentence.given or {"days": 0})["days"]
    _ladder, entries = challenge_ladder(case, rematch_days=days)
    lower, upper = entries[1], entries[0]
    verbs.end(verbs.let_challenge(lower, upper), upper, NOON)
    if days:
        with pytest.raises(ChallengeRefused):
            verbs.let_challenge(lower, upper, NOON + days * DAY - HOUR)
    verbs.let_challenge(lower, upper, NOON + days * DAY + HOUR)


def challenges_are_limited(case: Case) -> None:
    given = case.sentence.given
    _ladder, entries = challenge_ladder(case)
    for number in range(given["out"]):
        verbs.let_challenge(entries[4], entries[3 - number])
    with pytest.raises(ChallengeRefused):
        verbs.let_challenge(entries[4], entries[3 - given["out"]])
    for challenger in entries[3 - given["in"] + 1 : 4]:
        verbs.let_challenge(challenger, entries[1])
    with pytest.raises(ChallengeRefused):
        verbs.let_challenge(entries[3], entries[1])


def who_returns_loses_a_tenth(case: Case) -> None:
    days, (_ladder, entries) = case.sentence.given["days"], challenge_ladder(case)
    leaver = entries[1]
    verbs.leave(leaver, NOON + HOUR)
    verbs.enter(leaver.competition, leaver.player, NOON + days * DAY)
    assert Seat.objects.get(entry=leaver).position in {2, 3}
    verbs.leave(Entry.objects.get(pk=leaver.pk), NOON + days * DAY + HOUR)
    verbs.enter(leaver.competition, leaver.player, NOON + 2 * days * DAY + 3 * HOUR)
    assert Seat.objects.get(entry=leaver).position == case.size


def away_after_loss_on_time(case: Case) -> None:
    competition, entries = challenge_ladder(case, vacation_limit=0)
    late, other = entries[4], entries[3]
    fixture = verbs.let_challenge(late, other)
    expire_due(now=NOON + 99 * DAY)
    verbs.settle_all(NOON + 99 * DAY)
    match = Match.objects.get(pk=fixture.match_id)
    away = fixture.yellow if match.winner == Side.RED else fixture.red
    Stage.objects.update(options={**competition.first_stage.options, "challenges_by": "at-once"})
    verbs.pair(competition, NOON + 99 * DAY)
    assert away.pk not in {entry for each in running(competition) for entry in (each.yellow_id, each.red_id)}


def bye_on_request(case: Case) -> None:
    competition = case.open()
    entry = verbs.entry_of(competition, "player-1")
    request_bye(entry_id=entry.pk, round_number=1, actor=entry.player, now=NOON)
    verbs.start(competition)
    play_on(competition)
    row = Standing.objects.get(seat__entry=entry)
    assert (row.points, row.played) == (competition.scoring.drawn, 0) or row.points >= competition.scoring.drawn


def organiser_publishes(case: Case) -> None:
    competition = case.open()
    verbs.start(competition)
    pair_due_rounds(now=NOON)
    assert (ProposedRound.objects.count() == 1) != bool(running(competition))


def line_up_is_open(case: Case) -> None:
    competition = case.open()
    entry = Entry.objects.filter(competition=competition).select_related("team__captain").earliest("pk")
    third = entry.team.memberships.order_by("-pk").first().player
    set_line_up(entry_id=entry.pk, round_number=1, players=[third.pk], actor=entry.team.captain, now=NOON)
    verbs.start(competition)
    settle(competition, NOON)
    assert Fixture.objects.filter(Q(yellow_player=third) | Q(red_player=third), round__number=1).exists()


def empty_board_is_lost(case: Case) -> None:
    competition = case.make(password="", by_invitation=False)
    for number, team in enumerate(make_teams(case.size, 3)):
        enter(competition, team, count=1 if number == 0 else 2)
    verbs.start(competition)
    settle(competition, NOON)
    short = Entry.objects.filter(competition=competition).earliest("pk")
    board = Fixture.objects.filter(Q(yellow=short) | Q(red=short), board=2, round__number=1).first()
    if board is not None:
        lost = Side.YELLOW if board.yellow_id == short.pk else Side.RED
        assert board.points is not None
        assert board.points[lost.opponent] > board.points[lost]


SEEN: Mapping[str, Callable[[Case], None]] = {
    "Everybody plays everybody once.": everybody_meets(1),
    "Everybody plays everybody twice, with sides swapped.": everybody_meets(2),
    "In each group, everybody plays everybody once.": everybody_meets(1),
    "In each group, everybody plays everybody twice, with sides swapped.": everybody_meets(2),
    "All teams play each other once.": everybody_meets(1),
    "All teams play each other twice, with sides swapped.": everybody_meets(2),
    "Each tie is one match.": each_tie_has(1),
    "Each tie is two matches at the same time, with sides swapped. Match points count, then goals.": each_tie_has(2),
    "In each tie two teams meet once.": each_tie_has(1),
    "In each tie two teams meet twice at the same time, with sides swapped. Both meetings count together.": (
        each_tie_has(2)
    ),
    "The losers of the semi-finals play for third place.": losers_of_semi_finals_meet,
    "After your first loss you go on in the losers' bracket. After your second you are out.": two_losses_are_the_end,
    "There are as many rounds as a knock-out would have.": has_rounds_of_knock_out,
    "There is one round.": has_rounds,
    "There are %(rounds)d rounds.": has_rounds,
    "You meet somebody with about as many wins as you have, and nobody twice if it can be avoided.": (
        nobody_meets_twice
    ),
    "If there is no opponent left for you, you get a bye. Nobody gets two.": nobody_has_two_byes,
    "A bye gives %(points)d.": bye_gives_points,
    "Match points: %(wins)s for a win, %(drawn)s if nobody wins.": points_are_of_the_table,
    "Match points: %(list)s.": points_are_of_the_table,
    "Counts for the ratings.": rated(counts=True),
    "Casual: does not count for the ratings.": rated(counts=False),
    "You play in groups of up to %(size)d players.": groups_hold,
    "groups of up to %(size)d": groups_hold,
    "%d groups": groups_hold,
    "You play in leagues, with about %(size)d players in each group.": leagues_have_about,
    "League 1 is one group. Each league below has up to twice as many groups.": leagues_double,
    "The first of League 1 wins the competition.": first_of_the_last_group_wins,
    (
        "Play-offs follow: place %(stay)d of each group defends its league against place %(next)d of the groups below "
        "it."
    ): leagues_play_off,
    (
        "Play-offs follow: places %(first)d to %(stay)d of each group defend their league against places %(next)d to "
        "%(last)d of the groups below it, the best against the last."
    ): leagues_play_off,
    (
        "Below League 1 are 2A and 2B, below 2A are 3A and 3B, below 2B are 3C and 3D, and so on. The players of two "
        "groups below meet first, and the winner plays the one who defends, who is the higher seed."
    ): leagues_play_off,
    "When entry is closed and all groups are over, the best player of the highest level wins.": (
        first_of_the_last_group_wins
    ),
    "This continues until one player is left.": one_is_left,
    "There are at most %(levels)d levels.": at_most_so_many_levels,
    "the first %(first)s go on to %(target)s": so_many_go_on,
    "the first %(first)s of each group go on to %(target)s": so_many_go_on,
    "the first %(first)s of each group and %(best)s go on to %(target)s": so_many_go_on,
    "all with more than %(percent)d %% of the possible points go on to %(target)s": so_many_go_on,
    (
        "The next level begins in the next month, on the day of the month of the start, or later if the "
        "previous level is still running."
    ): next_level_begins_on_the_day,
    "It begins in the next month.": next_level_begins_on_the_day,
    "seeded by draw": seeds_follow(by_draw),
    "seeded in a snake through the groups": seeds_follow(by_groups),
    "seeded crossed: A1–B2, B1–A2": seeds_follow(by_groups),
    "seeded by their places": seeded_by_places,
    "All results count.": results_count,
    "Only your best %(number)d results count.": results_count,
    "For %(tiebreaks)s, too, only the best results of each player count.": results_count,
    "You are ranked after %(number)d match.": ranked_after,
    "You are ranked after %(number)d matches.": ranked_after,
    "Each team plays on %d boards: first board against first board, and so on.": boards_meet,
    "Match points of all boards decide who wins, then boards won, then goals.": teams_win_by_points,
    "Match points of all boards decide who wins, then boards won, then goals. A win counts 2, a draw 1.": (
        teams_win_by_points
    ),
}
"""What is asked of a competition that has been played, by the kinds of sentences."""

TRIED: Mapping[str, Callable[[Case], None]] = {
    "A level tie is replayed. If it is still level, the higher seed goes on.": level_ties,
    "If a tie is level, the higher seed goes on.": level_ties,
    "seeded by rating": seeded_by_rating,
    "Each tie is two matches at the same time, with sides swapped. Match points count, then goals.": goals_decide,
    "Match points of all boards decide who wins, then boards won, then goals.": goals_decide_between_teams,
    "Match points of all boards decide who wins, then boards won, then goals. A win counts 2, a draw 1.": (
        goals_decide_between_teams
    ),
    "If the winner of the losers' bracket wins the final, a second final decides.": final_is_played(2),
    "The final is played once, even if it is the first loss of the winner of the winners' bracket.": (
        final_is_played(1)
    ),
    "Players who withdraw with matches still to play cannot win if somebody else has stayed and played.": (
        withdrawn_leader_does_not_win
    ),
    "A team that withdraws with matches still to play cannot win if another team has stayed and played.": (
        withdrawn_leader_does_not_win
    ),
    "Who is disqualified has no place. Their results stand.": disqualified_has_no_place,
    "Who is disqualified has no place. All their matches are lost as by forfeit, but not those of a knock-out.": (
        disqualified_has_no_place
    ),
    (
        "Who is disqualified has no place. In a knock-out, the opponent whom they beat last plays on in their "
        "place, unless they have lost a tie since. All other results stand."
    ): disqualified_has_no_place,
    "Who is disqualified has no place. All their matches are annulled, but not those of a knock-out.": (
        disqualified_has_no_place
    ),
    "If neither player plays, both get %(points)d.": neither_gets,
    "Only invited players can join.": strangers_are_refused,
    "Only invited teams can join.": strangers_are_refused,
    "Players need a password to join.": strangers_are_refused,
    "Captains need a password to join.": strangers_are_refused,
    "For players rated %(rating)d or more.": ratings_limit,
    "For players rated %(rating)d or less.": ratings_limit,
    "Computers may play too.": computers_may_enter,
    "Check-in opens %(length)s before the start. Players who have not checked in by the start do not play.": (
        absent_do_not_play
    ),
    "No vacation: the clocks keep running.": vacation_is_limited,
    "At most %(count)d days of vacation for each player.": vacation_is_limited,
    (
        "Players have %(length)s of their clock for their first move. A player who has not made it by then forfeits "
        "the match."
    ): first_move_is_in_time,
    "The final result is provisional for %(length)s after the end.": end_is_provisional,
    "A round is to end after %d days.": round_ends_after_days,
    "A round ends after %d days at most.": round_ends_after_days,
    "If matches are still running then, the round continues until they are over.": at_the_end_of_a_round("wait"),
    "Matches that are still running then are decided by their score, and lost by both if neither has moved.": (
        at_the_end_of_a_round("score")
    ),
    "In matches that are still running then, the player to move loses. If neither has moved, both lose.": (
        at_the_end_of_a_round("turn")
    ),
    (
        "When a season follows, all after place %(stay)d of each group go down a league, as far as the sizes of the "
        "leagues allow."
    ): players_move_between_leagues,
    (
        "When a season follows, the first %(up)d of each group go up a league, and all after place %(stay)d go down, "
        "as far as the sizes of the leagues allow."
    ): players_move_between_leagues,
    "Who wins a play-off plays in the higher league in the next season, and the others in the lower.": (
        players_move_between_leagues
    ),
    "A group starts as soon as %(size)d players are waiting for it.": group_starts_when_full,
    "You can join at any time, and again as soon as your last group has started.": can_join_again,
    "Games start automatically: you play up to %(games)d at the same time, against players near you.": plays_up_to,
    "Results of the last %(days)d days count.": window_holds,
    "If you do not use this site for %(days)d day, you are removed from the ladder.": inactive_leave,
    "If you do not use this site for %(days)d days, you are removed from the ladder.": inactive_leave,
    "Challenge a player above you. If you win, you move to the place directly above that player.": winner_moves_above,
    (
        "From 3rd or 4th you can challenge up to 2 places above you, from 5th to 9th up to 3, from 10th to "
        "16th up to 4, and so on."
    ): reach_is,
    (
        "If you have not challenged anybody within a tenth of the starting time, counted from the start, from when you "
        "joined or returned, or from the end of your last challenge, the ladder starts a game for you, against the "
        "highest player whom you can challenge."
    ): games_start("in-time"),
    "No game starts by itself: you choose whom you challenge, and when.": games_start("players"),
    (
        "The ladder starts your games by itself as soon as they are possible, each against the highest player whom you "
        "can challenge."
    ): games_start("at-once"),
    (
        "Players who are away after a loss on time get no new games, and are not counted until they use the site again."
    ): away_after_loss_on_time,
    "The same two players can meet again at once.": rematches_are_after,
    "The same two players can meet again after %(days)d day.": rematches_are_after,
    "The same two players can meet again after %(days)d days.": rematches_are_after,
    "At the same time you can play at most %(out)d of your own challenges and %(in)d challenges by others.": (
        challenges_are_limited
    ),
    "If you come back within %(days)d day after you left, you lose at most a tenth of the ladder's places.": (
        who_returns_loses_a_tenth
    ),
    "If you come back within %(days)d days after you left, you lose at most a tenth of the ladder's places.": (
        who_returns_loses_a_tenth
    ),
    "You can ask beforehand to sit out one round. This counts as a draw.": bye_on_request,
    "An organiser looks at the pairings of each round, and publishes them.": organiser_publishes,
    "A captain can set a line-up until a round begins. Otherwise the last line-up is used.": line_up_is_open,
    "A board without a player is lost.": empty_board_is_lost,
}
"""What is asked of a competition that is made for the question."""

PARTS = {
    "and",
    "or",
    "a %(format)s",
    "A %(format)s",
    "%(groups)s, each a %(format)s",
    "%(groups)s, each %(format)s",
    "the best %(best)s in %(place)s place",
    "the next level, which is played like this one",
    "%(points)s for a %(outcome)s",
    DETAILS,
} | {spec.noun for spec in FORMATS.values()}
"""Parts of sentences that say nothing by themselves."""

UNSEEN = {"one group", "leagues with groups of about %(size)d", "groups of %(size)d"}
"""Parts that name the groups of a stage before another one: leagues and groups that form one by one have none."""


@contextmanager
def tried() -> Iterator[None]:
    """Undo all that is done."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def ask(case: Case, sentences: list[Sentence], checks: Mapping[str, Callable[[Case], None]]) -> list[str]:
    """Return which of these sentences are false, and what shows it."""
    false = []
    for sentence in sentences:
        if sentence.kind in checks:
            case.sentence = sentence
            try:
                with tried():
                    checks[sentence.kind](case)
            except AssertionError as error:
                false.append(f"{sentence.kind}: {error}")
    return false


@pytest.mark.parametrize("name", [*USUAL, *nightly(name for name in ALL if name not in USUAL)])
def test_every_sentence_is_true(name, monkeypatch):
    case = Case(name)
    with tried():
        sentences = hear(case.make(), monkeypatch)
    assert {each.kind for each in sentences} <= SEEN.keys() | TRIED.keys() | PARTS
    false = ask(case, sentences, TRIED)
    case.play()
    false += ask(case, sentences, SEEN)
    assert not false, "\n".join(false)


def test_every_kind_of_sentence_is_asked(db, monkeypatch):
    said = set()
    for name in ALL:
        with tried():
            said |= {each.kind for each in hear(Case(name).make(), monkeypatch)}
    assert kinds_in_source() - said == UNSEEN
    assert SEEN.keys() | TRIED.keys() == said - PARTS
