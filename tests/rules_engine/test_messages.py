"""Sentences are codes and parameters: English has one for each, and any other language can have its own."""

import ast
import copy
import pickle
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import rules_engine
from rules_engine.english import paper_soccer, shared, soccer_tactics, streetsoccer
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.messages import ENGLISH, Catalogue, Message, parameters_to_json
from rules_engine.record import Move, Record
from rules_engine.record_formats import replay_record
from rules_engine.registry import get_game
from rules_engine.values import Side

PACKAGE = Path(rules_engine.__file__).parent
TAKES_CODE_AT = {"Message": 0, "InvalidNotation": 0, "IllegalMove": 1, "within": 0}


def fields_of(code):
    return {name for _, name, _, _ in Formatter().parse(ENGLISH.sentences[code]) if name is not None}


@cache
def sources():
    return {path: path.read_text() for path in PACKAGE.rglob("*.py") if "english" not in path.parts}


def calls_with_a_code():
    """Yield where a message is made, its code, and the names of its parameters."""
    for path, source in sources().items():
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = TAKES_CODE_AT.get(name)
            if at is None or len(node.args) <= at or not isinstance(node.args[at], ast.Constant):
                continue
            given = {keyword.arg for keyword in node.keywords} | ({"fault"} if name == "within" else set())
            yield f"{path.name}:{node.lineno}", node.args[at].value, given  # type: ignore[attr-defined]


def test_each_message_has_a_sentence_with_just_its_parameters():
    calls = list(calls_with_a_code())
    assert len(calls) > 300
    named = [(place, given, fields_of(code)) for place, code, given in calls if None not in given]
    assert [(place, given, fields) for place, given, fields in named if given != fields] == []


def test_each_sentence_is_used_and_no_code_means_two_things():
    strings = {text for source in sources().values() for text in re.findall(r'"(\w+)"', source)}
    assert [code for code in ENGLISH.sentences if code not in strings] == []
    tables = [each.SENTENCES for each in (shared, streetsoccer, paper_soccer, soccer_tactics)]
    assert sum(len(table) for table in tables) == len(ENGLISH.sentences)


def test_a_refusal_is_for_programs_what_its_sentence_is_for_people():
    state = get_game("streetsoccer-board").read("play 3.1 yellow 3 d1,c3,d5,f7,g4 e10,c8,e6,c4,f9 d6 1-0 yellow")
    with pytest.raises(IllegalMove) as refusal:
        state.play("c3-c4")
    error = refusal.value
    assert (error.rule, error.code, error.parameters) == ("S1", "space_taken_by_opponent", {"space": "c4"})
    assert str(error) == "c4 is taken by an opponent"


def test_a_refusal_within_a_record_keeps_its_rule_and_its_own_code():
    record = Record({"Game": "paper-soccer-1"}, (Move(Side.YELLOW, "0"),))
    with pytest.raises(InvalidNotation) as refusal:
        replay_record(record)
    assert refusal.value.code == "actor_not_to_act"

    illegal = IllegalMove("P4", "line_drawn", start="e6", end="e7").within("in_move", number=3)
    assert illegal.rule == "P4"
    assert parameters_to_json(illegal.parameters) == {
        "number": 3,
        "fault": {"code": "line_drawn", "parameters": {"start": "e6", "end": "e7"}},
    }


def test_a_message_is_its_english_sentence():
    task = get_game("streetsoccer-board").read("kick-off 1.1 yellow 1 d1,c3,d5,f7,g4 e10,c8,e6,c4,f9 - 0-0 -").task
    assert (task.code, task.parameters) == ("task_kick_off", {"number": 1})
    assert "exactly 1 space." in task
    for again in (copy.deepcopy(task), pickle.loads(pickle.dumps(task))):
        assert (again, again.code, again.parameters) == (task, task.code, task.parameters)


@pytest.mark.parametrize(("number", "phrase"), [(1, "1 linię"), (2, "2 linie"), (5, "5 linii")])
def test_another_language_says_it_with_its_own_words_and_forms(number, phrase):
    polish = Catalogue(
        {
            "ball_after_lines": "Piłka jest na {ball}; narysowano {lines:linię|linie|linii}.",
            "draws_to_goal": "{turn} Bramka: {winner:word}.",
            "draws_by": "{side:word} rysuje z {start} przez {points:and} do {end}.",
        },
        {"yellow": "Żółty", "and": "i"},
        lambda number: 0 if number == 1 else 1 if number < 5 else 2,
    )
    lines = Message("ball_after_lines", ball="e6", lines=number)
    assert polish.render(lines.code, lines.parameters) == f"Piłka jest na e6; narysowano {phrase}."
    turn = Message("draws_by", side="yellow", start="e6", points=("e7", "f8", "e8"), end="f12")
    goal = Message("draws_to_goal", turn=turn, winner="yellow")
    assert polish.render(goal.code, goal.parameters) == ("Żółty rysuje z e6 przez e7, f8 i e8 do f12. Bramka: Żółty.")


def test_without_a_sentence_or_a_parameter_there_is_no_message():
    with pytest.raises(KeyError):
        Message("nothing_like_it")
    with pytest.raises(KeyError):
        Message("task_kick_off")
