"""The result of a fixture, as its match and what was decided about it give it."""

from collections.abc import Iterable
from typing import NamedTuple

from matches.models import Match
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.models import Competition, Correction, Fixture


class Result(NamedTuple):
    """A result as it counts in a competition."""

    ending: Ending
    points: BySide[int]
    goals: BySide[int]

    @property
    def winner(self) -> Side | None:
        """Return who has won, ``None`` for nobody: a winner always has more points."""
        return next((side for side in Side if self.points[side] > self.points[side.opponent]), None)


def result_of(fixture: Fixture, competition: Competition) -> Result | None:
    """Return the result that counts: what was decided last, or how it ended; ``None`` while it has neither.

    Reads the match and the correction unless they were read with the fixture.
    """
    return corrected_result(fixture.correction) or result_before(fixture, competition)


def corrected_result(correction: Correction | None) -> Result | None:
    """Return the result that was decided on, ``None`` for none."""
    return None if correction is None else Result(Ending.ADJUDICATION, correction.points, correction.goals)


def corrections_of(matches: Iterable[Match]) -> dict[int, Result]:
    """Return the results that count in place of the matches' own, by match. One query, none if all have their own."""
    corrected = [match.pk for match in matches if match.corrected_at is not None]
    if not corrected:
        return {}
    fixtures = Fixture.objects.filter(match__in=corrected, correction__isnull=False).select_related("correction")
    found = {each.match_id: corrected_result(each.correction) for each in fixtures}
    return {pk: result for pk, result in found.items() if pk is not None and result is not None}


def result_before(fixture: Fixture, competition: Competition) -> Result | None:
    """Return the result before any correction, ``None`` while there is none."""
    outcome = outcome_of(fixture)
    return None if outcome is None else Result(outcome.ending, competition.points_of(outcome), outcome.score)


def outcome_of(fixture: Fixture) -> Outcome | None:
    """Return how a fixture ended before any correction, ``None`` while it has not."""
    if fixture.match is not None:
        return fixture.match.outcome
    if fixture.correction is not None:
        return fixture.correction.outcome_before
    points, goals = fixture.points, fixture.goals
    if points is None or goals is None:
        return None
    ending = Ending(fixture.ending)
    return Outcome(Result(ending, points, goals).winner, ending, goals)


def give_result(fixture: Fixture, result: Result) -> None:
    """Set the columns of a result; they are not stored by this."""
    fixture.ending = result.ending
    fixture.points_yellow, fixture.points_red = result.points
    fixture.goals_yellow, fixture.goals_red = result.goals
