"""Stages that are played in levels: who waits at one, who comes to the next, and who is first at the highest."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from formats.advancement import find_first, find_qualifiers, list_arrivals
from formats.champions import find_champion
from formats.protocol import Record
from formats.results import given_numbers, results_of
from formats.scoring.tiebreaks import Ledger, Number, Result
from tournaments.models import Competition, EntryStatus, Group, Seat, Stage
from tournaments.records.entrant_ratings import ratings_before
from tournaments.records.group_records import read_records
from tournaments.records.qualifiers import rank_all, rank_group, with_ratings

WAITS = Q(group=None, entry__status=EntryStatus.ACTIVE)
"""Seats that wait for a group. Those of players who have withdrawn are kept, for withdrawals can be taken back."""


def chosen_stages(stages: Sequence[Stage]) -> list[Stage]:
    """Return those of a competition's stages that were chosen for it: not the levels that have come of them."""
    last = next((number for number, stage in enumerate(stages, start=1) if stage.max_levels is not None), len(stages))
    return list(stages[:last])


def waiting_seats(competition: Competition) -> QuerySet[Seat]:
    """Return the seats of all levels that wait for a group, those who came first at a level first, with the players."""
    seats = Seat.objects.filter(WAITS, stage__competition_id=competition.pk, stage__grouping__isnull=False)
    return seats.select_related("entry__player", "entry__team", "stage").order_by("stage__number", "pk")


def queues_of(competition: Competition, entry_id: int) -> dict[int, list[Seat]]:
    """Return the queues in which an entry waits, by their levels, the highest first. One query."""
    queues: dict[int, list[Seat]] = defaultdict(list)
    for seat in waiting_seats(competition):
        queues[seat.stage.number].append(seat)
    return {
        level: seats
        for level, seats in sorted(queues.items(), reverse=True)
        if any(seat.entry_id == entry_id for seat in seats)
    }


def arrivals_from(stage: Stage) -> list[int]:
    """Return the entries that come from a level to the next one, the first first, by the results of all its groups.

    Entrants who had withdrawn when their group ended do not go on.
    """
    groups = list(Group.objects.filter(stage=stage, ended_at__isnull=False).order_by("number"))
    going_on = qualifiers_by_group(stage, groups)
    return list_arrivals(
        (group.ended_at, group.number, going_on[group.pk]) for group in groups if group.ended_at is not None
    )


def qualifiers_by_group(stage: Stage, groups: Sequence[Group]) -> dict[int, list[int]]:
    """Return the entries that go on from each of these groups of a level that have ended, by the groups' ids."""
    rule = stage.advance_rule
    if rule is None or stage.is_last_level:
        return {group.pk: [] for group in groups}
    found = {}
    for group, record, end in _records_of(stage, groups):
        table = rank_group(stage, record, end)
        ledger = Ledger.of_results(results_of(record), given_numbers(record), stage.competition.scoring)
        qualifiers = find_qualifiers(rule, [table], ledger, stage.tiebreaks)
        found[group.pk] = [each.entrant for each in qualifiers]
    return found


def places_at(stage: Stage) -> list[int]:
    """Return the entries that hold a place at a level, those first who came first. One query."""
    return list(Seat.objects.filter(stage=stage).order_by("pk").values_list("entry", flat=True))


def find_first_at(stage: Stage) -> int | None:
    """Return the best of those who are champion of a group of a level; ``None`` while no group has ended.

    They are compared by points per match, each in their own group, then as the tables are.
    """
    groups = list(Group.objects.filter(stage=stage, ended_at__isnull=False).order_by("number"))
    tables, results = [], []
    given: dict[str, dict[tuple[int, int], Number]] = {"draw": {}, "rating": {}}
    for group, record, _end in _records_of(stage, groups):
        # At the first level a player may stand in several groups.
        champion = find_champion(rank_all(stage, record), record, by_round=stage.abilities.pairs_by_results)
        tables.append([] if champion is None else [(group.pk, champion)])
        results += _in_group(group.pk, results_of(record))
        for key, numbers in given_numbers(record).items():
            given[key] |= {(group.pk, entry): number for entry, number in numbers.items()}
    first = find_first(tables, Ledger.of_results(results, given, stage.competition.scoring), stage.tiebreaks)
    return None if first is None else first[1]


def _in_group(group_id: int, results: Iterable[Result[int]]) -> list[Result[tuple[int, int]]]:
    return [Result((group_id, each.yellow), (group_id, each.red), each.points, each.goals) for each in results]


def _records_of(stage: Stage, groups: Sequence[Group]) -> Iterator[tuple[Group, Record[int], datetime]]:
    """Yield the groups that have ended with their records and ends; with the ratings then where these decide tables."""
    for group in groups:
        group.stage = stage
    for group, record in zip(groups, read_records(groups), strict=True):
        if group.ended_at is None:
            continue
        if "rating" in stage.tiebreaks:
            ratings = ratings_before(stage.competition, group.ended_at)
            yield group, with_ratings(record, ratings), group.ended_at
        else:
            yield group, record, group.ended_at
