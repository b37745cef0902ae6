"""Invite players to a team, answer, leave, and let members go."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.services.budgets import spend_mails, spending_of
from tournaments.models import MembershipStatus, Team, TeamMembership
from tournaments.office.errors import InvitationDeclined, InvitationNotFound
from tournaments.teams.errors import AlreadyMember, CaptainStays, NotAMember, TeamFull, TooManyTeamInvitations
from tournaments.teams.selectors.teams import DAY
from tournaments.teams.services.after_commit import notify_memberships
from tournaments.teams.services.locks import check_open, lock_own_team, lock_team
from tournaments.teams.services.mails import post_invitation
from tournaments.teams.services.teams import check_person, end_team, make_captain
from web.limits.table import INVITATIONS_OF_TEAM, TEAM_INVITATIONS

MAX_TEAM_MEMBERS = 40
"""Members, and players who are invited, of a team."""

REINVITATION_DELAY = timedelta(days=30)
"""The time for which a player who has declined is not invited to the same team again."""


def invite_to_team(*, team_id: int, player: Player, actor: Player, now: datetime) -> TeamMembership:
    """Invite a player, who hears of it by mail, and return the invitation. One who is invited already is not again.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, ``TeamPlayerRefused``, ``AlreadyMember``,
    ``InvitationDeclined``, ``TeamFull``, ``TooManyTeamInvitations`` or ``BudgetSpent``.
    """
    check_person(player)
    with transaction.atomic():
        team = lock_own_team(team_id=team_id, actor=actor)
        known = _open_membership(team, player)
        if known is not None and known.status == MembershipStatus.MEMBER:
            raise AlreadyMember(_("%(player)s is already a member of %(team)s.") % {"player": player, "team": team})
        if known is not None:
            return known
        own = TeamMembership.objects.filter(team=team, player=player)
        if own.filter(status=MembershipStatus.DECLINED, ended_at__gt=now - REINVITATION_DELAY).exists():
            raise InvitationDeclined(
                _("%(player)s has declined. You can invite them again after %(days)d days.")
                % {"player": player, "days": REINVITATION_DELAY.days}
            )
        if own.filter(status=MembershipStatus.WITHDRAWN, invited_at__gt=now - DAY).exists():
            raise TooManyTeamInvitations(
                _("The invitation to %(player)s was withdrawn. You can invite them again after 24 hours.")
                % {"player": player}
            )
        if TeamMembership.objects.filter(team=team, ended_at=None).count() >= MAX_TEAM_MEMBERS:
            raise TeamFull(_("A team has at most %(most)d members and invited players.") % {"most": MAX_TEAM_MEMBERS})
        with spending_of(actor, TEAM_INVITATIONS, now=now, others=(INVITATIONS_OF_TEAM.of(str(team.pk)),)):
            spend_mails(actor, 1, now=now)
            invitation = TeamMembership.objects.create(team=team, player=player, invited_by=actor, invited_at=now)
            post_invitation(invitation=invitation, now=now)
            notify_memberships([invitation.pk])
    return invitation


def accept_team_invitation(*, team_id: int, player: Player, now: datetime) -> TeamMembership:
    """Make an invited player a member, and return the membership. Again has no effect.

    Raises ``TeamNotFound``, ``TeamClosed``, ``TeamPlayerRefused`` or ``InvitationNotFound``.
    """
    check_person(player)
    with transaction.atomic():
        team = lock_team(team_id=team_id)
        check_open(team)
        membership = _open_membership(team, player)
        if membership is None:
            raise InvitationNotFound(_("You have no invitation to this team."))
        if membership.status == MembershipStatus.INVITED:
            membership.status, membership.joined_at = MembershipStatus.MEMBER, now
            membership.save(update_fields=["status", "joined_at", "changed_at"])
            notify_memberships([membership.pk])
    return membership


def decline_team_invitation(*, team_id: int, player: Player, now: datetime) -> None:
    """Decline an invitation. Raises ``TeamNotFound``, ``InvitationNotFound``, or ``AlreadyMember`` after accepting."""
    with transaction.atomic():
        membership = _open_membership(lock_team(team_id=team_id), player)
        if membership is None:
            raise InvitationNotFound(_("You have no invitation to this team."))
        if membership.status == MembershipStatus.MEMBER:
            raise AlreadyMember(_("You have already joined. You can leave the team instead."))
        _end(membership, MembershipStatus.DECLINED, now)


def withdraw_team_invitation(*, team_id: int, player: Player, actor: Player, now: datetime) -> None:
    """Withdraw an invitation that has not been answered.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, ``InvitationNotFound``, or ``AlreadyMember`` if it was
    accepted.
    """
    with transaction.atomic():
        membership = _open_membership(lock_own_team(team_id=team_id, actor=actor), player)
        if membership is None:
            raise InvitationNotFound(_("%(player)s has no invitation to this team.") % {"player": player})
        if membership.status == MembershipStatus.MEMBER:
            raise AlreadyMember(
                _("%(player)s has accepted. You can remove them from the team instead.") % {"player": player}
            )
        _end(membership, MembershipStatus.WITHDRAWN, now)


def leave_team(*, team_id: int, player: Player, now: datetime) -> None:
    """Let a member leave. Raises ``TeamNotFound``, ``NotAMember``, or ``CaptainStays`` for the captain."""
    with transaction.atomic():
        team = lock_team(team_id=team_id)
        membership = _membership_of_member(team, player, _("You are not a member of this team."))
        if team.captain_id == player.pk:
            raise CaptainStays(_("Make another member the captain first, or close the team."))
        _end(membership, MembershipStatus.LEFT, now)


def remove_member(*, team_id: int, player: Player, actor: Player, now: datetime) -> None:
    """Let the captain remove a member.

    Raises ``TeamNotFound``, ``NotTheCaptain``, ``TeamClosed``, ``NotAMember``, or ``CaptainStays`` for the captain.
    """
    with transaction.atomic():
        team = lock_own_team(team_id=team_id, actor=actor)
        membership = _membership_of_member(
            team, player, _("%(player)s is not a member of %(team)s.") % {"player": player, "team": team}
        )
        if team.captain_id == player.pk:
            raise CaptainStays(_("Make another member the captain first, or close the team."))
        _end(membership, MembershipStatus.LEFT, now)


def leave_all_teams(*, player: Player, now: datetime) -> None:
    """End all memberships of a player whose account is closed, in the order of the teams.

    Where they are the captain, the longest member with an open account is the captain then, whatever teams they lead
    besides; a team in which nobody else is left is closed.
    """
    memberships = TeamMembership.objects.filter(player=player, ended_at=None)
    for team_id in list(memberships.order_by("team").values_list("team", flat=True)):
        with transaction.atomic():
            team = lock_team(team_id=team_id)
            membership = _open_membership(team, player)
            if membership is None:
                continue
            if membership.status == MembershipStatus.INVITED:
                _end(membership, MembershipStatus.WITHDRAWN, now)
                continue
            if team.captain_id == player.pk and not _replace_captain(team, player, now):
                end_team(team=team, now=now)
                continue
            _end(membership, MembershipStatus.LEFT, now)


def _replace_captain(team: Team, captain: Player, now: datetime) -> bool:
    """Make the longest other member the captain; return whether there is one."""
    members = TeamMembership.objects.filter(team=team, status=MembershipStatus.MEMBER, player__is_active=True)
    longest = members.exclude(player=captain).order_by("joined_at", "pk").first()
    if longest is None:
        return False
    make_captain(team=team, player_id=longest.player_id, now=now)
    return True


def _open_membership(team: Team, player: Player) -> TeamMembership | None:
    return TeamMembership.objects.filter(team=team, player=player, ended_at=None).first()


def _membership_of_member(team: Team, player: Player, otherwise: str) -> TeamMembership:
    membership = _open_membership(team, player)
    if membership is None or membership.status != MembershipStatus.MEMBER:
        raise NotAMember(otherwise)
    return membership


def _end(membership: TeamMembership, status: MembershipStatus, now: datetime) -> None:
    membership.status, membership.ended_at = status, now
    membership.save(update_fields=["status", "ended_at", "changed_at"])
    notify_memberships([membership.pk])
