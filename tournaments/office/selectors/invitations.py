"""Players whom organisers have invited to competitions, and those whom they must ask before they enter them."""

from datetime import datetime, timedelta

from django.db.models import Case, Q, QuerySet, When

from formats.protocol import Flow
from formats.registry import FORMATS, formats_with
from players.models import Player
from tournaments.models import (
    Competition,
    CompetitionStatus,
    EntryInvitation,
    InvitationStatus,
    RoleInvitation,
    Stage,
    Team,
)
from tournaments.records.competitions import list_competitions

MAX_RECEIVED = 100
DAY = timedelta(days=1)


def is_asked_first(*, player: Player, actor: Player | None) -> bool:
    """Return whether this organiser must ask a player, and not just enter them.

    Staff enter anybody, and so do the rules; a computer of the site has nobody to ask.
    """
    if actor is None or actor.is_staff or actor.is_superuser or actor == player:
        return False
    return not player.may_be_entered and not player.level


STANDS = Q(asked_at__isnull=False) & ~Q(status=InvitationStatus.WITHDRAWN)
"""Invitations of players and captains who have been asked, but for those that were withdrawn."""


def invitation_to_answer(
    *, competition: Competition, player: Player, team: Team | None = None
) -> EntryInvitation | None:
    """Return the invitation, withdrawn or not, that a player may answer: of several teams that they lead the first.

    Those that have not been answered come first. Of a ``team`` that is named it is the invitation of that one.
    """
    asked = EntryInvitation.objects.filter(player=player, asked_at__isnull=False, competition_id=competition.pk)
    named = asked if team is None else asked.filter(team=team)
    is_waiting = Case(When(status=InvitationStatus.WAITING, then=0), default=1)
    return named.select_related("invited_by", "player", "team").order_by(is_waiting, "pk").first()


def open_invitations(*, player: Player) -> QuerySet[EntryInvitation]:
    """Return the invitations that the player can accept and has not answered, the latest first.

    Those of teams are among them whose captain the player is.
    """
    waiting = unanswered_invitations().filter(player=player)
    return waiting.select_related("competition", "invited_by", "team").order_by("-pk")


def received_invitations(*, player: Player, limit: int = MAX_RECEIVED) -> list[EntryInvitation]:
    """Return the latest invitations that the player can accept and has not answered. Two queries at most.

    Their competitions are read as lists show them.
    """
    received = list(open_invitations(player=player)[:limit])
    listed = {each.pk: each for each in list_competitions().filter(pk__in=[each.competition_id for each in received])}
    for invitation in received:
        invitation.competition = listed[invitation.competition_id]
    return received


def invitations_to(competition: Competition) -> QuerySet[EntryInvitation]:
    """Return whom the competition's organisers have invited, the latest first."""
    return competition.invitations.select_related("player", "team", "invited_by").order_by("-pk")


def unanswered_invitations() -> QuerySet[EntryInvitation]:
    """Return all invitations that can be accepted and are not answered, in no order."""
    return EntryInvitation.objects.filter(_is_unanswered()).order_by()


def unanswered_in(competition: Competition) -> QuerySet[EntryInvitation]:
    """Return who was invited to a competition, can still accept and has not answered, the first asked first."""
    waiting = unanswered_invitations().filter(competition=competition.pk)
    return waiting.select_related("player", "team").order_by("asked_at", "pk")


def lapsed_invitations(competition: Competition) -> QuerySet[EntryInvitation]:
    """Return the invitations that lapse with the start of a competition: none where players may enter after it."""
    if competition.first_stage.allows_late_entry:
        return EntryInvitation.objects.none()
    waiting = {"status": InvitationStatus.WAITING, "asked_at__isnull": False, "replaces": None}
    return EntryInvitation.objects.filter(competition=competition.pk, **waiting).order_by("pk")


def invited_since_yesterday(*, organiser: Player, now: datetime) -> int:
    """Return how many players and teams this organiser has invited within 24 hours, to play and to organise."""
    own = {"invited_by": organiser, "created_at__gt": now - DAY}
    return EntryInvitation.objects.filter(**own).count() + RoleInvitation.objects.filter(**own).count()


def _is_unanswered() -> Q:
    """Return the condition of an invitation of a player who has been asked, and can accept it now."""
    late = [key for key, spec in FORMATS.items() if spec.abilities(spec.options()).late_entry]
    takes_latecomers = Q(format__in=[*formats_with(Flow.CONTINUOUS), *late], round_days=None)
    running = Stage.objects.filter(takes_latecomers, number=1).values("competition")
    open_now = Q(competition__status__in=[CompetitionStatus.OPEN, CompetitionStatus.CLOSED]) | Q(
        Q(competition__in=running) | Q(replaces__isnull=False), competition__status=CompetitionStatus.RUNNING
    )
    return open_now & Q(asked_at__isnull=False, status=InvitationStatus.WAITING, competition__hidden_at=None)
