"""Taking over a list of entrants: all of it, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from django.db import transaction

from players.models import Player
from players.selectors import find_players
from tournaments.errors import InvalidEntryList
from tournaments.importing import ListedEntrant, read_entry_list
from tournaments.models import Cup, Entry, Event, EventStatus, Seeding
from tournaments.selectors.entering import can_return, reasons_of_kind
from tournaments.selectors.events import find_cup
from tournaments.selectors.organising import check_organiser
from tournaments.services.catch_up import catch_up
from tournaments.services.entries.entering import admit_entries, check_admission, make_entry
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line of a list, and the player it names, if there is one. A line with a ``fault`` cannot be taken."""

    listed: ListedEntrant
    player: Player | None

    @property
    def fault(self) -> str:
        """A sentence, empty for a line that can be taken."""
        return self.listed.fault


def preview_entry_list(*, event: Event, text: str) -> list[Candidate]:
    """Return every line of the list with the player whom it names, or what is wrong with it; nothing is stored.

    Four queries at any length. Raises ``InvalidEntryList`` for what is no list at all.
    """
    try:
        lines = read_entry_list(text)
    except ValueError as error:
        raise InvalidEntryList(str(error)) from error
    players = find_players(usernames=[line.username for line in lines])
    cup = find_cup(event)
    present = {entry.player_id: entry for entry in Entry.objects.filter(event_id=event.pk)}
    seeds = {entry.seed for entry in present.values() if entry.seed is not None}
    candidates = []
    for line in lines:
        player = players.get(line.username.lower())
        fault = line.fault or _fault_of(event, player, present) or _fault_of_seed(cup, line, seeds)
        candidates.append(Candidate(replace(line, fault=fault), player))
    return candidates


def import_entry_list(*, event_id: int, text: str, actor: Player, now: datetime, reason: str = "") -> list[Entry]:
    """Enter every player of the list, whatever the limits on number, rating and password; return the entries.

    Whoever has a lower seed enters first, which on a challenge ladder is their place; in a cup that is seeded by hand
    the seed is kept. The number of queries does not depend on the list, and the log gets one line. Raises
    ``InvalidEntryList``, which names every line at fault, ``NotAnOrganiser`` or ``EntryClosed``; then nobody enters.
    """
    with transaction.atomic():
        event = lock_event(event_id=event_id)
        check_organiser(event=event, player=actor)
        catch_up(event=event, now=now)
        check_admission(event=event)
        candidates = preview_entry_list(event=event, text=text)
        faults = {str(each.listed.line): [each.fault] for each in candidates if each.fault}
        if faults:
            line, (sentence, *_more) = next(iter(faults.items()))
            raise InvalidEntryList(f"Line {line}: {sentence}", fields=faults)
        if not candidates:
            raise InvalidEntryList("The list names nobody.")
        candidates.sort(key=lambda each: (each.listed.seed is None, each.listed.seed or 0, each.listed.line))
        entries = _entries_of(event, candidates, now)
        admit_entries(event=event, entries=entries, actor=actor, now=now)
        log_action(event=event, action="imported", actor=actor, subject=str(len(entries)), reason=reason, now=now)
        if find_cup(event) is not None:
            _keep_seeds(entries, candidates)
    return entries


def _entries_of(event: Event, candidates: list[Candidate], now: datetime) -> list[Entry]:
    """Return the entries of candidates without a fault, in their order, those of players who return among them."""
    players = [cast("Player", each.player) for each in candidates]  # nobody is a fault
    known = {entry.player_id: entry for entry in Entry.objects.filter(event_id=event.pk, player__in=players)}
    entries = []
    for player in players:
        entry = known.get(player.pk) or make_entry(event=event, player=player, now=now)
        entry.player = player
        entries.append(entry)
    return entries


def _keep_seeds(entries: list[Entry], candidates: list[Candidate]) -> None:
    seeded = []
    for entry, each in zip(entries, candidates, strict=True):
        if each.listed.seed is not None:
            entry.seed = each.listed.seed
            seeded.append(entry)
    Entry.objects.bulk_update(seeded, ["seed"], batch_size=250)


def _fault_of(event: Event, player: Player | None, present: dict[int, Entry]) -> str:
    if player is None:
        return "Nobody has this username."
    entry = present.get(player.pk)
    if entry is not None and not can_return(entry, event):
        return "He has entered already."
    refusals = reasons_of_kind(event=event, player=player)
    return refusals[0].reason if refusals else ""


def _fault_of_seed(cup: Cup | None, line: ListedEntrant, seeds: set[int]) -> str:
    if line.seed is None or cup is None:
        return ""
    if cup.status == EventStatus.RUNNING:
        return "The cup has started: latecomers have the last seeds."
    if cup.seeding != Seeding.HAND:
        return "The cup is not seeded by hand: no seeds can be given."
    return "Somebody in the cup has this seed already." if line.seed in seeds else ""
