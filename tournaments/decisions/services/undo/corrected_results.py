"""Correct results that fixtures have, and take that back. Callers hold the competition's lock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from matches.services.adjudication import mark_corrected
from rules_engine.values import BySide, Side
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import replays_after
from tournaments.models import Competition, Correction, Fixture, LogEntry
from tournaments.records.results import corrected_result, give_result, outcome_of, result_before
from tournaments.rounds.services.set_aside import NO_RESULT, set_aside
from tournaments.tables.services.ratings import mark_ratings_due


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a result is corrected to: who has won, ``None`` for nobody, match points and goals."""

    winner: Side | None
    points: BySide[int]
    goals: BySide[int]
    is_rated: bool = True


def correct_results(
    *, competition: Competition, fixtures: Iterable[Fixture], decide: Callable[[Fixture], Verdict], cause: LogEntry
) -> Changes:
    """Give fixtures that have a result, and count, the one that is decided, and note the line of the log by which.

    Fixtures are read with ``RELATED``. What was corrected before stays noted below it. Of a tie, the replays that
    followed from a result are set aside. Everything else is for the caller to derive.
    """
    corrected = list(fixtures)
    for fixture in corrected:
        verdict = decide(fixture)
        # Of a match, the row itself says how it ended.
        before = None if fixture.match_id is not None else outcome_of(fixture)
        correction = Correction.objects.create(
            fixture=fixture,
            winner=verdict.winner or "",
            points_yellow=verdict.points.yellow,
            points_red=verdict.points.red,
            goals_yellow=verdict.goals.yellow,
            goals_red=verdict.goals.red,
            is_rated=verdict.is_rated,
            ending_before="" if before is None else before.ending,
            winner_before="" if before is None else before.winner or "",
            cause=cause,
            decided_at=cause.logged_at,
        )
        _let_count(correction, fixture, competition, cause.logged_at)
    return Changes(meant=corrected)


def take_back_corrections(*, competition: Competition, corrections: QuerySet[Correction], now: datetime) -> Changes:
    """Let fixtures have the results that they had without these corrections, whatever was decided before and after.

    Everything else is for the caller to derive.
    """
    gone = set(corrections.values_list("pk", flat=True))
    corrected = Correction.objects.filter(pk__in=gone).values("fixture")
    fixtures = list(Fixture.objects.filter(pk__in=corrected).select_related(*RELATED).order_by("pk"))
    remaining = Correction.objects.filter(fixture__in=fixtures).exclude(pk__in=gone).order_by("pk")
    last = {each.fixture_id: each for each in remaining}
    for fixture in fixtures:
        _let_count(last.get(fixture.pk), fixture, competition, now)
    Correction.objects.filter(pk__in=gone).delete()
    return Changes(meant=fixtures)


def _let_count(correction: Correction | None, fixture: Fixture, competition: Competition, now: datetime) -> None:
    """Let a correction count for a fixture, or with ``None`` how it ended."""
    result = corrected_result(correction) or result_before(fixture, competition)
    fixture.correction = correction
    if result is not None:
        give_result(fixture, result)
    fixture.save(update_fields=["correction", *NO_RESULT])
    set_aside(fixtures=replays_after(fixture), now=now)
    if fixture.match is None:
        return
    mark_corrected(match_ids=[fixture.match.pk], at=None if correction is None else correction.decided_at)
    if fixture.match.is_rated:
        mark_ratings_due(matches=[fixture.match])
