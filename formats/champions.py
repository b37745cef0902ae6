"""The champion by a table: the first of those who stayed and have a result."""

from collections.abc import Iterable
from datetime import datetime

from formats.protocol import E, Game, Record, Seat
from rules_engine.values import Ending


def find_champion(order: Iterable[E], record: Record[E], *, by_round: bool) -> E | None:
    """Return who is champion of a group whose table has this order, the first first; ``None`` for an empty one.

    Nobody is who was disqualified, and who left with matches still to play is not, while somebody who stayed has a
    result. ``by_round`` says that each round is drawn when the one before it has ended, so that a round that began
    later was still to be played.
    """
    seats = {seat.entrant: seat for seat in record.seats}
    entrants = [each for each in order if not seats[each].is_disqualified]
    have_results = {entrant for game in record.games if game.is_counted for entrant in game.sides}
    stayed = (each for each in entrants if each in have_results and not _left_early(seats[each], record, by_round))
    return next(stayed, next(iter(entrants), None))


def _left_early(seat: Seat[E], record: Record[E], by_round: bool) -> bool:
    """Return whether an entrant left, with matches still to play, and nobody has taken the seat over."""
    since = next((absence.since for absence in seat.absences if absence.until is None), None)
    if since is None:
        return False
    # Matches end at whole milliseconds.
    since = since.replace(microsecond=since.microsecond // 1000 * 1000)
    if by_round and any(each.started_at is not None and each.started_at >= since for each in record.rounds):
        return True
    return any(_was_forfeited(board, seat.entrant, since) for game in record.games for board in game.boards or (game,))


def _was_forfeited(game: Game[E], entrant: E, since: datetime) -> bool:
    """Return whether an entrant lost a match without play at a moment or later."""
    if game.ending is not Ending.FORFEIT or game.ended_at is None or game.ended_at < since:
        return False
    return entrant in game.sides and game.forfeited_by in {entrant, None}
