"""Round robins: all rounds at once or one after the other, to the winner of the table."""

import random
from datetime import timedelta

import pytest

from formats.pairing.round_robin import schedule
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.models import CompetitionStatus, Entry, Fixture, Round, Standing
from tournaments.running.services.advance import advance

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_a_round_robin_of_any_size_comes_to_the_winner_of_its_table(size):
    source = random.Random(size)
    cycles = source.choice([1, 2])
    cup, _ = verbs.start_cup(size, cycles=cycles, round_days=source.choice([None, 3]), **ROUND_ROBIN)
    assert verbs.play_out(cup, source) == cycles * size * (size - 1) // 2
    assert cup.status == CompetitionStatus.FINISHED
    assert cup.winner == Standing.objects.get(group__stage__competition=cup, place=1).seat.entry
    assert not Round.objects.filter(group__stage__competition=cup, ended_at=None).exists()


def test_everybody_meets_everybody_as_the_berger_table_says():
    cup, entries = verbs.start_cup(5, cycles=2, **ROUND_ROBIN)
    for each in schedule(entries, 2):
        fixtures = Fixture.objects.filter(round__group__stage__competition=cup, round__number=each.number)
        assert {(fixture.yellow, fixture.red) for fixture in fixtures} == {(y, r) for y, r in each.pairs}


def test_with_days_for_rounds_they_follow_each_other_and_have_dates():
    cup, _ = verbs.start_cup(4, round_days=3, **ROUND_ROBIN)
    assert len(verbs.running(cup)) == 2
    later = NOON + timedelta(days=1)
    verbs.end_all(cup, Side.RED, later)
    assert [each.round.number for each in verbs.running(cup)] == [2, 2]
    assert (verbs.round_of(cup, 1).ends_at, verbs.round_of(cup, 1).ended_at) == (NOON + timedelta(days=3), later)
    assert (verbs.round_of(cup, 2).started_at, verbs.round_of(cup, 2).ends_at) == (later, later + timedelta(days=3))


@pytest.mark.parametrize("days", [None, 3])
def test_a_player_who_withdraws_forfeits_matches_that_go_on_and_matches_to_come(days):
    cup, entries = verbs.start_cup(4, round_days=days, **ROUND_ROBIN)
    verbs.end(next(each for each in verbs.running(cup) if entries[3] in {each.yellow, each.red}), entries[3])
    verbs.withdraw(entries[3], entries[3].player)
    verbs.settle_all()
    own = Fixture.objects.filter(competition=cup, yellow=entries[3]) | Fixture.objects.filter(
        competition=cup, red=entries[3]
    )
    assert sorted(own.values_list("ending", flat=True)) == ["adjudication", "forfeit", "forfeit"]
    verbs.play_out(cup, random.Random(1))
    assert cup.status == CompetitionStatus.FINISHED


def test_a_round_whose_only_match_is_annulled_is_over():
    cup, _ = verbs.start_cup(2, **ROUND_ROBIN)
    Fixture.objects.filter(competition=cup).update(is_annulled=True)
    advance(competition_id=cup.pk, now=NOON)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED


def test_of_two_who_share_the_first_place_the_draw_decides_who_has_won():
    for number in range(2):
        cup, entries = verbs.open_cup(
            2, prefix=f"cup-{number}", slug=f"cup-{number}", tiebreaks=["points"], **ROUND_ROBIN
        )
        first, second = entries if number % 2 else reversed(entries)
        Entry.objects.filter(pk=first.pk).update(draw=1)
        Entry.objects.filter(pk=second.pk).update(draw=2)
        verbs.start(cup)
        (only,) = verbs.running(cup)
        verbs.end(only, None)
        cup.refresh_from_db()
        assert list(Standing.objects.filter(group__stage__competition=cup).values_list("place", flat=True)) == [1, 1]
        assert cup.winner == first
        assert verbs.faults_of(cup) == []
