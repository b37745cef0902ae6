"""Cups of several groups and stages: who plays in which group, who goes on, and who has won in the end."""

import random
from datetime import timedelta
from functools import partial
from itertools import product
from typing import Any

import pytest

from formats.protocol import Flow
from formats.registry import get_format
from players.models import Player
from rules_engine.values import Side
from tests.marks import nightly, nightly_rows
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.conftest import in_world
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.draws import draw_cup
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.models import CompetitionStatus, Cup, Entry, Fixture, Group, LogEntry, Round, Seat, Standing, Tie
from tournaments.records.cups import Wait, Waiting, cup_waits_for
from tournaments.records.qualifiers import qualifiers_of
from tournaments.rounds.errors import InvalidStages, TooFewEntrants, TooManyEntrants
from tournaments.rounds.services.draws import kept_draw, undo_draw
from tournaments.running.services.advance import advance
from tournaments.running.services.news import log_news
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.start import start_due_competitions
from tournaments.tables.services.standings import recompute_stale

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stored")]

KNOCK_OUT: dict[str, Any] = {"format": "knock-out", "legs": 1}
GROUPS: dict[str, Any] = {
    "format": "round-robin",
    "grouping": {"size": 4},
    "advance": {"first": 2},
    "later": [KNOCK_OUT],
}


def play_to_the_end(cup: Cup, source: random.Random) -> None:
    """End matches at random, and let rounds that are due be drawn, until nothing goes on."""
    while verbs.play_out(cup, source) or pair_due_rounds(now=NOON):
        pass
    verbs.settle_all()
    recompute_stale(now=NOON)
    cup.refresh_from_db()


def groups_of(cup: Cup, number: int = 1) -> list[Group]:
    return list(Group.objects.filter(stage__competition=cup, stage__number=number).order_by("number"))


def entries_in(group: Group) -> list[Entry]:
    return [seat.entry for seat in Seat.objects.filter(group=group).order_by("seed").select_related("entry__player")]


def end_group(group: Group, source: random.Random) -> None:
    while going_on := [each for each in verbs.running(group.stage.competition) if each.group_id == group.pk]:
        verbs.end(going_on[0], source.choice(list(Side)))


def reach_knock_out() -> tuple[Cup, Group]:
    """Return a cup whose two groups have ended, and its knock-out, which has begun."""
    cup, _ = verbs.start_cup(8, **GROUPS)
    for group in groups_of(cup):
        end_group(group, random.Random(1))
    (bracket,) = groups_of(cup, 2)
    return cup, bracket


with_groups = in_world(verbs.start_cup, 8, **GROUPS)
with_knock_out = in_world(reach_knock_out)


@pytest.mark.parametrize("size", [5, 11, *nightly([8, 18])])
def test_groups_and_then_a_knock_out_come_to_a_winner(size):
    source = random.Random(size)
    cup, _ = verbs.start_cup(size, round_days=source.choice([None, 3]), **GROUPS)
    groups = groups_of(cup)
    assert sorted(len(entries_in(group)) for group in groups) == sorted(
        size // len(groups) + (number < size % len(groups)) for number in range(len(groups))
    )
    play_to_the_end(cup, source)
    assert cup.status == CompetitionStatus.FINISHED
    (bracket,) = groups_of(cup, 2)
    assert len(entries_in(bracket)) == 2 * len(groups)
    first = {Standing.objects.get(group=group, place=1).seat.entry for group in groups}
    assert set(entries_in(bracket)[: len(groups)]) == first
    assert cup.winner == Standing.objects.get(group=bracket, place=1).seat.entry
    assert verbs.faults_of(cup) == []
    assert not Round.objects.filter(group__stage__competition=cup, ended_at=None).exists()
    for tie in Tie.objects.filter(round__group=bracket, round__number=1) if len(groups) > 1 else ():
        group_of = dict(Seat.objects.filter(stage__number=1, stage__competition=cup).values_list("entry", "group"))
        assert group_of[tie.first_id] != group_of[tie.second_id]


FORMATS: list[dict[str, Any]] = [
    {"format": "round-robin", "cycles": 2},
    {"format": "swiss", "rounds": 2},
    {"format": "knock-out", "legs": 2},
    {"format": "double-elimination", "legs": 1},
]
FOLLOWING = list(zip(FORMATS[::2], FORMATS[1::2], strict=True))


