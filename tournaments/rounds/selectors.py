"""Rounds that have been drawn and wait for an organiser: who would meet, and what speaks against it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from formats.pairing.proposed import Pairings, PairingWarning, Past, find_warnings
from formats.protocol import Record
from formats.results import pasts_of
from rules_engine.values import BySide
from tournaments.models import Competition, Entry, Group, ProposedRound, Seat, read_pairings
from tournaments.records.errors import RoundNotFound
from tournaments.records.group_records import read_records
from tournaments.records.stages import find_group

Notes = tuple[tuple[PairingWarning, Entry], ...]
"""The warnings about a pairing or a bye, each with whom it is about."""


@dataclass(frozen=True, slots=True)
class ProposedPair:
    """Two who would meet, with their points so far; ``is_changed`` where others were drawn there."""

    sides: BySide[Entry]
    points: BySide[int]
    warnings: Notes
    is_changed: bool


@dataclass(frozen=True, slots=True)
class ProposedBye:
    """Somebody who would have a bye, with the points so far."""

    entry: Entry
    points: int
    warnings: Notes
    is_asked: bool
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed round as an organiser reads it; ``missing`` are in the competition and not in the round."""

    proposed: ProposedRound
    pairs: tuple[ProposedPair, ...]
    byes: tuple[ProposedBye, ...]
    missing: tuple[Entry, ...]


def proposed_rounds_of(competition: Competition) -> list[ProposedRound]:
    """Return the rounds of a competition that wait for an organiser, group by group. One query."""
    rows = ProposedRound.objects.filter(group__stage__competition_id=competition.pk).select_related("group__stage")
    found = list(rows.order_by("group__stage__number", "group__number"))
    for each in found:
        each.group.stage.competition = competition
    return found


def get_proposed_round(
    competition: Competition, number: int, *, stage: int | None = None, group: int | None = None
) -> ProposedRound:
    """Return the round with this number that waits in a group, which ``find_group`` finds by what is given.

    Raises ``GroupNotFound``, or ``RoundNotFound`` where no such round waits.
    """
    held = find_group(competition, stage=stage, group=group)
    found = ProposedRound.objects.filter(group=held, number=number).first()
    if found is None:
        raise no_proposed_round(number)
    found.group = held
    return found


def no_proposed_round(number: int) -> RoundNotFound:
    """Return the refusal where a round does not wait, or no longer."""
    return RoundNotFound(_("Round %(number)d is not waiting to be published.") % {"number": number})


def is_round_proposed(group: Group) -> bool:
    """Return whether a round of a group waits for an organiser. One query."""
    return ProposedRound.objects.filter(group=group).exists()


def entries_by_seat(pairings: Sequence[Pairings[int]]) -> Mapping[int, Entry]:
    """Return who is in the seats of these pairings now, by the ids of the seats. One query."""
    keys = {seat for each in pairings for seat in each.everybody}
    seats = Seat.objects.filter(pk__in=keys).select_related("entry__player", "entry__team")
    return {seat.pk: seat.entry for seat in seats}


def read_proposal(proposed: ProposedRound) -> Proposal:
    """Return a proposed round with what speaks against its pairings. Nine queries at any size.

    The round was read with its group, that with its stage, and that with the competition.
    """
    return read_proposals([proposed])[0]


def read_proposals(rounds: Sequence[ProposedRound]) -> list[Proposal]:
    """Return proposed rounds as ``read_proposal`` does: nine queries for all groups of a stage."""
    groups_by_stage: dict[int, list[Group]] = defaultdict(list)
    for proposed in rounds:
        groups_by_stage[proposed.group.stage_id].append(proposed.group)
    records = {
        group.pk: record
        for groups in groups_by_stage.values()
        for group, record in zip(groups, read_records(groups), strict=True)
    }
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in (
        Seat.objects.filter(group__in=list(records)).select_related("entry__player", "entry__team") if records else ()
    ):
        seats[seat.group_id or 0].append(seat)
    return [_read_proposal(each, records[each.group_id], seats[each.group_id]) for each in rounds]


def _read_proposal(proposed: ProposedRound, record: Record[int], seated: Sequence[Seat]) -> Proposal:
    pairings, drawn = read_pairings(proposed.pairings), read_pairings(proposed.drawn)
    seats = {seat.entry_id: seat for seat in seated}
    pasts = {
        seats[entry].pk: Past(
            frozenset(seats[other].pk for other in past.met if other in seats),
            past.sides,
            had_bye=past.had_bye,
            is_gone=past.is_gone,
            points=past.points,
        )
        for entry, past in pasts_of(record).items()
    }
    entries = {seat.pk: seat.entry for seat in seats.values()}
    warnings = find_warnings(pairings, pasts)
    was_drawn = {*drawn.pairs, *drawn.byes}
    return Proposal(
        proposed,
        tuple(
            ProposedPair(
                pair.map(entries.__getitem__),
                pair.map(lambda seat: pasts[seat].points),
                tuple((warning, entries[seat]) for warning, seat in warnings.pairs[pair]),
                pair not in was_drawn,
            )
            for pair in pairings.pairs
        ),
        tuple(
            ProposedBye(
                entries[seat],
                pasts[seat].points,
                tuple((warning, entries[seat]) for warning in warnings.byes.get(seat, ())),
                is_asked=seat in pairings.asked_byes,
                is_changed=seat in pairings.byes and seat not in was_drawn,
            )
            for seat in (*pairings.byes, *pairings.asked_byes)
        ),
        tuple(entries[seat] for seat in warnings.missing),
    )
