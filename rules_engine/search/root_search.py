"""Search from a position: one turn ahead, then one more, as long as the budget lasts."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Generic

from rules_engine.protocol import State
from rules_engine.search.budget import Budget, SearchResult
from rules_engine.search.tree import OutOfBudget, Tree, in_order
from rules_engine.search.view import P, View
from rules_engine.values import Nature, Side


def never() -> bool:
    """Return false: there is always time left."""
    return False


def search(
    state: State,
    view: View[P],
    budget: Budget,
    *,
    exactly: Collection[str] = (),
    margin: float = 0.0,
    out_of_time: Callable[[], bool] = never,
) -> SearchResult:
    """Return the value of the state and its best move, as far as the budget allows.

    ``exactly`` are legal moves whose exact values are needed even if they are bad, ``margin`` is how much worse than
    the best one a move may be that is ``SearchResult.alike``. Unless ``out_of_time`` ends the search, the same
    arguments give the same result. Where chance is to roll, every roll gets an equal share of the nodes.
    """
    if state.turn is Nature.CHANCE:
        return _search_rolls(state, view, budget, out_of_time)
    root = view.enter(state)
    turn = view.turn(root)
    if not isinstance(turn, Side):
        return SearchResult(view.value(root), None, {}, nodes=0, depth=0)
    found, looked_at = view.moves(root)
    listed = {text for text, _ in found}
    left_out = [(text, view.follow(state, text)) for text in dict.fromkeys(exactly) if text not in listed]
    choice = _Choice(
        Tree(view, budget, out_of_time), turn, [*found, *left_out], frozenset(exactly), view.bounds(root), margin
    )
    return choice.search(looked_at + len(left_out))


def _search_rolls(state: State, view: View[P], budget: Budget, out_of_time: Callable[[], bool]) -> SearchResult:
    """Return the result for a turn of chance; a roll that changes nothing has the mean value of the others."""
    rolls = [(roll, state.play(roll.text)) for roll in state.chance()]
    rolling = [(roll, after) for roll, after in rolls if after != state]
    if not rolling:
        value = view.value(view.enter(state))
        return SearchResult(value, None, {roll.text: value for roll, _ in rolls}, nodes=0, depth=0)
    share = replace(budget, nodes=budget.nodes // len(rolling))
    results = {
        after: search(after, view, share, out_of_time=out_of_time)
        if after.turn is not Nature.CHANCE
        else _search_roll_on_roll(view.enter(after), Tree(view, share, out_of_time))
        for after in dict.fromkeys(after for _, after in rolling)
    }
    total = sum(float(roll.probability) * results[after].value for roll, after in rolling)
    mean = total / sum(float(roll.probability) for roll, _ in rolling)
    return SearchResult(
        value=mean,
        best=None,
        values={roll.text: results[after].value if after in results else mean for roll, after in rolls},
        nodes=sum(result.nodes for result in results.values()),
        depth=min(result.depth for result in results.values()),
    )


def _search_roll_on_roll(position: P, tree: Tree[P]) -> SearchResult:
    """Return the result for a second roll in a row: its value only."""
    result = SearchResult(tree.view.value(position), None, {}, nodes=0, depth=0)
    try:
        for depth in range(1, tree.budget.depth + 1):
            tree.start(depth)
            result = replace(result, value=tree.value(position, depth, None, rolled=1), depth=depth)
    except OutOfBudget:
        pass
    return replace(result, nodes=tree.nodes)


@dataclass(slots=True)
class _Choice(Generic[P]):
    """The choice of a side among its moves; those in ``exactly`` are always searched."""

    tree: Tree[P]
    side: Side
    moves: list[tuple[str, P]]
    exactly: frozenset[str]
    bounds: tuple[float, float]
    margin: float
    found: dict[str, float] = field(default_factory=dict)
    """The value of each move searched in this iteration; that of a move no better than the best may be a bound."""
    exact: dict[str, float] = field(default_factory=dict)
    """The exact values among those that were found, by move."""

    def search(self, looked_at: int) -> SearchResult:
        """Return the result of the deepest iteration that counts; ``looked_at`` positions were spent on the moves."""
        view, budget = self.tree.view, self.tree.budget
        quick_evals = {text: view.quick_eval(child) for text, child in self.moves}
        order = self._sorted(self.moves, quick_evals)
        first = order[0][0]
        result = SearchResult(view.value(order[0][1]), first, {}, nodes=0, depth=0, alike=(first,))
        try:
            self.tree.count(looked_at)
            for depth in range(1, budget.depth + 1):
                breadth = None if depth == 1 else budget.breadth_at(0)
                self._look(order, breadth, depth)
                order = self._arranged(order)
                result = self._conclude(depth)
                if result.value in self.bounds:
                    break
        except OutOfBudget:
            if self.found and self.exactly <= self.found.keys():
                result = self._conclude(result.depth)
        return replace(result, nodes=self.tree.nodes)

    def _sorted(self, moves: list[tuple[str, P]], values: dict[str, float]) -> list[tuple[str, P]]:
        """Return the moves, the best for the side first; equal moves keep their order."""
        return sorted(moves, key=lambda move: values[move[0]], reverse=self.side is Side.YELLOW)

    def _arranged(self, order: list[tuple[str, P]]) -> list[tuple[str, P]]:
        """Return the best move, those needed exactly, the others that were searched, the best first, and the rest."""
        looked_at = self._sorted([move for move in order if move[0] in self.found], self.found)
        best, *others = [*looked_at, *[move for move in order if move[0] not in self.found]]
        return [best, *sorted(others, key=lambda move: move[0] not in self.exactly)]

    def _look(self, order: list[tuple[str, P]], breadth: int | None, depth: int) -> None:
        """Search ``depth`` turns ahead the first moves, those needed exactly, and more while all lose.

        Once a move has the best possible value, the others are left out. No window is ever empty, because its result
        may be a bound on either side.
        """
        self.tree.start(depth)
        self.found, self.exact = {}, {}
        view = self.tree.view
        low, high = self.bounds
        worst, _ = in_order(self.side, self.bounds)
        for place, (text, child) in enumerate(order):
            is_wanted = text in self.exactly
            is_left_out = breadth is not None and place >= breadth and set(self.found.values()) != {worst}
            if (is_left_out or low >= high) and not is_wanted:
                continue
            window = self.bounds if is_wanted else (low, high)
            value = self.tree.value(child, depth, self.side, *window)
            self.found[text] = value
            if window[0] < value < window[1] or value in self.bounds or not isinstance(view.turn(child), Side):
                self.exact[text] = value
            if self.side is Side.YELLOW:
                low = max(low, value if value >= high else value - self.margin)
            else:
                high = min(high, value if value <= low else value + self.margin)

    def _conclude(self, depth: int) -> SearchResult:
        """Return the result of the moves searched so far; of equal moves the first is the best."""
        pick = max if self.side is Side.YELLOW else min
        best = pick(self.found, key=self.found.__getitem__)
        value = self.found[best]
        near = 0.0 if value in self.bounds else self.margin
        alike = [text for text, other in self.exact.items() if text != best and abs(value - other) < near]
        return SearchResult(value, best, dict(self.exact), nodes=0, depth=depth, alike=(best, *alike))