@pytest.mark.parametrize(
    "formats",
    [*FOLLOWING, *nightly(pair for pair in product(FORMATS, repeat=2) if pair not in FOLLOWING)],
    ids=lambda formats: " to ".join(each["format"] for each in formats),
)
def test_any_format_can_follow_any_other_in_three_stages(formats):
    first, last = formats
    source = random.Random(f"{first}{last}")
    middle = {
        "format": "round-robin",
        "grouping": {"groups": 2},
        "advance": {"first": 1, "best": 1, "seeding": "snake"},
    }
    is_bracket = get_format(first["format"]).flow is Flow.TIES
    groups, going_on = (None, 6) if is_bracket else ({"groups": 3}, 2)
    rule = {"first": going_on, "seeding": "draw"}
    options = {**first, "grouping": groups, "advance": rule, "later": [middle, last]}
    cup, _ = verbs.start_cup(12, **options)
    play_to_the_end(cup, source)
    assert cup.status == CompetitionStatus.FINISHED
    assert [len(groups_of(cup, number)) for number in (1, 2, 3)] == [1 if is_bracket else 3, 2, 1]
    assert len(entries_in(groups_of(cup, 3)[0])) == 3
    assert cup.winner_id in {entry.pk for entry in entries_in(groups_of(cup, 3)[0])}
    assert verbs.faults_of(cup) == []


@with_groups
def test_the_next_stage_begins_with_the_last_result_of_the_last_group(world):
    cup, _ = world
    one, other = groups_of(cup)
    end_group(one, random.Random(1))
    one.refresh_from_db()
    assert (one.ended_at, other.ended_at, groups_of(cup, 2)) == (NOON, None, [])
    end_group(other, random.Random(2))
    (bracket,) = groups_of(cup, 2)
    assert bracket.started_at == NOON
    assert len(verbs.running(cup)) == 2
    assert LogEntry.objects.filter(competition=cup, action="stage-started", subject="2").count() == 1


@with_knock_out
def test_a_stage_that_ends_once_more_leaves_the_next_one_as_it_was_drawn(world):
    cup, bracket = world
    players = entries_in(bracket)
    Group.objects.filter(stage=cup.first_stage, number=1).update(ended_at=None)
    advance(competition_id=cup.pk, now=NOON)
    assert groups_of(cup)[0].ended_at == NOON
    assert (groups_of(cup, 2), entries_in(bracket)) == ([bracket], players)


@with_knock_out
def test_a_stage_that_was_taken_back_is_drawn_anew_as_it_was(world):
    cup, bracket = world
    players = entries_in(bracket)
    Fixture.objects.filter(group=bracket).update(is_annulled=True, group=groups_of(cup)[0], round=None, tie=None)
    bracket.delete()
    Seat.objects.filter(stage__number=2).delete()
    advance(competition_id=cup.pk, now=NOON)
    (again,) = groups_of(cup, 2)
    assert (entries_in(again), again.started_at) == (players, NOON)


@with_groups
def test_a_player_who_has_withdrawn_does_not_go_on_but_the_next_in_the_table_does(world):
    cup, entries = world
    best = entries[0]
    while going_on := verbs.running(cup):
        mine = [each for each in going_on if best in {each.yellow, each.red}]
        if not mine and best.is_in:
            verbs.withdraw(best, best.player)
            best.refresh_from_db()
        fixture = (mine or going_on)[0]
        verbs.end(fixture, best if mine else Side.YELLOW)
        if groups_of(cup, 2):
            break
    (bracket,) = groups_of(cup, 2)
    assert best not in entries_in(bracket)
    group = Seat.objects.get(entry=best).group
    assert len([entry for entry in entries_in(bracket) if Seat.objects.filter(entry=entry, group=group).exists()]) == 2
    recompute_stale(now=NOON)
    assert verbs.faults_of(cup) == []


