"""Whatever is written like a move is legal, or refused with a rule and a sentence, in any position."""

from itertools import islice
from random import Random

import pytest

from rules_engine.errors import IllegalMove
from tests.rules_engine import naive
from tests.rules_engine.positions import kick_off_positions, restart_positions, turn_positions
from tests.rules_engine.test_against_naive import read

POSITIONS = 60
TEXTS = 60
RULES = {f"S{number}" for number in range(1, 22)}
SPACES = sorted(naive.BOARD)

presets = pytest.mark.parametrize("preset", ["board", "online"])


def texts(position, side, random):
    """Return texts of every form, most of them about players and the ball where they are."""
    starts = [*position.players(side), random.choice(SPACES), random.choice(position.players(naive.OPPONENT[side]))]
    targets = [*random.sample(SPACES, 20), *position.taken(), "goal"]
    balls = [position.ball or "d1"] * 3 + [random.choice(SPACES)]
    walks = [f"{random.choice(starts)}-{random.choice(SPACES)}" for _ in range(TEXTS // 2)]
    kicks = [f"{random.choice(starts)}-{random.choice(balls)}>{random.choice(targets)}" for _ in range(TEXTS // 2)]
    placements = [f"@{random.choice(SPACES)}", f"@{random.choice(SPACES)},{random.choice(SPACES)}"]
    restarts = [f"@{random.choice(SPACES)}>{random.choice(targets)}", f">{random.choice(targets)}"]
    return [*walks, *kicks, *placements, *restarts, "pass", "1", "6"]


def assert_refused(state, text):
    with pytest.raises(IllegalMove) as refusal:
        state.play(text)
    assert refusal.value.rule in RULES
    assert len(str(refusal.value).split()) >= 3


@presets
def test_in_a_turn(preset):
    random = Random(preset)
    for position, side in islice(turn_positions(preset, 5), POSITIONS):
        state = read(position, "play", side, random.randint(1, 6))
        legal = set(state.legal_moves())
        for text in texts(position, side, random):
            if text not in legal:
                assert_refused(state, text)


@presets
def test_at_a_kick_off(preset):
    random = Random(preset)
    for position, side in islice(kick_off_positions(preset, 5), POSITIONS // 3):
        number = random.randint(1, 5)
        if not naive.kick_offs(position, side, number) or (preset == "online" and side == "red"):
            continue
        state = read(position, "kick-off", side, number)
        legal = set(state.legal_moves())
        for text in [*texts(position, side, random), *(f">{space}" for space in random.sample(SPACES, 20)), ">goal"]:
            if text not in legal:
                assert_refused(state, text)


def test_at_a_restart():
    random = Random(5)
    for position, side in islice(restart_positions("online", 5), POSITIONS // 3):
        die = random.randint(2, 6)
        if not naive.restarts_with_choice(position, side, die):
            continue
        state = read(position, "restart", side, die)
        legal = set(state.legal_moves())
        keepers = sorted(naive.KEEPER_SPACES[side])
        kicks = [f"@{random.choice(keepers)}>{space}" for space in random.sample(SPACES, 20)]
        for text in [*texts(position, side, random), *kicks]:
            if text not in legal:
                assert_refused(state, text)
