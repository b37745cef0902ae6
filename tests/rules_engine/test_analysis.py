"""An analysis says how lucky the rolls of a match were, and what its moves gave away."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules_engine.analysis import Engine, Verdict, judge_moves, sum_up
from rules_engine.errors import IllegalMove
from rules_engine.paper_soccer.strategy.view import match_chance
from rules_engine.registry import GAMES, SPECS, find_engine, find_strategy, get_game
from rules_engine.search import Budget
from rules_engine.streetsoccer.strategy.view import StreetSoccerView
from rules_engine.values import BySide, Nature, Side
from tests.marks import nightly

SMALL = Budget(nodes=400, depth=2, breadth=(2, 2))
MOVES = 36

USUAL = [spec.presets[-1].key for spec in SPECS.values()]

games = pytest.mark.parametrize("key", [*USUAL, *nightly(key for key in GAMES if key not in USUAL)])


@cache
def begun(key, moves=MOVES):
    """Return the first moves of a match between a beginner and random moves."""
    game, random = get_game(key), Random(3)
    played: list[Any] = []
    state, beginner = game.start(), find_strategy(get_game(key), "beginner")
    while len(played) < moves and state.turn is not None:
        if state.turn is Side.YELLOW:
            text = beginner(state)
        else:
            text = random.choice(state.legal_moves() or [roll.text for roll in state.chance()])
        played.append(text)
        state = state.play(text)
    return played


def small(game):
    """Return the game's engine, thinking little."""
    return replace(find_engine(game), budget=SMALL)


@cache
def verdicts_of(key):
    """Return what is said of these moves."""
    game = get_game(key)
    return list(judge_moves(game.start(), begun(key), small(game)))


@games
def test_every_move_has_its_verdict_and_chances_lie_between_nothing_and_certainty(key):
    verdicts = verdicts_of(key)
    assert [verdict.text for verdict in verdicts] == begun(key)
    state = get_game(key).start()
    for verdict in verdicts:
        assert verdict.is_roll == (state.turn is Nature.CHANCE)
        if not verdict.is_roll:
            assert verdict.side is state.turn
        assert 0 <= verdict.before <= 1
        assert 0 <= verdict.after <= 1
        state = state.play(verdict.text)


@games
def test_a_roll_has_luck_and_a_move_gives_away(key):
    for verdict in verdicts_of(key):
        gain = verdict.after - verdict.before if verdict.side is not Side.RED else verdict.before - verdict.after
        if verdict.is_roll:
            assert (verdict.luck, verdict.given_away, verdict.best) == (gain, 0, None)
        else:
            assert (verdict.luck, verdict.given_away) == (0, -gain)
            assert verdict.given_away >= 0


@games
def test_random_moves_give_more_away_than_a_beginners(key):
    given_away = sum_up(verdicts_of(key)).given_away
    assert given_away.red > given_away.yellow


SQUARES = "d1,f8,d4,g8,g4,a6,c6,f6,h6,f13,c10 d16,b13,d13,e13,g13,g8,c11,c4,h11,d9,a9"


@pytest.mark.parametrize(
    ("game", "position", "text", "side"),
    [
        ("soccer-tactics", f"shot 1.4 yellow ? {SQUARES} 1-1 -/- f13 - - 0 -/- 0-0 red 0-0/0", "goal", Side.YELLOW),
        ("soccer-tactics", f"shot 1.4 yellow ? {SQUARES} 1-1 -/- f13 - - 0 -/- 0-0 red 0-0/0", "corner", Side.YELLOW),
        ("soccer-tactics", f"shoot-out 5.0 yellow ? {SQUARES} 1-1 -/- - - - 0 -/- 0-0 red 3-3/7", "goal", Side.YELLOW),
        ("soccer-tactics", f"battle 1.4 yellow ? {SQUARES} 1-1 -/- g8 - - 0 -/- 0-0 red 0-0/0", "5-2", None),
        ("streetsoccer-board", "kick-off 1.1 - ? d1,d5,e3,c4,g7 e10,e6,d8,f7,b5 - 0-0 -", "4", Side.YELLOW),
        ("streetsoccer-board", "kick-off 1.1 - 3? d1,d5,e3,c4,g7 e10,e6,d8,f7,b5 - 0-0 -", "1", Side.RED),
        ("paper-soccer-1", "0-0 coin", "red", None),
    ],
)
def test_the_luck_is_that_of_the_side_whose_roll_it_is_whoever_acts_next(game, position, text, side):
    rules = get_game(game)
    verdict = next(judge_moves(rules.read(position), [text], small(rules)))
    assert verdict.side is side
    assert verdict.luck == (verdict.after - verdict.before) * (-1 if side is Side.RED else 1)


@games
def test_a_match_that_is_taken_up_in_the_middle_has_the_same_verdicts_to_the_last_digit(key):
    moves, game = begun(key), get_game(key)
    state = game.start()
    for text in moves[:24]:
        state = state.play(text)
    assert list(judge_moves(game.read(str(state)), moves[24:30], small(game))) == verdicts_of(key)[24:30]


def test_the_luck_of_a_roll_counts_once_as_a_roll_of_either_side_or_of_none():
    """In the difference between the sides, which says whom luck favoured."""
    rolled = Verdict("1", True, None, 0.5, 0.5, 0.06, 0.0, None)
    lucky = {side: sum_up([replace(rolled, side=side)]).luck for side in (None, *Side)}
    assert lucky[None] == BySide(0.03, -0.03)
    assert [luck.yellow - luck.red for luck in lucky.values()] == [0.06, 0.06, -0.06]


