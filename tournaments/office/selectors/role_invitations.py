"""Invitations to run competitions: those that a player has got, and those that a competition has sent."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import ENDED, Competition, InvitationStatus, RoleInvitation
from tournaments.office.errors import InvitationNotFound

MAX_RECEIVED = 100


def asks_first(actor: Player) -> bool:
    """Return whether an organiser asks players before they run a competition: staff give roles at once."""
    return not (actor.is_staff or actor.is_superuser)


def roles_offered(*, player: Player) -> QuerySet[RoleInvitation]:
    """Return the roles that the player can accept and has not answered, the latest first, with their competitions."""
    waiting = RoleInvitation.objects.filter(player=player, status=InvitationStatus.WAITING, competition__hidden_at=None)
    return waiting.exclude(competition__status__in=ENDED).select_related("competition", "invited_by").order_by("-pk")


def invited_to_run(competition: Competition) -> QuerySet[RoleInvitation]:
    """Return whom organisers have asked to run the competition and who has not answered, by username."""
    waiting = RoleInvitation.objects.filter(competition_id=competition.pk, status=InvitationStatus.WAITING)
    return waiting.select_related("player").order_by("player__username")


def get_role_invitation(*, player: Player, slug: str) -> RoleInvitation:
    """Return the player's invitation to run a competition, whether they see that or not, answered or not.

    Raises ``InvitationNotFound``.
    """
    invited = RoleInvitation.objects.filter(player=player, competition__slug=slug)
    invitation = invited.select_related("competition", "invited_by", "player").first()
    if invitation is None:
        raise InvitationNotFound(_("Nobody has asked you to run this competition."))
    return invitation