def test_if_too_few_are_left_for_the_next_stage_its_first_seed_has_won():
    cup, entries = verbs.start_cup(4, **GROUPS)
    for entry in entries[1:]:
        verbs.withdraw(entry, entry.player)
    verbs.settle_all()
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, entries[0])
    assert groups_of(cup, 2) == []
    assert verbs.faults_of(cup) == []


def test_a_draw_that_is_taken_back_brings_everybody_back_into_one_group_with_the_seeds_by_hand():
    cup, entries = verbs.open_cup(9, **GROUPS, seeding="hand")
    order = [entry.pk for entry in reversed(entries)]
    draw = draw_cup(cup_id=cup.pk, actor=None, now=NOON, order=order)
    assert [entry.pk for entry in draw.entries] == order
    cup = Cup.objects.get(pk=cup.pk)
    kept = kept_draw(competition=cup)
    assert kept is not None
    assert (kept.entries, [group.letter for group in kept.groups]) == (draw.entries, ["A", "B", "C"])
    assert [[each.pairs for each in group.rounds] for group in kept.groups] == [
        [each.pairs for each in group.rounds] for group in draw.groups
    ]
    undo_draw(competition=cup, actor=None, now=NOON)
    assert [entry.pk for entry in entries_in(groups_of(cup)[0])] == order
    assert len(groups_of(cup)) == 1


def test_a_cup_with_groups_of_a_size_does_not_start_by_itself():
    cup, _entries = verbs.open_cup(9, **GROUPS)
    assert cup.first_stage.grouping["whenever"] is None
    assert start_due_competitions(now=NOON) == 0
    assert Cup.objects.get(pk=cup.pk).status == CompetitionStatus.OPEN


@pytest.mark.parametrize(
    ("size", "options"),
    [(3, GROUPS | {"grouping": {"groups": 2}}), (4, GROUPS | {"later": [{"format": "double-elimination"}]})],
)
def test_a_draw_is_refused_in_which_a_group_or_a_later_stage_would_be_too_small(size, options):
    cup, _entries = verbs.open_cup(size, **options)
    with pytest.raises(TooFewEntrants):
        verbs.start(cup)


def test_a_draw_is_refused_in_which_a_group_would_be_too_large(monkeypatch):
    monkeypatch.setattr(get_format("round-robin"), "max_entrants", 3)
    cup, _entries = verbs.open_cup(7, **GROUPS | {"grouping": {"groups": 2}})
    with pytest.raises(TooManyEntrants, match=r"A group would have 4 players\. It can have at most 3\."):
        verbs.start(cup)
    assert not start_due_competitions(now=NOON)


def test_a_latecomer_joins_the_group_with_the_fewest_players():
    cup, _ = verbs.start_cup(7, late_entry=True, **GROUPS)
    recompute_stale(now=NOON)
    player = verbs.make_players(1, "late")[0]
    entry = verbs.enter(cup, player)
    assert Seat.objects.get(entry=entry).group == groups_of(cup)[0]
    assert [each.standings_stale_since is None for each in groups_of(cup)] == [False, True]
    assert {len(entries_in(group)) for group in groups_of(cup)} == {4}
    assert Fixture.objects.filter(round__group=groups_of(cup)[0]).count() == 6
    play_to_the_end(cup, random.Random(3))
    assert cup.status == CompetitionStatus.FINISHED
    assert verbs.faults_of(cup) == []


def test_results_and_dates_of_one_group_leave_the_others_alone():
    cup, _ = verbs.start_cup(8, round_days=3, **GROUPS)
    one, other = groups_of(cup)
    later = NOON + timedelta(days=1)
    for fixture in verbs.running(cup):
        if fixture.group_id == one.pk:
            verbs.end(fixture, Side.YELLOW, later)
    started = one.rounds.filter(started_at__isnull=False).order_by("number")
    assert list(started.values_list("number", "started_at")) == [(1, NOON), (2, later)]
    assert other.rounds.filter(started_at__isnull=False).count() == 1


def test_reading_who_goes_on_takes_as_many_queries_for_any_number_of_groups():
    counts = []
    for size in (8, 24):
        cup, _entries = verbs.start_cup(size, prefix=f"p{size}", slug=f"cup-{size}", **GROUPS)
        source = random.Random(size)
        for fixture in verbs.running(cup):
            verbs.end(fixture, source.choice([*Side, None]))
        stage = cup.stages.get(number=1)
        counts.append(len(queries_of(partial(qualifiers_of, stage, draw_seed=1))))
    assert counts[0] == counts[1] <= 12


