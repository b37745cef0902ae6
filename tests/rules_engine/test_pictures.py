"""Pictures of every game say in words and points all that drawing them needs."""

import pytest

from rules_engine.registry import GAMES, get_game
from tests.rules_engine.families import family_of
from tests.rules_engine.playouts import Playout, playout

pytestmark = pytest.mark.parametrize("key", sorted(GAMES))


def played(key: str) -> Playout:
    return playout(key, 0)


def test_every_space_has_a_label_that_says_what_is_on_it(key: str) -> None:
    for state in played(key).states[:120]:
        picture = state.picture()
        assert picture.labels.keys() == {space.name for space in picture.spaces}
        for figure in picture.figures:
            if figure.space:
                label = picture.labels[figure.space]
                assert label.startswith(figure.label) or family_of(key).shares_spaces
                assert figure.label in label.split(", ")
        said = {name for name, label in picture.labels.items() if "ball" in label}
        assert said == ({picture.ball} if picture.ball else set())


def test_figures_are_called_differently(key: str) -> None:
    figures = get_game(key).start().picture().figures
    assert len({figure.label for figure in figures}) == len(figures)


def test_goals_that_have_spaces_are_targets_and_no_space_is_in_two(key: str) -> None:
    picture = get_game(key).start().picture()
    names = [name for group in picture.targets for name in group]
    goals = [space.name for space in picture.spaces if space.kind == "goal"]
    assert (len(picture.targets), sorted(names)) == (family_of(key).goals, sorted(goals))
    assert not picture.corners.keys() & set(names)


def test_a_ball_that_crosses_an_end_line_flies_into_the_near_corner_of_a_goal(key: str) -> None:
    picture = get_game(key).start().picture()
    spaces = {space.name: space for space in picture.spaces}
    for name, (x, y) in picture.corners.items():
        near = min(
            (spaces[goal] for group in picture.targets for goal in group if spaces[goal].y == spaces[name].y),
            key=lambda goal: abs(goal.x - spaces[name].x),
        )
        assert y == near.middle[1]
        assert 0 < abs(x - near.middle[0]) < 0.5
        assert (x > near.middle[0]) == (spaces[name].x > near.x)


def test_the_latest_lines_are_those_that_one_side_drew_at_the_end(key: str) -> None:
    for state in played(key).states[:120]:
        picture = state.picture()
        older = picture.segments[: len(picture.segments) - len(picture.latest)]
        assert len({segment.side for segment in picture.latest}) == bool(picture.segments)
        assert not older or older[-1].side is not picture.latest[0].side


def test_the_picture_after_a_move_shows_the_position_after_it_or_what_it_ended(key: str) -> None:
    match = played(key)
    for before, after, move in zip(match.states, match.states[1:], match.record.moves, strict=False):
        seen = before.picture_after(move.text)
        if after.score == before.score:
            assert seen == after.picture()
        elif before.picture().segments:
            assert len(seen.segments) > len(before.picture().segments)
