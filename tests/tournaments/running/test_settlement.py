"""Settling matches: once, in any order, by anybody, and whatever else fails."""

import random
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError

from formats.scoring.points import PointTable, Worth, write_table
from matches.models import Match
from matches.services import expire_match, resign
from matches.signals import match_finished, matches_finished
from rules_engine.values import BySide, Ending, Outcome, Side
from tests.marks import nightly
from tests.tournaments.settled_competitions import (
    FAMILY,
    HOUR,
    NOON,
    begin,
    end,
    give_result,
    make_ladder,
    make_players,
    play_ladder,
    start_rated,
    stored_tables,
    unsettle,
)
from tests.tournaments.verbs import faults_of, group_of, recompute_tables
from tournaments import tasks
from tournaments.models import Competition, Fixture, RatingDue, Standing
from tournaments.running.services import settlement
from tournaments.running.services.settlement import settle_finished, settle_match
from tournaments.running.services.verification import verify_ratings, verify_settled
from tournaments.tables.services.ratings import rate_pending, rate_waiting
from tournaments.tables.services.standings import recompute_stale

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATE = NOON + 1000 * HOUR
OWN_TABLE = write_table(PointTable(Worth(7, 0), Worth(6, 0), Worth(4, 2), drawn=3, bye=5, neither=1))
SYSTEMS = ["points-ladder", "challenge-ladder"]


def follow() -> None:
    """Run what settling has queued."""
    recompute_stale(now=LATE)
    rate_waiting(now=LATE)


def faults() -> list[str]:
    found = verify_settled()
    for competition in Competition.objects.all():
        found += faults_of(competition, LATE)
    return found + verify_ratings(family=FAMILY)


@pytest.mark.postgresql
def test_results_are_locked_in_the_order_of_their_matches_before_they_are_settled() -> None:
    # Vacation locks in this order, too, and may hold matches that have ended while it waited for another.
    ladder, entries = make_ladder(make_players(4))
    for yellow, red in (entries[:2], entries[2:]):
        end(begin(ladder, yellow, red), Side.RED, NOON + HOUR)
    with CaptureQueriesContext(connection) as captured:
        assert settlement.settle_competition(competition=ladder, until=LATE, now=LATE) == 2
    settling = [each["sql"] for each in captured if each["sql"].startswith('UPDATE "matches_match" SET "settled_at"')]
    assert ['(SELECT U0."id"' in sql and "ORDER BY 1 ASC FOR NO KEY UPDATE" in sql for sql in settling] == [True], (
        settling
    )


def test_a_result_is_counted_once_with_points_and_goals() -> None:
    ladder, (anna, piotr) = make_ladder(make_players(2))
    fixture = begin(ladder, anna, piotr)
    assert not settle_match(match_id=fixture.match_id or 0, now=NOON)
    end(fixture, Side.RED, NOON + HOUR)
    assert settle_match(match_id=fixture.match_id or 0, now=LATE)
    assert not settle_match(match_id=fixture.match_id or 0, now=LATE + HOUR)
    fixture.refresh_from_db()
    assert (fixture.counted_at, fixture.finished_at, fixture.ending) == (LATE, NOON + HOUR, "adjudication")
    assert (tuple(fixture.points or ()), tuple(fixture.goals or ())) == ((0, 5), (0, 0))
    assert Match.objects.get(pk=fixture.match_id).settled_at == LATE


def test_a_match_of_no_competition_is_only_rated() -> None:
    anna, piotr = make_players(2)
    match = resign(match_id=start_rated(anna, piotr).pk, player=anna, now=NOON)
    assert settle_match(match_id=match.pk, now=NOON)
    assert rate_pending(family=FAMILY, now=NOON) == 1
    assert [str(rating.rating) for rating in piotr.ratings.all()] == ["1530.0000"]


def test_an_unknown_match_is_left_alone() -> None:
    assert not settle_match(match_id=12345, now=NOON)


