"""Ask players whom organisers would enter; the answer enters them.

An invitation takes no place: whoever accepts it when all are taken is refused, and may try again. It lets a player in
past a password and limits of ratings, for as long as an organiser could enter them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import transaction

from players.models import Player
from tournaments.errors import (
    AlreadyEntered,
    AlreadyWaiting,
    EntryNotFound,
    InvitationDeclined,
    InvitationNotFound,
    InvitationOver,
    TooManyEntryInvitations,
)
from tournaments.models import Competition, CompetitionStatus, Entry, EntryInvitation, EntryStatus, InvitationStatus
from tournaments.selectors.entry_conditions import can_return, reasons_of_kind
from tournaments.selectors.invitations import DAY, find_invitation, invited_since_yesterday, is_asked_first
from tournaments.selectors.organisers import check_organiser
from tournaments.selectors.waiting_lists import find_waiting
from tournaments.services.catch_up import catch_up
from tournaments.services.entries.admission import admit_player, check_admission, enter_competition
from tournaments.services.entries.replacement import check_replacement, replace_entry, take_over_place
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action


def admit_or_invite(
    *, competition_id: int, player: Player, actor: Player, now: datetime, reason: str = ""
) -> Entry | EntryInvitation:
    """Enter a player, or invite one who has to be asked first; return the entry or the invitation.

    Whoever is invited already is not asked again. Raises what ``admit_player`` raises, ``InvitationDeclined``, or
    ``TooManyEntryInvitations``.
    """
    if not is_asked_first(player=player, actor=actor):
        return admit_player(competition_id=competition_id, player=player, actor=actor, now=now, reason=reason)
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        catch_up(competition=competition, now=now)
        check_admission(competition=competition)
        entry = Entry.objects.filter(competition=competition, player=player).first()
        if entry is not None and not can_return(entry, competition):
            raise AlreadyEntered(f"{player} has already joined.")
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
    competition_id = Entry.objects.filter(pk=entry_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise EntryNotFound("There is no such entry.")
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        catch_up(competition=competition, now=now)
        replaced = check_replacement(competition=competition, entry_id=entry_id, player=player)
        (invitation,) = invite_players(competition=competition, players=[player], actor=actor, reason=reason, now=now)
        invitation.replaces = replaced
        invitation.save(update_fields=["replaces"])
    return invitation


def invite_players(
    *,
    competition: Competition,
    players: Collection[Player],
    actor: Player,
    now: datetime,
    reason: str = "",
    is_limited: bool = True,
) -> list[EntryInvitation]:
    """Invite players who may enter, and return their invitations; the caller holds the competition's lock.

    Those of a draft are asked when it is opened for entry. Who was asked within a day, and whose invitation was
    withdrawn since, is invited again without another question. What the rules do in the actor's name is not limited.
    Raises ``InvitationDeclined`` or ``TooManyEntryInvitations``.
    """
    if not players:
        return []
    # One after another, so that two requests at once do not pass the limit.
    Player.objects.select_for_update(no_key=True).get(pk=actor.pk)
    known = {
        each.player_id: each for each in EntryInvitation.objects.filter(competition=competition, player__in=players)
    }
    for player in players:
        if player.pk in known and known[player.pk].status == InvitationStatus.DECLINED:
            raise InvitationDeclined(f"{player} has declined. They can still join by themselves.")
    waiting = {key for key, each in known.items() if each.status == InvitationStatus.WAITING}
    asked = [player for player in players if player.pk not in waiting]
    most = settings.MAX_ENTRY_INVITATIONS_A_DAY
    if is_limited and invited_since_yesterday(organiser=actor, now=now) + len(asked) > most:
        raise TooManyEntryInvitations(f"You can invite {most} players in 24 hours. Try again later.")
    is_draft = competition.status == CompetitionStatus.DRAFT
    new: list[EntryInvitation] = []
    again: list[EntryInvitation] = []
    news = []
    for player in asked:
        invitation = known.get(player.pk) or EntryInvitation(competition_id=competition.pk, player=player)
        is_recent = invitation.asked_at is not None and invitation.asked_at > now - DAY
        invitation.status, invitation.answered_at = InvitationStatus.WAITING, None
        invitation.invited_by, invitation.created_at, invitation.replaces = actor, now, None
        if not is_recent:
            invitation.asked_at = None if is_draft else now
            news.append(player)
        (new if invitation.pk is None else again).append(invitation)
        known[player.pk] = invitation
    EntryInvitation.objects.bulk_create(new)
    changed = ["status", "answered_at", "invited_by", "created_at", "asked_at", "replaces"]
    EntryInvitation.objects.bulk_update(again, changed, batch_size=250)
    if news and not is_draft:
        _log_invited(competition, news, actor, reason, now)
    return [known[player.pk] for player in players]


def ask_invited(*, competition: Competition, actor: Player | None, now: datetime) -> None:
    """Ask those who were invited to a draft, now that it is one no more. The caller holds the competition's lock."""
    waiting = EntryInvitation.objects.filter(competition=competition, status=InvitationStatus.WAITING, asked_at=None)
    players = [each.player for each in waiting.select_related("player")]
    waiting.update(asked_at=now)
    if players:
        _log_invited(competition, players, actor, "", now)


