"""Ask players whom organisers would enter, and take the answers of players and captains, which enter them.

An invitation takes no place, but for that of who had joined before all were asked again: a player who accepts it when
all are taken is refused, and may try again. It lets a player in past a password and limits of ratings, for as long as
an organiser could enter them.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import AlreadyWaiting
from tournaments.entries.services.admission import admit_player, check_admission, enter_competition
from tournaments.entries.services.new_invitations import invite_players
from tournaments.entries.services.replacement import check_replacement, replace_entry, take_over_place
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import NOT_REPLACED, Competition, Entry, EntryInvitation, EntryStatus, InvitationStatus, Team
from tournaments.office.errors import InvitationNotFound, InvitationOver
from tournaments.office.selectors.invitations import invitation_to_answer, is_asked_first
from tournaments.office.selectors.organisers import check_organiser, competition_of_entry
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.option_versions import check_conditions
from tournaments.running.errors import AlreadyEntered
from tournaments.running.selectors.entry_conditions import can_return, reasons_of_kind
from tournaments.running.selectors.waiting_lists import find_waiting
from tournaments.running.services.catch_up import catch_up, lock_for_organiser
from tournaments.running.services.free_places import fill_places


def admit_or_invite(
    *, competition_id: int, player: Player, actor: Player, now: datetime, reason: str = ""
) -> Entry | EntryInvitation:
    """Enter a player, or invite one who has to be asked first; return the entry or the invitation.

    A player who is invited already is not asked again. Raises what ``admit_player`` raises, ``InvitationDeclined``, or
    ``TooManyEntryInvitations``.
    """
    if not is_asked_first(player=player, actor=actor):
        return admit_player(competition_id=competition_id, player=player, actor=actor, now=now, reason=reason)
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        check_admission(competition=competition)
        entry = Entry.objects.filter(NOT_REPLACED, competition=competition, player=player).first()
        if entry is not None and not can_return(entry, competition):
            raise AlreadyEntered(_("%(player)s has already joined.") % {"player": player})
        for refusal in reasons_of_kind(competition=competition, player=player):
            raise refusal
        (invitation,) = invite_players(competition=competition, players=[player], actor=actor, reason=reason, now=now)
    return invitation


def replace_or_invite(
    *, entry_id: int, player: Player, actor: Player, reason: str, now: datetime
) -> Entry | EntryInvitation:
    """Let a player take over an entrant's place, or invite one who has to be asked first to do so.

    Return the entry or the invitation. Raises what ``replace_entry`` raises, ``InvitationDeclined``, or
    ``TooManyEntryInvitations``.
    """
    if not is_asked_first(player=player, actor=actor):
        return replace_entry(entry_id=entry_id, player=player, actor=actor, reason=reason, now=now)
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_of_entry(entry_id), actor=actor, now=now)
        replaced = check_replacement(competition=competition, entry_id=entry_id, player=player)
        (invitation,) = invite_players(competition=competition, players=[player], actor=actor, reason=reason, now=now)
        invitation.replaces = replaced
        invitation.save(update_fields=["replaces"])
    return invitation


def accept_invitation(
    *, competition_id: int, player: Player, now: datetime, team: Team | None = None, version: int | None = None
) -> Entry:
    """Enter a player who was invited, or let them take over the place, and return the entry. Again has no effect.

    Captains enter the team that is invited, its longest members first; ``team`` says which one, of several.
    ``version`` is the ``options_version`` that was read, ``None`` for whatever there is. Raises
    ``InvitationNotFound``, ``InvitationOver`` once it was withdrawn, or what ``enter_competition``, ``enter_team`` and
    ``replace_entry`` raise.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        invitation = _find(competition, player, team)
        if invitation.team is not None:
            return _enter_invited_team(competition, invitation, player, now, version)
        entry = Entry.objects.filter(competition=competition, player=player, status=EntryStatus.ACTIVE).first()
        if entry is not None and invitation.status == InvitationStatus.ACCEPTED:
            return entry
        if invitation.replaces_id is None:
            return enter_competition(competition_id=competition_id, player=player, now=now, version=version)
        catch_up(competition=competition, now=now)
        check_conditions(competition=competition, version=version)
        entry = take_over_place(
            competition=competition,
            entry_id=invitation.replaces_id,
            player=player,
            actor=invitation.invited_by,
            reason="",
            now=now,
        )
        invitation.status, invitation.answered_at = InvitationStatus.ACCEPTED, now
        invitation.save(update_fields=["status", "answered_at"])
    return entry


