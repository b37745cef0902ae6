"""Double eliminations as they are stored and played: two losses are the end, and a second final only if called for."""

import random
from collections import Counter
from datetime import timedelta

import pytest

from formats.pairing.legs import Decider
from formats.protocol import Part
from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import CompetitionStatus, Cup, Entry, LogEntry, Round, Standing, Tie
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.rounds.errors import TooFewEntrants
from tournaments.running.services.start import start_due_competitions

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def start_double(size: int, **options) -> tuple[Cup, list[Entry]]:
    return verbs.start_cup(size, format="double-elimination", **({"legs": 1, "replays": 0} | options))


def ties_of(cup: Cup, part: Part) -> list[Tie]:
    ties = Tie.objects.filter(round__group__stage__competition=cup, part=part).select_related("round")
    return list(ties.order_by("round__number", "slot"))


def losses(cup: Cup) -> Counter[int]:
    ties = Tie.objects.filter(round__group__stage__competition=cup).exclude(winner=None)
    return Counter(tie.loser_id for tie in ties if tie.loser_id is not None)


def win_all(cup: Cup, entries: list[Entry]) -> None:
    """Let the higher seed win each match, an hour after the one before."""
    hours = 0
    while going_on := verbs.running(cup):
        hours += 1
        for fixture in going_on:
            verbs.end(fixture, min(fixture.yellow, fixture.red, key=entries.index), NOON + hours * HOUR)
    cup.refresh_from_db()


@pytest.mark.parametrize("size", [5, 6, *nightly([3, 16])])
@pytest.mark.parametrize("round_days", [None, 3])
def test_players_who_are_out_have_lost_twice_and_the_winner_at_most_once(size, round_days):
    cup, entries = start_double(size, round_days=round_days)
    verbs.play_out(cup, random.Random(size))
    assert cup.status == CompetitionStatus.FINISHED
    lost = losses(cup)
    assert all(lost[entry.pk] == 2 for entry in entries if entry != cup.winner)
    assert cup.winner is not None
    assert lost[cup.winner.pk] <= 1
    places = dict(Standing.objects.filter(group__stage__competition=cup).values_list("seat__entry", "place"))
    assert places[cup.winner.pk] == 1
    assert None not in places.values()
    assert list(verbs.faults_of(cup, NOON + 99 * HOUR)) == []


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


def test_two_are_too_few():
    cup, _entries = verbs.open_cup(2, format="double-elimination")
    with pytest.raises(TooFewEntrants, match="at least 3"):
        verbs.start(cup)


def test_at_its_time_it_waits_for_its_third_player():
    cup = verbs.make_cup(format="double-elimination", starts_at=NOON + HOUR)
    *two, third = verbs.make_players(3)
    verbs.enter_all(cup, two)
    assert [each.players for each in cup_waits_for(cup, NOON) if each.kind == Wait.ENTRANTS] == [1]
    assert start_due_competitions(now=NOON + HOUR) == 0
    verbs.enter_all(cup, [third])
    assert start_due_competitions(now=NOON + HOUR) == 1