def test_a_player_who_loses_on_time_on_a_ladder_gets_no_new_games_from_then_on() -> None:
    ladder, (anna, piotr) = make_ladder(make_players(2))
    fixture = begin(ladder, anna, piotr)
    expire_match(match_id=fixture.match_id or 0, now=LATE)
    settle_match(match_id=fixture.match_id or 0, now=LATE)
    anna.refresh_from_db()
    piotr.refresh_from_db()
    assert anna.waits_since == Match.objects.get(pk=fixture.match_id).finished_at
    assert piotr.waits_since is None


@pytest.mark.parametrize("games", [15, *nightly([40])])
@pytest.mark.parametrize("system", SYSTEMS)
def test_any_order_of_settling_gives_the_same_tables(system: str, games: int) -> None:
    ladder, entries = make_ladder(make_players(7), format=system)
    matches = play_ladder(ladder, entries, games)
    settle_finished(now=LATE)
    follow()
    assert faults() == []
    expected = stored_tables()
    for seed in (1, 2):
        unsettle()
        for match_id in random.Random(seed).sample(matches, len(matches)):
            settle_match(match_id=match_id, now=LATE)
            if seed == 2:
                follow()
        follow()
        assert stored_tables() == expected
        assert faults() == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("system", SYSTEMS)
def test_two_workers_that_settle_everything_twice_at_once_give_the_same_tables(system: str) -> None:
    ladder, entries = make_ladder(make_players(8), format=system)
    matches = play_ladder(ladder, entries, 40)
    settle_finished(now=LATE)
    follow()
    expected = stored_tables()
    unsettle()
    failures: list[BaseException] = []
    barrier = Barrier(2)

    def work(seed: int) -> None:
        source = random.Random(seed)
        try:
            barrier.wait()
            for _ in range(2):
                for match_id in source.sample(matches, len(matches)):
                    settle_match(match_id=match_id, now=LATE)
                    if source.random() < 0.3:
                        recompute_tables(competition_id=ladder.pk, now=LATE)
                        rate_pending(family=FAMILY, now=LATE)
        except BaseException as error:  # noqa: BLE001
            failures.append(error)
        finally:
            connection.close()

    threads = [Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    follow()
    assert stored_tables() == expected
    assert faults() == []


def test_the_sweep_settles_what_nobody_heard_of_in_the_order_of_the_ends() -> None:
    ladder, entries = make_ladder(make_players(5), format="challenge-ladder")
    play_ladder(ladder, entries, 12)
    assert settle_finished(now=LATE, limit=5) == 5
    assert settle_finished(now=LATE) == 7
    assert settle_finished(now=LATE) == 0
    follow()
    assert faults() == []


def test_a_match_that_cannot_be_settled_blocks_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder, entries = make_ladder(make_players(4))
    matches = play_ladder(ladder, entries, 6)
    really = settlement.settle_match

    def fail(*, match_id: int, **given: Any) -> bool:
        if match_id in matches[:3]:
            raise RuntimeError("this match is poison")
        return really(match_id=match_id, **given)

    monkeypatch.setattr(settlement, "settle_match", fail)
    assert settle_finished(now=LATE, limit=2) == 2
    assert settle_finished(now=LATE, limit=2) == 1
    monkeypatch.undo()
    assert settle_finished(now=LATE) == 3


def test_a_fault_on_the_way_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder, entries = make_ladder(make_players(2))
    (match_id,) = play_ladder(ladder, entries, 1)

    def fail(**given: Any) -> None:
        raise RuntimeError("no table today")

    monkeypatch.setattr(settlement, "mark_groups_stale", fail)
    with pytest.raises(RuntimeError):
        settle_match(match_id=match_id, now=LATE)
    assert Match.objects.filter(settled_at=None).count() == Fixture.objects.filter(counted_at=None).count() == 1
    assert not RatingDue.objects.exists()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[Any]]]:
    """Return the tournaments' tasks that were queued."""
    calls: list[tuple[str, list[Any]]] = []

    def send_task(name: str, args: Any = (), **options: Any) -> None:
        if name.startswith("tournaments."):
            calls.append((name, list(args)))

    monkeypatch.setattr(current_app, "send_task", send_task)
    return calls


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_match_rings_for_its_settlement_and_that_for_table_and_ratings(
    sent: list[tuple[str, list[Any]]],
) -> None:
    ladder, (anna, piotr) = make_ladder(make_players(2))
    fixture = begin(ladder, anna, piotr)
    end(fixture, Side.RED, NOON)
    assert sent == [("tournaments.tasks.settle_match", [fixture.match_id])]
    sent.clear()
    tasks.settle_match(fixture.match_id)
    assert sorted(sent) == [
        ("tournaments.tasks.rate_family", [FAMILY]),
        ("tournaments.tasks.recompute_standings", [group_of(ladder).pk]),
    ]
    sent.clear()
    tasks.rate_family(FAMILY)
    tasks.recompute_standings(group_of(ladder).pk)
    assert sent == [("tournaments.tasks.pair_ladder", [ladder.pk])]


