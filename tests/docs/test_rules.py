"""The rules' texts agree with the engine, and the pages show all of them."""

import json
import re

import pytest

from rules_engine.errors import IllegalMove
from rules_engine.record import Move, Record
from rules_engine.record_formats import read_record, record_to_json, replay_record, write_record
from rules_engine.registry import GAMES
from rules_engine.values import Nature, Side
from tests.docs.texts import DIAGRAMS, RECORDS, ROOT, RULES_OF, TEXT_OF, blocks
from tests.drawing import as_text

diagrams = pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.position)


families = pytest.mark.parametrize("family", RULES_OF)


def ids_written(family):
    return re.findall(rf"^### ({RULES_OF[family][0]}[0-9]+) ", TEXT_OF[family], re.MULTILINE)


def ids_raised_by_the_engine(family):
    package = ROOT / "rules_engine" / family.replace("-", "_")
    source = "".join(path.read_text() for path in package.rglob("*.py"))
    return set(re.findall(rf"\"({RULES_OF[family][0]}[0-9]+)\"", source))


@families
def test_every_rule_has_a_heading_in_its_order(family):
    letter, count = RULES_OF[family]
    assert ids_written(family) == [f"{letter}{number}" for number in range(1, count + 1)]


@families
def test_every_rule_that_a_refusal_can_name_is_written(family):
    raised = ids_raised_by_the_engine(family)
    assert f"{RULES_OF[family][0]}5" in raised
    assert raised <= set(ids_written(family))


@pytest.mark.parametrize(("key", "game"), list(GAMES.items()))
def test_every_game_is_named_in_its_familys_text(key, game):
    assert f"`{key}`" in TEXT_OF[game.family]


@diagrams
def test_a_diagram_is_drawn_as_the_engine_draws_it(diagram):
    drawing = "".join(f"{line.rstrip()}\n" for line in as_text(diagram.state.picture()).splitlines())
    assert diagram.drawing == drawing


@diagrams
def test_a_diagrams_move_is_legal_or_refused_as_it_says(diagram):
    if diagram.played:
        assert diagram.state.play(diagram.played) != diagram.state
    if diagram.refused:
        with pytest.raises(IllegalMove) as refusal:
            diagram.state.play(diagram.refused)
        assert refusal.value.rule == diagram.rule


def test_the_example_of_a_record_is_one_and_can_be_replayed():
    example, _ = [block for block in blocks(RECORDS, "text") if block.startswith("[")]
    record = read_record(example)
    assert write_record(record) == example
    assert str(replay_record(record)) == "play 2.2 red 3 d1,d5,c4,f10,c10 e10,e2,b4,f5,b8 d3 0-0 -"


def test_the_example_of_a_game_text_is_one():
    _, example = [block for block in blocks(RECORDS, "text") if block.startswith("[")]
    game = GAMES["paper-soccer"]
    (interchange,) = game.interchange
    record = interchange.read(game, example).record
    assert interchange.write(game, record) == example
    assert str(replay_record(record)) == "0-1 yellow 0 3 61"


def test_the_example_of_a_json_twin_is_one():
    (example,) = blocks(RECORDS, "json")
    data = json.loads(example)
    record = Record(data["tags"], tuple(Move(actor_of(move["actor"]), move["text"]) for move in data["moves"]))
    assert record_to_json(record) == data
    assert str(replay_record(record)) == "set-up 1.1 yellow 4 d1,d5,c4 e10,e6 - 0-0 -"


def actor_of(word):
    return Nature.CHANCE if word == Nature.CHANCE else Side(word)


def test_the_positions_in_the_text_are_positions():
    lines = re.findall(r"[a-z-]+ [0-9]+\.[12](?: \S+){5} [0-9]+-[0-9]+ [a-z-]+", RECORDS)
    points = re.findall(r"^[0-9]-[0-9] .+", RECORDS, re.MULTILINE)
    assert (len(lines), len(points)) == (3, 3)
    for line in [*lines, *points]:
        assert any(_reads(game, line) for game in GAMES.values()), line


def _reads(game, line):
    try:
        return str(game.read(line)) == line
    except ValueError:
        return False
