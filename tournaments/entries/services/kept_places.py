"""What players and teams had who are asked again whether they play, and get again when they accept."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from tournaments.models import Competition, Entry, EntryInvitation, LineUp, MembershipStatus, Seat, TeamMembership
from tournaments.running.services.entry_rows import store_entries


def kept_of(entries: Collection[Entry]) -> dict[int, dict[str, Any]]:
    """Return what is kept of entries by their ids: number, lot, seed by hand and line-ups. Two queries."""
    keys = [each.pk for each in entries]
    seeds = dict(Seat.objects.filter(entry__in=keys).values_list("entry", "seed"))
    sitting: dict[int, dict[int, list[int]]] = defaultdict(dict)
    for line_up in LineUp.objects.filter(entry__in=keys):
        sitting[line_up.entry_id][line_up.round_number] = line_up.players
    return {
        each.pk: {
            "entry": each.pk,
            "draw": each.draw,
            "seed": seeds.get(each.pk),
            "line_ups": sitting[each.pk],
        }
        for each in entries
    }


def store_in_old_place(
    *, competition: Competition, entry: Entry, invitation: EntryInvitation | None, now: datetime
) -> None:
    """Store an entry as ``store_entries`` does, a new one in the place of the entry that its invitation keeps.

    It has the old seed, unless somebody else has got that meanwhile.
    """
    kept: dict[str, Any] = {} if invitation is None or entry.pk is not None else invitation.kept
    if "entry" in kept:
        entry.pk, entry.draw = kept["entry"], kept["draw"]
    store_entries(competition=competition, entries=[entry], now=now)
    seed = kept.get("seed")
    if seed is not None and not Seat.objects.filter(stage=competition.first_stage, seed=seed).exists():
        Seat.objects.filter(entry=entry).update(seed=seed)


def old_line_ups(invitation: EntryInvitation | None) -> dict[int, list[int]]:
    """Return the line-ups that an invited team had by their rounds, the first board first, 0 for that before any.

    Of those in which somebody sat who is no member any more there is nothing.
    """
    if invitation is None or not invitation.kept.get("line_ups"):
        return {}
    members = set(
        TeamMembership.objects.filter(team=invitation.team, status=MembershipStatus.MEMBER).values_list(
            "player", flat=True
        )
    )
    kept: dict[str, list[int]] = invitation.kept["line_ups"]
    return {int(number): players for number, players in kept.items() if members.issuperset(players)}


def old_number_on_list(invitation: EntryInvitation | None) -> int | None:
    """Return the id of the row that an invited player had on the waiting list, ``None`` for a new one."""
    number: int | None = None if invitation is None else invitation.kept.get("waiting")
    return number