def test_before_a_move_that_follows_a_roll_the_chance_is_the_one_after_the_roll():
    """Compare where the move is the best one found; looking closer at another may find that it was better."""
    verdicts = verdicts_of("streetsoccer-online")
    pairs = [(one, two) for one, two in pairwise(verdicts) if one.is_roll and two.best == two.text]
    assert len(pairs) > 2
    assert [one.after for one, _ in pairs] == [two.before for _, two in pairs]


def test_several_steps_in_one_text_are_judged_like_one_after_the_other():
    game, turns = get_game("paper-soccer-1"), ["yellow", "0", "0", "0", "0"]
    joined = list(judge_moves(game.start(), [*turns, "17"], small(game)))
    single = list(judge_moves(game.start(), [*turns, "1", "7"], small(game)))
    assert joined[:-1] == single[:-2]
    assert (joined[-1].after, joined[-1].given_away, joined[-1].side) == (1, 0, Side.YELLOW)
    assert [verdict.given_away for verdict in single[-2:]] == [0, 0]
    assert single[-1].after == 1


@pytest.mark.parametrize("lost", ["645", "6365"])
def test_a_move_that_is_no_win_beside_one_that_is_gives_something_away(lost):
    """Red wins by 6425, if it is among the moves that are looked at closely, and Yellow has an answer to the others."""
    state = get_game("paper-soccer-1").read("0-0 yellow 4 3 3 6 1 41 0 27 453 1")
    engine = replace(SPECS["paper-soccer"].engine, budget=Budget(nodes=60_000, depth=6, breadth=(20,)))
    verdict = next(judge_moves(state, [lost], engine))
    assert (verdict.best, verdict.before) == ("6425", 0)
    assert verdict.given_away == verdict.after > 0.1


@pytest.mark.parametrize(("die", "budgets"), [("?", 1), ("3?", 5)])
def test_of_a_roll_that_nobody_answers_no_more_is_thought_than_of_a_move(die, budgets):
    """At the kick-off: the first die is followed by another, and of the second one face is rolled again.

    For each face the last look may go beyond its share.
    """
    looked_at = []

    class Counted(StreetSoccerView):
        def moves(self, position):
            found = super().moves(position)
            looked_at.append(found[1])
            return found

    state = get_game("streetsoccer-board").read(f"kick-off 1.1 - {die} d1,d5,e3,c4,g7 e10,e6,d8,f7,b5 - 0-0 -")
    next(judge_moves(state, ["4"], Engine("counted", Counted(), Budget(nodes=1_000, depth=2, breadth=(4, 4)))))
    assert 0 < sum(looked_at) - max(looked_at) * len(state.chance()) <= 1_000 * budgets


FIRST_TO_THREE = get_game("paper-soccer")
CORNERED = "yellow 3 4 3 3"
"""Yellow has the ball before a corner, and is stuck after a step into it."""


@pytest.mark.parametrize(
    ("position", "move", "scorer"),
    [
        ("0-0 red 0 0 0 0 0", "0", Side.YELLOW),
        ("0-0 red 0 0 0 0 0", "1", Side.YELLOW),
        ("0-0 red 0 0 0 0 0", "7", Side.YELLOW),
        ("2-1 red 0 0 0 0 0", "7", Side.YELLOW),
        ("1-2 yellow 0 0 0 0 0", "1", Side.YELLOW),
        ("1-0 red 4 4 4 4 4", "3", Side.RED),
    ],
)
def test_a_side_that_gets_a_point_has_the_chances_of_the_new_score(position, move, scorer):
    """Score by the engine's own line, by another, and into one's own goal."""
    state = FIRST_TO_THREE.read(position)
    verdict = next(judge_moves(state, [move], SPECS["paper-soccer"].engine))
    score = state.play(move).score
    assert score[scorer] == state.score[scorer] + 1
    assert verdict.after == match_chance(score.yellow, score.red, 3)
    if scorer is state.turn:
        assert verdict.before == verdict.after


def test_to_be_stuck_costs_the_point():
    state = FIRST_TO_THREE.read(f"0-0 {CORNERED}")
    verdict = next(judge_moves(state, ["3"], SPECS["paper-soccer"].engine))
    assert (verdict.after, verdict.side) == (match_chance(0, 1, 3), Side.YELLOW)
    assert verdict.given_away == verdict.before - verdict.after


@games
def test_there_is_no_verdict_where_the_budget_ends_too_soon(key):
    """A move of which nothing has been found out is not one that gave nothing away."""
    game, moves = get_game(key), begun(key)
    ply = max(ply for ply, verdict in enumerate(verdicts_of(key)) if verdict.best)
    state = game.start()
    for text in moves[:ply]:
        state = state.play(text)
    engine = replace(find_engine(game), budget=Budget(nodes=0, depth=1))
    with pytest.raises(LookupError, match=moves[ply]):
        next(judge_moves(state, moves[ply:], engine))


def test_an_illegal_move_is_refused_when_it_is_reached():
    game = get_game("paper-soccer-1")
    verdicts = judge_moves(game.start(), ["yellow", "0", "4"], small(game))
    assert [next(verdicts).text, next(verdicts).text] == ["yellow", "0"]
    with pytest.raises(IllegalMove):
        next(verdicts)


def test_every_family_has_an_engine_of_its_own():
    engines = [find_engine(game) for game in GAMES.values()]
    assert None not in engines
    assert len({engine.version for engine in engines}) == len(SPECS)
