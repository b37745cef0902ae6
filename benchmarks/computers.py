"""How the computer fares against random moves, and how long it thinks.

Exit code 1 unless it wins at least 95 in 100 matches of every game it was tried in. Seeded: the same options play the
same matches. The time is the processor's, in milliseconds and as a multiple of what one generation of legal moves
takes in the same positions of the same run.

    python benchmarks/computers.py --matches 100 --seed 1 --game streetsoccer-board
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.protocol import Game, State
from rules_engine.registry import GAMES
from rules_engine.strategies import Strategy, find_strategy
from rules_engine.values import BySide, Outcome, Side

WANTED = 0.95


@dataclass
class Timed:
    """A strategy whose moves are timed, in seconds, and the generation of legal moves in the same positions."""

    strategy: Strategy
    thinking: list[float] = field(default_factory=list)
    generating: list[float] = field(default_factory=list)

    def __call__(self, state: State) -> str:
        """Return the strategy's move."""
        start = process_time()
        state.legal_moves()
        between = process_time()
        move = self.strategy(state)
        self.generating.append(between - start)
        self.thinking.append(process_time() - between)
        return move


def random_mover(random: Random) -> Strategy:
    """Return the strategy that has none: any legal move."""
    return lambda state: random.choice(state.legal_moves())


def play_match(game: Game, strategies: BySide[Strategy], random: Random) -> Outcome:
    """Return how a match of these two ends, with dice from ``random``."""
    state = game.start()
    while (outcome := state.outcome) is None:
        if isinstance(state.turn, Side):
            state = state.play(strategies[state.turn](state))
        else:
            rolls = state.chance()
            (roll,) = random.choices(rolls, [float(roll.probability) for roll in rolls])
            state = state.play(roll.text)
    return outcome


def compare(game: Game, strategy: Strategy, matches: int, seed: int) -> bool:
    """Play the matches, the computer Yellow in the first half; print the figures and return whether it won enough."""
    computer = Timed(strategy)
    results = {"wins": 0, "draws": 0, "losses": 0}
    goals = conceded = 0
    for number in range(matches):
        random = Random(f"{seed} {game.key} {number}")
        side = Side.YELLOW if number < (matches + 1) // 2 else Side.RED
        opponent = random_mover(random)
        outcome = play_match(game, BySide(opponent, opponent).with_side(side, computer), random)
        results["draws" if outcome.winner is None else "wins" if outcome.winner is side else "losses"] += 1
        goals += outcome.score[side]
        conceded += outcome.score[side.opponent]
    thinking = sorted(computer.thinking)
    moves = len(thinking)
    print(f"{game.title}: {matches} matches against random moves")
    print("  " + ", ".join(f"{count} {name}" for name, count in results.items()))
    print(f"  goals a match: {goals / matches:.1f} scored, {conceded / matches:.1f} conceded")
    print(
        f"  a move: {1000 * sum(thinking) / moves:.1f} ms on average, {1000 * thinking[moves * 99 // 100]:.1f} ms for "
        f"99 in 100, {sum(thinking) / sum(computer.generating):.0f} times a generation of legal moves"
    )
    return results["wins"] >= WANTED * matches


def main() -> int:
    """Compare in the games asked for; return the exit code."""
    offered = {key: strategy for key, game in GAMES.items() if (strategy := find_strategy(game))}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=_positive, default=100, help="in each game (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of dice and random moves (default: 1)")
    parser.add_argument("--game", choices=offered, action="append", help="may be repeated (default: all)")
    options = parser.parse_args()
    enough = [compare(GAMES[key], offered[key], options.matches, options.seed) for key in options.game or offered]
    return 0 if all(enough) else 1


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
