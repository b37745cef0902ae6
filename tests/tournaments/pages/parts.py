"""Cups of several groups and stages, made row by row: as far as they have come, with results and tables."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from formats.grouping import GroupingOptions, form_groups
from formats.protocol import Record
from formats.protocol import Seat as FormatSeat
from rules_engine.values import Ending
from tests.tournaments.verbs import NOON, end, enter_all, make_cup, make_players, recompute_tables, running
from tournaments.models import CompetitionStatus, Cup, Fixture, Group, Round, Seat
from tournaments.rounds.services.fixtures import start_fixtures
from tournaments.rounds.services.proposed_rounds import store_rounds
from tournaments.running.services.advance import advance as advance_competition

DAY = timedelta(days=1)
ADVANCE = {"first": 2, "best": 0, "above_percent": None, "seeding": "crossed"}
OUTCOMES = [((5, 0), (3, 1)), ((4, 1), (2, 1)), ((2, 2), (1, 1)), ((0, 5), (0, 2)), ((1, 4), (1, 2))]
"""Points and goals of matches, Yellow's first."""


def make_stages(
    players: int = 32,
    *,
    grouping: dict[str, Any] | None = None,
    advance: dict[str, Any] | None = None,
    knock_out: dict[str, Any] | None = None,
    **options: Any,
) -> Cup:
    """Return an open cup with groups, by default eight, of whom the first two go on to a knock-out."""
    options = {
        "format": "round-robin",
        "cycles": 2,
        "grouping": grouping or {"groups": 8, "size": None},
        "advance": ADVANCE | (advance or {}),
        "later": [{"format": "knock-out", "legs": 1, "replays": 1} | (knock_out or {})],
    } | options
    cup = make_cup(**options)
    enter_all(cup, make_players(players))
    return cup


def begin_groups(cup: Cup, *, now: datetime = NOON, matches: bool = False) -> list[Group]:
    """Draw the groups of the first stage by the numbers of the entries, and begin their first round."""
    stage = cup.first_stage
    seats = {seat.entry_id: seat for seat in Seat.objects.filter(stage=stage).select_related("entry")}
    formed = form_groups(sorted(seats), stage.grouping_options or GroupingOptions(groups=1))
    Group.objects.filter(stage=stage).update(started_at=now)
    groups = [Group.objects.get(stage=stage)]
    groups += Group.objects.bulk_create(
        [Group(stage=stage, number=number, started_at=now) for number in range(2, len(formed) + 1)]
    )
    for group, members in zip(groups, formed, strict=True):
        for seed, entry in enumerate(members, start=1):
            seats[entry].group, seats[entry].seed = group, seed
    Seat.objects.bulk_update(seats.values(), ["group", "seed"], batch_size=500)
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING, started_at=now)
    cup.refresh_from_db()
    drawn = {}
    for group, members in zip(groups, formed, strict=True):
        record = Record(tuple(FormatSeat(entry, seed) for seed, entry in enumerate(members, start=1)))
        drawn[group.pk] = stage.format_spec.next_rounds(record, stage.chosen_options, 1)
    store_rounds(competition_id=cup.pk, drawn=drawn, now=now)
    rounds = Round.objects.filter(group__stage=stage, number=1)
    rounds.update(started_at=now, ends_at=now + 7 * DAY)
    if matches:
        start_all(cup, Fixture.objects.filter(round__in=rounds))
    recompute_tables(competition_id=cup.pk, now=now)
    return groups


def play_rounds(cup: Cup, number: int, *, seed: int = 1, matches: bool = False) -> None:
    """End all matches of so many rounds of the first stage with random results, and begin the round after them."""
    stage, source = cup.first_stage, random.Random(seed)
    fixtures = Fixture.objects.filter(group__stage=stage, round__number__lte=number, counted_at=None)
    decide_all(list(fixtures.select_related("round").order_by("round__number", "pk")), source)
    rounds = Round.objects.filter(group__stage=stage)
    for each in rounds.values_list("number", flat=True).distinct():
        ended = NOON + 7 * each * DAY if each <= number else None
        started = NOON + 7 * (each - 1) * DAY if each <= number + 1 else None
        rounds.filter(number=each).update(started_at=started, ended_at=ended)
    following = rounds.filter(number=number + 1)
    following.update(ends_at=NOON + 7 * (number + 1) * DAY)
    if matches:
        start_all(cup, Fixture.objects.filter(round__in=following))
    if not following.exists():
        Group.objects.filter(stage=stage).update(ended_at=NOON + 7 * number * DAY)
    recompute_tables(competition_id=cup.pk, now=NOON + 7 * number * DAY)


def begin_knock_out(cup: Cup) -> Group:
    """Form the second stage of who goes on by the results of the first, and begin its first round."""
    over_at = Group.objects.filter(stage__competition=cup).latest("ended_at").ended_at
    assert over_at is not None
    advance_competition(competition_id=cup.pk, now=over_at)
    return Group.objects.select_related("stage").get(stage__competition=cup, stage__number=2)


def decide_ties(cup: Cup) -> None:
    """Let the first of each tie that can be played now win it."""
    for fixture in running(cup):
        assert fixture.tie is not None
        end(fixture, fixture.tie.first)


def start_all(cup: Cup, fixtures: Any) -> None:
    """Start the matches of these fixtures."""
    start_fixtures(fixtures=fixtures.select_related("yellow__player", "red__player"), competition=cup, now=NOON)


def decide_all(fixtures: Sequence[Fixture], source: random.Random) -> None:
    """Give matches random results, counted an hour after each other."""
    for number, fixture in enumerate(fixtures):
        (fixture.points_yellow, fixture.points_red), goals = source.choice(OUTCOMES)
        fixture.goals_yellow, fixture.goals_red = goals
        fixture.counted_at = fixture.finished_at = NOON + timedelta(hours=number)
        fixture.ending = Ending.NORMAL_TIME.value
    # As ``bulk_update`` would, in less than half the time.
    Fixture.objects.bulk_create(fixtures, update_conflicts=True, unique_fields=["pk"], update_fields=_RESULT)


_RESULT = ["counted_at", "finished_at", "ending", "points_yellow", "points_red", "goals_yellow", "goals_red"]
