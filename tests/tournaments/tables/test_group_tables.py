"""Tables of stages with several groups, whole and short: each is made of its group's results."""

import random
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.services.adjudication import adjudicate_match
from players.models import Rating
from rules_engine.values import Side
from tests.matches.test_queries import queries_of
from tests.matches.test_races import race
from tests.tournaments.pages.parts import ADVANCE, begin_groups, make_stages, play_rounds
from tests.tournaments.settled_competitions import HOUR, NOON, make_players, rated
from tests.tournaments.verbs import ROUND_ROBIN, end, enter_all, faults_of, make_cup
from tournaments.models import (
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    PlaceChange,
    Round,
    Seat,
    Stage,
    Standing,
)
from tournaments.office.stage_names import name_source
from tournaments.records.stages import plan_entrants, stages_of
from tournaments.rounds.services.fixtures import start_fixtures
from tournaments.running.services.departure import go
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.verification import waiting_in_competition
from tournaments.tables.selectors.group_tables import MIN_ROWS, GoingOn, count_before, short_tables, who_goes_on
from tournaments.tables.services.standings import (
    mark_all_standings_stale,
    mark_standings_stale,
    recompute_stale,
    recompute_standings,
)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATE = NOON + 50 * HOUR
SIZE = 3


class Pool(NamedTuple):
    """A group in play, and its entrants by their seeds."""

    group: Group
    entries: list[Entry]

    def fixture(self, yellow: int, red: int) -> Fixture:
        return Fixture.objects.get(group=self.group, yellow=self.entries[yellow], red=self.entries[red])

    def table(self) -> list[Entry]:
        """Return who stands in the stored table, the first first."""
        rows = Standing.objects.filter(group=self.group).order_by("place").select_related("seat__entry")
        return [row.seat.entry for row in rows]

    def is_stale(self) -> bool:
        return Group.objects.get(pk=self.group.pk).standings_stale_since is not None


def make_pools(count: int = 2, **options: Any) -> tuple[Cup, list[Pool]]:
    """Return a running cup whose first stage has so many groups of three, where everybody meets everybody once."""
    cup = make_cup(**(ROUND_ROBIN | {"is_rated": False, "slug": f"cup-of-{count}"} | options))
    entries = enter_all(cup, make_players(count * SIZE, prefix=cup.slug))
    cup.status, cup.started_at = CompetitionStatus.RUNNING, NOON
    cup.save(update_fields=["status", "started_at"])
    pools = [
        _fill(cup, cup.first_stage, number, entries[(number - 1) * SIZE : number * SIZE])
        for number in range(1, count + 1)
    ]
    mark_all_standings_stale(competition_id=cup.pk, now=NOON)
    recompute_stale(now=NOON)
    return cup, pools


def add_stage(cup: Cup, entries: Sequence[Entry], **fields: Any) -> Pool:
    """Return the group of another stage of the cup, in which these entrants play."""
    Stage.objects.filter(competition=cup).update(advance={"first": 1})
    number = Stage.objects.filter(competition=cup).count() + 1
    stage = Stage.objects.create(competition=cup, number=number, **{"tiebreaks": ["points", "draw"]} | fields)
    Seat.objects.bulk_create(Seat(stage=stage, entry=entry) for entry in entries)
    return _fill(cup, stage, 1, entries)


def _fill(cup: Cup, stage: Stage, number: int, entries: Sequence[Entry]) -> Pool:
    group, _is_new = Group.objects.get_or_create(stage=stage, number=number)
    Group.objects.filter(pk=group.pk).update(started_at=NOON)
    for seed, entry in enumerate(entries, start=1):
        Seat.objects.filter(stage=stage, entry=entry).update(group=group, seed=seed)
    round_ = Round.objects.create(group=group, number=1, started_at=NOON)
    fixtures = [
        Fixture(competition=cup, group=group, round=round_, yellow=yellow, red=red, created_at=NOON)
        for yellow, red in combinations(entries, 2)
    ]
    start_fixtures(fixtures=fixtures, competition=cup, now=NOON)
    return Pool(group, list(entries))


