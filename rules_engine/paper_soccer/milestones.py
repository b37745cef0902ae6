"""What a match of Paper Soccer may come to, and positions from which it is not far."""

from collections.abc import Iterator

from rules_engine.game_spec import Milestone, Passing
from rules_engine.protocol import State
from rules_engine.series import Series
from rules_engine.values import BySide

BEFORE_THE_NORTH_GOAL = "red 0 0 0 0 0"
"""Yellow is to draw, one step from the goal that it attacks."""

CORNERED = "yellow 3 4 3 3"
"""Yellow is to draw, and is stuck after a step into the corner beside it."""


def list_milestones(game: Series) -> Iterator[Milestone]:
    """Yield the scores at which a match may end (P8), and a side that cannot go on (P7)."""
    wins = game.wins
    for lost in range(wins):
        position = f"{wins - 1}-{lost} {BEFORE_THE_NORTH_GOAL}"
        yield Milestone(game.key, f"{wins}-{lost}", position, _ended_at(BySide(wins, lost)))
    yield Milestone(game.key, "stuck", f"0-{wins - 1} {CORNERED}", _ended_at(BySide(0, wins)))


def _ended_at(score: BySide[int]) -> Passing:
    def is_passed(_before: State, after: State) -> bool:
        return after.outcome is not None and after.outcome.score == score

    return is_passed
