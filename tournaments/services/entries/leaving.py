"""Leaving an event, and being withdrawn from it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from matches.services.adjudicating import forfeit_matches
from players.models import Player
from rules_engine.values import Side
from tournaments.errors import EntryNotFound, EntryOver, WrongEventStatus
from tournaments.models import ENDED, NOT_STARTED, Entry, EntryStatus, Event
from tournaments.selectors.events import find_cup
from tournaments.selectors.organising import check_organiser
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.advancing import advance_cup
from tournaments.services.cups.draws import undo_draw
from tournaments.services.entries.going import go, let_go
from tournaments.services.fixtures import forfeit_without_play, open_fixtures_of
from tournaments.services.ladders.positions import leave_position
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action
from tournaments.services.settlement import settle_event


def leave_event(*, entry_id: int, now: datetime) -> Entry | None:
    """Let a player leave an event, and return his entry; ``None`` where it has not started and nothing is left of it.

    From a running cup he withdraws. On a ladder his running games are finished and count, then he is gone; again
    has no effect. Raises ``EntryNotFound``, ``EntryOver`` or ``WrongEventStatus``.
    """
    with transaction.atomic():
        event, entry = _lock(entry_id, now)
        if event.status in NOT_STARTED:
            _delete(event, entry, entry.player, "", now)
            return None
        if find_cup(event) is not None:
            return _withdraw(event, entry, entry.player, "", now)
        if entry.status == EntryStatus.ACTIVE:
            entry.status = EntryStatus.ON_HOLD
            entry.save(update_fields=["status"])
            let_go(event=event, now=now)
            entry.refresh_from_db()
    return entry


def withdraw_entry(*, entry_id: int, actor: Player | None, reason: str, now: datetime) -> Entry | None:
    """Take an entrant out of an event at once, and return his entry; ``None`` where the event has not started.

    His running matches are forfeited, and so are those still to come; a tie that is open is lost. An
    organiser withdraws anybody, a player himself, the rules whoever has closed the account. Raises
    ``EntryNotFound``, ``EntryOver``, ``NotAnOrganiser`` or ``WrongEventStatus``.
    """
    with transaction.atomic():
        event, entry = _lock(entry_id, now)
        if actor is None or entry.player_id != actor.pk:
            check_organiser(event=event, player=actor)
        if event.status in NOT_STARTED:
            _delete(event, entry, actor, reason, now)
            return None
        return _withdraw(event, entry, actor, reason, now)


def _lock(entry_id: int, now: datetime) -> tuple[Event, Entry]:
    event_id = Entry.objects.filter(pk=entry_id).values_list("event_id", flat=True).first()
    if event_id is None:
        raise EntryNotFound("There is no such entry.")
    event = lock_event(event_id=event_id)
    catch_up(event=event, now=now)
    entry = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound("There is no such entry.")
    if event.status in ENDED:
        raise WrongEventStatus("The event is over.")
    if not entry.is_in:
        raise EntryOver(f"{entry} has left the event already.")
    return event, entry


def _delete(event: Event, entry: Entry, actor: Player | None, reason: str, now: datetime) -> None:
    if (cup := find_cup(event)) is not None:
        undo_draw(cup=cup, actor=None, now=now)
    leave_position(entry=entry, now=now)
    if actor is None or entry.player_id != actor.pk:
        log_action(event=event, action="withdrew", actor=actor, subject=str(entry), reason=reason, now=now)
    entry.delete()


def _withdraw(event: Event, entry: Entry, actor: Player | None, reason: str, now: datetime) -> Entry:
    log_action(event=event, action="withdrew", actor=actor, subject=str(entry), reason=reason, now=now)
    go(entry=entry, at=now, now=now)
    fixtures = list(open_fixtures_of(entry))
    losers = {
        fixture.match_id: Side.YELLOW if fixture.yellow_id == entry.pk else Side.RED
        for fixture in fixtures
        if fixture.match_id is not None
    }
    forfeit_matches(losers=losers, now=now)
    # A match that has just ended by itself counts as it ended, and may have decided a tie before.
    settle_event(event=event, until=now, now=now)
    forfeit_without_play(event=event, fixtures=fixtures, now=now)
    if (cup := find_cup(event)) is not None:
        advance_cup(cup_id=cup.pk, now=now, entry=entry)
    return entry
