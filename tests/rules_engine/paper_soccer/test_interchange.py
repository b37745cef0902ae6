"""The usual text of games: tags as in chess, one string of digits a turn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.record import Move, Record
from rules_engine.record_formats import replay_record
from rules_engine.registry import get_game
from rules_engine.values import Nature, Side
from tests.rules_engine.playouts import playout

CHANCE, YELLOW, RED = Nature.CHANCE, Side.YELLOW, Side.RED
NAMES = {"Yellow": "anna", "Red": "piotr"}

MATCH = """\
[Game "paper-soccer"]
[Event "Club evening"]
[Yellow "anna"]
[Red "piotr"]
[Winner "red"]
[Round "1"]
[White "anna"]
[Black "piotr"]
[First "red"]
[Result "0-1"]

1. 1 1 2. 7 7 3. 17 0-1

[Round "2"]
[White "piotr"]
[Black "anna"]
[First "yellow"]
[Result "1-0"]

1. 0 3 2. 61 1-0
"""
"""Red begins and scores; Yellow begins the second point and gives the match up."""

games = pytest.mark.parametrize("key", ["paper-soccer", "paper-soccer-1"])
fuzz = settings(derandomize=True)


def write(record):
    game = get_game(record.tags["Game"])
    return game.interchange[0].write(game, record)


def read(text, key="paper-soccer"):
    return read_text(text, key).record


def read_text(text, key="paper-soccer"):
    game = get_game(key)
    return game.interchange[0].read(game, text)


def moves(*texts):
    """Return moves from texts such as ``yellow 0``."""
    actors = {actor.value: actor for actor in (*Side, *Nature)}
    return tuple(Move(actors[actor], move) for actor, move in (text.split() for text in texts))


def joined(record):
    """Return the record with each turn as one move."""
    found: list[Move] = []
    state = get_game(record.tags["Game"]).start()
    for move in record.moves:
        bounced = found and found[-1].actor is move.actor and state.rally and state.rally.bouncing  # type: ignore[attr-defined]
        if bounced:
            found[-1] = Move(move.actor, found[-1].text + move.text)
        else:
            found.append(move)
        state = state.play(move.text)
    return Record(record.tags, tuple(found))


@games
@pytest.mark.parametrize("seed", range(8))
def test_a_match_and_each_beginning_of_it_come_back(key, seed):
    record = playout(key, seed).record
    for length in range(0, len(record.moves) + 1, 7 if key == "paper-soccer" else 1):
        beginning = Record(record.tags, record.moves[:length])
        again = read(write(beginning), key)
        assert again == joined(beginning)
        assert str(replay_record(again)) == str(replay_record(beginning))
        assert write(again) == write(beginning)


@fuzz
@given(
    length=st.integers(0, 60),
    tags=st.dictionaries(
        st.sampled_from(["Event", "Site", "Date", "Yellow", "Red", "Match", "Note"]),
        st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=12),
    ),
    winner=st.sampled_from([{}, {"Winner": "yellow"}, {"Winner": "red"}, {"Winner": "nobody"}]),
)
def test_tags_and_a_result_that_no_turn_shows_come_back(length, tags, winner):
    record = Record({"Game": "paper-soccer", **tags, **winner}, playout("paper-soccer", 1).record.moves[:length])

    assert read(write(record)) == joined(record)


def test_only_tags_by_names_that_each_point_has_of_its_own_are_lost():
    own = dict.fromkeys(["Round", "White", "Black", "First", "Result"], "of a stranger")
    tags = {"Game": "paper-soccer", "Yellow": "anna", "Red": "piotr", "Place": "Gdynia"}
    record = Record({**tags, **own}, moves("chance red", "red 0"))
    assert read(write(record)) == Record(tags, record.moves)


def test_a_match_is_written_point_by_point():
    played = moves("chance red", "red 5", "yellow 5", "red 3", "yellow 3", "red 5", "red 3")
    record = Record(
        {"Game": "paper-soccer", "Event": "Club evening", **NAMES, "Winner": "red"},
        (*played, *moves("yellow 0", "red 3", "yellow 6", "yellow 1")),
    )
    state = replay_record(record)

    assert (state.score.red, state.turn) == (1, RED)
    assert write(record) == MATCH


def test_black_begins_and_attacks_north_as_yellow_and_as_red():
    begun_by_yellow = Record({"Game": "paper-soccer-1", **NAMES}, moves("chance yellow", "yellow 7", "red 1"))
    begun_by_red = Record({"Game": "paper-soccer-1", **NAMES}, moves("chance red", "red 3", "yellow 5"))

    for record in (begun_by_yellow, begun_by_red):
        assert write(record).endswith("\n1. 7 1 *\n")
        assert read(write(record), "paper-soccer-1") == record


def test_a_match_without_a_move_is_written_too():
    assert write(Record({"Game": "paper-soccer-1"})) == (
        '[Game "paper-soccer-1"]\n[Round "1"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n*\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        '[White "piotr"]\n[Black "anna"]\n\n1. 0 0 2. 7 1 3. 71 0-1\n',
        '[Black "anna"]\n[White "piotr"]\n[Result "0-1"]\n0\n0\n7\n1\n71\n',
        '\ufeff[White "piotr"]\r\n[Black "anna"]\r\n\r\n1.0 0\r\n2.7 1\r\n3.71\r\n0-1\r\n',
        '[White "piotr"] [Black "anna"] 1. 0 1... 0 2. 7 {a comment, 1. 7} 1 ; another\n3. 71 *',
        '[White "piotr"]\n[Black "anna"]\n0 0 7 1 71',
    ],
    ids=["chess-like", "a turn a line", "of another system", "with comments", "turns only"],
)
def test_texts_of_others_are_read_leniently(text):
    record = read(text, "paper-soccer-1")

    assert record.tags == {"Game": "paper-soccer-1", **NAMES}
    assert str(replay_record(record)) == "1-0 yellow 0 0 7 1 71"


def test_the_side_that_begins_later_points_need_not_be_named():
    record = read("1. 0 0 2. 7 1 3. 71 0-1 1. 0 0 2. 7 1 3. 71 0-1")

    assert str(replay_record(record)) == "1-1 yellow -"


def test_a_result_that_no_turn_shows_becomes_the_winner():
    assert read('[First "red"] 1. 0 0-1').tags["Winner"] == "red"
    assert read("1. 0 0 2. 7 1 3. 71 0-1 1. 0 0-1").tags["Winner"] == "red"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 0 8", "line 1: '8' is not a tag"),
        ('[White "anna"]\n\n1. 0 north', "line 3: 'north'"),
        ('[White "anna"]\n[White "anna"]\n', "line 2: the tag 'White' is given twice"),
        ('[Game "streetsoccer-board"]', "this is a match of 'streetsoccer-board'"),
        ('[First "white"] 1. 0', "game 1: the tag First must say which side begins"),
        ("1. 0 * 1. 0", "game 1: this game has not ended"),
        ("1. 0 0 2. 7 1 3. 71 4", "game 1: the point is already over before turn 6"),
        ('1. 0 0 2. 7 1 3. 71 0-1 [First "yellow"] 1. 0', "game 2: the tag First says yellow"),
    ],
)
def test_a_text_that_is_no_match_is_refused_with_its_place(text, message):
    with pytest.raises(InvalidNotation, match="^" + message):
        read(text)


def test_more_points_than_the_match_has_are_refused():
    with pytest.raises(InvalidNotation, match="game 2: the match is already over"):
        read("1. 0 0 2. 7 1 3. 71 0-1 1. 0", "paper-soccer-1")


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("1. 0 4", "P4", "game 1, turn 2: there is already a line from e7 to e6"),
        ("1. 0 1 2. 6 4 3. 2", "P5", "game 1, turn 5: the turn before it is not finished"),
        ("1. 00", "P5", "game 1, turn 1: your turn is over after 0"),
        ("1. 0 0 2. 7 1 3. 714", "P6", "game 1, turn 5: the ball is in the goal"),
    ],
)
def test_turns_that_the_rules_refuse_are_refused_by_their_rule(text, rule, message):
    with pytest.raises(IllegalMove, match="^" + message) as refusal:
        read(text)
    assert refusal.value.rule == rule


def test_a_record_of_another_game_is_not_written():
    game = get_game("paper-soccer")
    with pytest.raises(InvalidNotation, match="a match of 'paper-soccer-1'"):
        game.interchange[0].write(game, Record({"Game": "paper-soccer-1"}))
    with pytest.raises(InvalidNotation, match="move 1 is yellow's"):
        write(Record({"Game": "paper-soccer"}, (Move(YELLOW, "0"),)))


@fuzz
@given(text=st.text() | st.text('01234567[]"{}; \n.*-/NWFirsteuld?', max_size=60))
def test_any_text_is_a_match_or_is_refused(text):
    try:
        record = read(text)
    except (InvalidNotation, IllegalMove):
        return

    assert read(write(record)) == record


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        ('[Result "1-0"] 1. 0 1 2. 0 0-1', ("game 1: the result after the turns is 0-1, but the tag Result says 1-0",)),
        ('[Winner "red"] 1. 0 0-1', ("the result is 0-1, but the tag Winner says 'red'",)),
    ],
)
def test_a_result_that_the_turns_do_not_bear_out_is_remarked_and_the_match_is_read(text, remarks):
    assert read_text(text, "paper-soccer-1").remarks == remarks


def test_a_remark_names_its_game():
    text = "1. 0 0 2. 7 1 3. 71 0-1 1. 0 0 2. 7 1 3. 71 1-0"
    assert read_text(text).remarks == ("game 2: the result is given as 1-0, but the turns give 0-1",)
