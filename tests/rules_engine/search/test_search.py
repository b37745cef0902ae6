"""The search: what a simple expectimax says, within its budget, the same each time."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import pytest

from rules_engine.protocol import Roll
from rules_engine.search import Budget, Evaluation, PlainView, search
from rules_engine.search.tree import Tree
from rules_engine.values import Nature, Side
from tests.rules_engine.search.toy import LAST, Toy, evaluate, evaluate_coarsely, solve


@dataclass(frozen=True)
class QuickEval(PlainView):
    """A game by its states, where moves are ordered by another evaluation than the one that values them."""

    quick: Evaluation

    def quick_eval(self, position):
        return self.quick(position)


VIEW = PlainView(evaluate)
EVERYTHING = Budget(nodes=10**9, depth=LAST + 1)
SEEDS = range(40)


def never():
    return False


@pytest.mark.parametrize("seed", SEEDS)
def test_it_finds_what_playing_everything_to_the_end_finds(seed):
    state = Toy(seed)
    result = search(state, VIEW, EVERYTHING)
    value, _ = solve(state)
    assert result.value == pytest.approx(value, abs=1e-12)
    assert (result.best is None) == (state.turn is Nature.CHANCE)
    if result.best:
        assert solve(state.play(result.best))[0] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_that_are_wanted_exactly_and_rolls_have_their_own_values(seed):
    state = Toy(seed)
    moves = state.legal_moves()
    values = search(state, VIEW, EVERYTHING, exactly=moves).values
    texts = moves or [roll.text for roll in state.chance()]
    assert values == pytest.approx({text: solve(state.play(text))[0] for text in texts}, abs=1e-12)


@pytest.mark.parametrize("side", Side)
def test_a_value_that_is_given_is_never_only_a_bound(side):
    """Search where many moves win or lose for certain, and others need not be looked at to their ends."""
    view = QuickEval(evaluate_coarsely, quick=lambda state: state.total)
    states = [Toy(seed, plies) for seed in SEEDS[:20] for plies in range(2, LAST)]
    wins = 0
    for state in (state for state in states if state.turn is side):
        for wanted in ([], ["4"]):
            result = search(state, view, EVERYTHING, exactly=wanted)
            tree = Tree(view, EVERYTHING, never, remember=False)
            tree.start(result.depth)
            values = {text: tree.value(state.play(text), result.depth, side) for text in result.values}
            assert set(wanted) <= result.values.keys()
            assert result.values == pytest.approx(values, abs=1e-12)
        wins += result.value == (side is Side.YELLOW)
    assert wins > 10


def test_the_toys_have_chance_and_sides_that_act_twice_running():
    starts = [Toy(seed) for seed in SEEDS]
    assert {state.turn for state in starts} == {Side.YELLOW, Side.RED, Nature.CHANCE}
    assert any(state.turn is state.play("1").turn is Side.RED for state in starts)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("breadth", [(None,), (2,), (3, 1)])
def test_remembering_positions_changes_no_value(seed, breadth):
    trees = [Tree(VIEW, Budget(10**9, 4, breadth), never, remember=remember) for remember in (True, False)]
    for depth in range(1, 5):
        for tree in trees:
            tree.start(depth)
        remembered, anew = (tree.value(Toy(seed), depth, None) for tree in trees)
        assert remembered == pytest.approx(anew, abs=1e-12)
    assert trees[0].nodes <= trees[1].nodes


def test_remembering_saves_positions():
    nodes = []
    for remember in (True, False):
        tree = Tree(VIEW, EVERYTHING, never, remember=remember)
        tree.start(LAST + 1)
        tree.value(Toy(3), LAST + 1, None)
        nodes.append(tree.nodes)
    assert nodes[0] < nodes[1] / 2


@pytest.mark.parametrize("nodes", [0, 3, 10, 50, 200])
def test_no_more_positions_are_looked_at_than_one_expansion_beyond_the_budget(nodes):
    for seed in SEEDS:
        state = Toy(seed)
        result = search(state, VIEW, Budget(nodes, depth=LAST + 1))
        most_at_once = 3 if state.legal_moves() else 9
        assert result.nodes <= nodes + most_at_once
        assert (result.best in state.legal_moves()) == bool(state.legal_moves())


@pytest.mark.parametrize("nodes", [5, 30, 100, 1000])
def test_the_same_budget_gives_the_same_thought(nodes):
    budget = Budget(nodes, depth=5, breadth=(2,))
    assert [search(Toy(seed), VIEW, budget) for seed in SEEDS] == [search(Toy(seed), VIEW, budget) for seed in SEEDS]


def test_a_thought_ends_when_time_is_up_and_still_has_a_move():
    asked = count()
    result = search(Toy(0), VIEW, EVERYTHING, out_of_time=lambda: next(asked) >= 20)
    whole = search(Toy(0), VIEW, EVERYTHING)
    assert next(asked) == 21
    assert result.best in Toy(0).legal_moves()
    assert (result.nodes, result.depth) < (whole.nodes, whole.depth)


def test_thinking_deeper_never_answers_worse_than_looking_one_turn_ahead():
    """At the last three plies, where a deep enough search sees everything."""
    worse = 0
    for seed in SEEDS:
        for total in range(4):
            state = Toy(seed, LAST - 3, total)
            if not state.legal_moves():
                continue
            sign = 1 if state.turn is Side.YELLOW else -1
            deep, shallow = (
                solve(state.play(search(state, VIEW, Budget(10**6, depth)).best))[0] for depth in (LAST, 1)
            )
            assert sign * deep >= sign * shallow
            worse += sign * shallow < sign * deep
    assert worse > 0


@dataclass(frozen=True)
class Path:
    """A game of one side without chance: a letter, then a digit; what each pair is worth stands in a table."""

    played: str = ""

    @property
    def turn(self):
        return None if len(self.played) == 2 else Side.YELLOW if not self.played else Side.RED

    def legal_moves(self):
        return [] if self.turn is None else ["a", "b", "c"] if not self.played else ["0", "1"]

    def chance(self):
        return ()

    def play(self, text):
        return Path(self.played + text)


WORTH = {"a0": 0.9, "a1": 0.1, "b0": 0.6, "b1": 0.5, "c0": 0.4, "c1": 0.4, "a": 0.8, "b": 0.7, "c": 0.3}
LOOKED_UP = PlainView(lambda state: WORTH[state.played])


def test_one_turn_ahead_the_evaluation_decides_and_two_turns_ahead_the_answer():
    assert search(Path(), LOOKED_UP, Budget(100, 1)).best == "a"
    result = search(Path(), LOOKED_UP, Budget(100, 2))
    assert (result.best, result.value, result.depth) == ("b", 0.5, 2)


def test_only_so_many_moves_are_looked_at_more_closely():
    assert search(Path(), LOOKED_UP, Budget(100, 2, (1, None))).values == {"a": 0.1}
    assert search(Path(), LOOKED_UP, Budget(100, 2, (2, None))).best == "b"


def test_a_move_that_is_wanted_is_looked_at_however_bad_it_seems():
    result = search(Path(), LOOKED_UP, Budget(100, 2, (1, None)), exactly=["c"])
    assert result.values == {"a": 0.1, "c": 0.4}
    assert (result.best, result.value) == ("c", 0.4)


def test_an_unfinished_look_counts_once_the_former_best_move_has_been_looked_at():
    """Five positions: three moves, and the answers to the first."""
    result = search(Path(), LOOKED_UP, Budget(5, 2))
    assert (result.best, result.value, result.depth) == ("a", 0.1, 1)


@dataclass(frozen=True)
class Rerolled:
    """A die that is rolled until it shows more than one."""

    face: int = 0

    @property
    def turn(self):
        return None if self.face else Nature.CHANCE

    def chance(self):
        return tuple(Roll(str(face), Fraction(1, 4)) for face in range(1, 5))

    def play(self, text):
        return self if text == "1" else Rerolled(int(text))


@dataclass(frozen=True)
class RolledForEver:
    """A coin that always stands on its edge."""

    turn = Nature.CHANCE

    def chance(self):
        return (Roll("1", Fraction(1)),)

    def play(self, text):
        return self


def test_a_roll_that_is_rolled_again_is_worth_what_the_others_are_worth_together():
    view = PlainView(lambda state: state.face / 10)
    result = search(Rerolled(), view, Budget(100, 2))
    assert result.value == pytest.approx(0.3)
    assert result.values == pytest.approx({"1": 0.3, "2": 0.2, "3": 0.3, "4": 0.4})
    tree = Tree(view, Budget(100, 2), never)
    assert tree.value(Rerolled(), 2, None) == pytest.approx(0.3)


def test_a_position_in_which_no_roll_changes_anything_is_worth_what_it_is():
    view = PlainView(lambda state: 0.4)
    result = search(RolledForEver(), view, Budget(100, 2))
    assert (result.value, result.best, result.values) == (0.4, None, {"1": 0.4})
    assert Tree(view, Budget(100, 2), never).value(RolledForEver(), 2, None) == 0.4


@dataclass(frozen=True)
class Counted:
    """A coin that is tossed for ever, each toss making another position."""

    tossed: int = 0
    turn = Nature.CHANCE

    def chance(self):
        return (Roll("0", Fraction(1, 2)), Roll("1", Fraction(1, 2)))

    def play(self, text):
        return Counted(2 * self.tossed + int(text))


def test_rolls_that_follow_rolls_without_end_are_followed_so_far_and_no_further():
    result = search(Counted(1), PlainView(lambda state: float(state.tossed % 2)), Budget(10**6, 2))
    assert result.values == pytest.approx({"0": 0.5, "1": 0.5})
    assert 0 < result.nodes < 2_000


def test_moves_that_are_worth_nearly_as_much_as_the_best_are_alike():
    worth = {"a": 0.5, "b": 0.501, "c": 0.497}
    view = PlainView(lambda state: worth[state.played[:1]])
    assert search(Path(), view, Budget(100, 1)).alike == ("b",)
    assert set(search(Path(), view, Budget(100, 1), margin=0.002).alike) == {"a", "b"}
    worth["b"] = 1.0
    assert search(Path(), view, Budget(100, 1), margin=0.9).alike == ("b",)


def test_nothing_is_looked_at_more_closely_once_a_win_is_certain():
    won = PlainView(lambda state: 1.0 if state.played == "b" else 0.6)
    result = search(Path(), won, Budget(100, 2))
    assert (result.best, result.value, result.depth, result.nodes) == ("b", 1.0, 1, 3)


def test_without_any_budget_the_move_that_looks_best_is_played():
    result = search(Path(), QuickEval(lambda state: 0.5, quick=lambda state: -ord(state.played)), Budget(0, 2))
    assert (result.best, result.value, result.values) == ("a", 0.5, {})


def test_a_side_is_lost_only_when_all_its_moves_lose():
    """Red has two answers to each move, and only the first is within the breadth."""
    lost = {**WORTH, "a0": 1.0, "a1": 0.3, "b0": 1.0, "b1": 1.0}
    quick = QuickEval(lambda state: lost[state.played], quick=lambda state: ord(state.played[-1]))
    assert search(Path(), quick, Budget(100, 2, (None, 1)), exactly=["a", "b"]).values == {"a": 0.3, "b": 1.0}


def test_all_moves_are_looked_at_while_those_within_the_breadth_lose():
    lost = {**WORTH, "a0": 0.0, "b0": 0.0, "c0": 0.2, "c1": 0.2}
    result = search(Path(), PlainView(lambda state: lost[state.played]), Budget(100, 2, (2, None)))
    assert (result.best, result.value) == ("c", 0.2)