def decline_invitation(
    *, competition_id: int, player: Player, now: datetime, team: Team | None = None
) -> EntryInvitation:
    """Decline an invitation, and return it; nobody can invite this player, or team, again. Again has no effect.

    Raises ``InvitationNotFound``, ``InvitationOver`` once it was withdrawn, or ``AlreadyEntered``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        invitation = _find(competition, player, team)
        if invitation.status == InvitationStatus.DECLINED:
            return invitation
        entries = Entry.objects.filter(competition=competition)
        if invitation.team is not None and entries.filter(team=invitation.team).exists():
            raise AlreadyEntered(
                _("%(team)s has already joined. You can withdraw it instead.") % {"team": invitation.team}
            )
        if invitation.team is None and entries.filter(NOT_REPLACED, player=player).exists():
            raise AlreadyEntered(_("You have already joined. You can leave the competition instead."))
        if find_waiting(competition=competition, player=player) is not None:
            raise AlreadyWaiting(_("You are on the waiting list. You can leave it instead."))
        invitation.status, invitation.answered_at = InvitationStatus.DECLINED, now
        invitation.save(update_fields=["status", "answered_at"])
        log_action(
            competition=competition, action="invitation-declined", actor=player, subject=str(invitation), now=now
        )
        fill_places(competition=competition, now=now)
    return invitation


def withdraw_invitation(*, invitation_id: int, actor: Player, now: datetime, reason: str = "") -> EntryInvitation:
    """Withdraw an invitation that has not been answered, and return it. Again has no effect.

    Raises ``InvitationNotFound``, ``NotAnOrganiser``, or ``InvitationOver`` for one that was answered.
    """
    found = EntryInvitation.objects.filter(pk=invitation_id).values_list("competition_id", flat=True).first()
    if found is None:
        raise InvitationNotFound(_("There is no such invitation."))
    with transaction.atomic():
        competition = lock_competition(competition_id=found)
        check_organiser(competition=competition, player=actor)
        invitation = EntryInvitation.objects.select_related("player", "team").get(pk=invitation_id)
        if invitation.status == InvitationStatus.WITHDRAWN:
            return invitation
        if invitation.status != InvitationStatus.WAITING:
            raise InvitationOver(_("%(invited)s has answered this invitation.") % {"invited": invitation})
        invitation.status = InvitationStatus.WITHDRAWN
        invitation.save(update_fields=["status"])
        log_action(
            competition=competition,
            action="invitation-withdrawn",
            actor=actor,
            subject=str(invitation),
            reason=reason,
            now=now,
        )
        fill_places(competition=competition, now=now)
    return invitation


def _find(competition: Competition, player: Player, team: Team | None) -> EntryInvitation:
    invitation = invitation_to_answer(competition=competition, player=player, team=team)
    if invitation is None:
        raise InvitationNotFound(_("You have no invitation to this competition."))
    if invitation.status == InvitationStatus.WITHDRAWN:
        raise InvitationOver(_("This invitation has been withdrawn."))
    return invitation


def _enter_invited_team(
    competition: Competition, invitation: EntryInvitation, captain: Player, now: datetime, version: int | None
) -> Entry:
    own = Entry.objects.filter(competition=competition, team=invitation.team_id, status=EntryStatus.ACTIVE)
    entry = own.first() if invitation.status == InvitationStatus.ACCEPTED else None
    return entry or enter_team(
        competition_id=competition.pk,
        team_id=invitation.team_id or 0,
        players=None,
        actor=captain,
        now=now,
        version=version,
    )
