"""The engine and the naive rules agree on whole matches: who plays, every move and roll, where it leads, how it ends.

``ENGINE_MATCHES`` in the environment asks for more matches of each preset than the default.
"""

import os
from random import Random

import pytest

from rules_engine.soccer_tactics import GAMES
from rules_engine.values import Nature
from tests.rules_engine.soccer_tactics.naive import Match
from tests.rules_engine.soccer_tactics.players import keen, play_match

MATCHES = int(os.environ.get("ENGINE_MATCHES", "1"))
UNPLACED = {"toss", "goal-kick", "shoot-out", "over"}
"""The phases in which the naive rules leave pawns or the ball where they were."""


def options(state):
    """Return who plays and what can be played, as the engine says it."""
    texts = [roll.text for roll in state.chance()] if state.turn is Nature.CHANCE else state.legal_moves()
    assert len(set(texts)) == len(texts)
    return state.turn.value, set(texts)


def assert_same_places(state, match):
    phase, _, _, _, *teams = str(state).split()
    if phase not in UNPLACED:
        for side, team in zip(("yellow", "red"), teams[:2], strict=True):
            pawns = [pawn for pawn in match.pawns if pawn.side == side]
            assert team == ",".join("x" if pawn.gone else pawn.square or "-" for pawn in pawns), str(state)
        assert teams[4] == (match.ball or "-")


@pytest.mark.parametrize("seed", range(MATCHES))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_whole_matches(game, seed):
    match = Match(game.preset.minutes, game.preset.defender)
    naive = match.play()
    question = next(naive)
    for state, text in play_match(game, Random(f"{game.key} {seed}"), keen):
        assert_same_places(state, match)
        assert dict(zip(("yellow", "red"), state.score, strict=True)) == match.goals
        if text is None:
            assert (state.outcome.ending, question) == (match.ended, None)
            break
        assert options(state) == (question.who, set(question.texts)), str(state)
        question = next_question(naive, text)


def next_question(naive, text):
    """Return what can be played after ``text``, ``None`` when the match is over."""
    try:
        return naive.send(text)
    except StopIteration:
        return None
