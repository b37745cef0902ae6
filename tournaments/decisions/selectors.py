"""Find the disputes of results, and who may raise one."""

from datetime import datetime, timedelta

from django.db.models import BooleanField, Case, QuerySet, When
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import SITTING, Competition, CompetitionKind, CompetitionStatus, Dispute, Fixture
from tournaments.models.dispute import OF_RESULT, OPEN

TIME_TO_DISPUTE = timedelta(days=7)
"""The time after a match for a dispute in a ladder, and in a cup that is over and has no protest time."""


def disputes_in(competition: Competition) -> QuerySet[Dispute]:
    """Return all disputes of a competition, each with ``is_open``, whom it is of, its match and its dismissal."""
    disputes = Dispute.objects.filter(fixture__competition=competition.pk)
    # Where a match has no result any more, neither is true by itself.
    is_open = Case(When(OPEN, then=True), default=False, output_field=BooleanField())
    return disputes.annotate(is_open=is_open).select_related(
        "player", "dismissal__actor", *(f"fixture__{each}" for each in SITTING)
    )


def open_disputes() -> QuerySet[Dispute]:
    """Return the disputes that wait for organisers, of all competitions."""
    return Dispute.objects.filter(OPEN)


def dismissed_disputes(fixture: Fixture) -> QuerySet[Dispute]:
    """Return the disputes of the result that counts now that organisers have dismissed, the last dismissed first."""
    dismissed = Dispute.objects.filter(OF_RESULT, fixture=fixture, dismissal__isnull=False)
    return dismissed.select_related("player").order_by("-dismissal", "pk")


def find_dispute(*, fixture: Fixture, player: Player) -> Dispute | None:
    """Return a player's dispute of the result that counts now, with its dismissal; ``None`` without one."""
    own = Dispute.objects.filter(OF_RESULT, fixture=fixture, player=player)
    return own.select_related("dismissal__actor").first()


def disputed_by(*, player: Player, competition_id: int) -> frozenset[int]:
    """Return the ids of the matches of a competition whose results that count now a player has disputed."""
    own = Dispute.objects.filter(OF_RESULT, fixture__competition=competition_id, player=player)
    return frozenset(own.values_list("fixture", flat=True))


def is_party(*, fixture: Fixture, player: Player) -> bool:
    """Return whether a player plays a match, or leads one of the teams that meet. It was read with both of them."""
    captains = {each.team.captain_id for each in (fixture.yellow, fixture.red) if each.team is not None}
    return player.pk in captains or player.pk in fixture.player_ids


def reason_not_to_dispute(*, fixture: Fixture, competition: Competition, now: datetime) -> str:
    """Return why nobody can dispute the result of a match now, empty where its players can."""
    if fixture.is_annulled or fixture.finished_at is None:
        return _("This match has no result that counts.")
    is_running, is_ladder = competition.status == CompetitionStatus.RUNNING, competition.kind == CompetitionKind.LADDER
    if is_running and not is_ladder:
        return ""
    if not is_running and (is_ladder or competition.status != CompetitionStatus.FINISHED):
        return _("The competition is over.")
    until = competition.provisional_until or fixture.finished_at + TIME_TO_DISPUTE
    return "" if now < until else _("The time in which this result could be disputed is over.")
