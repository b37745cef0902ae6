"""Lay down rounds that were drawn: published at once, or proposed to the organisers where they publish them.

Callers hold the competition's lock.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from formats.pairing.proposed import Pairings
from formats.protocol import DrawnRound
from formats.sides import lay_boards
from tournaments.models import Bye, Fixture, Group, ProposedRound, Round, Seat, Stage, write_pairings
from tournaments.office.services.log import log_action
from tournaments.rounds.selectors import is_round_proposed
from tournaments.rounds.services.round_codes import code_round


def store_rounds(
    *,
    competition_id: int,
    drawn: Mapping[int, Sequence[DrawnRound[int]]],
    now: datetime,
    boards: int | None = None,
) -> list[Round]:
    """Store the rounds of groups, by the ids of these: who meets whom and who has a bye; none begins yet.

    Entrants are ids of entries. Teams meet at so many ``boards``, each a fixture; Yellow of a pair is the home team.
    """
    pairs = [
        (Round(group_id=group_id, number=each.number), each) for group_id, rounds in drawn.items() for each in rounds
    ]
    rounds = Round.objects.bulk_create([round_ for round_, _each in pairs])
    Fixture.objects.bulk_create(
        [
            Fixture(
                competition_id=competition_id,
                group_id=round_.group_id,
                round=round_,
                board=board,
                yellow_id=sides.yellow,
                red_id=sides.red,
                created_at=now,
            )
            for round_, each in pairs
            for pair in each.pairs
            for board, sides in lay_boards(pair.sides, boards)
        ]
    )
    _store_byes(pairs)
    return rounds


def _store_byes(pairs: Sequence[tuple[Round, DrawnRound[int]]]) -> None:
    byes = [
        (round_, entry, is_asked)
        for round_, each in pairs
        for is_asked, entries in ((False, each.byes), (True, each.asked_byes))
        for entry in entries
    ]
    if not byes:
        return
    groups = {round_.group_id for round_, _entry, _asked in byes}
    seats = Seat.objects.filter(group__in=groups, entry__in={entry for _round, entry, _asked in byes})
    seat_of = {(group, entry): key for group, entry, key in seats.values_list("group", "entry", "pk")}
    Bye.objects.bulk_create(
        [
            Bye(round=round_, seat_id=seat_of[round_.group_id, entry], is_asked=is_asked)
            for round_, entry, is_asked in byes
        ]
    )


def lay_rounds(*, stage: Stage, drawn: Mapping[int, Sequence[DrawnRound[int]]], now: datetime) -> list[Round]:
    """Store the rounds of groups of a stage, by the ids of these, and return those that are published with it.

    Where organisers publish rounds, they are proposed: nobody else sees them. Entrants are ids of entries.
    """
    if not stage.abilities.organisers_publish:
        boards = stage.competition.boards
        return store_rounds(competition_id=stage.competition_id, drawn=drawn, now=now, boards=boards)
    for group_id, rounds in drawn.items():
        for each in rounds:
            propose_round(group_id=group_id, drawn=each, now=now)
    return []


def propose_round(*, group_id: int, drawn: DrawnRound[int], now: datetime) -> ProposedRound:
    """Store a round that was drawn, for the organisers to publish, and return it."""
    seat_of = dict(Seat.objects.filter(group=group_id).values_list("entry", "pk"))
    pairings = Pairings(
        tuple(pair.sides.map(seat_of.__getitem__) for pair in drawn.pairs),
        tuple(seat_of[entry] for entry in drawn.byes),
        tuple(seat_of[entry] for entry in drawn.asked_byes),
    )
    stored = write_pairings(pairings)
    return ProposedRound.objects.create(
        group_id=group_id, number=drawn.number, drawn_at=now, drawn=stored, pairings=stored
    )


def ask_for_publication(*, group: Group, now: datetime) -> bool:
    """Tell the organisers of a running competition of the round that waits for them, and return whether one does."""
    if not group.stage.abilities.pairs_by_results or not is_round_proposed(group):
        return False
    proposed = ProposedRound.objects.get(group=group)
    log_action(competition=group.competition, action="round-proposed", subject=code_round(group, proposed), now=now)
    return True
