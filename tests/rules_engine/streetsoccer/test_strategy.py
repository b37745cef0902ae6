"""The computer's play: legal always, goals first, towards the goal, and with an eye on its own."""

from contextlib import suppress
from itertools import islice
from random import Random

import pytest

from rules_engine.errors import InvalidNotation
from rules_engine.registry import GAMES, SPECS, find_strategy, get_game
from rules_engine.streetsoccer.position import Phase
from rules_engine.values import Nature, Side
from tests.game_specs import LEVELS, change_spec
from tests.rules_engine.diagrams import position
from tests.rules_engine.playouts import playout
from tests.rules_engine.positions import kick_off_positions, restart_positions, turn_positions
from tests.rules_engine.test_against_naive import read

FACES = range(1, 7)
choose = SPECS["streetsoccer"].strategies["club"]

presets = pytest.mark.parametrize("preset", ["board", "online"])


def faces_that_score(state):
    """Return how many of the six faces let the side that is to roll score at once."""
    rolled = [state.play(str(face)) for face in FACES]
    return sum(any(move.endswith("goal") for move in after.legal_moves()) for after in rolled)


def assert_plays_well(state):
    """Assert that the chosen move is legal or a whole set-up, scores if any does, and is chosen again."""
    moves = state.legal_moves()
    chosen = choose(state)
    if state.phase is Phase.SET_UP:
        assert state.play(chosen).turn != state.turn, str(state)
    else:
        assert chosen in moves, str(state)
    assert chosen.endswith("goal") == any(move.endswith("goal") for move in moves), str(state)
    assert choose(get_game(state.preset.key).read(str(state))) == chosen, str(state)


SHOT = """
    10 . . . R . . . .
     8 . . . . . r . .
     7 . . . . o . . .
     6 . . . y . . . .
     5 . . r . . . r .
     4 . r . . . . . .
     3 . . . . . y . .
     2 . . . y . . y .
     1 . . . . Y . . .
"""
THROUGH_A_TEAM_MATE = """
    10 . . . R . . . .
     9 . . . . . y . .
     8 . . . r r . . .
     6 . . . . . o . .
     5 . . r . . y r .
     3 . . . y . . . .
     2 . . . . y . . .
     1 . . . . Y . . .
"""
RED_SHOT = """
    10 . . . R . . . .
     9 . . r . . . . .
     8 . . . . y . . .
     6 . y . . . r . .
     5 . . . y . . . .
     4 . . . r . . . .
     3 . . . o . . r .
     2 . . . . . y . .
     1 . . . Y . . . .
"""


@pytest.mark.parametrize(
    ("diagram", "side", "die"),
    [(SHOT, "yellow", 5), (THROUGH_A_TEAM_MATE, "yellow", 4), (RED_SHOT, "red", 3), (RED_SHOT, "red", 6)],
)
@presets
@pytest.mark.parametrize("level", LEVELS)
def test_it_scores_when_it_can(diagram, side, die, preset, level):
    state = position(diagram, side=side, dice=die, preset=preset)
    after = state.play(SPECS["streetsoccer"].strategies[level](state))
    assert after.score[Side(side)] == 1


BEFORE_OUR_GOAL = """
    10 . . . . R . . .
     9 . . r . . . . .
     7 . y . . . . . .
     6 . . . y . . r .
     5 . . . . . . y .
     4 . . r . r . . .
     3 . . . o . . . .
     2 . . . . . y . .
     1 . . . Y . . . .
"""


@pytest.mark.parametrize(
    ("level", "die"), [("club", 4), ("club", 5), ("club", 6), *[("strong", die) for die in FACES[2:]]]
)
@presets
def test_it_does_not_leave_its_goal_open_when_it_can_defend(die, preset, level):
    state = position(BEFORE_OUR_GOAL, dice=die, preset=preset)
    threats = {move: faces_that_score(state.play(move)) for move in state.legal_moves()}
    assert max(threats.values()) >= 4
    assert threats[SPECS["streetsoccer"].strategies[level](state)] == 0


IN_MIDFIELD = """
    10 . . . R . . . .
     9 . . r . . . . .
     6 . . . r . r . .
     5 . . . . o . . .
     4 . . . . y . . .
     3 . . y . . . r .
     2 . . . . . y . .
     1 . . . Y . . . y
"""


@pytest.mark.parametrize("die", [2, 3, 4, 5])
def test_it_plays_the_ball_towards_the_goal(die):
    state = position(IN_MIDFIELD, dice=die)
    _, kicked, target = choose(state).partition(">")
    assert kicked
    assert int(target[1:]) >= 7


def test_the_goalie_goes_home_when_there_is_nothing_better_to_do():
    state = position(
        """
        10 . . . R . . . .
         9 . . r . . . . .
         8 . . . . . o . .
         7 . . . . . r r .
         6 . . . r . . . .
         5 . . y . . . . .
         3 . . . y Y y . .
         2 . y . . . . . .
        """,
        dice=2,
    )
    assert choose(state) == "e3-e1"


@presets
def test_turns_are_played_well_wherever_players_and_ball_are(preset):
    random = Random(preset)
    for drawn, side in islice(turn_positions(preset, 100), 30):
        assert_plays_well(read(drawn, "play", side, random.choice(FACES)))


@presets
def test_kick_offs_are_legal(preset):
    positions = (drawn for drawn in kick_off_positions(preset, 100) if preset == "board" or drawn[1] == "yellow")
    for drawn, side in islice(positions, 10):
        with suppress(InvalidNotation):  # a kick-off that has no legal end
            assert_plays_well(read(drawn, "kick-off", side, 3))


@presets
def test_restarts_are_played_well(preset):
    for drawn, side in islice(restart_positions(preset, 100), 10):
        waiting = read(drawn, "restart", side, "-" if preset == "board" else "4")
        if waiting.number is None:
            placement = choose(waiting)
            assert placement in waiting.legal_moves()
            waiting = waiting.play(placement).play("4")
        if waiting.turn is not Nature.CHANCE:
            assert_plays_well(waiting)


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.family == "streetsoccer"])
def test_every_position_of_random_matches_has_a_legal_choice(key):
    states = [state for state in playout(key, 7).states if isinstance(state.turn, Side)]
    for state in states[:12] + states[12::10]:
        assert_plays_well(state)


def test_it_passes_when_nothing_is_legal():
    state = position(
        """
        10 . . . R . . . .
         6 . . . . o . . .
         3 r . . . . . . .
         2 y r . . . . . .
         1 y y r . . . . .
         0 y Y r = = . . .
        """,
        dice=6,
    )
    assert state.legal_moves() == ["pass"]
    assert choose(state) == "pass"


def test_a_strategy_is_found_by_family_and_a_game_may_have_none(monkeypatch):
    game = get_game("streetsoccer-board")
    assert [find_strategy(game, level) for level in LEVELS] == list(SPECS["streetsoccer"].strategies.values())
    assert find_strategy(game) == choose
    change_spec(monkeypatch, "streetsoccer", strategies={})
    assert find_strategy(game) is None
