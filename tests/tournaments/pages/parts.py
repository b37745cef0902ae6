"""Cups of several groups and stages, made row by row: as far as they have come, with results and tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F

from formats.advancement import plan_seeds
from formats.grouping import GroupingOptions, form_groups
from formats.pairing.legs import Decider
from formats.protocol import FromSeed, FromTie, Record, TieKey
from formats.protocol import Seat as FormatSeat
from rules_engine.values import Ending
from tests.tournaments.verbs import NOON, TIEBREAKS, make_cup, make_players
from tournaments.models import (
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Group,
    Round,
    Seat,
    Stage,
    Standing,
    Tie,
)
from tournaments.rounds.services.fixtures import start_fixtures
from tournaments.rounds.services.round_rows import store_rounds

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
    cup = make_cup(**({"format": "round-robin", "cycles": 2} | options))
    enter_many(cup, players)
    cup.stages.update(grouping=grouping or {"groups": 8, "size": None}, advance=ADVANCE | (advance or {}))
    Stage.objects.create(
        competition=cup,
        number=2,
        format="knock-out",
        options={"legs": 1, "replays": 1, "third_place": False} | (knock_out or {}),
        tiebreaks=TIEBREAKS,
    )
    cup.refresh_from_db()
    return cup


def enter_many(cup: Cup, players: int) -> None:
    """Let so many new players enter, without asking for each whether they may."""
    group = Group.objects.get(stage__competition=cup)
    entries = Entry.objects.bulk_create(
        [Entry(competition=cup, player=each, draw=each.pk, entered_at=NOON) for each in make_players(players)]
    )
    Seat.objects.bulk_create([Seat(stage_id=group.stage_id, group=group, entry=entry) for entry in entries])


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
    write_tables(groups)
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
    groups = Group.objects.filter(stage=stage)
    if not following.exists():
        groups.update(ended_at=NOON + 7 * number * DAY)
    write_tables(groups.order_by("number"))


def begin_knock_out(cup: Cup, *, matches: bool = False) -> Group:
    """Form the second stage of who goes on by the tables as they are written, and begin its first round."""
    first, second = Stage.objects.filter(competition=cup).order_by("number")
    groups = list(Group.objects.filter(stage=first).annotate(size=Count("seats")).order_by("number"))
    tables = {
        group.number: list(
            Standing.objects.filter(group=group).order_by("place", "pk").values_list("seat__entry", flat=True)
        )
        for group in groups
    }
    now = max(group.ended_at for group in groups if group.ended_at is not None)
    rule = first.advance_rule
    planned = plan_seeds(rule, [vars(group)["size"] for group in groups]) if rule else None
    assert planned is not None
    entries = [tables[source.group or 0][source.rank - 1] for source in planned]
    bracket = Group.objects.create(stage=second, number=1, started_at=now)
    Seat.objects.bulk_create(
        [Seat(stage=second, group=bracket, entry_id=entry, seed=seed) for seed, entry in enumerate(entries, start=1)]
    )
    draw_bracket(bracket, entries, now)
    Round.objects.filter(group=bracket, number=1).update(started_at=now)
    ties = Tie.objects.filter(round__group=bracket, round__number=1).order_by("slot")
    fixtures = [_new_leg(cup, tie, now) for tie in ties]
    Fixture.objects.bulk_create(fixtures)
    if matches:
        start_all(cup, Fixture.objects.filter(group=bracket))
    return bracket


def draw_bracket(group: Group, entries: Sequence[int], now: datetime) -> None:
    """Store the ties of a bracket of these entries, the first seed first."""
    drawn = group.stage.format_spec.draw_ties(len(entries), group.stage.chosen_options)
    rounds = {
        number: Round.objects.create(group=group, number=number) for number in sorted({tie.key.round for tie in drawn})
    }
    stored: dict[TieKey, Tie] = {}
    for each in drawn:
        tie = Tie(round=rounds[each.key.round], part=each.key.part.value, slot=each.key.slot)
        for side, source in (("first", each.first), ("second", each.second)):
            if isinstance(source, FromSeed):
                setattr(tie, f"{side}_id", entries[source.seed - 1])
                setattr(tie, f"{side}_seed", source.seed)
            elif isinstance(source, FromTie):
                setattr(tie, f"{side}_from", stored[source.tie])
                setattr(tie, f"{side}_takes", source.outcome.value)
        tie.save()
        stored[each.key] = tie


def decide_ties(group: Group, number: int, *, winner: str = "first") -> None:
    """Let the first, or the second, of each tie of a round win it, and send them on."""
    ties = list(Tie.objects.filter(round__group=group, round__number=number).order_by("slot"))
    for tie in ties:
        _count(Fixture.objects.get(tie=tie, is_annulled=False), (5, 0) if winner == "first" else (0, 5), (2, 0))
        tie.winner_id, tie.decided_by, tie.decided_at = getattr(tie, f"{winner}_id"), Decider.POINTS, NOON
        tie.save()
        Tie.objects.filter(first_from=tie, first_takes="winner").update(first=tie.winner_id)
        Tie.objects.filter(second_from=tie, second_takes="winner").update(second=tie.winner_id)
    Round.objects.filter(group=group, number=number).update(ended_at=NOON)
    Round.objects.filter(group=group, number=number + 1).update(started_at=NOON)


def start_all(cup: Cup, fixtures: Any) -> None:
    """Start the matches of these fixtures."""
    start_fixtures(fixtures=fixtures.select_related("yellow__player", "red__player"), competition=cup, now=NOON)


def decide_all(fixtures: Sequence[Fixture], source: random.Random) -> None:
    """Give matches random results, counted an hour after each other."""
    for number, fixture in enumerate(fixtures):
        points, goals = source.choice(OUTCOMES)
        _fill(fixture, points, goals, NOON + timedelta(hours=number))
    # As ``bulk_update`` would, in less than half the time.
    Fixture.objects.bulk_create(fixtures, update_conflicts=True, unique_fields=["pk"], update_fields=_RESULT)


def write_tables(groups: Any) -> None:
    """Write the tables of groups by points, then by seeds."""
    for group in groups:
        rows = {seat.entry_id: Standing(seat=seat, group=group) for seat in Seat.objects.filter(group=group)}
        for fixture in Fixture.objects.filter(group=group, counted_at__isnull=False):
            points, goals = fixture.points, fixture.goals
            assert points is not None
            assert goals is not None
            for entry, side in ((fixture.yellow_id, points.yellow), (fixture.red_id, points.red)):
                rows[entry].played += 1
                rows[entry].points += side
            rows[fixture.yellow_id].goals_for += goals.yellow
            rows[fixture.yellow_id].goals_against += goals.red
            rows[fixture.red_id].goals_for += goals.red
            rows[fixture.red_id].goals_against += goals.yellow
            for won, lost in ((fixture.yellow_id, fixture.red_id), (fixture.red_id, fixture.yellow_id)):
                if (points.yellow > points.red) == (won == fixture.yellow_id) and points.yellow != points.red:
                    rows[won].won += 1
                    rows[lost].lost += 1
            if points.yellow == points.red:
                rows[fixture.yellow_id].drawn += 1
                rows[fixture.red_id].drawn += 1
        for place, row in enumerate(sorted(rows.values(), key=lambda row: (-row.points, row.seat.seed or 0)), start=1):
            row.place = place
        Standing.objects.filter(group=group).delete()
        Standing.objects.bulk_create(rows.values())


def withdraw(cup: Cup, entry: Entry) -> None:
    """Let somebody be gone."""
    Entry.objects.filter(competition=cup, pk=entry.pk).update(status="gone", left_at=F("entered_at") + DAY)


_RESULT = ["counted_at", "finished_at", "ending", "points_yellow", "points_red", "goals_yellow", "goals_red"]


def _count(fixture: Fixture, points: tuple[int, int], goals: tuple[int, int]) -> None:
    _fill(fixture, points, goals, NOON)
    fixture.save(update_fields=_RESULT)


def _fill(fixture: Fixture, points: tuple[int, int], goals: tuple[int, int], at: datetime) -> None:
    fixture.counted_at = fixture.finished_at = at
    fixture.ending = Ending.NORMAL_TIME.value
    fixture.points_yellow, fixture.points_red = points
    fixture.goals_yellow, fixture.goals_red = goals


def _new_leg(cup: Cup, tie: Tie, now: datetime) -> Fixture:
    assert tie.first_id is not None
    assert tie.second_id is not None
    return Fixture(
        competition=cup,
        group_id=tie.round.group_id,
        round=tie.round,
        tie=tie,
        yellow_id=tie.first_id,
        red_id=tie.second_id,
        created_at=now,
    )