# Levels

WINNERS_AGAIN: dict[str, Any] = {
    "format": "round-robin",
    "grouping": {"size": 5},
    "advance": {"first": 1, "levels": 99},
}


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (7, [[3, 4], [2]]),
        *nightly_rows([(4, [[4]]), (11, [[3, 4, 4], [3]]), (27, [[4, 4, 4, 5, 5, 5], [3, 3], [2]])]),
    ],
)
def test_group_winners_play_in_groups_again_until_one_is_left(players, sizes):
    cup, _ = verbs.start_cup(players, **WINNERS_AGAIN)
    play_to_the_end(cup, random.Random(players))
    played = [sorted(group.seats.count() for group in Group.objects.filter(stage=stage)) for stage in cup.stages.all()]
    assert played == sizes
    assert cup.status == CompetitionStatus.FINISHED
    last = Standing.objects.filter(seat__stage__number=len(sizes), place=1)
    assert cup.winner_id in last.values_list("seat__entry", flat=True)
    assert verbs.faults_of(cup) == []


def test_a_level_that_others_should_play_is_taken_back_as_a_whole():
    cup, entries = verbs.start_cup(7, **WINNERS_AGAIN)
    boss = Player.objects.create(username="boss", is_superuser=True)
    decided = verbs.running(cup)[0]
    verbs.adjudicate(decided, Side.YELLOW, boss, reason="Late.")
    for fixture in verbs.running(cup):
        if fixture.group.stage.number == 1:
            verbs.end(fixture, min(fixture.yellow, fixture.red, key=entries.index))
    verbs.settle_all()
    assert cup.stages.count() == 2
    take_back_decision(fixture_id=decided.pk, confirm=True, actor=boss, reason="No.", now=NOON)
    assert cup.stages.count() == 1
    play_to_the_end(cup, random.Random(2))
    assert (cup.status, cup.stages.count()) == (CompetitionStatus.FINISHED, 2)
    assert verbs.faults_of(cup) == []


# Stages that begin on a day

NEXT_MONTH = WINNERS_AGAIN | {"advance": {"first": 1, "levels": 99, "begins": "next-month"}}
DECEMBER = NOON.replace(month=12)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def level_sizes(cup):
    groups = Group.objects.filter(stage__competition=cup).order_by("stage__number", "number")
    return [(group.stage.number, group.seats.count()) for group in groups.select_related("stage")]


def let_higher_seeds_win(cup, entries, now):
    for fixture in verbs.running(cup):
        verbs.end(fixture, min(fixture.yellow, fixture.red, key=entries.index), now)


def play_first_level() -> tuple[Cup, list[Entry]]:
    """Return a cup whose second level waits for the next month, and its entries, first seed first."""
    cup, entries = verbs.start_cup(7, **NEXT_MONTH)
    let_higher_seeds_win(cup, entries, NOON + DAY)
    return cup, entries


waiting_for_december = in_world(play_first_level)


@waiting_for_december
def test_the_next_level_begins_in_the_next_month(world):
    cup, _entries = world
    assert pair_due_rounds(now=DECEMBER - SECOND) == 0
    assert (cup.stages.count(), level_sizes(cup)) == (1, [(1, 3), (1, 4)])
    assert cup_waits_for(cup, NOON + 9 * DAY) == [Waiting(Wait.STAGE, until=DECEMBER)]
    recompute_stale(now=NOON + 9 * DAY)
    assert verbs.faults_of(cup, NOON + 9 * DAY) == []
    log_news(now=NOON + 9 * DAY)
    assert pair_due_rounds(now=DECEMBER) == 1
    assert level_sizes(cup) == [(1, 3), (1, 4), (2, 2)]
    assert pair_due_rounds(now=DECEMBER) == 0
    assert [each.subject for each in LogEntry.objects.filter(competition=cup, action="level-started")] == ["2"]
    # Players who go on hear of it then, and not before.
    recompute_stale(now=DECEMBER)
    log_news(now=DECEMBER)
    through = LogEntry.objects.filter(competition=cup, action="through")
    assert set(through.values_list("logged_at", flat=True)) == {DECEMBER}
    verbs.play_out(cup, random.Random(1), now=DECEMBER + DAY)
    verbs.settle_all(DECEMBER + DAY)
    recompute_stale(now=DECEMBER + DAY)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED
    assert verbs.faults_of(cup, DECEMBER + DAY) == []


