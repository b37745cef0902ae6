"""Check in players before the start: they themselves, or organisers for them; open the check-in, or call it off."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import CheckInNotOpen
from tournaments.models import NOT_STARTED, Competition, CompetitionStatus, Entry, EntryStatus, WaitingPlayer
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import check_organiser, competition_of_entry
from tournaments.office.services.after_commit import notify_start
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.running.errors import NotWaiting
from tournaments.running.selectors.waiting_lists import find_waiting, get_waiting, waiting_list
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.check_in_opening import note_opening


def open_check_in(*, competition_id: int, actor: Player, now: datetime, reason: str = "") -> Competition:
    """Open the check-in at once, and return the competition. Again has no effect.

    Raises ``NotAnOrganiser``, or ``CheckInNotOpen`` for a draft, a ladder, teams, and what has started.
    """
    with transaction.atomic():
        competition = _lock(competition_id, actor, now)
        if competition.is_endless:
            raise CheckInNotOpen(_("A ladder has no check-in: players join and leave it at any time."))
        if competition.boards is not None:
            raise CheckInNotOpen(_("Teams do not check in: their captains choose who plays."))
        _check_coming(competition)
        if competition.check_in_opened_at is None:
            note_opening(competition=competition, actor=actor, at=now, reason=reason)
    return competition


def call_off_check_in(*, competition_id: int, actor: Player, now: datetime, reason: str = "") -> Competition:
    """Let everybody who is in the competition play, checked in or not, and return it; it is called off for good.

    Organisers can open a new one, in which everybody checks in again. Raises ``NotAnOrganiser``, or ``CheckInNotOpen``
    if it is not open.
    """
    with transaction.atomic():
        competition = _lock(competition_id, actor, now)
        _check_open(competition, now)
        competition.check_in_minutes = None
        competition.save(update_fields=["check_in_minutes"])
        forget_check_in(competition=competition, actor=actor, reason=reason, now=now)
    return competition


def forget_check_in(*, competition: Competition, actor: Player, now: datetime, reason: str = "") -> None:
    """Forget that the check-in has opened and who has checked in, and tell everybody. The caller holds the lock."""
    competition.check_in_opened_at = None
    competition.save(update_fields=["check_in_opened_at"])
    entries = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
    entries.update(checked_in_at=None)
    waiting = waiting_list(competition)
    players = [each.player for each in waiting]
    waiting.update(checked_in_at=None)
    log_action(
        competition=competition,
        action="check-in-undone",
        actor=actor,
        reason=reason,
        concerns=entries,
        players=players,
        now=now,
    )
    notify_start(competition_id=competition.pk)


def check_in(*, competition_id: int, player: Player, now: datetime) -> Entry | WaitingPlayer:
    """Note that a player is there, who is in the competition or waits for a place; return that. Again has no effect.

    Raises ``CheckInNotOpen``, ``EntryNotFound`` for anybody else, or ``CompetitionNotFound``.
    """
    with transaction.atomic():
        competition = _lock(competition_id, None, now)
        _check_open(competition, now)
        entries = Entry.objects.filter(competition_id=competition.pk, player=player, status=EntryStatus.ACTIVE)
        place = entries.select_related("player").first() or find_waiting(competition=competition, player=player)
        if place is None:
            raise EntryNotFound(_("You have not joined this competition."))
        _note(competition, place, player, now)
    return place


def check_in_entry(*, entry_id: int, actor: Player, now: datetime, reason: str = "") -> Entry:
    """Let an organiser check in an entrant, and return the entry. Again has no effect.

    Raises ``NotAnOrganiser``, ``CheckInNotOpen`` or ``EntryNotFound``.
    """
    with transaction.atomic():
        competition, entry = _lock_entry(entry_id, actor, now)
        _note(competition, entry, actor, now, reason)
    return entry


def take_back_check_in(*, entry_id: int, actor: Player, now: datetime, reason: str = "") -> Entry:
    """Let an organiser take back that an entrant has checked in, and return the entry. Again has no effect.

    Raises as ``check_in_entry``.
    """
    with transaction.atomic():
        competition, entry = _lock_entry(entry_id, actor, now)
        _forget(competition, entry, actor, now, reason)
    return entry


def check_in_waiting(*, waiting_id: int, actor: Player, now: datetime, reason: str = "") -> WaitingPlayer:
    """Let an organiser check in a player of the waiting list, and return the row. Again has no effect.

    Raises ``NotAnOrganiser``, ``CheckInNotOpen`` or ``NotWaiting``.
    """
    with transaction.atomic():
        competition, waiting = _lock_waiting(waiting_id, actor, now)
        _note(competition, waiting, actor, now, reason)
    return waiting


def take_back_check_in_of_waiting(*, waiting_id: int, actor: Player, now: datetime, reason: str = "") -> WaitingPlayer:
    """Let an organiser take back that a player of the waiting list has checked in, and return the row.

    Again has no effect. Raises as ``check_in_waiting``.
    """
    with transaction.atomic():
        competition, waiting = _lock_waiting(waiting_id, actor, now)
        _forget(competition, waiting, actor, now, reason)
    return waiting


def _note(
    competition: Competition, place: Entry | WaitingPlayer, actor: Player, now: datetime, reason: str = ""
) -> None:
    if place.checked_in_at is not None:
        return
    place.checked_in_at = now
    place.save(update_fields=["checked_in_at"])
    log_action(competition=competition, action="checked-in", actor=actor, about=place, reason=reason, now=now)
    if competition.starts_with_entries:
        # It may have waited for this player alone.
        notify_start(competition_id=competition.pk)


def _forget(competition: Competition, place: Entry | WaitingPlayer, actor: Player, now: datetime, reason: str) -> None:
    if place.checked_in_at is None:
        return
    place.checked_in_at = None
    place.save(update_fields=["checked_in_at"])
    log_action(competition=competition, action="checked-in-undone", actor=actor, about=place, reason=reason, now=now)


def _lock(competition_id: int, actor: Player | None, now: datetime) -> Competition:
    competition = lock_competition(competition_id=competition_id)
    if actor is not None:
        check_organiser(competition=competition, player=actor)
    catch_up(competition=competition, now=now)
    return competition


def _lock_entry(entry_id: int, actor: Player, now: datetime) -> tuple[Competition, Entry]:
    competition = _lock(competition_of_entry(entry_id), actor, now)
    _check_open(competition, now)
    entry = Entry.objects.filter(pk=entry_id, status=EntryStatus.ACTIVE).select_related("player").first()
    if entry is None:
        raise EntryNotFound(_("This player is no longer in the competition."))
    return competition, entry


def _lock_waiting(waiting_id: int, actor: Player, now: datetime) -> tuple[Competition, WaitingPlayer]:
    found = WaitingPlayer.objects.filter(pk=waiting_id).values_list("competition_id", flat=True).first()
    if found is None:
        raise NotWaiting(_("There is no such player on the waiting list."))
    competition = _lock(found, actor, now)
    _check_open(competition, now)
    return competition, get_waiting(competition, waiting_id)


def _check_coming(competition: Competition) -> None:
    if competition.status == CompetitionStatus.DRAFT:
        raise CheckInNotOpen(_("Open the competition for entry first."))
    if competition.status not in NOT_STARTED:
        raise CheckInNotOpen(_("The competition has started. The check-in is over."))


def _check_open(competition: Competition, now: datetime) -> None:
    if competition.is_checking_in(now):
        return
    if competition.check_in_opens_at is None:
        raise CheckInNotOpen(_("Nobody has to check in here now."))
    _check_coming(competition)
    raise CheckInNotOpen(_("The check-in is not open yet."))
