"""Moves are stored with the answers that were given to them beforehand, together or not at all.

An answer is a move like any other, played at the moment of the move that it answers: its turn takes no time.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from matches.models import ConditionalAnswer, Match, Move, Status
from matches.services import progress
from matches.services.follow_ups import find_only_move
from matches.services.move_storage import store_moves
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import State
from rules_engine.values import Side


def store_answered(match: Match, moves: list[Move], now: datetime) -> bool:
    """Store what a side has played, and the answers to it, which are added to the list; return whether it was stored.

    Lines for which something else came are dropped.
    """
    if not match.answer_changes:
        return store_moves(match, moves)
    with transaction.atomic():
        given = _Given(match, ConditionalAnswer.objects.filter(match=match))
        given.forget_lines_of(Side(moves[0].actor))
        while match.side and (answer := given.take(Side(match.side))):
            side, (texts, after) = Side(match.side), answer
            played = progress.play(match, after, side, texts, now=now)
            given.go_on(side, len(played))
            moves += played
        if stored := store_moves(match, moves):
            given.store()
    return stored


class _Given:
    """What both players of a match have given beforehand, as it becomes while moves are played."""

    def __init__(self, match: Match, rows: Iterable[ConditionalAnswer]) -> None:
        self._match = match
        self._rows = list(rows)
        self._played: list[ConditionalAnswer] = []
        self._changed: set[ConditionalAnswer] = set()
        self._erased: set[ConditionalAnswer] = set()
        for row in self._rows:
            row.match = match

    def forget_lines_of(self, side: Side) -> None:
        """Erase the lines of a side that moves by itself: they were for the turn before, and it has seen what came."""
        self._erase([row for row in self._of(side, dropped=True) if row.is_dropped or not row.decision])

    def take(self, side: Side) -> tuple[list[str], State] | None:
        """Return what a side to act has given for the present state, and the state after it; drop what is of no use."""
        state = self._match.state
        lines = {row: _place_of(state, row, side) for row in self._of(side) if not row.decision}
        self._played = [row for row, place in lines.items() if place is not None and place < len(row.texts)]
        if self._played:
            for row in self._played:
                row.begin_at(row.ply, row.texts[lines[row] :], 0, state)
            self._erase([row for row in lines if row not in self._played])
            text = self._played[0].answer
            return [text], state.play(text)
        self._erase([row for row, place in lines.items() if place is not None])
        self._drop([row for row, place in lines.items() if place is None])
        for row in self._of(side):
            if state.decision and row.decision == state.decision:
                if after := _after(state, side, row.texts):
                    return row.texts, after
                self._drop([row])
        return None

    def go_on(self, side: Side, played: int) -> None:
        """Let the lines whose answer was just played go on to their next answer, or erase them if they have none.

        ``played`` counts the answer and what followed it by itself, which a line that goes on has too.
        """
        for row in self._played:
            texts, state = row.texts[row.lead + played :], self._match.state
            lead = 0
            while lead < len(texts) and state.turn is not side:
                state, lead = state.play(texts[lead]), lead + 1
            if texts:
                row.begin_at(self._match.ply, texts, lead, state)
                self._changed.add(row)
            else:
                self._erase([row])

    def store(self) -> None:
        """Store what has become of it; nothing is kept of a match that is over."""
        if self._match.status == Status.FINISHED:
            self._erase(self._rows)
        for row in self._changed - self._erased:
            row.save()
        if self._erased:
            ConditionalAnswer.objects.filter(pk__in=[row.pk for row in self._erased]).delete()

    def _of(self, side: Side, *, dropped: bool = False) -> list[ConditionalAnswer]:
        player = self._match.players[side].pk
        standing = [row for row in self._rows if row.player_id == player and row not in self._erased]
        return [row for row in standing if dropped or not row.is_dropped]

    def _drop(self, rows: Iterable[ConditionalAnswer]) -> None:
        for row in rows:
            row.is_dropped = True
            self._changed.add(row)

    def _erase(self, rows: Iterable[ConditionalAnswer]) -> None:
        self._erased.update(rows)


def _place_of(state: State, row: ConditionalAnswer, side: Side) -> int | None:
    """Return how many actions of a side's line lead to a state, ``None`` if it is not on the line.

    What led on from the position of the line may have been played by itself, to the end of the line, too: nothing else
    did, even if it comes to the same position, as any way to a point does.
    """
    on_line = row.state
    for place in range(row.lead, len(row.texts) + 1):
        if on_line == state:
            return place
        if place == len(row.texts) or (on_line.turn is side and not find_only_move(on_line)):
            break
        on_line = on_line.play(row.texts[place])
    return None


def _after(state: State, side: Side, texts: list[str]) -> State | None:
    """Return the state after all these actions of a side, ``None`` if one is refused there."""
    for text in texts:
        if state.turn is not side:
            return None
        try:
            state = state.play(text)
        except (IllegalMove, InvalidNotation):
            return None
    return state