def test_each_group_has_a_table_of_its_own_results() -> None:
    cup, (one, two) = make_pools()
    end(one.fixture(0, 1), Side.RED)
    end(two.fixture(0, 1), Side.YELLOW)
    end(two.fixture(0, 2), Side.YELLOW)
    end(two.fixture(1, 2), Side.YELLOW)
    assert recompute_stale(now=NOON) == 2
    assert (one.table()[0], {*one.table()}) == (one.entries[1], {*one.entries})
    assert two.table() == two.entries
    for pool in (one, two):
        places = Standing.objects.filter(group=pool.group).order_by("place").values_list("place", flat=True)
        assert list(places) == [1, 2, 3]
    assert faults_of(cup) == []
    assert PlaceChange.objects.filter(seat__group=two.group).count() == 6


def test_a_result_makes_only_its_groups_table_anew() -> None:
    _cup, (one, two) = make_pools()
    Standing.objects.filter(group=one.group).update(points=99)
    end(two.fixture(0, 1), Side.YELLOW)
    assert (one.is_stale(), two.is_stale()) == (False, True)
    assert recompute_stale(now=NOON) == 1
    assert set(Standing.objects.filter(group=one.group).values_list("points", flat=True)) == {99}
    assert two.table()[0] == two.entries[0]


def test_a_group_has_its_table_by_the_order_of_its_stage() -> None:
    cup, (one, _two) = make_pools(tiebreaks=["points", "draw"])
    final = add_stage(cup, one.entries[:2], format="round-robin", tiebreaks=["goals", "matches-as-red", "draw"])
    end(final.fixture(0, 1), Side.YELLOW)
    recompute_stale(now=NOON)
    # Nobody has scored, and who played Red has more matches as Red.
    assert final.table() == [one.entries[1], one.entries[0]]
    assert Standing.objects.get(group=final.group, place=2).decided_by == "matches-as-red"
    # Nobody has gone on here by the rule of the first stage, which is no fault of a table.
    assert not [fault for fault in faults_of(cup) if "seat" in fault]


def test_the_places_of_a_bracket_are_left_alone() -> None:
    cup, (one, _two) = make_pools()
    final = add_stage(cup, one.entries, format="knock-out")
    seats = Seat.objects.filter(group=final.group).order_by("pk")
    Standing.objects.bulk_create(Standing(seat=seat, group=final.group, place=3) for seat in seats)
    mark_standings_stale(group_id=final.group.pk, now=NOON)
    assert recompute_standings(group_id=final.group.pk, now=NOON) == 0
    assert set(Standing.objects.filter(group=final.group).values_list("place", flat=True)) == {3}
    assert not final.is_stale()


def test_a_group_that_has_ended_keeps_its_table_while_the_cup_goes_on() -> None:
    _cup, (one, two) = make_pools(tiebreaks=["points", "rating"])
    rated(one.entries[2].player, two.entries[1].player, Side.YELLOW, NOON)
    for yellow, red, winner in ((0, 1, Side.YELLOW), (1, 2, Side.YELLOW), (0, 2, Side.RED)):
        # Each wins once, so that the ratings decide; the last match of the second group goes on.
        end(one.fixture(yellow, red), winner, NOON + HOUR)
        if winner is Side.YELLOW:
            end(two.fixture(yellow, red), winner, NOON + HOUR)
    recompute_stale(now=LATE)
    before = one.table()
    assert (before[0], two.table()[0]) == (one.entries[2], two.entries[0])
    assert Group.objects.get(pk=one.group.pk).ended_at == NOON + HOUR
    for _ in range(2):
        rated(two.entries[1].player, one.entries[2].player, Side.YELLOW, LATE)
    assert Rating.objects.get(player=one.entries[2].player).rating < 1500
    assert (one.is_stale(), two.is_stale()) == (False, True)
    for pool in (one, two):
        recompute_standings(group_id=pool.group.pk, now=LATE)
    assert (one.table(), two.table()[0]) == (before, two.entries[1])


