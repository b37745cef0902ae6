"""Tables: what the database adds up is what an oracle adds up by hand; and what is stored follows."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from formats import protocol
from formats.scoring.points import STOCK_TABLES, write_table
from matches.models import Match
from players.models import Rating
from rules_engine.values import Side
from tests.tournaments.settled_competitions import HOUR, NOON, begin, end, make_ladder, make_players, play_ladder
from tests.tournaments.verbs import faults_of, group_of, recompute_tables
from tournaments.decisions.services.status import finish_competition
from tournaments.models import Competition, Entry, EntryStatus, Fixture, Group, Ladder, PlaceChange, Seat, Standing
from tournaments.office.services.log import log_action
from tournaments.records.group_records import read_record
from tournaments.records.standings import Line, compute_table
from tournaments.records.table_changes import find_changes
from tournaments.running.services.recount import recount_competition
from tournaments.running.services.settlement import settle_finished, settle_match
from tournaments.tables.services import standings
from tournaments.tables.services.ratings import annul_rated, rate_waiting
from tournaments.tables.services.standings import mark_standings_stale, move_windows, recompute_stale

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATE = NOON + 50 * HOUR
DAY = 24 * HOUR


def seen_by(entry: Entry, fixtures: list[Fixture]) -> list[tuple[int, int, int, int]]:
    """Return the entry's results as (points, the opponent's, goals, the opponent's), best first."""
    seen = []
    for fixture in fixtures:
        assert fixture.points is not None
        assert fixture.goals is not None
        assert fixture.finished_at is not None
        for side, pk in zip(Side, (fixture.yellow_id, fixture.red_id), strict=True):
            if pk == entry.pk:
                own, other = side, side.opponent
                seen.append(
                    (fixture.points[own], fixture.points[other], fixture.goals[own], fixture.goals[other], fixture)
                )
    seen.sort(key=lambda row: (-row[0], row[3] - row[2], -row[2], row[4].finished_at, row[4].pk))
    return [row[:4] for row in seen]


def naive_lines(ladder: Ladder, entries: list[Entry], best: int | None, since: Any) -> dict[int, dict[str, int]]:
    fixtures = [
        fixture
        for fixture in Fixture.objects.filter(competition=ladder)
        if fixture.counted_at and not fixture.is_annulled and (since is None or fixture.finished_at >= since)
    ]
    lines = {}
    for entry in entries:
        counted = seen_by(entry, fixtures)[:best]
        lines[entry.pk] = {
            "played": len(counted),
            "won": sum(own > other for own, other, _, _ in counted),
            "drawn": sum(own == other for own, other, _, _ in counted),
            "lost": sum(own < other for own, other, _, _ in counted),
            "goals_for": sum(goals for _, _, goals, _ in counted),
            "goals_against": sum(goals for _, _, _, goals in counted),
            "points": sum(own for own, _, _, _ in counted),
        }
    return lines


def place_naively(lines: dict[int, dict[str, int]], draws: dict[int, int]) -> list[int]:
    """Return the entries in order, by points, wins, goal difference, goals and the draw."""
    return sorted(
        lines,
        key=lambda pk: (
            -lines[pk]["points"],
            -lines[pk]["won"],
            lines[pk]["goals_against"] - lines[pk]["goals_for"],
            -lines[pk]["goals_for"],
            draws[pk],
        ),
    )


def lines_of(ladder: Ladder, now: datetime) -> dict[int, Line]:
    """Return the lines of a ladder's table in order, by the entries of their seats."""
    entry_of = dict(Seat.objects.values_list("pk", "entry_id"))
    lines = compute_table(group=group_of(ladder), now=now)
    return {entry_of[line.seat_id]: line for line in lines}


def test_the_table_is_what_an_oracle_adds_up() -> None:
    ladder, entries = make_ladder(make_players(6))
    play_ladder(ladder, entries, 60)
    settle_finished(now=LATE)
    now = NOON + timedelta(hours=60)
    stage = ladder.first_stage
    draws = {entry.pk: entry.draw for entry in entries}
    for best, window in product([None, 1, 4, 100], [0, 1, 2]):
        # What counts is chosen when a table is made: the same results do for all.
        stage.options |= {"best_results": best, "window_days": window}
        stage.save(update_fields=["options"])
        lines = lines_of(ladder, now)
        since = None if not window else now.replace(hour=0) - timedelta(days=window)
        expected = naive_lines(ladder, entries, best, since)
        found = {entry: {key: getattr(line, key) for key in expected[entry]} for entry, line in lines.items()}
        assert found == expected, (best, window)
        assert list(lines) == place_naively(expected, draws), (best, window)
        assert [line.place for line in lines.values()] == list(range(1, 7)), (best, window)


