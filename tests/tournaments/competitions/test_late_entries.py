"""Coming late: to a round robin whose matches all begin at the start, if its organiser wants it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.competitions.running import (
    NOON,
    ROUND_ROBIN,
    end,
    make_players,
    play_out,
    running,
    settle_all,
    start_cup,
)
from tournaments.models import CompetitionStatus, Fixture, Group, Round, Standing
from tournaments.selectors.competitions import open_competitions
from tournaments.selectors.entry_conditions import reasons_not_to_enter
from tournaments.selectors.group_records import read_record
from tournaments.services.entries.admission import enter_competition
from tournaments.services.entries.withdrawal import withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(db):
    return Player.objects.create(username="late")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({**ROUND_ROBIN, "late_entry": True}, []),
        ({**ROUND_ROBIN, "late_entry": False}, ["entry_closed"]),
        ({**ROUND_ROBIN, "late_entry": True, "round_days": 7}, ["entry_closed"]),
        ({"late_entry": True}, ["entry_closed"]),
    ],
)
def test_where_it_is_wanted_and_possible(options, expected, late):
    cup, _ = start_cup(3, **options)
    assert [reason.code for reason in reasons_not_to_enter(competition=cup, player=late)] == expected
    assert open_competitions().filter(pk=cup.pk).exists() == (not expected)


@pytest.mark.parametrize("cycles", [1, 2])
def test_a_latecomer_meets_everybody_as_often_as_the_others_do(cycles, late):
    cup, entries = start_cup(4, cycles=cycles, late_entry=True, **ROUND_ROBIN)
    end(running(cup)[0], Side.YELLOW)
    withdraw_entry(entry_id=entries[3].pk, actor=entries[3].player, reason="", now=NOON)
    settle_all()
    entry = enter_competition(competition_id=cup.pk, player=late, now=NOON)
    assert entry.seat.seed == 5
    fixtures = Fixture.objects.filter(competition=cup, yellow=entry) | Fixture.objects.filter(
        competition=cup, red=entry
    )
    met = sorted(each.yellow_id if each.red_id == entry.pk else each.red_id for each in fixtures)
    assert met == sorted(cycles * [other.pk for other in entries])
    played = fixtures.exclude(ending="forfeit")
    assert abs(2 * played.filter(yellow=entry).count() - played.count()) <= cycles % 2
    assert fixtures.filter(ending="forfeit").count() == cycles
    play_out(cup, random.Random(1))
    assert cup.status == CompetitionStatus.FINISHED
    assert Standing.objects.get(seat__entry=entry).played == 4 * cycles


def test_latecomers_have_the_sides_that_the_format_gives_them():
    cup, entries = start_cup(6, late_entry=True, **ROUND_ROBIN)
    withdraw_entry(entry_id=entries[0].pk, actor=entries[0].player, reason="", now=NOON)
    settle_all()
    group = Group.objects.select_related("stage__competition").get(stage__competition=cup)
    stage = group.stage
    for number, player in enumerate(make_players(3, prefix="late"), start=1):
        enter_competition(competition_id=cup.pk, player=player, now=NOON + number * timedelta(hours=1))
        last = Round.objects.filter(group=group).order_by("number").last()
        record = read_record(group)
        before = replace(
            record,
            rounds=tuple(each for each in record.rounds if each.number != last.number),
            games=tuple(game for game in record.games if game.round != last.number),
        )
        (drawn,) = stage.format_spec.next_rounds(before, stage.chosen_options, 0)
        fixtures = last.fixtures.values_list("yellow", "red")
        assert sorted(fixtures) == sorted((pair.sides.yellow, pair.sides.red) for pair in drawn.pairs)
    as_yellow = Counter(
        Fixture.objects.filter(competition=cup).exclude(ending="forfeit").values_list("yellow", flat=True)
    )
    assert sorted(as_yellow.values()) == [3, 3, 3, 3, 4, 4, 4, 4]
