"""The field is the same turned by half, for the other side, and the same in a mirror, for the same side."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.paper_soccer.field import POINTS
from rules_engine.paper_soccer.game import PaperSoccer
from rules_engine.paper_soccer.notation import turn_half
from rules_engine.paper_soccer.presets import COMMON
from rules_engine.values import Side
from tests.rules_engine.paper_soccer.diagrams import NO_OWN_GOALS, begun

exhaustively = settings(derandomize=True)


@st.composite
def rallies(draw):
    """Draw a point after some random steps, perhaps at its end."""
    preset = draw(st.sampled_from([COMMON, NO_OWN_GOALS]))
    state = begun(first=draw(st.sampled_from(list(Side))), preset=preset)
    for choice in draw(st.lists(st.integers(0, 7), max_size=80)):
        if moves := state.legal_moves():
            state = state.play(moves[choice % len(moves)])
    return state


def again(state, steps, first):
    """Return the point that these turns lead to, with the same preset."""
    other = PaperSoccer(state.preset).start(first)
    for turn in steps.split():
        other = other.play(turn)
    return other


@exhaustively
@given(state=rallies())
def test_turned_by_half_it_is_the_other_sides_position(state):
    turned = again(state, turn_half(state.path), state.first.opponent)

    assert turned.ball == POINTS - 1 - state.ball
    assert turned.side is state.side.opponent
    assert set(turned.legal_moves()) == {turn_half(step) for step in state.legal_moves()}
    assert turned.winner == (state.winner and state.winner.opponent)


@exhaustively
@given(state=rallies())
def test_a_point_is_read_back_from_its_text(state):
    read = PaperSoccer(state.preset).read(str(state))

    assert read == state
    assert (read.first, read.path) == (state.first, state.path)
    assert read.picture() == state.picture()


@exhaustively
@given(state=rallies())
def test_whole_turns_are_clicked_point_by_point(state):
    text = ""
    while steps := state.steps(text):
        assert [step.text for step in steps] == [
            text + step for step in (state.play(text) if text else state).legal_moves()
        ]
        for step in steps:
            after = state.play(step.text)
            assert step.space == after.picture().ball
            assert step.final is (after.turn is not state.turn)
        text = steps[len(text) % len(steps)].text

    if text:
        assert state.play(text).turn is not state.turn
        assert len(state.route(text).kick) == len(text) + 1
