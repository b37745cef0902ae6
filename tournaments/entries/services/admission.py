"""Enter players into competitions, and check the passwords that these ask for."""

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models import Exists
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import WrongCompetitionPassword
from tournaments.entries.services.kept_places import store_in_old_place
from tournaments.models import ENDED, NOT_REPLACED, Competition, CompetitionStatus, Entry, EntryStatus, InvitationStatus
from tournaments.office.services.after_commit import notify_pairing, notify_start
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.office.services.option_versions import check_conditions
from tournaments.records.ladders import has_lost_on_time
from tournaments.rounds.services.draws import undo_draw
from tournaments.running.errors import AlreadyEntered, EntryClosed
from tournaments.running.selectors.entry_conditions import (
    can_enter_again,
    can_return,
    can_take_late_entries,
    find_invitation,
    reasons_not_to_enter,
    reasons_of_kind,
    reasons_of_rounds,
)
from tournaments.running.services.catch_up import catch_up, lock_for_organiser
from tournaments.running.services.entry_rows import make_entry, store_entries
from tournaments.running.services.free_places import fill_places
from web.limits.budgets import attempt
from web.limits.table import COMPETITION_PASSWORDS, COMPETITION_PASSWORDS_BY_CLIENT
from web.storable_text import is_storable


def enter_competition(
    *,
    competition_id: int,
    player: Player,
    password: str = "",
    client_ip: str = "",
    now: datetime,
    version: int | None = None,
) -> Entry:
    """Enter a player and return the entry. When the last place is taken, a competition that starts when full starts.

    An invited player accepts by it, and needs no password. One who had joined before all were asked again has the old
    place. ``version`` is the ``options_version`` that was read, ``None`` for whatever there is.

    Wrong passwords are counted by player, and by ``client_ip``. On a ladder, a player who waits because they
    lost on time gets games again, one who is leaving stays, and one who has left returns. Where groups form one by
    one, a player who plays already takes another place at the first level. Raises the first of
    ``reasons_not_to_enter``, ``WrongCompetitionPassword``, ``TooManyAttempts`` for guessing passwords,
    ``OptionsChanged`` where conditions have changed since that version, or ``CompetitionNotFound``.
    """
    matched = match_password(competition_id=competition_id, player=player, password=password, client_ip=client_ip)
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if competition.starts_when_full and competition.status == CompetitionStatus.OPEN:
            # A full competition is not started only to tell a latecomer that it has.
            _refuse(competition, player)
        catch_up(competition=competition, now=now)
        entry = Entry.objects.filter(NOT_REPLACED, competition=competition, player=player).first()
        is_in = entry is not None and entry.status == EntryStatus.ACTIVE
        if entry is not None and is_in and competition.is_endless and has_lost_on_time(entry):
            # They ask for games, which they may have got meanwhile by having come back.
            return _play_on(competition, entry, now)
        _refuse(competition, player)
        invitation = find_invitation(competition=competition, player=player)
        if entry is None and invitation is None and matched != competition.password:
            raise WrongCompetitionPassword(_("This is not the password of the competition."))
        check_conditions(competition=competition, version=version)
        entry = entry or make_entry(competition=competition, player=player, now=now, is_there=True)
        store_in_old_place(competition=competition, entry=entry, invitation=invitation, now=now)
        action = "joined"
        if invitation is not None and invitation.status != InvitationStatus.ACCEPTED:
            action, invitation.status, invitation.answered_at = "invitation-accepted", InvitationStatus.ACCEPTED, now
            invitation.save(update_fields=["status", "answered_at"])
        log_action(competition=competition, action=action, actor=player, subject=str(player), now=now)
        if competition.starts_with_entries:
            notify_start(competition_id=competition.pk)
    return entry


def admit_player(
    *, competition_id: int, player: Player, actor: Player | None, now: datetime, reason: str = ""
) -> Entry:
    """Let an organiser enter a player, whatever the limits on number, rating and password, and return the entry.

    A draw that was made is forgotten. Raises ``NotAnOrganiser``, ``AlreadyEntered``, ``EntryClosed``,
    ``LastRoundDrawn``, ``GuestsNotAdmitted`` or ``ComputersNotAdmitted``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        entry = Entry.objects.filter(NOT_REPLACED, competition=competition, player=player).first()
        if entry is not None and not (can_return(entry, competition) or can_enter_again(entry, competition)):
            raise AlreadyEntered(_("%(player)s has already joined.") % {"player": player})
        check_admission(competition=competition)
        for refusal in reasons_of_kind(competition=competition, player=player):
            raise refusal
        entry = entry or make_entry(competition=competition, player=player, now=now, is_there=True)
        admit_entries(competition=competition, entries=[entry], actor=actor, now=now)
        log_action(competition=competition, action="entered", actor=actor, about=entry, reason=reason, now=now)
    return entry


def check_admission(*, competition: Competition) -> None:
    """Raise ``EntryClosed`` or ``LastRoundDrawn`` if not even an organiser can enter players any more."""
    comes_too_late = competition.status == CompetitionStatus.RUNNING and not can_take_late_entries(competition)
    if competition.status in ENDED or comes_too_late:
        raise EntryClosed(_("Nobody can join this competition any more."))
    for refusal in reasons_of_rounds(competition):
        raise refusal


def admit_entries(*, competition: Competition, entries: Sequence[Entry], actor: Player | None, now: datetime) -> None:
    """Store entries that were checked; a draw that was made is forgotten. The caller holds the competition's lock."""
    if competition.status != CompetitionStatus.RUNNING:
        undo_draw(competition=competition, actor=actor, now=now, remembers=True)
    store_entries(competition=competition, entries=entries, now=now)
    # A draw that is forgotten keeps nobody waiting any more.
    fill_places(competition=competition, now=now)


def match_password(*, competition_id: int, player: Player, password: str, client_ip: str) -> str:
    """Return the competition's stored password if this one is right, else ``""``, as for who has been let in before.

    To be asked before the competition is locked: checking a password is slow on purpose. Raises ``TooManyAttempts``
    after several wrong ones of the player, or many from the client network, even for the right one.
    """
    stored = _stored_password(competition_id, player)
    if not stored or not password:
        return ""
    guesses = COMPETITION_PASSWORDS.of(str(player.pk), str(competition_id))
    with attempt(guesses, COMPETITION_PASSWORDS_BY_CLIENT.of(client_ip)) as one:
        if not is_storable(password) or not check_password(password, stored):
            return ""
        one.forgive()
    guesses.forget()
    return stored


def _refuse(competition: Competition, player: Player) -> None:
    for reason in reasons_not_to_enter(competition=competition, player=player):
        raise reason


def _play_on(competition: Competition, entry: Entry, now: datetime) -> Entry:
    entry.waits_since, entry.acted_at = None, now
    entry.save(update_fields=["waits_since", "acted_at"])
    if competition.status == CompetitionStatus.RUNNING:
        notify_pairing(ladder_id=competition.pk)
    return entry


def _stored_password(competition_id: int, player: Player) -> str | None:
    own = Entry.objects.filter(NOT_REPLACED, competition=competition_id, player=player)
    asking = Competition.objects.filter(~Exists(own), pk=competition_id)
    return asking.values_list("password", flat=True).first()
