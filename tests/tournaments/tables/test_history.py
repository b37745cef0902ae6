"""The history of places: no result is missing in it, whatever came together and in whatever order."""

import random

import pytest

from players.models import Player
from rules_engine.values import Side
from tests.marks import nightly
from tests.tournaments.settled_competitions import HOUR, NOON, make_ladder, make_players, play_ladder
from tests.tournaments.verbs import adjudicate, end, recompute_stale_tables, running, settle_all, start_cup, withdraw
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.models import Entry, Fixture, PlaceChange, RoundEnd, Standing
from tournaments.office.services.locks import lock_competition
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.settlement import settle_match

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATE = NOON + 1000 * HOUR


@pytest.mark.parametrize("seed", [0, 1, 2, *nightly(range(3, 8))])
def test_each_result_gives_both_players_their_places_in_the_table_made_next(seed):
    source = random.Random(seed)
    ladder, entries = make_ladder(make_players(6), min_matches=source.choice([0, 3]))
    matches = play_ladder(ladder, entries, 27, seed=seed)
    source.shuffle(matches)
    expected = []
    while matches:
        burst = [matches.pop() for _ in range(min(len(matches), source.choice([1, 1, 2, 9])))]
        for match_id in burst:
            settle_match(match_id=match_id, now=LATE)
        recompute_stale_tables(competition_id=ladder.pk, now=LATE)
        places = dict(Standing.objects.filter(group__stage__competition=ladder).values_list("seat__entry", "place"))
        for fixture in Fixture.objects.filter(match__in=burst):
            expected += [
                (entry, places[entry], fixture.match_id, fixture.finished_at)
                for entry in (fixture.yellow_id, fixture.red_id)
            ]
    history = PlaceChange.objects.values_list("seat__entry", "place", "match", "changed_at")
    assert len(expected) == 54
    assert sorted(map(str, history)) == sorted(map(str, expected))


def test_a_burst_that_is_counted_at_once_shares_one_table_and_loses_nothing():
    ladder, entries = make_ladder(make_players(6))
    play_ladder(ladder, entries, 27)
    catch_up(competition=lock_competition(competition_id=ladder.pk), now=LATE)
    recompute_stale_tables(competition_id=ladder.pk, now=LATE)
    places = dict(Standing.objects.filter(group__stage__competition=ladder).values_list("seat__entry", "place"))
    history = list(PlaceChange.objects.values_list("seat__entry", "place"))
    assert len(history) == 54
    assert set(history) == set(places.items())


@pytest.mark.parametrize("seed", [0, 1, *nightly([2, 3])])
def test_a_challenge_ladder_keeps_every_move_whatever_the_order_and_the_bursts(seed):
    source = random.Random(seed)
    ladder, entries = make_ladder(make_players(7), format="challenge-ladder")
    matches = play_ladder(ladder, entries, 30, seed=2)
    assert Entry.objects.filter(competition=ladder, seats__position__isnull=False).count() == 7
    before = matches[:0] if seed == 0 else source.sample(matches, source.randrange(len(matches)))
    for match_id in before:
        settle_match(match_id=match_id, now=LATE)
    catch_up(competition=lock_competition(competition_id=ladder.pk), now=LATE)
    first = entries[0].pk
    moves = PlaceChange.objects.order_by("changed_at", "match", "place").select_related("seat")
    found = [(moved.seat.entry_id - first, moved.place, moved.changed_at) for moved in moves]
    order: list[int] = list(range(7))
    expected = []
    for fixture in Fixture.objects.order_by("finished_at", "pk"):
        assert fixture.points is not None
        challenger, other = fixture.red_id - first, fixture.yellow_id - first
        if fixture.points.red > fixture.points.yellow and order.index(challenger) > order.index(other):
            was = list(order)
            order.remove(challenger)
            order.insert(order.index(other), challenger)
            expected += [
                (entry, place, fixture.finished_at)
                for place, entry in enumerate(order, start=1)
                if was[place - 1] != entry
            ]
    assert found[7:] == expected
    stored = Entry.objects.order_by("seats__position").values_list("pk", flat=True)
    assert list(stored) == [first + each for each in order]


def places_now(competition):
    return dict(Standing.objects.filter(group__stage__competition=competition.pk).values_list("seat__entry", "place"))


def expect(competition, counted):
    """Return what the history must have of results that were counted since the last table."""
    results = Fixture.objects.filter(competition=competition.pk, counted_at__isnull=False, is_annulled=False)
    places = places_now(competition)
    return [
        (entry, places.get(entry), fixture.match_id, fixture.finished_at)
        for fixture in results.exclude(pk__in=counted)
        for entry in (fixture.yellow_id, fixture.red_id)
    ]


@pytest.mark.parametrize("seed", [0, 1, *nightly(range(2, 6))])
def test_a_round_robin_keeps_results_without_play_too(seed):
    source = random.Random(seed)
    cup, entries = start_cup(6, format="round-robin", round_days=7, at_round_end=RoundEnd.FORFEIT)
    organiser = Player.objects.create(username="olga", is_superuser=True)
    counted: set[int] = set()
    expected, now, leaves_in = [], NOON, source.choice([1, 2])
    for week in range(5):
        now = NOON + week * 7 * 24 * HOUR + HOUR
        for fixture in running(cup)[:1]:
            end(fixture, source.choice([*Side, None]), now)
        if week == leaves_in:
            withdraw(entries.pop(), organiser, now + HOUR)
            later = Fixture.objects.filter(competition=cup, match=None, counted_at=None).order_by("pk").first()
            if later is not None:
                adjudicate(later, None, organiser, now + 2 * HOUR)
        if source.random() < 0.5:
            recompute_stale_tables(competition_id=cup.pk, now=now)
            new = expect(cup, counted)
            expected += new
            counted |= set(
                Fixture.objects.filter(competition=cup, counted_at__isnull=False).values_list("pk", flat=True)
            )
        end_due_rounds(now=NOON + (week + 1) * 7 * 24 * HOUR)
        settle_all(NOON + (week + 1) * 7 * 24 * HOUR)
    recompute_stale_tables(competition_id=cup.pk, now=now)
    expected += expect(cup, counted)
    assert Fixture.objects.filter(competition=cup, match=None, counted_at__isnull=False).exists()
    assert len(expected) == 2 * Fixture.objects.filter(competition=cup, is_annulled=False).count() == 30
    found = PlaceChange.objects.filter(seat__stage__competition=cup.pk).values_list(
        "seat__entry", "match", "changed_at"
    )
    assert sorted(map(str, found)) == sorted(str((entry, match, at)) for entry, _, match, at in expected)


def test_a_result_without_a_match_is_in_the_history_of_both_dated_by_its_end():
    cup, _entries = start_cup(4, format="round-robin", round_days=7)
    organiser = Player.objects.create(username="olga", is_superuser=True)
    later = Fixture.objects.filter(competition=cup, match=None).order_by("pk")[0]
    adjudicate(later, Side.RED, organiser, NOON + HOUR)
    recompute_stale_tables(competition_id=cup.pk, now=NOON + 2 * HOUR)
    changes = PlaceChange.objects.filter(seat__stage__competition=cup.pk)
    history = changes.values_list("seat__entry", "place", "match", "changed_at")
    places = places_now(cup)
    assert sorted(history) == sorted(
        (entry, places[entry], None, NOON + HOUR) for entry in (later.yellow_id, later.red_id)
    )
