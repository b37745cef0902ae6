"""Entrants who go on from a stage to the next one, with their seeds, as its results and withdrawals give them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from django.db.models import QuerySet

from formats.advancement import AT_ONCE, find_qualifiers, seed_qualifiers
from formats.grouping import merge_groups
from formats.play_offs import list_play_offs
from formats.protocol import Record
from formats.results import given_numbers, results_by_round, results_of
from formats.scoring.tiebreaks import Ledger, Number
from tournaments.models import CompetitionStatus, Group, Seat, Stage
from tournaments.models.elo import START
from tournaments.models.season_dates import find_month_after
from tournaments.records.competitions import waits_for_pause
from tournaments.records.entrant_ratings import ratings_before
from tournaments.records.group_records import read_records


def qualifiers_of(stage: Stage, *, draw_seed: int) -> list[int]:
    """Return the entries that go on from a stage that has ended, by the rule of the stage, in the order of their seeds.

    An entrant who has withdrawn by the end of the stage, or the day on which the next one begins, does not go on; the
    next in the table does. ``draw_seed`` is the next stage's. Nobody goes on from the last stage. Ten queries for any
    number of groups.
    """
    rule = stage.advance_rule
    if rule is None:
        return []
    if rule.play_offs is not None:
        return list(merge_groups(play_offs_of(stage)))
    records, end = _records_at_end(stage)
    if end is None:
        return []
    tables = [rank_group(stage, record, end) for record in records]
    found = find_qualifiers(rule, tables, _ledger_of(stage, records), stage.tiebreaks)
    known = {seat.entrant: seat.rating for record in records for seat in record.seats}
    seeded = seed_qualifiers(rule, found, len(records), ratings=known, draw_seed=draw_seed)
    return [each.entrant for each in seeded]


def play_offs_of(stage: Stage) -> list[tuple[int, ...]]:
    """Return the entries that meet in each play-off of leagues that have ended, the defender first.

    An entrant who has withdrawn keeps the place, and loses it to whoever plays for it; those behind somebody who was
    disqualified by the end of the leagues move up. Ten queries for any number of groups.
    """
    leagues, rule = stage.grouping_options, stage.advance_rule
    records, end = _records_at_end(stage)
    if leagues is None or rule is None or rule.play_offs is None or end is None:
        return []
    tables = [_rank_league(stage, record, end) for record in records]
    met = list_play_offs(
        [len(table) for table in tables],
        rule.play_offs,
        last_promoted=leagues.promoted_to,
        last_to_stay=leagues.stays_to,
    )
    return [tuple(tables[(source.group or 1) - 1][source.rank - 1] for source in sources) for sources in met]


def _records_at_end(stage: Stage) -> tuple[list[Record[int]], datetime | None]:
    """Return the records of a stage's groups and the moment for which they stand, ``None`` while one goes on."""
    groups = list(Group.objects.filter(stage=stage).order_by("number"))
    ends = [group.ended_at for group in groups if group.ended_at is not None]
    if not groups or len(ends) < len(groups):
        return [], None
    for group in groups:
        group.stage = stage
    end = max(*ends, begin_after(stage, groups) or ends[0])
    ratings = ratings_before(stage.competition, end)
    return [with_ratings(record, ratings) for record in read_records(groups)], end


def begin_after(stage: Stage, groups: Sequence[Group]) -> datetime | None:
    """Return the day on which the next stage begins if this one, which has these groups, has ended by then.

    ``None`` where it begins at once, or nothing has begun.
    """
    rule, competition = stage.advance_rule, stage.competition
    begun = [group.started_at for group in groups if group.started_at is not None]
    if rule is None or rule.begins == AT_ONCE or not begun or competition.started_at is None:
        return None
    return find_month_after(competition.starts_at or competition.started_at, min(begun))


def stages_due(now: datetime) -> QuerySet[Stage]:
    """Return the stages of running competitions after which the next one is to begin by now."""
    waits = waits_for_pause("next_begins_at")
    return Stage.objects.filter(~waits, next_begins_at__lte=now, competition__status=CompetitionStatus.RUNNING)


def players_of(stage: Stage) -> list[int]:
    """Return the entries that play a later stage, in the order of the seeds with which they came. One query."""
    seats = Seat.objects.filter(stage=stage, seed__isnull=False).order_by("group__number", "seed")
    grouped: dict[int | None, list[int]] = defaultdict(list)
    for group_id, entry in seats.values_list("group", "entry"):
        grouped[group_id].append(entry)
    return list(merge_groups(list(grouped.values())))


def with_ratings(record: Record[int], ratings: Mapping[int, Decimal]) -> Record[int]:
    """Return a record with the ratings as they were at its end: what came later makes no difference."""
    seats = tuple(replace(seat, rating=ratings.get(seat.entrant, START)) for seat in record.seats)
    return replace(record, seats=seats)


def rank_group(stage: Stage, record: Record[int], end: datetime) -> list[int]:
    """Return who of a group may go on, the first first; of those who share a place the draw's first."""
    left = {seat.entrant for seat in record.seats if seat.was_empty_at(end) or seat.is_annulled}
    return [entrant for entrant in rank_all(stage, record) if entrant not in left]


def _rank_league(stage: Stage, record: Record[int], end: datetime) -> list[int]:
    """Return everybody of a group who had not been disqualified by a moment, in the order of ``rank_group``."""
    out = {
        seat.entrant for seat in record.seats if seat.is_annulled or (seat.is_disqualified and seat.was_empty_at(end))
    }
    return [entrant for entrant in rank_all(stage, record) if entrant not in out]


def rank_all(stage: Stage, record: Record[int]) -> list[int]:
    """Return everybody of a group who has a place, in the order of ``rank_group``."""
    lots = {seat.entrant: seat.lot for seat in record.seats}
    places = stage.format_spec.places(record, stage.chosen_options, stage.tiebreaks)
    placed = [(each.place, lots[each.entrant], each.entrant) for each in places if each.place is not None]
    return [entrant for _place, _lot, entrant in sorted(placed)]


def _ledger_of(stage: Stage, records: Sequence[Record[int]]) -> Ledger[int]:
    """Return the results of all groups, to compare those who have not met."""
    by_round = stage.abilities.pairs_by_results
    results = [each for record in records for each in (results_by_round(record) if by_round else results_of(record))]
    given: dict[str, dict[int, Number]] = {"draw": {}, "rating": {}}
    for record in records:
        for key, numbers in given_numbers(record).items():
            given[key] |= numbers
    rounds = max((len(record.rounds) for record in records), default=0)
    return Ledger.of_results(results, given, stage.competition.scoring, swiss_rounds=rounds if by_round else None)