def test_many_matches_that_end_together_ring_once(sent: list[tuple[str, list[Any]]]) -> None:
    matches_finished.send(sender=Match, match_ids=[1, 2, 3])
    assert sent == [("tournaments.tasks.settle_finished", [])]


@pytest.mark.django_db(transaction=True)
def test_a_burst_of_results_asks_for_one_recomputation(sent: list[tuple[str, list[Any]]]) -> None:
    ladder, entries = make_ladder(make_players(6), is_rated=False)
    for match_id in play_ladder(ladder, entries, 20):
        settle_match(match_id=match_id, now=LATE)
    assert sent.count(("tournaments.tasks.recompute_standings", [group_of(ladder).pk])) == 1


def break_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    def send_task(*args: Any, **options: Any) -> None:
        raise OperationalError("the broker is down")

    monkeypatch.setattr(current_app, "send_task", send_task)


def break_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    def listen(**given: Any) -> None:
        raise RuntimeError("the listener has failed")

    monkeypatch.setattr(match_finished, "send", listen)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("break_it", [break_broker, break_listener])
def test_the_sweeps_do_everything_when_nobody_is_heard(
    break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch)
    ladder, (anna, piotr) = make_ladder(make_players(2))
    end(begin(ladder, anna, piotr), Side.RED, NOON)
    assert Match.objects.get().settled_at is None
    with time_machine.travel(LATE):
        tasks.settle_finished()
        tasks.rate_waiting()
        tasks.recompute_stale()
    assert verify_settled() == []
    assert [
        standing.points for standing in Standing.objects.filter(group__stage__competition=ladder).order_by("place")
    ] == [5, 0]


def test_settling_costs_the_same_on_a_small_and_on_a_larger_ladder() -> None:
    costs = []
    for size in (2, 30):
        ladder, entries = make_ladder(make_players(size, prefix=f"of-{size}"), slug=f"ladder-{size}")
        play_ladder(ladder, entries, size)
        settle_finished(now=LATE)
        follow()
        (match_id,) = play_ladder(ladder, entries, 1, seed=2)
        with CaptureQueriesContext(connection) as captured:
            settle_match(match_id=match_id, now=LATE)
        costs.append(len(captured))
    assert costs[0] == costs[1] <= 15


def test_points_that_the_table_does_not_give_are_reported() -> None:
    ladder, (anna, piotr) = make_ladder(make_players(2), point_table=OWN_TABLE)
    fixture = begin(ladder, anna, piotr)
    give_result(fixture.match, Outcome(Side.RED, Ending.SUDDEN_DEATH, BySide(0, 1)), NOON + HOUR)
    settle_match(match_id=fixture.match_id or 0, now=LATE)
    Fixture.objects.update(points_yellow=1, points_red=4)
    follow()
    assert faults() == [f"Ladder: fixture {fixture.pk} counts 1-4, but its result is worth 0-6."]
