"""Store rounds that a format has drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tournaments.formats.protocol import DrawnRound
from tournaments.models import Bye, Fixture, Round
from tournaments.selectors.groups import seats_by_entry


def store_rounds(*, competition_id: int, group_id: int, drawn: Sequence[DrawnRound[int]], now: datetime) -> list[Round]:
    """Store the rounds of a group with who meets whom and who has a bye, by the ids of entries; none begins yet."""
    rounds = Round.objects.bulk_create([Round(group_id=group_id, number=each.number) for each in drawn])
    Fixture.objects.bulk_create(
        [
            Fixture(
                competition_id=competition_id,
                group_id=group_id,
                round=round_,
                yellow_id=pair.sides.yellow,
                red_id=pair.sides.red,
                created_at=now,
            )
            for round_, each in zip(rounds, drawn, strict=True)
            for pair in each.pairs
        ]
    )
    _store_byes(group_id, rounds, drawn)
    return rounds


def _store_byes(group_id: int, rounds: Sequence[Round], drawn: Sequence[DrawnRound[int]]) -> None:
    entries = {entry for each in drawn for entry in (*each.byes, *each.asked_byes)}
    if not entries:
        return
    seat_of = seats_by_entry(group_id=group_id, entries=sorted(entries))
    Bye.objects.bulk_create(
        [
            Bye(round=round_, seat_id=seat_of[entry], is_asked=is_asked)
            for round_, each in zip(rounds, drawn, strict=True)
            for is_asked, entries_ in ((False, each.byes), (True, each.asked_byes))
            for entry in entries_
        ]
    )
