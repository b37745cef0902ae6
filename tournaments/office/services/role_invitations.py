"""Ask players whom organisers would have run a competition, and take their answers: only then a role is theirs."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import InvitationStatus, RoleInvitation
from tournaments.models.rights import Role
from tournaments.office.errors import InvitationDeclined, InvitationOver
from tournaments.office.selectors.invitations import DAY
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.selectors.role_invitations import asks_first
from tournaments.office.services.invitation_counts import count_invitations
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.organisers import appoint, check_account, check_number, give_role, role_of

INVITED = {Role.ORGANISER: "organiser-invited", Role.HELPER: "helper-invited"}


def appoint_or_invite(
    *, competition_id: int, player: Player, role: Role, actor: Player, now: datetime
) -> RoleInvitation | None:
    """Ask a player to run a competition in a role, and return the invitation; ``None`` if the role is theirs now.

    Staff give roles without a question, as they enter players, and an organiser becomes a helper without one. A player
    who was invited within a day and whose invitation was withdrawn since is invited again without a mail. Raises what
    ``appoint`` raises, ``InvitationDeclined`` or ``TooManyEntryInvitations``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        held = role_of(competition, player)
        if held in {role, Role.ORGANISER} or not asks_first(actor):
            appoint(competition_id=competition_id, player=player, role=role, actor=actor, now=now)
            return None
        check_account(player)
        invitation = RoleInvitation.objects.filter(competition=competition, player=player).first()
        known = invitation or RoleInvitation(competition_id=competition.pk, player=player, created_at=now - DAY)
        if invitation is not None and known.status == InvitationStatus.DECLINED:
            raise InvitationDeclined(_("%(player)s has declined to run this competition.") % {"player": player})
        is_waiting = invitation is not None and known.status == InvitationStatus.WAITING
        if is_waiting and known.role == role:
            return known
        if not is_waiting:
            check_number(competition, player)
            count_invitations(organiser=actor, number=1, now=now)
        is_news = known.created_at <= now - DAY
        known.role, known.invited_by, known.status = role, actor, InvitationStatus.WAITING
        known.created_at = now if is_news else known.created_at
        known.save()
        if is_news:
            log_action(
                competition=competition,
                action=INVITED[role],
                actor=actor,
                subject=str(player),
                players=(player,),
                now=now,
            )
    return known


def accept_role(*, invitation: RoleInvitation, now: datetime) -> Role:
    """Let an invited player run a competition from now on, and return the role. Again has no effect.

    Raises ``InvitationOver`` once it was declined, withdrawn or given back, ``CannotOrganise`` or
    ``TooManyOrganisers``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=invitation.competition_id)
        invitation.refresh_from_db()
        player, role = invitation.player, Role(invitation.role)
        held = role_of(competition, player)
        if invitation.status == InvitationStatus.ACCEPTED and held is role:
            return role
        _check_waiting(invitation)
        check_account(player)
        _answer(invitation, InvitationStatus.ACCEPTED)
        check_number(competition, player)
        give_role(competition, player, held=held, role=role, actor=player, now=now)
        _tell_who_asked(invitation, "role-accepted", now)
    return role


def decline_role(*, invitation: RoleInvitation, now: datetime) -> None:
    """Decline to run a competition; nobody can ask this player again. Again has no effect.

    Raises ``InvitationOver`` once it was withdrawn or accepted.
    """
    with transaction.atomic():
        lock_competition(competition_id=invitation.competition_id)
        invitation.refresh_from_db()
        if invitation.status == InvitationStatus.DECLINED:
            return
        _check_waiting(invitation)
        _answer(invitation, InvitationStatus.DECLINED)
        _tell_who_asked(invitation, "role-declined", now)


def _answer(invitation: RoleInvitation, status: InvitationStatus) -> None:
    invitation.status = status
    invitation.save(update_fields=["status"])


def _check_waiting(invitation: RoleInvitation) -> None:
    if invitation.status == InvitationStatus.WITHDRAWN:
        raise InvitationOver(_("This invitation has been withdrawn."))
    if invitation.status != InvitationStatus.WAITING:
        raise InvitationOver(_("You have answered this invitation."))


def _tell_who_asked(invitation: RoleInvitation, action: str, now: datetime) -> None:
    log_action(
        competition=invitation.competition,
        action=action,
        actor=invitation.player,
        subject=str(invitation.player),
        players=() if invitation.invited_by is None else (invitation.invited_by,),
        now=now,
    )
