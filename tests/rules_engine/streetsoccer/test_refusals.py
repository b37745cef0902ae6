"""Whatever is written like a move is legal, or refused with a rule and a sentence, in any position."""

from dataclasses import replace
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


def assert_refused(state, texts):
    """Assert that each text that is no legal move is refused with a rule and a sentence."""
    for text in set(texts) - set(state.legal_moves()):
        with pytest.raises(IllegalMove) as refusal:
            state.play(text)
        assert refusal.value.rule in RULES
        assert len(str(refusal.value).split()) >= 3


def rules_broken_by_the_result(position, side, die, text):
    """Return which rules a turn breaks although its walk and its kick are possible; none if they are not."""
    walk, _, target = text.partition(">")
    start, end = walk.split("-")
    shirt = position.players(side).index(start)
    ends, walks_to_the_ball = naive._walks(position, start, die)
    after = position.moved(side, shirt, end)
    if not target:
        if end not in ends:
            return set()
    else:
        if end != position.ball or not any(
            target in naive._kick(after, side, end, die - walked + 1) for walked in walks_to_the_ball
        ):
            return set()
        after = replace(after, ball=None if target == "goal" else target)
        landed = naive._shifted(after, side, shirt)
        if landed is None:
            return {"S17"} if end in naive.KEEPER_SPACES["yellow"] | naive.KEEPER_SPACES["red"] else {"S16"}
        after = landed
    if not naive._may_stay(after, side, shirt):
        return {"S15"} if end in naive.KEEPER_SPACES["yellow"] | naive.KEEPER_SPACES["red"] else {"S16"}
    return {"S19", "S20"}


@presets
def test_a_result_that_is_not_allowed_is_refused_by_its_own_rule(preset):
    random = Random(preset)
    found = set()
    for position, side in islice(turn_positions(preset, 7), POSITIONS):
        die = random.randint(1, 6)
        state = read(position, "play", side, die)
        legal = set(state.legal_moves())
        for start in position.players(side):
            walks = [f"{start}-{end}" for end in SPACES]
            kicks = [f"{start}-{position.ball}>{target}" for target in [*sorted(naive.PITCH), "goal"]]
            for text in random.sample(walks + kicks, 50):
                if text not in legal and (rules := rules_broken_by_the_result(position, side, die, text)):
                    with pytest.raises(IllegalMove) as refusal:
                        state.play(text)
                    assert refusal.value.rule in rules, f"{state} {text}: {refusal.value}"
                    found.add(refusal.value.rule)

    assert {"S15", "S16"} <= found


@presets
def test_in_a_turn(preset):
    random = Random(preset)
    for position, side in islice(turn_positions(preset, 5), POSITIONS):
        state = read(position, "play", side, random.randint(1, 6))
        assert_refused(state, texts(position, side, random))


@presets
def test_at_a_kick_off(preset):
    random = Random(preset)
    for position, side in islice(kick_off_positions(preset, 5), POSITIONS // 3):
        number = random.randint(1, 5)
        if not naive.kick_offs(position, side, number):
            continue
        state = read(position, "kick-off", side, number)
        assert_refused(
            state, [*texts(position, side, random), *(f">{space}" for space in random.sample(SPACES, 20)), ">goal"]
        )


def test_at_a_restart():
    random = Random(5)
    for position, side in islice(restart_positions("online", 5), POSITIONS // 3):
        die = random.randint(2, 6)
        if not naive.restarts_with_choice(position, side, die):
            continue
        state = read(position, "restart", side, die)
        keepers = sorted(naive.KEEPER_SPACES[side])
        kicks = [f"@{random.choice(keepers)}>{space}" for space in random.sample(SPACES, 20)]
        assert_refused(state, [*texts(position, side, random), *kicks])
