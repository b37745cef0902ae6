"""Double eliminations as they are stored and played: two losses are the end, and a second final only if called for."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta

import pytest

from formats.pairing.legs import Decider
from formats.protocol import Part
from tests.marks import nightly
from tests.tournaments.verbs import (
    NOON,
    end,
    enter_all,
    make_cup,
    make_players,
    play_out,
    running,
    start,
    start_cup,
)
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import CompetitionStatus, Cup, Entry, LogEntry, Round, Standing, Tie
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.rounds.errors import TooFewEntrants
from tournaments.running.services.start import start_due_competitions
from tournaments.running.services.verification import verify_competition

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def start_double(size: int, **options) -> tuple[Cup, list[Entry]]:
    return start_cup(size, format="double-elimination", **({"legs": 1, "replays": 0} | options))


def ties_of(cup: Cup, part: Part) -> list[Tie]:
    ties = Tie.objects.filter(round__group__stage__competition=cup, part=part).select_related("round")
    return list(ties.order_by("round__number", "slot"))


def losses(cup: Cup) -> Counter[int]:
    ties = Tie.objects.filter(round__group__stage__competition=cup).exclude(winner=None)
    return Counter(tie.loser_id for tie in ties if tie.loser_id is not None)


def win_all(cup: Cup, entries: list[Entry], upset: int = 0) -> None:
    """Let the higher seed win each match, but in the final the one that came up."""
    strength = {entry.pk: number for number, entry in enumerate(entries)}
    hours = 0
    while going_on := running(cup):
        hours += 1
        for fixture in going_on:
            assert fixture.tie is not None
            best = min((fixture.yellow, fixture.red), key=lambda entry: strength[entry.pk])
            worst = fixture.red if best == fixture.yellow else fixture.yellow
            end(fixture, worst if fixture.tie.part == Part.FINAL and upset else best, NOON + hours * HOUR)
    cup.refresh_from_db()


@pytest.mark.parametrize("size", [5, 6, *nightly([3, 16])])
@pytest.mark.parametrize("round_days", [None, 3])
def test_players_who_are_out_have_lost_twice_and_the_winner_at_most_once(size, round_days):
    cup, entries = start_double(size, round_days=round_days)
    play_out(cup, random.Random(size))
    assert cup.status == CompetitionStatus.FINISHED
    lost = losses(cup)
    assert all(lost[entry.pk] == 2 for entry in entries if entry != cup.winner)
    assert cup.winner is not None
    assert lost[cup.winner.pk] <= 1
    places = dict(Standing.objects.filter(group__stage__competition=cup).values_list("seat__entry", "place"))
    assert places[cup.winner.pk] == 1
    assert None not in places.values()
    assert list(verify_competition(competition=cup, now=NOON + 99 * HOUR)) == []


@pytest.mark.parametrize("round_days", [None, 3])
def test_a_second_final_that_is_not_called_for_is_not_played_and_does_not_delay_the_end(round_days):
    cup, entries = start_double(4, round_days=round_days)
    win_all(cup, entries)
    (final,), (reset,) = ties_of(cup, Part.FINAL), ties_of(cup, Part.RESET)
    assert (final.winner, cup.winner) == (entries[0], entries[0])
    assert (reset.winner, reset.decided_by, reset.decided_at) == (None, Decider.NOT_PLAYED, final.decided_at)
    assert not reset.fixtures.exists()
    assert cup.finished_at == final.decided_at
    last = Round.objects.get(pk=reset.round_id)
    assert (last.started_at, last.ended_at) == (None, final.decided_at)
    begun = LogEntry.objects.filter(competition=cup, action="round-started").values_list("subject", flat=True)
    assert "5" not in begun


def test_a_player_whose_first_loss_is_the_first_final_plays_a_second():
    cup, entries = start_double(4)
    win_all(cup, entries, upset=1)
    (final,), (reset,) = ties_of(cup, Part.FINAL), ties_of(cup, Part.RESET)
    assert (reset.first, reset.second) == (entries[0], final.winner)
    assert (reset.winner, cup.winner) == (entries[0], entries[0])
    assert list(verify_competition(competition=cup, now=NOON + 99 * HOUR)) == []


def test_a_player_who_withdraws_loses_in_the_winners_and_the_losers_bracket():
    cup, entries = start_double(6)
    leave_competition(entry_id=entries[2].pk, now=NOON + HOUR)
    play_out(cup, random.Random(2), now=NOON + 2 * HOUR)
    assert cup.status == CompetitionStatus.FINISHED
    assert losses(cup)[entries[2].pk] == 2
    assert list(verify_competition(competition=cup, now=NOON + 99 * HOUR)) == []


def test_two_are_too_few():
    cup = make_cup(format="double-elimination")
    enter_all(cup, make_players(2))
    with pytest.raises(TooFewEntrants, match="at least 3"):
        start(cup)


def test_at_its_time_it_waits_for_its_third_player():
    cup = make_cup(format="double-elimination", starts_at=NOON + HOUR)
    *two, third = make_players(3)
    enter_all(cup, two)
    assert [each.players for each in cup_waits_for(cup, NOON) if each.kind == Wait.ENTRANTS] == [1]
    assert start_due_competitions(now=NOON + HOUR) == 0
    enter_all(cup, [third])
    assert start_due_competitions(now=NOON + HOUR) == 1
