"""Positions in sentences, for those who cannot see the board. Each game says what is on its own."""

from rules_engine.messages import Message
from rules_engine.protocol import State
from rules_engine.values import Nature, Side


def summarise(state: State, *, is_over: bool = False) -> tuple[Message, ...]:
    """Return a position in sentences: how the match stands, then what is on the board.

    ``is_over`` says that the match ended here although its rules would let it go on.
    """
    return (_standing(state, is_over=is_over), *state.in_words())


def _standing(state: State, *, is_over: bool) -> Message:
    stage, yellow, red = state.stage, state.score.yellow, state.score.red
    if is_over:
        return Message("standing_over", stage=stage, yellow=yellow, red=red)
    if isinstance(state.turn, Side):
        return Message("standing_side", stage=stage, yellow=yellow, red=red, side=state.turn.value)
    if state.turn is Nature.CHANCE:
        return Message("standing_roll", stage=stage, yellow=yellow, red=red)
    return Message("standing", stage=stage, yellow=yellow, red=red)
