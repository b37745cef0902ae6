"""Measure how fast Soccer Tactics' legal moves are found, by kind of roll, and a whole match played.

    python benchmarks/soccer_tactics.py --matches 8 --seed 1

Processor time a position, over positions of random matches of every preset, or with ``--keen`` of livelier ones, in
which pawns seek the ball: its targets were below 0.2 ms for a ball roll and below 1 ms for a pawn's.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import mean
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.protocol import State
from rules_engine.soccer_tactics import GAMES
from rules_engine.values import Side
from tests.rules_engine.soccer_tactics.players import keen, play_match

KINDS = {"move": "pawn roll", "free": "pawn roll", "attempt": "pawn roll", "ball": "ball roll", "corner": "corner"}


def at_random(random: Random, state: State) -> str:
    """Return any legal move."""
    return random.choice(state.legal_moves())


def kind_of(state: State) -> str:
    """Return what kind of decision it is."""
    phase, _, _, dice, *_ = str(state).split()
    return "attempt" if (phase, dice) == ("attempt", "-") else KINDS.get(phase, "placing")


def main() -> None:
    """Measure and print one line for each kind of decision, then for a match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=4, help="matches (default: 4, one of each preset)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default: 1)")
    parser.add_argument("--keen", action="store_true", help="let pawns seek the ball")
    options = parser.parse_args()
    times: dict[str, list[float]] = defaultdict(list)
    moves: dict[str, list[int]] = defaultdict(list)
    decisions, played = [], []
    for number in range(options.matches):
        game = GAMES[number % len(GAMES)]
        positions = list(play_match(game, Random(f"{options.seed} {number}"), keen if options.keen else at_random))
        decided = [state for state, _ in positions if isinstance(state.turn, Side)]
        for state in decided:
            begun = process_time()
            found = len(state.legal_moves())
            times[kind_of(state)].append(process_time() - begun)
            moves[kind_of(state)].append(found)
        begun = process_time()
        for state, text in positions[:-1]:
            state.play(text)
        played.append((process_time() - begun) / (len(positions) - 1))
        decisions.append(len(decided))
    print(f"{'decision':<12}{'positions':>10}{'moves':>8}{'ms':>9}")
    for kind in sorted(times):
        print(f"{kind:<12}{len(times[kind]):>10}{mean(moves[kind]):>8.0f}{1000 * mean(times[kind]):>9.4f}")
    print(f"a match: {mean(decisions):.0f} decisions; playing a move or roll: {1000 * mean(played):.4f} ms")


if __name__ == "__main__":
    main()
