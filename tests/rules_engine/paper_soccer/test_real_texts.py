"""Texts as the servers write them on which most people play: Black begins, and the result names White first.

In each of them bolek is Black, and so Yellow here, who begins and attacks north.
"""

import pytest

from rules_engine.paper_soccer.interchange import GameTexts
from rules_engine.record_formats import list_remarks, replay_record
from rules_engine.registry import get_game

ONE_POINT = get_game("paper-soccer-1")
TEXTS = GameTexts()

HEAD = """\
[Event "?"]
[Site "a public server"]
[Date "2009.02.14"]
[Round "-"]
[White "wanda"]
[Black "bolek"]
[Time "18:20:05"]
[Result "{result}"]

"""

DECIDED = [
    pytest.param("1. 7 0 2. 0 7 3. 11", "0-1", "1-0 yellow 7 0 0 7 11", id="Black scores in the north"),
    pytest.param("1. 3 3 2. 5 5 3. 4 5", "1-0", "0-1 yellow 3 3 5 5 4 5", id="White scores in the south"),
    pytest.param("1. 5 5 2. 3 3 3. 53", "1-0", "0-1 yellow 5 5 3 3 53", id="own goal of Black"),
    pytest.param("1. 7 1 2. 0 7 3. 1 1", "0-1", "1-0 yellow 7 1 0 7 1 1", id="own goal of White"),
    pytest.param("1. 7 0 2. 7 7 3. 7", "1-0", "0-1 yellow 7 0 7 7 7", id="Black is blocked"),
    pytest.param("1. 1 2 2. 1 7 3. 1 1", "0-1", "1-0 yellow 1 2 1 7 1 1", id="White is blocked"),
]

LEFT = [
    pytest.param("0-1", "yellow", id="White resigned or lost on time"),
    pytest.param("1-0", "red", id="Black resigned or lost on time"),
    pytest.param("1/2-1/2", "nobody", id="a draw was agreed"),
    pytest.param("*", None, id="it was never ended"),
]

UNFINISHED = "1. 2 0 2. 53 4 3. 3"


def text_of(turns: str, result: str) -> str:
    return f"{HEAD.format(result=result)}{turns} {result}\n"


@pytest.mark.parametrize(("turns", "result", "position"), DECIDED)
def test_a_decided_game_is_read_without_a_remark(turns, result, position):
    read = TEXTS.read(ONE_POINT, text_of(turns, result))
    state = replay_record(read.record)

    assert (str(state), read.remarks) == (position, ())
    assert (read.record.tags["Yellow"], read.record.tags["Red"]) == ("bolek", "wanda")
    assert "Winner" not in read.record.tags
    assert list_remarks(read.record, state) == ()


@pytest.mark.parametrize(("turns", "result", "position"), DECIDED)
def test_a_result_that_the_turns_contradict_is_a_remark_and_the_turns_hold(turns, result, position):
    wrong = {"1-0": "0-1", "0-1": "1-0"}[result]
    read = TEXTS.read(ONE_POINT, text_of(turns, wrong))

    assert read.remarks == (f"game 1: the result is given as {wrong}, but the turns give {result}",)
    assert str(replay_record(read.record)) == position


@pytest.mark.parametrize(("result", "winner"), LEFT)
def test_an_unfinished_game_has_the_result_of_a_resignation_or_of_lost_time(result, winner):
    read = TEXTS.read(ONE_POINT, text_of(UNFINISHED, result))

    assert (read.record.tags.get("Winner"), read.remarks) == (winner, ())
    assert str(replay_record(read.record)) == "0-0 yellow 2 0 53 4 3"
    assert [move.text for move in read.record.moves] == ["yellow", "2", "0", "53", "4", "3"]


@pytest.mark.parametrize(
    ("turns", "result"),
    [
        *(pytest.param(*each.values[:2], id=each.id) for each in DECIDED),
        *(pytest.param(UNFINISHED, each.values[0], id=each.id) for each in LEFT),
    ],
)
def test_a_text_that_was_read_is_written_with_the_same_sides_turns_and_result(turns, result):
    read = TEXTS.read(ONE_POINT, text_of(turns, result))
    written = TEXTS.write(ONE_POINT, read.record)

    assert '[White "wanda"]\n[Black "bolek"]\n' in written
    assert f'[Result "{result}"]\n\n{turns} {result}\n' in written
    assert TEXTS.read(ONE_POINT, written) == read


def test_names_go_to_their_sides_when_red_begins():
    text = '[First "red"]\n' + text_of("1. 7 0 2. 0 7 3. 11", "0-1")
    read = TEXTS.read(ONE_POINT, text)

    assert (read.record.tags["Red"], read.record.tags["Yellow"], read.remarks) == ("bolek", "wanda", ())
    assert str(replay_record(read.record)) == "0-1 red 3 4 4 3 55"


@pytest.mark.parametrize(
    ("tag", "written", "remark"),
    [
        ("Winner", "red", "the tag Winner says 'red', but the moves give yellow"),
        ("Score", "0-1", "the tag Score says '0-1', but the moves give 1-0"),
        ("Ending", "timeout", "the tag Ending says 'timeout', but the moves give normal-time"),
    ],
)
def test_a_tag_that_contradicts_what_was_played_is_a_remark(tag, written, remark):
    record = TEXTS.read(ONE_POINT, f'[{tag} "{written}"]\n1. 7 0 2. 0 7 3. 11 0-1').record
    assert list_remarks(record, replay_record(record)) == (remark,)
