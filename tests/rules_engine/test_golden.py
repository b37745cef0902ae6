"""Whole matches that were played once and are replayed line by line (see ``golden/make.py``)."""

import pytest

from rules_engine.record import read_record
from rules_engine.registry import GAMES, get_game
from tests.rules_engine.golden.make import BY_RULE, HERE, annotate, path_of

paths = pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)


def read(path):
    """Return the record of a golden playthrough and its positions."""
    lines = path.read_text().splitlines()
    record = read_record("\n".join(line for line in lines if not line.startswith("  ")))
    return record, [line.strip() for line in lines if line.startswith("  ")]


@paths
def test_a_playthrough_is_replayed_line_by_line(path):
    record, positions = read(path)
    state = get_game(record.tags["Game"]).start()

    assert str(state) == positions[0]
    for event, position in zip(record.events, positions[1:], strict=True):
        assert state.turn == event.actor
        state = state.play(event.text)
        assert str(state) == position


@paths
def test_a_playthrough_ends_as_its_tags_say(path):
    record, positions = read(path)
    game = get_game(record.tags["Game"])
    outcome = game.read(positions[-1]).outcome
    points = game.match_points(outcome)

    assert {
        "Winner": outcome.winner or "nobody",
        "Ending": outcome.ending,
        "Score": f"{outcome.score.yellow}-{outcome.score.red}",
        "Points": f"{points.yellow}-{points.red}",
    }.items() <= record.tags.items()


@paths
def test_a_playthrough_is_written_like_its_file(path):
    assert annotate(read(path)[0]) == path.read_text()


@pytest.mark.parametrize("key", list(GAMES))
def test_no_registered_game_lacks_a_playthrough(key):
    assert list(HERE.glob(f"{key}-*.txt"))


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.family == "streetsoccer"])
@pytest.mark.parametrize("ending", BY_RULE)
def test_streetsoccer_has_a_playthrough_of_every_ending(key, ending):
    assert path_of(key, ending).exists()
