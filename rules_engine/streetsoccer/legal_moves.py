"""All legal actions of a position, as text."""

from collections.abc import Iterator
from itertools import compress

from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.notation import PASS, Action, Kicked, Walked, write_kick
from rules_engine.streetsoccer.pitch import NAMES, STRIDE
from rules_engine.streetsoccer.position import RESTART_NUMBERS, Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import Situation, dead_ball_ends


def legal_moves(position: Position) -> list[str]:
    """Return all legal actions, in a fixed order; empty where no side is to act.

    In play: by shirt, each player's walks before the kicks, by space, the goal last.
    """
    return list(iter_legal_moves(position))


def iter_legal_moves(position: Position) -> Iterator[str]:
    """Yield all legal actions, in the same order."""
    if position.rolling or position.side is None:
        return
    if position.phase is Phase.PLAY:
        situation = position.situation
        moves = (move for index in range(TEAM) for move in _turns(position, situation, index))
        yield next(moves, PASS)
        yield from moves
    elif position.phase is Phase.SET_UP:
        for number in set_up.placements(position.preset, position.side, position.own, position.opponents):
            yield f"@{NAMES[number]}"
    elif position.phase is Phase.KICK_OFF or position.ball is not None:
        yield from _dead_ball_kicks(position)
    else:
        for space in position.keeper_choices:
            for kick in [""] if position.number is None else _dead_ball_kicks(position.with_keeper(space)):
                yield f"@{NAMES[space]}{kick}"


def is_legal(position: Position, action: Action, text: str) -> bool:
    """Return whether this action, written so, is legal; in play only its own player is looked at."""
    if position.phase is Phase.PLAY and isinstance(action, Walked | Kicked) and action.start in position.own:
        return text in _turns(position, position.situation, position.own.index(action.start))
    return text in legal_moves(position)


def _turns(position: Position, situation: Situation, index: int) -> list[str]:
    options = situation.options(index, position.pips)
    start = situation.players[index]
    moves = _pick(_WALKS[start], options.walks)
    if options.kicks or options.scores:
        walked = _WALKS[start][situation.ball]
        moves += [walked + kick for kick in _pick(_KICKS, options.kicks)]
        if options.scores:
            moves.append(walked + write_kick(None))
    return moves


def _dead_ball_kicks(position: Position) -> list[str]:
    situation, kickers, number = position.situation, position.kickers, position.pips
    if position.phase is Phase.RESTART:
        ends, scores = _restart_ends(situation, kickers, number)
    else:
        ends, scores = dead_ball_ends(situation, kickers, number, may_score=False)
    kicks = _pick(_KICKS, ends)
    return [*kicks, write_kick(None)] if scores else kicks


def _restart_ends(situation: Situation, kickers: int, number: int) -> tuple[int, bool]:
    """Return where a restart kick can end, and whether it can score.

    Where S19 and S20 leave no number a legal end, they do not bind it (S21). Then a 2 has one, by way of the other
    keeper space: nobody stands there, and opponents who close all ways on from both would have to be six.
    """
    ends, scores = dead_ball_ends(situation, kickers, number, may_score=True)
    if ends or scores or not situation.surroundings:
        return ends, scores
    if any(any(dead_ball_ends(situation, kickers, other, may_score=True)) for other in RESTART_NUMBERS):
        return 0, False
    return dead_ball_ends(situation, kickers, number, may_score=True, enclosure=False)


def _pick(texts: list[str], spaces: int) -> list[str]:
    """Return the texts of the spaces in the set, in the order of the spaces."""
    return list(compress(texts, format(spaces, "b")[::-1].encode().translate(_BITS))) if spaces else []


_BITS = bytes.maketrans(b"01", b"\x00\x01")
_SIZE = STRIDE * 12
_KICKS = [write_kick(number) if number in NAMES else "" for number in range(_SIZE)]
_WALKS = {
    start: [f"{name}-{NAMES[number]}" if number in NAMES else "" for number in range(_SIZE)]
    for start, name in NAMES.items()
}
