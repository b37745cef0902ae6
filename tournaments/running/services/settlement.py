"""Settle finished matches: count them in their competitions and in the ratings.

The finished match is the competition. Settling it is one transaction that does everything or nothing,
once, however often and in whatever order it is called for.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import islice

import structlog
from django.db import transaction
from django.db.models import F

from database.compiled_queries import CompiledQuery
from database.isolation import attempt_each
from formats.protocol import Order
from matches.models import Match, Status
from rules_engine.values import Ending
from tournaments.models import OF_TIES, Competition, Fixture, Group, Tie
from tournaments.office.services.after_commit import notify_tables
from tournaments.office.services.locks import lock_competition
from tournaments.records.brackets import IN_ORDER
from tournaments.records.groups import groups_of
from tournaments.records.result_sums import MAX_ENTRANTS_BY_ID
from tournaments.records.results import give_result, result_of
from tournaments.rounds.services.competition_end import place_and_crown
from tournaments.rounds.services.stage_ends import move_on
from tournaments.rounds.services.ties import play_ties
from tournaments.running.services.departure import let_go, note_waiting
from tournaments.running.services.ladder_room import bring_back
from tournaments.tables.services.challenge_results import apply_challenges
from tournaments.tables.services.known_games import forget_games
from tournaments.tables.services.ratings import mark_ratings_due
from tournaments.tables.services.standings import mark_groups_stale

BATCH = 500
MAX_ROWS = 250

_RESULT = ("counted_at", "finished_at", "ending", "points_yellow", "points_red", "goals_yellow", "goals_red")

logger = structlog.get_logger(__name__)

# Most matches are settled one by one: what is asked for each of them is compiled once.
_COMPETITION_OF = CompiledQuery(
    lambda match_id: Fixture.objects.filter(match=match_id).order_by("pk").values_list("competition_id"),
    is_prepared=False,
)
_COUNTING = CompiledQuery(lambda match_id: Match.objects.filter(pk=match_id, annulled_at=None).order_by("pk"))
_UNCOUNTED = CompiledQuery(
    lambda match_id: Fixture.objects.filter(match=match_id, is_annulled=False, counted_at=None).order_by("pk"),
    is_prepared=False,
)


def settle_match(*, match_id: int, now: datetime) -> bool:
    """Count a finished match wherever it counts; return whether this call did it.

    A match that is still played, is unknown or has been settled is left alone.
    """
    with transaction.atomic():
        competition = _lock_competition_of(match_id)
        return bool(_settle(competition, [match_id], now))


def settle_finished(*, now: datetime, limit: int = BATCH) -> int:
    """Settle up to ``limit`` finished matches, in the order of their ends; return how many this call settled.

    Each has a transaction of its own, and one that fails stops none of the others.
    """
    finished = Match.objects.filter(status=Status.FINISHED, settled_at=None).order_by("finished_at", "pk")
    settled = attempt_each(
        list(finished.values_list("pk", flat=True)),
        lambda match_id: settle_match(match_id=match_id, now=now),
        event="match_not_settled",
        key="match_id",
    )
    return sum(islice(settled, limit))


def settle_competition(*, competition: Competition, until: datetime, now: datetime) -> int:
    """Settle a competition's matches that had finished by a moment, all at once; return how many this call settled.

    One that fails is logged, and stops none of the others. The number of queries does not depend on that of the
    results, but for the ties that they decide. The caller holds the competition's lock.
    """
    finished = Match.objects.filter(competition=competition.pk, status=Status.FINISHED, settled_at=None)
    in_order = finished.filter(finished_at__lte=until).order_by("finished_at", "pk")
    waiting = list(in_order.values_list("pk", flat=True))
    if not waiting:
        return 0
    try:
        with transaction.atomic():
            return _settle(competition, waiting, now)
    except Exception:
        logger.exception("competition_not_settled_at_once", competition_id=competition.pk, count=len(waiting))

    def settle(match_id: int) -> int:
        with transaction.atomic():
            return _settle(competition, [match_id], now)

    return sum(attempt_each(waiting, settle, event="match_not_settled", key="match_id"))


def _lock_competition_of(match_id: int) -> Competition | None:
    found = _COMPETITION_OF.rows(match_id=match_id)
    return lock_competition(competition_id=found[0][0]) if found else None


def _settle(competition: Competition | None, match_ids: Sequence[int], now: datetime) -> int:
    """Settle finished matches of one competition, or one of none; return how many.

    The caller holds the competition's lock.
    """
    settled = _mark_settled(match_ids, now)
    if not settled:
        return 0
    counting = _read_counting(match_ids)
    mark_ratings_due(matches=[match for match in counting if match.is_rated])
    if competition is not None:
        _count(competition, counting, now)
    return settled


def _mark_settled(match_ids: Sequence[int], now: datetime) -> int:
    """Mark those of the matches as settled that have finished and were not; return how many."""
    unsettled = Match.objects.filter(pk__in=match_ids, status=Status.FINISHED, settled_at=None)
    if len(match_ids) == 1:
        return unsettled.update(settled_at=now)
    # Transactions that wait for a match while holding others lock them in this order.
    in_order = unsettled.select_for_update(no_key=True).order_by("pk")
    return Match.objects.filter(pk__in=in_order.values("pk"), settled_at=None).update(settled_at=now)


def _read_counting(match_ids: Sequence[int]) -> list[Match]:
    """Return those of the matches that are not annulled, in the order of their ends."""
    if len(match_ids) == 1:
        return _COUNTING.all(match_id=match_ids[0])
    return list(Match.objects.filter(pk__in=match_ids, annulled_at=None).order_by("finished_at", "pk"))


def _count(competition: Competition, matches: Sequence[Match], now: datetime) -> None:
    """Count the results in the competition, and let follow what follows from them."""
    fixtures = _count_fixtures(competition, matches, now)
    if not fixtures:
        return
    in_tables = {fixture.group_id for fixture in fixtures if fixture.tie_id is None}
    if in_tables:
        mark_groups_stale(groups=Group.objects.filter(pk__in=in_tables), now=now)
    in_brackets = {fixture.group_id for fixture in fixtures} - in_tables
    if in_brackets:
        Group.objects.filter(pk__in=in_brackets).update(results_version=F("results_version") + 1)
        notify_tables(dict.fromkeys(in_brackets, competition.pk))
    if not competition.is_endless:
        follow_results(competition=competition, fixtures=fixtures, now=now)
        return
    forget_games(fixtures=fixtures)
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        apply_challenges(ladder_id=competition.pk, fixtures=fixtures)
    lost_on_time = [fixture for fixture in fixtures if fixture.ending in {Ending.TIMEOUT, Ending.FORFEIT}]
    if lost_on_time:
        players = {key for each in lost_on_time for key in (each.yellow_id, each.red_id)}
        note_waiting(ladder=competition, among=players if len(players) <= MAX_ENTRANTS_BY_ID else None)
    if any(fixture.ending in {Ending.ADJUDICATION, Ending.FORFEIT} for fixture in fixtures):
        bring_back(competition=competition, now=now)
    let_go(competition=competition, fixtures=fixtures, now=now)


def _count_fixtures(competition: Competition, matches: Sequence[Match], now: datetime) -> list[Fixture]:
    """Give their fixtures these results, and return those that count, in the order of the matches."""
    waiting = _read_uncounted(matches)
    fixture_of = {fixture.match_id: fixture for fixture in waiting}
    fixtures = []
    for match in matches:
        fixture = fixture_of.get(match.pk)
        if fixture is None or match.finished_at is None:
            continue
        fixture.match = match
        result = result_of(fixture, competition)
        if result is None:
            continue
        give_result(fixture, result)
        fixture.counted_at, fixture.finished_at = now, match.finished_at
        fixtures.append(fixture)
    _store_results(fixtures)
    return fixtures


def _read_uncounted(matches: Sequence[Match]) -> Iterable[Fixture]:
    """Return the fixtures of these matches whose results have not been counted and are to count."""
    if len(matches) == 1:
        return _UNCOUNTED.all(match_id=matches[0].pk)
    return Fixture.objects.filter(match__in=matches, is_annulled=False, counted_at=None)


def _store_results(fixtures: Sequence[Fixture]) -> None:
    """Store the results that these fixtures have been given."""
    if len(fixtures) == 1:
        fixtures[0].save(update_fields=_RESULT)
    else:
        Fixture.objects.bulk_update(fixtures, _RESULT, batch_size=MAX_ROWS)


def follow_results(*, competition: Competition, fixtures: Collection[Fixture], now: datetime) -> None:
    """Let the groups of these fixtures, whose results have been counted, go on from there.

    Ties are decided, or the legs begin that they need next; a decided tie sends its entrants on; rounds, groups, stages
    and the competition end where it was their last. Again has no effect. The caller holds the competition's lock.
    """
    concerned = {fixture.group_id for fixture in fixtures}
    ties = {fixture.tie_id for fixture in fixtures if fixture.tie_id is not None}
    undecided = Tie.objects.filter(pk__in=ties, decided_at=None).select_related("round", *OF_TIES).order_by(*IN_ORDER)
    for group in groups_of(competition):
        if group.pk not in concerned or group.started_at is None:
            continue
        if not group.stage.is_bracket:
            if group.ended_at is None:
                move_on(group=group, now=now)
        elif group.ended_at is not None:
            # The result of a tie that somebody's withdrawal had decided.
            place_and_crown(group=group)
        elif play_ties(group=group, ties=undecided.filter(round__group=group), now=now):
            move_on(group=group, now=now)