def test_a_level_that_takes_longer_than_its_month_is_followed_at_once():
    time = 60 * 24 * 3600
    cup, entries = verbs.start_cup(7, **NEXT_MONTH, time_bank=time, time_cap=time)
    let_higher_seeds_win(cup, entries, DECEMBER + 4 * DAY)
    assert level_sizes(cup) == [(1, 3), (1, 4), (2, 2)]


@pytest.mark.parametrize("early", [3 * DAY, -3 * DAY])
def test_a_month_counts_from_the_day_for_which_the_start_was_set(early):
    cup, entries = verbs.open_cup(6, **NEXT_MONTH, starts_at=NOON)
    verbs.start(cup, NOON - early)
    let_higher_seeds_win(cup, entries, NOON + 4 * DAY)
    assert cup.stages.get().next_begins_at == DECEMBER


@waiting_for_december
def test_a_player_who_withdraws_before_the_day_does_not_go_on(world):
    cup, _entries = world
    first, second = (
        [seat.entry for seat in group.seats.order_by("seed").select_related("entry__player")]
        for group in Group.objects.order_by("number")
    )
    verbs.withdraw(first[0], first[0].player, DECEMBER - DAY)
    pair_due_rounds(now=DECEMBER)
    playing = set(Seat.objects.filter(stage__number=2).values_list("entry", flat=True))
    assert playing == {first[1].pk, second[0].pk}
    verbs.withdraw(second[0], second[0].player, DECEMBER + DAY)
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, first[1])
    recompute_stale(now=DECEMBER + DAY)
    assert verbs.faults_of(cup, DECEMBER + DAY) == []


@waiting_for_december
def test_any_act_after_the_day_first_begins_the_stage(world):
    _cup, entries = world
    verbs.withdraw(entries[0], entries[0].player, DECEMBER + DAY)
    assert entries[0].pk in Seat.objects.filter(stage__number=2).values_list("entry", flat=True)


def test_a_result_that_is_taken_back_before_the_day_lets_the_stage_go_on():
    cup, entries = verbs.start_cup(7, **NEXT_MONTH)
    boss = Player.objects.create(username="boss", is_superuser=True)
    decided = verbs.running(cup)[0]
    verbs.adjudicate(decided, Side.YELLOW, boss, reason="Late.")
    let_higher_seeds_win(cup, entries, NOON)
    verbs.settle_all()
    assert cup.stages.get().next_begins_at == DECEMBER
    take_back_decision(fixture_id=decided.pk, confirm=True, actor=boss, reason="No.", now=NOON + DAY)
    assert cup.stages.get().next_begins_at is None
    let_higher_seeds_win(cup, entries, NOON + 2 * DAY)
    assert pair_due_rounds(now=DECEMBER) == 1
    assert level_sizes(cup) == [(1, 3), (1, 4), (2, 2)]


@waiting_for_december
def test_an_end_that_is_taken_back_while_a_cup_waits_for_the_day_lets_it_wait_again(world):
    cup, _entries = world
    boss = Player.objects.create(username="boss", is_superuser=True)
    verbs.cancel(cup, boss, NOON + 2 * DAY)
    take_back_end(competition_id=cup.pk, actor=boss, reason="Sun.", now=NOON + 3 * DAY)
    cup.refresh_from_db()
    assert (cup.status, cup.finished_at) == (CompetitionStatus.RUNNING, None)
    assert pair_due_rounds(now=DECEMBER + 5 * DAY) == 1
    assert level_sizes(cup) == [(1, 3), (1, 4), (2, 2)]


def test_groups_that_form_as_players_come_begin_at_once():
    with pytest.raises(InvalidStages, match="always start at once"):
        verbs.make_cup(**NEXT_MONTH | {"grouping": {"whenever": 3}})
