"""Store rounds that a format has drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from formats.protocol import DrawnRound
from formats.sides import lay_boards
from tournaments.models import Bye, Fixture, Round, Seat


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
