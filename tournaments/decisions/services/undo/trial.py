"""Take something back, or try to: what follows is found by doing it, so that a preview says what the act does.

A preview does everything in a transaction that is rolled back. Callers give a ``change``: it does what is special to
the act, in a competition that is locked and caught up with; everything else follows here.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.db import transaction

from players.models import Player
from tournaments.decisions.services.undo.changes import Changes, View, compare, look_at
from tournaments.decisions.services.undo.derive_again import let_follow
from tournaments.models import Competition, CompetitionStatus, Fixture
from tournaments.office.selectors.organisers import check_decider, check_organiser, competition_of
from tournaments.office.services.locks import lock_competition
from tournaments.rounds.services.competition_end import tell_end, tell_end_taken_back
from tournaments.rounds.services.consequences import Consequences, check_confirmed
from tournaments.rounds.services.set_aside import naming_cause
from tournaments.running.services.catch_up import catch_up

Change = Callable[[Competition], Changes]
ChangeOfFixture = Callable[[int, Player | None, str, datetime, Competition], Changes]
"""It takes the id of the fixture, who does it and why; nobody and no reason in a preview."""


def take_back(
    *, competition_id: int, change: Change, confirm: bool, actor: Player, now: datetime, decided: int | None = None
) -> Competition:
    """Make a change in a competition, let follow what follows from it, and return the competition.

    What is about a single match says which fixture is ``decided``, and helpers may do it; the rest is for organisers.

    Raises ``CompetitionNotFound``, ``NotAnOrganiser``, whatever the change raises, or ``MatchesWouldBeLost`` where
    somebody has moved in matches that count no more and this is not confirmed.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if decided is None:
            check_organiser(competition=competition, player=actor)
        else:
            fixture = Fixture.objects.select_related("yellow", "red").get(pk=decided)
            check_decider(competition=competition, fixture=fixture, player=actor)
        check_confirmed(_do(competition, change, now), confirm=confirm)
        competition.refresh_from_db()
    return competition


def foresee(*, competition_id: int, change: Change, now: datetime) -> Consequences:
    """Return what would follow from a change now; nothing is stored. Raises whatever the change raises."""
    with transaction.atomic():
        follows = _do(lock_competition(competition_id=competition_id), change, now)
        transaction.set_rollback(True)
    return follows


def take_back_of_fixture(
    *, fixture_id: int, change: ChangeOfFixture, confirm: bool, actor: Player, reason: str, now: datetime
) -> None:
    """Make a change that is about one fixture. Raises ``FixtureNotFound``, and what ``take_back`` raises."""
    take_back(
        competition_id=competition_of(fixture_id),
        change=partial(change, fixture_id, actor, reason, now),
        confirm=confirm,
        actor=actor,
        now=now,
        decided=fixture_id,
    )


def foresee_of_fixture(*, fixture_id: int, change: ChangeOfFixture, now: datetime) -> Consequences:
    """Return what would follow from a change that is about one fixture. Raises what making it would."""
    return foresee(
        competition_id=competition_of(fixture_id), change=partial(change, fixture_id, None, "", now), now=now
    )


def _do(competition: Competition, change: Change, now: datetime) -> Consequences:
    catch_up(competition=competition, now=now)
    before = look_at(competition)
    with naming_cause(competition=competition):
        changes = change(competition)
        let_follow(competition=competition, changes=changes, now=now)
    after = look_at(competition)
    _tell_end(competition, before, after, now)
    return compare(before, after, changes)


def _tell_end(competition: Competition, before: View, after: View, now: datetime) -> None:
    """Tell all who have heard of the end that it counts no more, or that its result is another one now."""
    if before.status != CompetitionStatus.FINISHED:
        return
    if after.status == CompetitionStatus.FINISHED and (before.winner, before.places) != (after.winner, after.places):
        tell_end(competition=competition, winner=after.winner, after=before.ended_by, now=now)
    elif after.status == CompetitionStatus.RUNNING:
        tell_end_taken_back(competition=competition, now=now)
