"""Every registered game by the engine alone: its matches are written, judged, and played by every level."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from rules_engine.analysis import Engine, judge_moves, sum_up
from rules_engine.protocol import Game, State
from rules_engine.record import Move, Record
from rules_engine.record_formats import read_record, replay_record, write_record
from rules_engine.registry import GAMES, SPECS, find_engine, find_strategy
from rules_engine.search import Budget
from rules_engine.values import BySide, Nature, Side
from tests.proving_ground.roads import BEYOND, NEAR, Road, choose_any, roads
from tests.rules_engine.playouts import playout

SMALL = Budget(nodes=3_000, depth=1)
TINY = Budget(nodes=200, depth=1)
ATTEMPTS = 300
MAX_JUDGED = 40
CHOICES = 3


def travel(road: Road, game: Game) -> tuple[Record, list[State]]:
    """Return a random match along the road, a little beyond its milestone, with the states of it."""
    if road.milestone is None:
        match = playout(game.key, 0)
        return match.record, list(match.states)
    for attempt in range(ATTEMPTS):
        random, states, moves = Random(f"{road} {attempt}"), [game.start()], []
        decisions, end = 0, NEAR
        while (turn := states[-1].turn) is not None and decisions <= end:
            if turn is Nature.CHANCE:
                rolls = states[-1].chance()
                (text,) = random.choices([roll.text for roll in rolls], [float(roll.probability) for roll in rolls])
            else:
                text = choose_any(random, states[-1])
                decisions += 1
            moves.append(Move(turn, text))
            states.append(states[-1].play(text))
            if end == NEAR and road.is_passed(states[-2:]):
                end = decisions + BEYOND
        if end > NEAR:
            return Record({"Game": game.key}, tuple(moves)), states
    raise AssertionError(f"no match has come along {road}")


def thinned(plies: Sequence[int]) -> Sequence[int]:
    """Return all of a few plies, or some of many, the last one among them."""
    return plies[:: -max(1, len(plies) // MAX_JUDGED)]


def luck_of_each(state: State, engine: Engine) -> Iterator[tuple[float, BySide[float]]]:
    """Yield the luck of both sides that the rolls are which have the same result, with their probability."""
    chances: defaultdict[State, Fraction] = defaultdict(Fraction)
    for roll in state.chance():
        chances[state.play(roll.text)] += roll.probability
    texts = {state.play(roll.text): roll.text for roll in state.chance()}
    for after, chance in chances.items():
        yield float(chance), sum_up(judge_moves(state, [texts[after]], engine)).luck


@roads
def test_a_match_is_written_and_judged_and_every_level_plays_in_it(road, monkeypatch):
    game = road.lay(monkeypatch)
    record, states = travel(road, game)
    assert road.is_passed(states)
    assert replay_record(read_record(write_record(record))) == states[-1]
    for interchange in game.interchange if road.milestone is None else ():
        assert str(replay_record(interchange.read(game, interchange.write(game, record)).record)) == str(states[-1])

    engine = replace(find_engine(game), budget=SMALL)
    texts = [move.text for move in record.moves]
    for ply in thinned(range(len(texts))):
        (verdict,) = judge_moves(states[ply], [texts[ply]], engine)
        assert 0 <= verdict.before <= 1
        assert 0 <= verdict.after <= 1
        assert verdict.is_roll or verdict.side is states[ply].turn

    deciding = [state for state in states if isinstance(state.turn, Side)]
    for state in deciding[:: -max(1, len(deciding) // CHOICES)]:
        for level in SPECS[game.family].strategies:
            assert state.play(find_strategy(game, level, seed="seed")(state)) != state
    for state in deciding if road.milestone else ():
        if wins_at_once(state):
            outcome = state.play(find_strategy(game, "strong", seed="seed")(state)).outcome
            assert outcome
            assert outcome.winner is state.turn


@roads
def test_the_luck_of_a_roll_is_the_sides_whose_roll_it_is_whatever_comes(road, monkeypatch):
    """So it cancels out: nobody is lucky on average."""
    _, states = travel(road, road.lay(monkeypatch))
    engine = replace(find_engine(road.game), budget=TINY)
    kinds = {kind_of(state): state for state in states if state.turn is Nature.CHANCE}
    for (_, sides, stands_alone, *_), state in kinds.items():
        rolls, luck = state.chance(), list(luck_of_each(state, engine))
        assert {(roll.sides, roll.stands_alone) for roll in rolls} == {(sides, stands_alone)}
        for side in Side:
            assert sum(chance * each[side] for chance, each in luck) == pytest.approx(0, abs=1e-9)
            assert len(sides) != 1 or side in sides or not any(each[side] for _, each in luck)
        following = {state.play(roll.text).turn for roll in rolls}
        assert stands_alone or len(following) > 1 or following in ({Nature.CHANCE}, set(sides)), "a mover has rolled"


def kind_of(state: State) -> tuple[str, tuple[Side, ...], bool, str]:
    """Return what is rolled, whose it is, and the first word of the position: what it is rolled for."""
    roll = state.chance()[0]
    return roll.kind, roll.sides, roll.stands_alone, str(state).split()[0]


def wins_at_once(state: State) -> bool:
    """Return whether a single action of the side to act ends the match and wins it."""
    outcomes = (state.play(move).outcome for move in state.legal_moves())
    return any(outcome and outcome.winner is state.turn for outcome in outcomes)


@pytest.mark.parametrize("key", GAMES)
def test_every_ending_of_a_random_match_is_a_milestone_of_its_preset(key):
    """A game that enters says what it may come to."""
    milestones = [milestone for milestone in SPECS[GAMES[key].family].milestones if milestone.game == key]
    *_, before, last = playout(key, 0).states
    assert any(milestone.is_passed(before, last) for milestone in milestones)


def test_states_along_a_road_follow_each_other():
    record, states = travel(Road(GAMES["paper-soccer"]), GAMES["paper-soccer"])
    assert all(
        before.play(move.text) == after for move, (before, after) in zip(record.moves, pairwise(states), strict=True)
    )
