"""Let players move up from the waiting list into places that are free, and tell them when it has ended.

Whatever frees a place before the start, or lets a competition take more players, fills it at once. So nobody waits
while there is a place, whenever a worker runs: but for those whom a draw that stands, or the kind of the player, keeps
out, and while the competition is hidden.
"""

from collections.abc import Sequence
from datetime import datetime

from tournaments.models import NOT_REPLACED, Competition, Entry, WaitingPlayer
from tournaments.office.selectors.invitations import lapsed_invitations
from tournaments.office.services.after_commit import notify_start
from tournaments.office.services.log import log_action
from tournaments.running.selectors.waiting_lists import waiting_list, waiting_to_move_up
from tournaments.running.services.entry_rows import make_entry, store_entries


def note_end_of_waiting(*, competition: Competition, action: str, now: datetime) -> None:
    """Log that a competition has started, or was cancelled, without those who are on its waiting list."""
    waiting = list(waiting_list(competition))
    if waiting:
        players = [each.player for each in waiting]
        log_action(competition=competition, action=action, subject=str(len(players)), players=players, now=now)


def note_lapsed_invitations(*, competition: Competition, now: datetime) -> None:
    """Log that a competition has started without those whose invitations can be accepted no more."""
    players = [each.player for each in lapsed_invitations(competition).select_related("player")]
    if players:
        subject = str(len(players))
        log_action(competition=competition, action="invitation-lapsed", subject=subject, players=players, now=now)


def fill_places(*, competition: Competition, now: datetime) -> list[Entry]:
    """Enter the first of the waiting list for as long as a place is free, and return their entries.

    The caller holds the competition's lock.
    """
    waiting = waiting_to_move_up(competition)
    if not waiting:
        return []
    entries = move_up(competition=competition, waiting=waiting, now=now)
    if competition.starts_with_entries:
        notify_start(competition_id=competition.pk)
    return entries


def move_up(*, competition: Competition, waiting: Sequence[WaitingPlayer], now: datetime) -> list[Entry]:
    """Enter players of the waiting list, checked in if they are, and return their entries.

    The caller holds the competition's lock, and knows that they may play.
    """
    players = [each.player for each in waiting]
    # A player who has left a ladder returns.
    former = Entry.objects.filter(NOT_REPLACED, competition=competition, player__in=players).select_related("player")
    known = {entry.player_id: entry for entry in former}
    entries = []
    for each in waiting:
        entry = known.get(each.player_id) or make_entry(competition=competition, player=each.player, now=now)
        entry.checked_in_at = each.checked_in_at
        entries.append(entry)
    store_entries(competition=competition, entries=entries, now=now)
    for entry in entries:
        log_action(competition=competition, action="moved-up", about=entry, now=now)
    return entries
