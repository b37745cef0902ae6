"""Join and leave the waiting list of a competition that is full; organisers enter players from it or remove them.

Players on the list move up by ``free_places``. It ends with the start.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import WrongCompetitionPassword
from tournaments.entries.services.admission import admit_player, match_password
from tournaments.entries.services.kept_places import old_number_on_list
from tournaments.models import (
    NOT_REPLACED,
    NOT_STARTED,
    Competition,
    Entry,
    EntryInvitation,
    InvitationStatus,
    WaitingPlayer,
)
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.option_versions import check_conditions
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.errors import EntrantClosed, NotWaiting
from tournaments.running.selectors.entry_conditions import find_invitation
from tournaments.running.selectors.waiting_lists import (
    find_waiting,
    get_listed,
    get_waiting,
    reasons_not_to_wait,
    removed_from_list,
)
from tournaments.running.services.catch_up import catch_up, lock_for_organiser
from tournaments.running.services.free_places import fill_places


def join_waiting_list(
    *,
    competition_id: int,
    player: Player,
    password: str = "",
    client_ip: str = "",
    now: datetime,
    version: int | None = None,
) -> WaitingPlayer:
    """Put a player on the waiting list of a full competition, and return the row. Again has no effect.

    The conditions are those of ``enter_competition``; an invited player accepts by it, and one who waited
    before all were asked again has the old place. Raises the first of ``reasons_not_to_wait``,
    ``WrongCompetitionPassword``, ``TooManyAttempts``, ``OptionsChanged`` or ``CompetitionNotFound``.
    """
    matched = match_password(competition_id=competition_id, player=player, password=password, client_ip=client_ip)
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        catch_up(competition=competition, now=now)
        if (known := find_waiting(competition=competition, player=player)) is not None:
            return known
        for reason in reasons_not_to_wait(competition=competition, player=player):
            raise reason
        invitation = find_invitation(competition=competition, player=player)
        own = Entry.objects.filter(NOT_REPLACED, competition=competition, player=player)
        if invitation is None and matched != competition.password and not own.exists():
            raise WrongCompetitionPassword(_("This is not the password of the competition."))
        check_conditions(competition=competition, version=version)
        removed_from_list(competition).filter(player=player).delete()
        checked_in_at = now if competition.is_checking_in(now) else None
        waiting = WaitingPlayer.objects.create(
            pk=old_number_on_list(invitation),
            competition_id=competition.pk,
            player=player,
            joined_at=now,
            checked_in_at=checked_in_at,
        )
        if invitation is not None and invitation.status != InvitationStatus.ACCEPTED:
            invitation.status, invitation.answered_at = InvitationStatus.ACCEPTED, now
            invitation.save(update_fields=["status", "answered_at"])
        log_action(competition=competition, action="waiting-joined", actor=player, subject=str(player), now=now)
    return waiting


def leave_waiting_list(*, competition_id: int, player: Player, now: datetime) -> None:
    """Let a player leave the waiting list. Raises ``NotWaiting`` or ``CompetitionNotFound``."""
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        catch_up(competition=competition, now=now)
        waiting = find_waiting(competition=competition, player=player)
        if waiting is None:
            raise NotWaiting(_("You are not on the waiting list of this competition."))
        waiting.delete()
        log_action(competition=competition, action="waiting-left", actor=player, subject=str(player), now=now)


def enter_from_waiting_list(*, waiting_id: int, actor: Player, now: datetime, reason: str = "") -> Entry:
    """Let an organiser enter a player of the waiting list out of turn, even if all places are taken; return the entry.

    A draw that was made is forgotten. Whom an organiser withdraws before the start has the old place again. Raises
    ``NotWaiting``, ``WrongCompetitionStatus`` or what ``admit_player`` raises.
    """
    with transaction.atomic():
        competition, waiting = _lock(waiting_id, actor, now)
        waiting.removed_at = now
        waiting.save(update_fields=["removed_at"])
        return admit_player(competition_id=competition.pk, player=waiting.player, actor=actor, reason=reason, now=now)


def remove_from_waiting_list(*, waiting_id: int, actor: Player, now: datetime, reason: str = "") -> WaitingPlayer:
    """Let an organiser take a player off the waiting list, who is told so; return what was there.

    By an invitation the player does not come back. Raises ``NotWaiting``, ``NotAnOrganiser`` or
    ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition, waiting = _lock(waiting_id, actor, now)
        invited = EntryInvitation.objects.filter(competition=competition, player=waiting.player_id)
        invited.update(status=InvitationStatus.WITHDRAWN, answered_at=None)
        waiting.removed_at = now
        waiting.save(update_fields=["removed_at"])
        log_action(
            competition=competition, action="waiting-removed", actor=actor, about=waiting, reason=reason, now=now
        )
    return waiting


def take_back_removal(*, waiting_id: int, actor: Player, now: datetime, reason: str = "") -> WaitingPlayer:
    """Let a player who was removed have the old place on the waiting list again, and return the row.

    The player is told so, and moves up if a place is free. Again has no effect. Raises ``NotWaiting`` for who has
    joined again since, ``NotAnOrganiser``, ``WrongCompetitionStatus`` or ``EntrantClosed``.
    """
    with transaction.atomic():
        competition, waiting = _lock(waiting_id, actor, now, find=get_listed)
        if waiting.removed_at is None:
            return waiting
        if not waiting.player.is_active:
            raise EntrantClosed(_("This account is closed."))
        invited = EntryInvitation.objects.filter(competition=competition, player=waiting.player_id)
        withdrawn = invited.filter(status=InvitationStatus.WITHDRAWN)
        withdrawn.update(status=InvitationStatus.ACCEPTED, answered_at=waiting.joined_at)
        waiting.removed_at = None
        waiting.save(update_fields=["removed_at"])
        log_action(
            competition=competition, action="waiting-restored", actor=actor, about=waiting, reason=reason, now=now
        )
        fill_places(competition=competition, now=now)
    return waiting


def leave_all_waiting_lists(*, player: Player, now: datetime) -> None:
    """Take a player whose account was closed off every waiting list."""
    rows = WaitingPlayer.objects.filter(player=player).order_by("competition")
    for competition_id in list(rows.values_list("competition_id", flat=True)):
        with transaction.atomic():
            competition = lock_competition(competition_id=competition_id)
            own = rows.filter(competition=competition_id)
            is_on_list = own.filter(removed_at=None).exists()
            own.delete()
            if is_on_list and competition.status in NOT_STARTED:
                log_action(
                    competition=competition,
                    action="waiting-left",
                    subject=str(player),
                    reason=_("The account has been closed."),
                    now=now,
                )


def _lock(
    waiting_id: int,
    actor: Player,
    now: datetime,
    *,
    find: Callable[[Competition, int], WaitingPlayer] = get_waiting,
) -> tuple[Competition, WaitingPlayer]:
    """Lock the competition of a row of a waiting list, do what is due in it, and return both."""
    found = WaitingPlayer.objects.filter(pk=waiting_id).values_list("competition_id", flat=True).first()
    if found is None:
        raise NotWaiting(_("There is no such player on the waiting list."))
    competition = lock_for_organiser(competition_id=found, actor=actor, now=now)
    if competition.status not in NOT_STARTED:
        raise WrongCompetitionStatus(_("The waiting list has ended with the start."))
    return competition, find(competition, waiting_id)