@pytest.mark.parametrize(("best", "points"), [(1, "5-4-3-2"), (3, "3-1-0")])
def test_a_table_of_the_best_results_is_that_of_the_format(best: int, points: str) -> None:
    tiebreaks = ["points", "head-to-head", "sonneborn-berger", "buchholz", "draw"]
    ladder, entries = make_ladder(
        make_players(8),
        tiebreaks=tiebreaks,
        window_days=1,
        best_results=best,
        point_table=write_table(STOCK_TABLES[points]),
    )
    play_ladder(ladder, entries, 70, seed=best)
    settle_finished(now=LATE)
    group, now = group_of(ladder), NOON + timedelta(hours=60)
    seats = tuple(protocol.Seat(entry.pk, seed, lot=entry.draw) for seed, entry in enumerate(entries, start=1))
    record = replace(read_record(group), seats=seats, as_of=now)
    expected = group.stage.format_spec.places(record, group.stage.chosen_options, tiebreaks)
    found = [(entry, line.place) for entry, line in lines_of(ladder, now).items()]
    assert found == [(row.entrant, row.place) for row in expected]


def test_a_player_who_has_played_too_little_has_no_place_and_one_who_has_left_no_row() -> None:
    ladder, (anna, piotr, carla) = make_ladder(make_players(3), min_matches=2)
    for winner in (Side.YELLOW, Side.YELLOW):
        settle_match(match_id=end(begin(ladder, anna, piotr), winner, NOON).pk, now=NOON)
    settle_match(match_id=end(begin(ladder, carla, piotr), Side.YELLOW, NOON).pk, now=NOON)
    recompute_stale(now=NOON)
    assert places(ladder) == {anna.pk: 1, piotr.pk: 2, carla.pk: None}
    Entry.objects.filter(pk=piotr.pk).update(status=EntryStatus.GONE)
    recompute_tables(competition_id=ladder.pk, now=NOON)
    assert places(ladder) == {anna.pk: 1, carla.pk: None}
    assert Standing.objects.get(seat__entry=anna).points == 10


def places(ladder: Ladder) -> dict[int, int | None]:
    return dict(Standing.objects.filter(group__stage__competition=ladder).values_list("seat__entry", "place"))


def test_a_row_knows_its_place_before_and_an_entrant_their_places_after_their_own_results() -> None:
    ladder, (anna, piotr, carla) = make_ladder(make_players(3))
    first = end(begin(ladder, anna, piotr), Side.YELLOW, NOON)
    settle_match(match_id=first.pk, now=NOON)
    recompute_stale(now=NOON)
    second = end(begin(ladder, carla, piotr), Side.YELLOW, NOON + HOUR)
    third = end(begin(ladder, carla, piotr), Side.YELLOW, NOON + HOUR)
    settle_finished(now=NOON + HOUR)
    recompute_stale(now=NOON + HOUR)
    rows = Standing.objects.order_by("place").values_list("seat__entry", "place", "previous_place")
    assert list(rows) == [(carla.pk, 1, 2), (anna.pk, 2, 1), (piotr.pk, 3, None)]
    history = PlaceChange.objects.order_by("pk").values_list("seat__entry", "place", "match")
    assert sorted(history[:2]) == [(anna.pk, 1, first.pk), (piotr.pk, 3, first.pk)]
    both = [(piotr.pk, 3), (carla.pk, 1)]
    assert sorted(history[2:]) == sorted((*row, match.pk) for row in both for match in (second, third))
    assert set(PlaceChange.objects.values_list("changed_at", flat=True)) == {NOON, NOON + HOUR}


def test_only_rows_that_change_are_written() -> None:
    ladder, entries = make_ladder(make_players(9))
    play_ladder(ladder, entries, 30)
    settle_finished(now=LATE)
    assert recompute_tables(competition_id=ladder.pk, now=LATE) == 9
    assert recompute_tables(competition_id=ladder.pk, now=LATE) == 0
    low, lower = list(Standing.objects.order_by("-place")[:2])
    settle_match(match_id=end(begin(ladder, low.seat.entry, lower.seat.entry), Side.RED, LATE).pk, now=LATE)
    assert recompute_tables(competition_id=ladder.pk, now=LATE) < 9


def test_a_table_takes_the_same_queries_at_any_size() -> None:
    costs = []
    for size in (3, 30):
        ladder, entries = make_ladder(make_players(size, prefix=f"of-{size}"), slug=f"ladder-{size}")
        play_ladder(ladder, entries, 2 * size)
        settle_finished(now=LATE)
        with CaptureQueriesContext(connection) as captured:
            recompute_tables(competition_id=ladder.pk, now=LATE)
        costs.append(len(captured))
    assert costs[0] == costs[1] <= 20


def test_a_result_that_comes_while_the_table_is_made_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:

    ladder, (anna, piotr) = make_ladder(make_players(2))
    settle_match(match_id=end(begin(ladder, anna, piotr), Side.YELLOW, NOON).pk, now=NOON)
    really = find_changes

    def compute_and_be_overtaken(**given: Any) -> Any:
        changes = really(**given)
        mark_standings_stale(group_id=group_of(ladder).pk, now=NOON)
        return changes

    monkeypatch.setattr(standings, "find_changes", compute_and_be_overtaken)
    recompute_tables(competition_id=ladder.pk, now=NOON)
    assert Group.objects.get().standings_stale_since is not None
    monkeypatch.undo()
    recompute_stale(now=NOON)
    assert Group.objects.get().standings_stale_since is None


