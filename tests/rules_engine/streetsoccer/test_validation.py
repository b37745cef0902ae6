"""Lines that no match can come to are not read: what they say contradicts the rules (S1 to S6, S15, S16, S18)."""

import pytest

from rules_engine.errors import InvalidNotation
from rules_engine.registry import get_game

TEAMS = "d1,d5,c3,f7,e8 e10,e6,c8,f4,b5"


def read(preset, text):
    return get_game(f"streetsoccer-{preset}").read(text)


@pytest.mark.parametrize(
    ("preset", "text", "words"),
    [
        ("board", "play 2.1 yellow ? d1,d10,c3,f7,e8 e10,e6,c8,f4,b5 d4 0-0 -", "keeper space"),
        ("online", "play 1.2 red 4 d1,d5,c3,f7,e8 e10,e6,c8,f4,e1 d4 0-0 -", "keeper space"),
        ("board", "play 2.1 yellow ? d10,d5,c3,f7,e8 e10,e6,c8,f4,b5 d4 0-0 -", "keeper space"),
        ("board", "restart 2.1 yellow - d1,d5,c3,f7,e8 e1,e6,c8,f4,b5 - 0-1 red", "keeper space"),
        ("board", "over 26.1 - - d1,d5,c3,f7,e8 e10,e6,c8,f4,d10 b5 1-0 yellow", "keeper space"),
        ("board", "play 2.1 yellow ? d1,d2,c3,f7,e2 e10,e6,c8,f4,b5 d4 0-0 -", "penalty area"),
        ("online", "play 2.1 yellow ? d1,d5,c3,f7,e8 e10,d9,c8,f4,e9 d4 0-0 -", "penalty area"),
        ("board", "set-up 1.1 yellow - d1,d2,e2 - - 0-0 -", "penalty area"),
        ("board", "set-up 1.1 yellow - c7 - - 0-0 -", "goalie"),
        ("board", "set-up 1.1 yellow - a0,d5 - - 0-0 -", "outside"),
        ("board", "set-up 1.1 yellow - d1,b3,c4,g5 - - 0-0 -", "too few"),
        ("board", "set-up 1.1 red - d1,d5,c3,f7,d6 e10 - 0-0 -", "circle"),
        ("online", "set-up 1.1 yellow 2 d1,d5,e5 e10,e6 - 0-0 -", "circle"),
        ("board", "kick-off 1.1 yellow 1 d1,d5,a0,a1,e8 e10,e6,c8,h0,h1 - 0-0 -", "outside"),
        ("board", "kick-off 1.1 - ? d1,c5,c3,f7,e8 e10,e6,c8,f4,b5 - 0-0 -", "circle"),
        ("online", "kick-off 1.1 yellow 1 d1,d4,c3,f7,e8 e10,e6,c8,f4,b5 - 0-0 -", "from the start"),
        ("online", "kick-off 1.1 yellow 1 d1,d5,c3,f4,e2 e10,e6,c8,f4,b5 - 0-0 -", "share"),
        ("online", "kick-off 1.1 yellow 1 d1,d5,c3,f5,e2 e10,e6,c8,f4,b5 - 0-0 -", "opponent's half"),
        ("board", f"play 1.2 red ? {TEAMS} d4 50-0 yellow", "more goals"),
        ("board", f"play 1.2 red ? {TEAMS} d4 1-0 yellow", "more goals"),
        ("online", f"restart 1.2 red ? {TEAMS} - 1-0 yellow", "more goals"),
        ("board", f"play 25.2 red ? {TEAMS} d4 24-24 yellow", None),
        ("board", f"play 25.2 red ? {TEAMS} d4 25-24 yellow", "more goals"),
        ("board", f"restart 26.2 red - {TEAMS} - 1-1 yellow", "extra time"),
        ("board", f"over 26.2 - - {TEAMS} b9 1-0 yellow", "extra time"),
        ("board", f"over 36.1 - - {TEAMS} - 1-1 yellow", "extra time"),
        ("board", f"over 36.1 - - {TEAMS} - 0-0 -", "extra time"),
        ("board", f"over 26.2 - - {TEAMS} - 2-0 yellow", "a lead of one"),
        ("board", f"over 26.2 - - {TEAMS} - 2-1 red", "a lead of one"),
        ("board", f"over 26.1 - - {TEAMS} - 2-1 red", None),
        ("board", f"over 26.1 - - {TEAMS} b9 1-0 yellow", None),
        ("board", f"over 26.2 - - {TEAMS} - 2-1 yellow", None),
        ("board", f"over 36.1 - - {TEAMS} b9 1-1 yellow", None),
        ("board", f"restart 26.1 red - {TEAMS} - 1-1 yellow", None),
        ("board", f"restart 1.2 red - {TEAMS} - 1-0 yellow", "more goals"),
        ("board", f"restart 2.1 yellow - {TEAMS} - 0-1 red", None),
        ("board", "play 2.1 yellow ? d1,d2,c3,f7,e9 e10,e2,c8,f4,d9 d4 0-0 -", None),
        ("board", "play 2.1 yellow ? e2,d2,c3,f7,e9 d8,e6,c8,f4,b5 d1 0-0 -", None),
        ("online", "kick-off 1.1 yellow 1 d1,c3,d5,e8,f7 e10,b5,c8,e6,f4 - 0-0 -", None),
    ],
)
def test_a_line_is_refused_where_it_contradicts_the_rules_and_only_there(preset, text, words):
    if words is None:
        assert str(read(preset, text)) == text
    else:
        with pytest.raises(InvalidNotation, match=words):
            read(preset, text)
