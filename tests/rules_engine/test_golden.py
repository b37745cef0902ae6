"""Whole matches that were played once and are replayed line by line (see ``golden/make.py``)."""

import pytest

from rules_engine.record_formats import read_record
from rules_engine.registry import GAMES
from tests.rules_engine.golden.make import HERE, annotate, lacking, path_of, result_of

paths = pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)


def read(path):
    """Return the record of a golden playthrough and its positions."""
    lines = path.read_text().splitlines()
    record = read_record("\n".join(line for line in lines if not line.startswith("  ")))
    return record, [line.strip() for line in lines if line.startswith("  ")]


@paths
def test_a_playthrough_ends_as_its_tags_say(path):
    record, positions = read(path)
    game = GAMES[record.tags["Game"]]
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
    assert lacking(GAMES[key]) == []


@paths
def test_a_playthrough_has_come_to_what_its_file_is_called_by(path):
    record, positions = read(path)
    key = record.tags["Game"]
    assert path == path_of(key, result_of(GAMES[key], GAMES[key].read(positions[-1]).outcome))
