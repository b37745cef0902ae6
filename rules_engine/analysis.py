"""What a match was like: the chance of winning after every event, the luck of each roll, what each move gave away.

All of it is as good as the engine that looks ahead and no better. With a budget in nodes it is the same to the last
digit wherever it is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules_engine.paper_soccer import strategy as paper_soccer
from rules_engine.protocol import State
from rules_engine.search import Budget, View, think
from rules_engine.streetsoccer import strategy as streetsoccer
from rules_engine.values import BySide, Nature, Side


@dataclass(frozen=True, slots=True)
class Engine:
    """Who judges a game: ``version`` names the way of judging, and changes whenever other values come of it.

    ``budget`` is what is thought of each move, of the answer to each face of a roll, and of a whole roll that nobody
    answers, as another follows.
    """

    version: str
    view: View[Any]
    budget: Budget


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one event.

    ``side`` played the move, or is to act after the roll; ``None`` where another roll follows. ``before`` and ``after``
    are Yellow's chance of winning, from 0 to 1, a draw counting a half: before a roll what is expected over all faces,
    before a move what the best one found is worth. ``luck`` is what a roll has added to that from the side's view
    (Yellow's where there is none), 0 for a move. ``given_away`` is what a move lost of it against ``best``, from
    the side's view and never negative, 0 for a roll. ``best`` may be several actions joined; ``None`` for a roll and
    where nothing was looked into.
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


ENGINES: dict[str, Engine] = {
    "streetsoccer": Engine("streetsoccer 2", streetsoccer.VIEW, Budget(nodes=20_000, depth=2, breadth=(6, 6))),
    "paper-soccer": Engine("paper-soccer 2", paper_soccer.VIEW, Budget(nodes=60_000, depth=6, breadth=(12, 8, 6))),
}
"""By family. A game without an engine is not analysed."""


def judge(state: State, events: Iterable[str], engine: Engine) -> Iterator[Verdict]:
    """Yield a verdict for each event, the first of them played in ``state``.

    Each depends on its own position only, wherever the match is taken up. Raises what ``play`` raises, and
    ``LookupError`` where the engine's budget ends before the event has been looked at.
    """
    for text in events:
        after = state.play(text)
        is_roll = state.turn is Nature.CHANCE
        yield _judge_roll(state, text, after, engine) if is_roll else _judge_move(state, text, engine)
        state = after


def sum_up(verdicts: Iterable[Verdict]) -> Summary:
    """Return the sums by side. The luck of a roll without a side is half Yellow's, and as much bad luck is Red's."""
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


def _judge_roll(state: State, text: str, after: State, engine: Engine) -> Verdict:
    budget = engine.budget
    answered = sum(isinstance(state.play(roll.text).turn, Side) for roll in state.chance())
    thought = think(state, engine.view, replace(budget, nodes=budget.nodes * max(1, answered)))
    side = after.turn if isinstance(after.turn, Side) else None
    value = thought.values[text] if thought.values else thought.value
    return Verdict(
        text=text,
        is_roll=True,
        side=side,
        before=thought.value,
        after=value,
        luck=_seen_by(side, value - thought.value),
        given_away=0.0,
        best=None,
    )


def _judge_move(state: State, text: str, engine: Engine) -> Verdict:
    """Return the verdict on a move; where nothing is looked into, each is as good as any."""
    thought = think(state, engine.view, engine.budget)
    if thought.best is not None and text not in thought.values:
        thought = think(state, engine.view, engine.budget, exactly=[text])
    side = state.turn if isinstance(state.turn, Side) else None
    value = thought.value if thought.best is None else thought.values[text]
    return Verdict(
        text=text,
        is_roll=False,
        side=side,
        before=thought.value,
        after=value,
        luck=0.0,
        given_away=max(0.0, _seen_by(side, thought.value - value)),
        best=thought.best,
    )


def _seen_by(side: Side | None, gain: float) -> float:
    """Return Yellow's gain as ``side`` sees it."""
    return -gain if side is Side.RED else gain