def test_a_player_who_withdraws_stays_in_the_table_of_their_group() -> None:
    cup, (one, two) = make_pools()
    leaver = two.entries[0]
    end(two.fixture(0, 1), Side.YELLOW)
    recompute_stale(now=NOON)
    go(entries=[leaver], at=NOON, now=NOON)
    assert Entry.objects.get(pk=leaver.pk).status == EntryStatus.GONE
    assert (one.is_stale(), two.is_stale()) == (False, True)
    recompute_stale(now=NOON)
    assert two.table()[0] == leaver
    assert leaver not in one.table()
    # The match that was going on has not been forfeited here.
    (fault,) = faults_of(cup)
    assert fault.endswith("goes on, but one of its entrants has left.")


def test_a_row_that_differs_is_found_in_any_group(capsys: pytest.CaptureFixture[str]) -> None:
    cup, (_one, two) = make_pools()
    mark_all_standings_stale(competition_id=cup.pk, now=NOON)
    assert waiting_in_competition(competition=cup, now=NOON) == [
        f"The table of {cup} 1 {letter} waits to be made." for letter in "AB"
    ]
    recompute_stale(now=NOON)
    assert faults_of(cup) == []
    seat = Seat.objects.get(group=two.group, seed=2)
    Standing.objects.filter(seat=seat).update(points=99)
    (fault,) = faults_of(cup)
    assert fault.startswith(f"{cup}: seat {seat.pk} is ")
    with pytest.raises(CommandError, match="1 differences"):
        call_command("recompute", "--check")
    assert "points 99" in capsys.readouterr().out
    call_command("recompute")
    call_command("recompute", "--check")


def test_only_the_last_stages_first_group_names_the_winner_of_a_finished_cup() -> None:
    cup, (one, two) = make_pools()
    final = add_stage(cup, [one.entries[0], two.entries[0]], format="round-robin")
    for pool in (one, two, final):
        end(pool.fixture(0, 1), Side.YELLOW)
    recompute_stale(now=NOON)
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.FINISHED, finished_at=NOON, winner=two.entries[1])
    recompute_standings(group_id=one.group.pk, now=NOON)
    recompute_standings(group_id=two.group.pk, now=NOON)
    assert Cup.objects.get().winner == two.entries[1]
    recompute_standings(group_id=final.group.pk, now=NOON)
    assert Cup.objects.get().winner == one.entries[0]


def test_more_groups_are_marked_and_checked_by_the_same_queries() -> None:
    marks, checks = [], []
    for count in (2, 6):
        cup, pools = make_pools(count)
        with CaptureQueriesContext(connection) as marking:
            mark_all_standings_stale(competition_id=cup.pk, now=NOON)
        recompute_stale(now=NOON)
        with CaptureQueriesContext(connection) as waiting:
            waiting_in_competition(competition=Cup.objects.get(pk=cup.pk), now=NOON)
        with CaptureQueriesContext(connection) as one:
            recompute_standings(group_id=pools[0].group.pk, now=NOON)
        marks.append(len(marking))
        checks.append((len(waiting), len(one)))
    assert marks[0] == marks[1] == 2
    assert checks[0] == checks[1]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_results_of_two_groups_at_once_give_the_tables_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)
    monkeypatch.setattr("matches.services.after_commit._send_end", lambda _: None)
    for attempt in range(3):
        cup, pools = make_pools(slug=f"cup-{attempt}", name=f"Cup {attempt}")
        fixtures = [pool.fixture(*pair) for pool in pools for pair in ((0, 1), (0, 2))]
        for fixture in fixtures:
            assert fixture.match_id is not None
            adjudicate_match(match_id=fixture.match_id, winner=Side.YELLOW, now=NOON)

        def work(seed: int, fixtures: list[Fixture] = fixtures, pools: list[Pool] = pools) -> None:
            source = random.Random(seed)
            for fixture in source.sample(fixtures, len(fixtures)):
                assert fixture.match_id is not None
                settle_match(match_id=fixture.match_id, now=NOON)
                recompute_standings(group_id=source.choice(pools).group.pk, now=NOON)

        marking = partial(mark_all_standings_stale, competition_id=cup.pk, now=NOON)
        assert race(partial(work, 1), partial(work, 2), marking) == ["ok"] * 3
        recompute_stale(now=NOON)
        assert faults_of(cup) == []
        for pool in pools:
            assert pool.table()[0] == pool.entries[0]


