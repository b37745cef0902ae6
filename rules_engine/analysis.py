"""Analysis of a match: the chance of winning after every move, the luck of each roll, what each move gave away.

The values are only as good as the engine's search. With a budget in nodes they are the same to the last digit on every
machine.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules_engine.protocol import State
from rules_engine.search import Budget, View, search
from rules_engine.values import BySide, Nature, Side


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that judges a game's moves. Its ``version`` changes whenever the same moves would get other values.

    ``budget`` limits the search for each move, for each face of a roll that a side acts after, and for a whole roll
    that another roll follows.
    """

    version: str
    view: View[Any]
    budget: Budget


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one move or roll.

    ``side`` played the move, or has rolled; ``None`` for a roll of nobody, or of both. ``before`` and ``after``
    are Yellow's chance of winning, from 0 to 1, a draw counting a half: before a roll the mean over all faces, before a
    move the value of the best one found. ``luck`` is how much a roll has raised the chance of the side (of Yellow where
    there is none), 0 for a move. ``given_away`` is how much lower the chance of the side is than after ``best``, never
    negative, 0 for a roll. ``best`` may be several actions joined; ``None`` for a roll and where nothing was searched.
    """

    text: str
    is_roll: bool
    side: Side | None
    before: float
    after: float
    luck: float
    given_away: float
    best: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The sums of a match by side: ``luck`` of its rolls, and what its moves have ``given_away``, in matches won."""

    luck: BySide[float]
    given_away: BySide[float]


def judge_moves(state: State, moves: Iterable[str], engine: Engine) -> Iterator[Verdict]:
    """Yield a verdict for each move, the first of them played in ``state``.

    Each depends on its own position only, so an analysis may begin at any move. Raises what ``play`` raises, and
    ``LookupError`` if the engine's budget ends before the move has been searched.
    """
    for text in moves:
        after = state.play(text)
        is_roll = state.turn is Nature.CHANCE
        yield _judge_roll(state, text, engine) if is_roll else _judge_move(state, text, engine)
        state = after


def sum_up(verdicts: Iterable[Verdict]) -> Summary:
    """Return the sums by side. The luck of a roll without a side is half Yellow's, and as much bad luck is Red's.

    So the luck of each side is nothing on average, over all that could have been rolled.
    """
    luck = dict.fromkeys(Side, 0.0)
    given_away = dict.fromkeys(Side, 0.0)
    for verdict in verdicts:
        if verdict.side is None:
            luck[Side.YELLOW] += verdict.luck / 2
            luck[Side.RED] -= verdict.luck / 2
        else:
            luck[verdict.side] += verdict.luck
            given_away[verdict.side] += verdict.given_away
    return Summary(BySide(*luck.values()), BySide(*given_away.values()))


def _judge_roll(state: State, text: str, engine: Engine) -> Verdict:
    budget = engine.budget
    answered = sum(isinstance(state.play(roll.text).turn, Side) for roll in state.chance())
    result = search(state, engine.view, replace(budget, nodes=budget.nodes * max(1, answered)))
    sides = next(roll.sides for roll in state.chance() if roll.text == text)
    side = sides[0] if len(sides) == 1 else None
    value = result.values[text]
    return Verdict(
        text=text,
        is_roll=True,
        side=side,
        before=result.value,
        after=value,
        luck=_seen_by(side, value - result.value),
        given_away=0.0,
        best=None,
    )


def _judge_move(state: State, text: str, engine: Engine) -> Verdict:
    """Return the verdict on a move; where nothing is searched, all moves are equally good."""
    result = search(state, engine.view, engine.budget)
    if result.best is not None and text not in result.values:
        result = search(state, engine.view, engine.budget, exactly=[text])
    side = state.turn if isinstance(state.turn, Side) else None
    value = result.value if result.best is None else result.values[text]
    return Verdict(
        text=text,
        is_roll=False,
        side=side,
        before=result.value,
        after=value,
        luck=0.0,
        given_away=max(0.0, _seen_by(side, result.value - value)),
        best=result.best,
    )


def _seen_by(side: Side | None, gain: float) -> float:
    """Return Yellow's gain as ``side`` sees it."""
    return -gain if side is Side.RED else gain
