"""Measure how the computer's levels do against each other and against random moves, and how long they search.

It ends with status 1 unless every level wins as often as it should. The same options and seed play the same matches.
Each level plays both sides equally often, with the same dice. Times are processor time.

    python benchmarks/computers.py --matches 100 --seed 1 --game streetsoccer-board --pairing strong-club

With ``--sequential`` a pairing ends as soon as a sequential test (Wald's, both errors 5 in 100) tells whether it wins
``MARGIN`` more or less often than it should.
"""

import argparse
import sys
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.game_spec import Strategy
from rules_engine.protocol import Game, State
from rules_engine.registry import GAMES, find_strategy
from rules_engine.values import BySide, Nature, Outcome, Side
from tests.game_specs import LEVELS

RANDOM = "random"
PAIRINGS = tuple(zip(LEVELS, (RANDOM, *LEVELS), strict=False))
"""Each level against the next weaker one, the weakest against random moves."""

WANTED_AGAINST_RANDOM = 0.95
WANTED = {"streetsoccer": 0.75, "paper-soccer": 0.85, "soccer-tactics": 0.75}
"""By family, how many matches a level has to win against the next weaker one."""

MARGIN = 0.1
DECIDED = log(0.95 / 0.05)

GAMES_COMPARED = ("streetsoccer-board", "streetsoccer-online", "paper-soccer-1")
"""Paper Soccer by single points."""

RANDOM_TURNS = {"paper-soccer": 2}
"""The number of turns that are played at random first, where there are no dice that make matches differ."""


@dataclass
class Timed:
    """A strategy whose moves are timed, in seconds."""

    strategy: Strategy
    times: list[float]

    def __call__(self, state: State) -> str:
        """Return the strategy's move."""
        start = process_time()
        move = self.strategy(state)
        self.times.append(process_time() - start)
        return move


def random_mover(random: Random) -> Strategy:
    """Return the strategy that has none: any legal move."""
    return lambda state: random.choice(state.legal_moves())


def open_match(game: Game, random: Random) -> State:
    """Return the position after the turns that are played at random."""
    state = game.start()
    for _ in range(RANDOM_TURNS.get(game.family, 0)):
        while state.turn is Nature.CHANCE:
            state = state.play(random.choice(state.chance()).text)
        side = state.turn
        while state.turn is side:
            state = state.play(random.choice(state.legal_moves()))
    return state


def play_match(game: Game, strategies: BySide[Strategy], random: Random) -> Outcome:
    """Return how a match of these two ends, with dice from ``random``."""
    state = open_match(game, random)
    while (outcome := state.outcome) is None:
        if isinstance(state.turn, Side):
            state = state.play(strategies[state.turn](state))
        else:
            rolls = state.chance()
            (roll,) = random.choices(rolls, [float(roll.probability) for roll in rolls])
            state = state.play(roll.text)
    return outcome


def find_player(game: Game, name: str, seed: str) -> Strategy | None:
    """Return the strategy of a level in one match, or random moves; ``None`` if the computer does not play the game."""
    return random_mover(Random(seed)) if name == RANDOM else find_strategy(game, name, seed=seed)


def is_decided(wins: int, others: int, wanted: float) -> bool:
    """Return whether Wald's test tells by these matches whether the share of wins is above or below the wanted one."""
    above, below = min(wanted + MARGIN, 0.99), wanted - MARGIN
    return abs(wins * log(above / below) + others * log((1 - above) / (1 - below))) >= DECIDED


def compare(game: Game, pairing: tuple[str, str], matches: int, seed: int, *, sequential: bool) -> bool:
    """Play the matches, the better one Yellow in every other; print the figures and return whether it won enough."""
    times: list[float] = []
    wanted = WANTED_AGAINST_RANDOM if pairing[1] == RANDOM else WANTED[game.family]
    results = {"wins": 0, "draws": 0, "losses": 0}
    goals = conceded = 0
    for number in range(matches):
        better, worse = (find_player(game, name, f"{seed} {game.key} {number} {name}") for name in pairing)
        if better is None or worse is None:
            print(f"{game.title}: no computer plays it")
            return False
        timed = Timed(better, times)
        side = Side.YELLOW if number % 2 == 0 else Side.RED
        dice = Random(f"{seed} {game.key} {number // 2}")
        outcome = play_match(game, BySide(worse, worse).with_side(side, timed), dice)
        results["draws" if outcome.winner is None else "wins" if outcome.winner is side else "losses"] += 1
        goals += outcome.score[side]
        conceded += outcome.score[side.opponent]
        if sequential and is_decided(results["wins"], number + 1 - results["wins"], wanted):
            matches = number + 1
            break
    times.sort()
    print(f"{game.title}: {matches} matches, {pairing[0]} against {pairing[1]}")
    print("  " + ", ".join(f"{count} {name}" for name, count in results.items()) + f" ({wanted:.0%} wins wanted)")
    print(f"  goals or points a match: {goals / matches:.1f} scored, {conceded / matches:.1f} conceded")
    print(
        f"  a move: {1000 * sum(times) / len(times):.1f} ms on average, "
        f"{1000 * times[len(times) * 99 // 100]:.0f} ms for 99 in 100, {1000 * times[-1]:.0f} ms at most",
        flush=True,
    )
    return results["wins"] >= wanted * matches


def main() -> int:
    """Compare in the games asked for; return the exit code."""
    names = {f"{better}-{worse}": (better, worse) for better, worse in PAIRINGS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=_positive, default=100, help="of each pairing in each game (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of dice and random moves (default: 1)")
    parser.add_argument("--game", choices=GAMES, action="append", help=f"default: {', '.join(GAMES_COMPARED)}")
    parser.add_argument("--pairing", choices=names, action="append", help="may be repeated (default: all)")
    parser.add_argument("--sequential", action="store_true", help="end a pairing as soon as it is decided")
    options = parser.parse_args()
    enough = [
        compare(GAMES[key], names[name], options.matches, options.seed, sequential=options.sequential)
        for key in options.game or GAMES_COMPARED
        for name in options.pairing or names
    ]
    return 0 if all(enough) else 1


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
