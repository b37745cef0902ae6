"""Entering an event."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.errors import AlreadyEntered, EntryClosed, WrongEventPassword
from tournaments.models import ENDED, Entry, EntryStatus, Event, EventStatus, LadderSystem
from tournaments.selectors.entering import can_return, can_take_late_entries, reasons_not_to_enter, reasons_of_kind
from tournaments.selectors.events import find_cup, find_ladder
from tournaments.selectors.organising import check_organiser
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.draws import undo_draw
from tournaments.services.cups.joining import join_round_robin
from tournaments.services.doorbells import ring_pairing, ring_start
from tournaments.services.entries.passwords import match_password
from tournaments.services.ladders.positions import enter_at_bottom
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action
from tournaments.services.standings import want_standings

LOTS = 2**63


def enter_event(*, event_id: int, player: Player, password: str = "", address: str = "", now: datetime) -> Entry:
    """Enter a player and return his entry. Where the last place is taken, an event that starts when full starts.

    Wrong passwords are counted by player, and by the ``address`` that he asks from. On a ladder, who waits because he
    lost on time gets games again, who is leaving stays, and who has left returns. Raises the first of
    ``reasons_not_to_enter``, ``WrongEventPassword``, ``TooManyAttempts`` for guessing passwords, or ``EventNotFound``.
    """
    matched = match_password(event_id=event_id, player=player, password=password, address=address)
    with transaction.atomic():
        event = lock_event(event_id=event_id)
        if event.starts_when_full and event.status == EventStatus.OPEN:
            # A full event is not started only to tell a latecomer that it has.
            _refuse(event, player)
        catch_up(event=event, now=now)
        entry = Entry.objects.filter(event=event, player=player).first()
        if entry is not None and entry.status == EntryStatus.ACTIVE and entry.waits_since is not None:
            return _play_on(event, entry, now)
        _refuse(event, player)
        if entry is None and matched != event.password:
            raise WrongEventPassword("This is not the event's password.")
        entry = entry or make_entry(event=event, player=player, now=now)
        store_entries(event=event, entries=[entry], now=now)
        if event.starts_when_full and event.status == EventStatus.OPEN:
            ring_start(event_id=event.pk)
    return entry


def admit_player(*, event_id: int, player: Player, actor: Player | None, now: datetime, reason: str = "") -> Entry:
    """Let an organiser enter a player, whatever the limits on number, rating and password, and return the entry.

    A draw that was made is forgotten. Raises ``NotAnOrganiser``, ``AlreadyEntered``, ``EntryClosed``,
    ``GuestsNotAdmitted`` or ``ComputersNotAdmitted``.
    """
    with transaction.atomic():
        event = lock_event(event_id=event_id)
        check_organiser(event=event, player=actor)
        catch_up(event=event, now=now)
        entry = Entry.objects.filter(event=event, player=player).first()
        if entry is not None and not can_return(entry, event):
            raise AlreadyEntered(f"{player} has entered already.")
        check_admission(event=event)
        for refusal in reasons_of_kind(event=event, player=player):
            raise refusal
        entry = entry or make_entry(event=event, player=player, now=now)
        admit_entries(event=event, entries=[entry], actor=actor, now=now)
        log_action(event=event, action="entered", actor=actor, subject=str(player), reason=reason, now=now)
    return entry


def check_admission(*, event: Event) -> None:
    """Raise ``EntryClosed`` if not even an organiser can enter players any more."""
    comes_too_late = event.status == EventStatus.RUNNING and not can_take_late_entries(event)
    if event.status in ENDED or comes_too_late:
        raise EntryClosed("The event takes no more players.")


def admit_entries(*, event: Event, entries: Sequence[Entry], actor: Player | None, now: datetime) -> None:
    """Store entries that were checked; a draw that was made is forgotten. The caller holds the event's lock."""
    if event.status != EventStatus.RUNNING and (cup := find_cup(event)) is not None:
        undo_draw(cup=cup, actor=actor, now=now)
    store_entries(event=event, entries=entries, now=now)


def make_entry(*, event: Event, player: Player, now: datetime) -> Entry:
    """Return a new entry that is not stored yet, with its lot in the draw."""
    return Entry(event_id=event.pk, player=player, draw=secrets.randbelow(LOTS), entered_at=now)


def _refuse(event: Event, player: Player) -> None:
    for reason in reasons_not_to_enter(event=event, player=player):
        raise reason


def store_entries(*, event: Event, entries: Sequence[Entry], now: datetime) -> None:
    """Store entries, new or of players who return, and let them play in what is running.

    The number of queries does not depend on how many they are, but for batches. Entries have their players. The
    caller holds the event's lock.
    """
    for entry in entries:
        entry.status, entry.waits_since, entry.left_at, entry.acted_at = EntryStatus.ACTIVE, None, None, now
    known = [entry for entry in entries if entry.pk is not None]
    Entry.objects.bulk_create([entry for entry in entries if entry.pk is None])
    Entry.objects.bulk_update(known, ["status", "waits_since", "left_at", "acted_at"], batch_size=250)
    is_running = event.status == EventStatus.RUNNING
    ladder = find_ladder(event)
    if ladder is not None and ladder.system == LadderSystem.CHALLENGE:
        enter_at_bottom(entries=entries, now=now)
    if ladder is not None and is_running:
        ring_pairing(ladder_id=ladder.pk)
    if is_running:
        want_standings(event_id=event.pk, now=now)
        if (cup := find_cup(event)) is not None:
            join_round_robin(cup=cup, latecomers=entries, now=now)


def _play_on(event: Event, entry: Entry, now: datetime) -> Entry:
    entry.waits_since, entry.acted_at = None, now
    entry.save(update_fields=["waits_since", "acted_at"])
    if event.status == EventStatus.RUNNING:
        ring_pairing(ladder_id=event.pk)
    return entry
