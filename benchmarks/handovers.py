"""Count the handovers of Soccer Tactics: how often, in a whole match, the other side has to act.

Two players of a level play matches of two halves of 25 minutes, by the engine alone. What leaves no choice is played by
itself and is no handover. Decisions are counted, too: what players choose, one after the other, where a handover is all
of them up to the other side's turn. Beside it stands how many handovers are left where both sides have answered all
decisions beforehand that can be: where the keeper is placed, and who takes corners. It ends with status 1 where the
median or the most handovers are above the promised numbers.

    python benchmarks/handovers.py --level club --matches 50
"""

import argparse
import sys
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.registry import GAMES, find_strategy
from rules_engine.values import BySide, Side
from tests.game_specs import LEVELS

GAME = GAMES["soccer-tactics"]
MEDIAN, MOST = 150, 220
COUNTED = ("handovers", "handovers with answers beforehand", "decisions")


def play(level: str, number: int) -> tuple[int, int, int]:
    """Return how many handovers a match has, how many with answers given beforehand, and how many decisions."""
    dice = Random(number)
    strategies = BySide(*(find_strategy(GAME, level, seed=f"{number} {side}") for side in Side))
    state, last, last_at_hand = GAME.start(), None, None
    handovers = at_hand = decisions = 0
    while state.outcome is None:
        if isinstance(state.turn, Side):
            strategy = strategies[state.turn]
            if strategy is None:
                raise SystemExit(f"no computer plays at the level {level}")
            if len(list(islice(state.iter_legal_moves(), 2))) > 1:
                decisions += 1
                handovers += state.turn is not last
                last = state.turn
                if not state.decision:
                    at_hand += state.turn is not last_at_hand
                    last_at_hand = state.turn
            state = state.play(strategy(state))
        else:
            rolls = state.chance()
            (roll,) = dice.choices(rolls, [float(each.probability) for each in rolls])
            state = state.play(roll.text)
    return handovers, at_hand, decisions


def main() -> None:
    """Play the matches and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=LEVELS, default="club")
    parser.add_argument("--matches", type=int, default=50)
    options = parser.parse_args()
    counts = [play(options.level, number) for number in range(options.matches)]
    by_name = dict(zip(COUNTED, zip(*counts, strict=True), strict=True))
    for name, numbers in by_name.items():
        print(f"{options.level}: {name}: median {median(numbers):g}, most {max(numbers)}")
    handovers = by_name["handovers"]
    print(f"{options.level}: matches of more than {MOST} handovers: {sum(each > MOST for each in handovers)}")
    sys.exit(median(handovers) > MEDIAN or max(handovers) > MOST)


if __name__ == "__main__":
    main()