def test_a_table_that_cannot_be_made_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, _ = make_ladder(make_players(2), tiebreaks=["no such tiebreak"])
    sound, _ = make_ladder(make_players(2, prefix="other"), slug="sound")
    for ladder in (broken, sound):
        mark_standings_stale(group_id=group_of(ladder).pk, now=NOON)
    assert recompute_stale(now=NOON) == 1
    assert Standing.objects.filter(group__stage__competition=sound).count() == 2
    assert Group.objects.get(standings_stale_since__isnull=False) == group_of(broken)


def test_results_leave_the_window_of_a_challenge_ladder_too_whose_positions_stay() -> None:
    ladder, entries = make_ladder(make_players(2), format="challenge-ladder", window_days=30)
    game = begin(ladder, entries[1], entries[0], challenger=entries[1])
    settle_match(match_id=end(game, Side.YELLOW, NOON).pk, now=NOON)
    recompute_stale(now=NOON)
    for days, played in ((30, 1), (31, 0)):
        move_windows(now=NOON + days * DAY)
        assert recompute_stale(now=NOON + days * DAY) == 1 - played
        rows = Standing.objects.order_by("place").values_list("seat__entry", "played")
        assert list(rows) == [(entries[1].pk, played), (entries[0].pk, played)]


@pytest.mark.parametrize("best", [None, 1])
def test_a_table_is_made_anew_when_a_result_has_left_the_window_and_not_before(best: int | None) -> None:
    ladder, entries = make_ladder(make_players(3), window_days=30, best_results=best)
    leaver = entries[2]
    for other, at in ((entries[1], NOON), (leaver, NOON + 8 * DAY)):
        settle_match(match_id=end(begin(ladder, entries[0], other), Side.YELLOW, at).pk, now=at)
    Entry.objects.filter(pk=leaver.pk).update(status=EntryStatus.GONE)
    recompute_stale(now=NOON + 8 * DAY)
    stale = []
    for days in (29, 30, 31, 32, 37, 39, 40):
        move_windows(now=NOON + days * DAY)
        stale.append(Group.objects.get().standings_stale_since is not None)
        recompute_stale(now=NOON + days * DAY)
    assert stale == [False, False, True, False, False, True, False]


def test_the_table_of_a_finished_ladder_stays_as_it_was_at_the_end() -> None:
    ladder, entries = make_ladder(make_players(2), window_days=30)
    settle_match(match_id=end(begin(ladder, *entries), Side.YELLOW, NOON).pk, now=NOON)
    settle_match(match_id=end(begin(ladder, *entries), Side.YELLOW, NOON + 8 * DAY).pk, now=NOON + 8 * DAY)
    recompute_stale(now=NOON + 8 * DAY)
    # The first result has left the window by then, though nobody has looked at the table that day.
    finish_competition(competition_id=ladder.pk, actor=None, now=NOON + 31 * DAY)
    recompute_stale(now=NOON + 31 * DAY)
    rate_waiting(now=NOON + 31 * DAY)
    years_later = NOON + 1000 * DAY
    assert faults_of(Competition.objects.get(), years_later) == []
    recompute_tables(competition_id=ladder.pk, now=years_later)
    assert Standing.objects.get(seat__entry=entries[0]).points == 5


@pytest.mark.parametrize("system", ["points-ladder", "challenge-ladder"])
def test_an_annulled_result_counts_nowhere(system: str) -> None:
    ladder, entries = make_ladder(make_players(4), format=system, window_days=0)
    matches = play_ladder(ladder, entries, 12)
    settle_finished(now=LATE)
    recompute_stale(now=LATE)
    rate_waiting(now=LATE)
    annul_rated(match_id=matches[2], now=LATE)
    line = log_action(competition=ladder, action="annulled", now=LATE)
    Fixture.objects.filter(match=matches[2]).update(is_annulled=True, cause=line)
    recount_competition(competition=Competition.objects.get(), now=LATE)
    rate_waiting(now=LATE)
    recompute_stale(now=LATE)
    assert sum(Standing.objects.values_list("played", flat=True)) == 22
    call_command("recompute", "--check")


def test_recompute_finds_and_mends_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    ladder, entries = make_ladder(make_players(4), format="challenge-ladder", window_days=0)
    play_ladder(ladder, entries, 12)
    call_command("recompute", "--check")
    waiting = capsys.readouterr().out
    assert "12 that wait to be counted" in waiting
    assert waiting.count("waits to be settled") == 12
    call_command("recompute")
    call_command("recompute", "--check")
    Standing.objects.filter(seat__entry=entries[0]).update(points=99)
    Rating.objects.filter(player=entries[1].player).update(wins=99)
    Seat.objects.filter(position=1).update(position=17)
    capsys.readouterr()
    with pytest.raises(CommandError, match=r"^\d+ differences"):
        call_command("recompute", "--check")
    output = capsys.readouterr().out
    assert "points 99" in output
    assert "wins=99" in output
    assert "the order is" in output
    call_command("recompute")
    assert Match.objects.filter(settled_at=None).count() == 0