def accept_invitation(*, competition_id: int, player: Player, now: datetime) -> Entry:
    """Enter a player who was invited, or let them take over the place, and return the entry. Again has no effect.

    Raises ``InvitationNotFound``, ``InvitationOver`` once it was withdrawn, or what ``enter_competition`` and
    ``replace_entry`` raise.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        invitation = _find(competition, player)
        entry = Entry.objects.filter(competition=competition, player=player, status=EntryStatus.ACTIVE).first()
        if entry is not None and invitation.status == InvitationStatus.ACCEPTED:
            return entry
        if invitation.replaces_id is None:
            return enter_competition(competition_id=competition_id, player=player, now=now)
        catch_up(competition=competition, now=now)
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


def decline_invitation(*, competition_id: int, player: Player, now: datetime) -> EntryInvitation:
    """Decline an invitation, and return it; nobody can invite this player again. Again has no effect.

    Raises ``InvitationNotFound``, ``InvitationOver`` once it was withdrawn, or ``AlreadyEntered``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        invitation = _find(competition, player)
        if invitation.status == InvitationStatus.DECLINED:
            return invitation
        if Entry.objects.filter(competition=competition, player=player).exists():
            raise AlreadyEntered("You have already joined. You can leave the competition instead.")
        if find_waiting(competition=competition, player=player) is not None:
            raise AlreadyWaiting("You are on the waiting list. You can leave it instead.")
        invitation.status, invitation.answered_at = InvitationStatus.DECLINED, now
        invitation.save(update_fields=["status", "answered_at"])
        log_action(competition=competition, action="invitation-declined", actor=player, subject=str(player), now=now)
    return invitation


def withdraw_invitation(*, invitation_id: int, actor: Player, now: datetime, reason: str = "") -> EntryInvitation:
    """Withdraw an invitation that has not been answered, and return it. Again has no effect.

    Raises ``InvitationNotFound``, ``NotAnOrganiser``, or ``InvitationOver`` for one that was answered.
    """
    found = EntryInvitation.objects.filter(pk=invitation_id).values_list("competition_id", flat=True).first()
    if found is None:
        raise InvitationNotFound("There is no such invitation.")
    with transaction.atomic():
        competition = lock_competition(competition_id=found)
        check_organiser(competition=competition, player=actor)
        invitation = EntryInvitation.objects.select_related("player").get(pk=invitation_id)
        if invitation.status == InvitationStatus.WITHDRAWN:
            return invitation
        if invitation.status != InvitationStatus.WAITING:
            raise InvitationOver(f"{invitation.player} has answered this invitation.")
        invitation.status = InvitationStatus.WITHDRAWN
        invitation.save(update_fields=["status"])
        log_action(
            competition=competition,
            action="invitation-withdrawn",
            actor=actor,
            subject=str(invitation.player),
            reason=reason,
            now=now,
        )
    return invitation


def _find(competition: Competition, player: Player) -> EntryInvitation:
    invitation = find_invitation(competition=competition, player=player)
    if invitation is not None:
        return invitation
    if EntryInvitation.objects.filter(competition=competition, player=player, asked_at__isnull=False).exists():
        raise InvitationOver("This invitation has been withdrawn.")
    raise InvitationNotFound("You have no invitation to this competition.")


def _log_invited(
    competition: Competition, players: Collection[Player], actor: Player | None, reason: str, now: datetime
) -> None:
    subject = ", ".join(sorted(map(str, players))) if len(players) == 1 else str(len(players))
    log_action(
        competition=competition,
        action="invited",
        actor=actor,
        subject=subject,
        reason=reason,
        players=players,
        now=now,
    )
