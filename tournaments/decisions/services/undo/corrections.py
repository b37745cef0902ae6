"""Correct the result of a match, and take that back: what followed from it is derived again."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import TypedDict, Unpack

from django.utils.translation import gettext as _

from formats.scoring.points import PointTable
from players.models import Player
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.decisions.errors import InvalidResult, NoResult, NothingToTakeBack, ResultStands
from tournaments.decisions.services.undo.changes import Changes, find_fixture
from tournaments.decisions.services.undo.corrected_results import Verdict, correct_results, take_back_corrections
from tournaments.decisions.services.undo.statuses import check_status
from tournaments.decisions.services.undo.trial import foresee_of_fixture, take_back_of_fixture
from tournaments.models import Competition, Correction, Fixture
from tournaments.office.services.log import Change, log_action
from tournaments.rounds.services.consequences import Consequences

MAX_GOALS = 1000


class Corrected(TypedDict):
    """What an organiser enters as the result; what is ``None`` is what it would be by itself.

    Points are what such a win, or a draw, is worth; goals those that were shot.
    """

    winner: Side | None
    points_yellow: int | None
    points_red: int | None
    goals_yellow: int | None
    goals_red: int | None
    is_rated: bool


def correct_fixture(
    *, fixture_id: int, confirm: bool, actor: Player, reason: str, now: datetime, **corrected: Unpack[Corrected]
) -> Fixture:
    """Give a match that has a result another one, and return its fixture; also after the competition's end.

    The rating follows who has won it now, or it is not rated any more. Raises ``FixtureNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``NoResult``, ``ResultStands`` where it counts for nothing, ``InvalidResult``, or
    ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed.
    """
    change = partial(_correct, corrected=corrected)
    take_back_of_fixture(fixture_id=fixture_id, change=change, confirm=confirm, actor=actor, reason=reason, now=now)
    return find_fixture(fixture_id)


def what_follows_from_correcting(*, fixture_id: int, now: datetime, **corrected: Unpack[Corrected]) -> Consequences:
    """Return what follows from a correction now. Raises what the correction would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=partial(_correct, corrected=corrected), now=now)


def take_back_correction(*, fixture_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Fixture:
    """Let a match have the result that it had before the last correction, and return its fixture.

    Raises ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, or
    ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed.
    """
    take_back_of_fixture(fixture_id=fixture_id, change=_take_back, confirm=confirm, actor=actor, reason=reason, now=now)
    return find_fixture(fixture_id)


def what_follows_from_taking_back_correction(*, fixture_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back a correction now. Raises what taking it back would, but for the lost."""
    return foresee_of_fixture(fixture_id=fixture_id, change=_take_back, now=now)


def _correct(
    fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition, *, corrected: Corrected
) -> Changes:
    fixture = find_fixture(fixture_id)
    check_status(competition)
    if fixture.is_annulled:
        raise ResultStands(_("This match has been annulled. Take that back first."))
    if fixture.points is None or fixture.goals is None:
        raise NoResult(_("This match has no result yet. You can adjudicate it."))
    verdict = _read(corrected, fixture, competition)
    line = log_action(
        competition=competition,
        action="corrected",
        actor=actor,
        about=fixture,
        reason=reason,
        changes=[_describe(fixture, verdict)],
        now=now,
        concerns=() if fixture.seated else (fixture.yellow, fixture.red),
    )
    return correct_results(competition=competition, fixtures=[fixture], decide=lambda _each: verdict, cause=line)


def _take_back(fixture_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    fixture = find_fixture(fixture_id)
    check_status(competition)
    last = fixture.correction
    if last is None:
        raise NothingToTakeBack(_("The result of this match has not been corrected."))
    if last.cause is not None and last.cause.action != "corrected":
        raise NothingToTakeBack(_("This result follows from another decision. Take that back instead."))
    log_action(
        competition=competition,
        action="correction-undone",
        actor=actor,
        about=fixture,
        reason=reason,
        now=now,
        concerns=() if fixture.seated else (fixture.yellow, fixture.red),
    )
    only = Correction.objects.filter(pk=last.pk)
    return take_back_corrections(competition=competition, corrections=only, now=now)


def _read(corrected: Corrected, fixture: Fixture, competition: Competition) -> Verdict:
    """Return what was entered as a verdict. Raises ``InvalidResult``."""
    winner, shot = corrected["winner"], fixture.goals or BySide(0, 0)
    goals = BySide(
        shot.yellow if corrected["goals_yellow"] is None else corrected["goals_yellow"],
        shot.red if corrected["goals_red"] is None else corrected["goals_red"],
    )
    usual = competition.points_of(Outcome(winner, Ending.ADJUDICATION, goals))
    points = BySide(
        usual.yellow if corrected["points_yellow"] is None else corrected["points_yellow"],
        usual.red if corrected["points_red"] is None else corrected["points_red"],
    )
    allowed = list(_worths(competition.scoring, winner))
    if points not in allowed:
        named = ", ".join(f"{each.yellow}–{each.red}" for each in allowed)
        refusal = _("Match points for this result can only be: %(points)s.") % {"points": named}
        raise InvalidResult(refusal, fields={"points_yellow": [refusal]})
    return Verdict(winner, points, goals, corrected["is_rated"])


def _worths(table: PointTable, winner: Side | None) -> Iterator[BySide[int]]:
    """Yield the match points that a competition gives where this side wins, or nobody."""
    if winner is None:
        yield from dict.fromkeys([BySide(table.drawn, table.drawn), BySide(table.neither, table.neither)])
        return
    for won, lost in dict.fromkeys(table.wins.values()):
        yield BySide(won, lost) if winner is Side.YELLOW else BySide(lost, won)


def _describe(fixture: Fixture, verdict: Verdict) -> Change:
    """Return what the log says: from which result to which, match points and then goals."""
    pairs = ((fixture.points, fixture.goals), (verdict.points, verdict.goals))
    old, new = (
        _("%(points)s, goals %(goals)s")
        % {"points": f"{points.yellow}–{points.red}", "goals": f"{goals.yellow}–{goals.red}"}
        for points, goals in pairs
        if points is not None and goals is not None
    )
    return Change(what=_("result"), old=old, new=new)
