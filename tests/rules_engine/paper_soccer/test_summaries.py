"""A point is resumed from its line and its summary, without its turns being followed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.paper_soccer import game
from rules_engine.paper_soccer.game import ONE_POINT, PaperSoccer
from rules_engine.values import Side
from tests.rules_engine.paper_soccer.diagrams import begun
from tests.rules_engine.paper_soccer.test_symmetry import rallies

PLAYED = ONE_POINT.start().play("yellow").play("1").play("6").play("43")


@settings(derandomize=True)
@given(state=rallies(), choices=st.lists(st.integers(0, 7), max_size=20))
def test_a_point_goes_on_after_it_is_resumed(state, choices):
    resumed = PaperSoccer(state.preset).resume(str(state), state.summary)
    for choice in [*choices, 0]:
        assert (resumed, str(resumed), resumed.summary) == (state, str(state), state.summary)
        assert (resumed.first, resumed.legal_moves(), resumed.stage) == (state.first, state.legal_moves(), state.stage)
        assert resumed.picture() == state.picture()
        if moves := state.legal_moves():
            state, resumed = (each.play(moves[choice % len(moves)]) for each in (state, resumed))


def test_a_summary_is_written_as_the_rows_of_running_matches_have_it():
    """With other numbers of points or lines, stored summaries would mean something else: their form must change too."""
    assert PLAYED.summary == "red 62 20000010a0000000000000000000000000000000000 6ed7b56b"


@pytest.mark.parametrize("first", Side)
def test_the_turns_of_a_line_are_not_followed(first, monkeypatch):
    state = ONE_POINT.start().play(first).play("1").play("6").play("43")
    monkeypatch.setattr(game, "follow_turns", None)

    assert ONE_POINT.resume(str(state), state.summary) == state
    with pytest.raises(TypeError):
        ONE_POINT.resume(str(state), "")


def test_a_summary_with_a_wrong_character_changes_nothing():
    text, summary = str(PLAYED), PLAYED.summary
    for place, character in enumerate(summary):
        for other in {*"0123456789abcdef y"} - {character}:
            assert ONE_POINT.resume(text, f"{summary[:place]}{other}{summary[place + 1 :]}") == PLAYED


@pytest.mark.parametrize("turns", ["1 6 4", "1 6 43 2", "7 2 45", "-"])
def test_the_summary_of_another_line_changes_nothing(turns):
    for first in Side:
        line = f"0-0 {first} {turns}"
        assert ONE_POINT.resume(line, PLAYED.summary) == ONE_POINT.read(line)


@pytest.mark.parametrize(
    "summary", ["", "red", "red 62", "blue 52 1", "red x 1", "red 62 1g", "red 62 1 ", "red  62 1"]
)
def test_a_text_that_is_not_written_like_a_summary_of_a_point_is_none(summary):
    assert PaperSoccer().resume(str(begun("1 6 43")), summary) is None


def test_before_the_coin_there_is_nothing_to_be_summed_up():
    assert ONE_POINT.start().summary == ""
