"""Dispute the result of a match, and decide that it stands.

Any other result settles a dispute by itself: ``models.dispute`` says which ones are open.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.errors import NotYourMatch
from players.models import Player
from tournaments.decisions.errors import DisputeRefused, NoDispute, NothingToTakeBack
from tournaments.decisions.selectors import (
    dismissed_disputes,
    find_dispute,
    is_party,
    open_disputes,
    reason_not_to_dispute,
)
from tournaments.decisions.services.undo.changes import find_fixture
from tournaments.models import Competition, Dispute, Fixture
from tournaments.models.dispute import MAX_DISPUTE_LENGTH
from tournaments.office.selectors.organisers import check_decider, competition_of
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.running.services.catch_up import catch_up
from web.errors import InvalidDetails
from web.written_texts import clean_text


def dispute_result(*, fixture_id: int, player: Player, text: str, now: datetime) -> Dispute:
    """Return a new dispute of the result of a match, of which the organisers hear.

    Raises ``FixtureNotFound``, ``InvalidDetails``, ``NotYourMatch``, ``DisputeRefused`` or ``BudgetSpent``.
    """
    text = clean_text(text.strip(), field="text")
    if not 0 < len(text) <= MAX_DISPUTE_LENGTH:
        raise InvalidDetails({"text": [_("Write 1 to %(most)d characters.") % {"most": MAX_DISPUTE_LENGTH}]})
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, now)
        check_party(fixture=fixture, player=player)
        reason = reason_not_to_dispute(fixture=fixture, competition=competition, now=now)
        if reason or fixture.finished_at is None:
            raise DisputeRefused(reason)
        if find_dispute(fixture=fixture, player=player) is not None:
            raise DisputeRefused(_("You have disputed this result already."))
        log_action(competition=competition, action="disputed", actor=player, about=fixture, players=(), now=now)
        return Dispute.objects.create(
            fixture=fixture,
            player=player,
            text=text,
            disputed_at=now,
            result_at=fixture.finished_at,
            correction_number=fixture.correction_id or 0,
        )


def check_party(*, fixture: Fixture, player: Player) -> None:
    """Raise ``NotYourMatch`` for who does not play a match, and leads neither of the teams that meet."""
    if not is_party(fixture=fixture, player=player):
        raise NotYourMatch(_("Only the players of a match and the captains of their teams can dispute its result."))


def dismiss_disputes(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Decide that the result of a match stands, against all who dispute it, and return its fixture.

    Raises ``FixtureNotFound``, ``NotAnOrganiser`` or ``NoDispute``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, now, actor=actor)
        disputes = list(open_disputes().filter(fixture=fixture).select_related("player"))
        if not disputes:
            raise NoDispute(_("Nobody disputes this result."))
        line = log_action(
            competition=competition,
            action="dispute-dismissed",
            actor=actor,
            about=fixture,
            reason=reason,
            players=[each.player for each in disputes],
            now=now,
        )
        Dispute.objects.filter(pk__in=[each.pk for each in disputes]).update(dismissal=line)
    return fixture


def take_back_dismissal(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Let the disputes wait again that were dismissed last, and return their fixture.

    Raises ``FixtureNotFound``, ``NotAnOrganiser`` or ``NothingToTakeBack``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, now, actor=actor)
        dismissed = list(dismissed_disputes(fixture))
        if not dismissed:
            raise NothingToTakeBack(_("No dispute of this result has been dismissed."))
        disputes = [each for each in dismissed if each.dismissal_id == dismissed[0].dismissal_id]
        log_action(
            competition=competition,
            action="dismissal-undone",
            actor=actor,
            about=fixture,
            reason=reason,
            players=[each.player for each in disputes],
            now=now,
        )
        Dispute.objects.filter(pk__in=[each.pk for each in disputes]).update(dismissal=None)
    return fixture


def _lock(fixture_id: int, now: datetime, *, actor: Player | None = None) -> tuple[Competition, Fixture]:
    """Lock the competition of a match that the ``actor`` decides, do what is due in it, and return both."""
    competition = lock_competition(competition_id=competition_of(fixture_id))
    check_decider(competition=competition, fixture=find_fixture(fixture_id), player=actor)
    catch_up(competition=competition, now=now)
    return competition, find_fixture(fixture_id)