@pytest.fixture
def groups():
    """Make two groups of twelve, of which the first round has been played."""
    cup = make_stages(24, grouping={"groups": 2, "size": None})
    begin_groups(cup)
    play_rounds(cup, 1)
    return list(stages_of(cup)[0].groups)


def test_the_first_rows_of_each_group_are_read_in_two_queries(groups):
    tables = []
    assert len(queries_of(lambda: tables.extend(short_tables(groups)))) == 2
    assert [[row.place for row in table.rows] for table in tables] == [list(range(1, MIN_ROWS + 1))] * 2
    assert [{row.standing.group_id for row in table.rows} for table in tables] == [{group.pk} for group in groups]


def test_ones_own_row_comes_too_once(groups):
    for place, places in ((11, [*range(1, MIN_ROWS + 1), 11]), (2, [*range(1, MIN_ROWS + 1)])):
        own = Standing.objects.select_related("seat__entry").get(group=groups[1], place=place).seat.entry
        first, second = short_tables(groups, mine=own)
        assert ([row.place for row in first.rows], [row.place for row in second.rows]) == (
            list(range(1, MIN_ROWS + 1)),
            places,
        )


def test_before_any_table_the_seeds_are_the_order(groups):
    Standing.objects.all().delete()
    table = short_tables(groups)[0]
    seeded = Seat.objects.filter(group=groups[0]).order_by("seed")[:MIN_ROWS]
    assert [(row.place, row.entry.pk) for row in table.rows] == [(None, seat.entry_id) for seat in seeded]


def test_stages_are_planned_from_each_other_as_far_as_they_can_be(groups):
    cup = groups[0].stage.competition
    cup.stages.filter(number=2).update(number=3)
    second = Stage.objects.create(
        competition=cup,
        number=2,
        format="round-robin",
        options={"cycles": 1},
        grouping={"groups": 2, "size": None},
        advance={"first": 1, "best": 0, "above_percent": None, "seeding": "crossed"},
    )
    cup.refresh_from_db()

    def plan(number):
        planned = plan_entrants(stages_of(cup), number)
        return None if planned is None else [name_source(each) for each in planned]

    assert plan(3) == ["Winner of group A", "Winner of group B"]
    assert len(plan(2)) == 4
    assert plan(1) is None
    second.advance = second.advance | {"seeding": "draw"}
    second.save()
    cup.refresh_from_db()
    assert (len(plan(2)), plan(3)) == (4, None)


def test_entrants_who_have_withdrawn_do_not_count_among_those_who_go_on(groups):
    group = groups[0]
    rows = list(Standing.objects.filter(group=group).select_related("seat__entry").order_by("place"))
    Entry.objects.filter(pk__in=[rows[0].seat.entry_id, rows[9].seat.entry_id]).update(status=EntryStatus.GONE)
    Stage.objects.filter(pk=group.stage_id).update(advance={**ADVANCE, "first": 9})
    fresh = list(stages_of(Cup.objects.get(slug="cup"))[0].groups)
    table = short_tables(fresh)[0]
    assert [row.place for row in table.rows] == list(range(1, 11))
    going_on = {row.seat.entry_id for row in rows if row.place in {*range(2, 10), 11}}
    assert {row.entry.pk for row in table.rows if row.going_on != GoingOn.NO} == going_on - {rows[10].seat.entry_id}
    # So it is from any place of the table on.
    seats = list(Seat.objects.filter(group=group, standing__place__gte=10).order_by("standing__place"))
    assert set(who_goes_on(fresh[0], seats, set(), before=count_before(seats[0]))) == {rows[10].seat.entry_id}
