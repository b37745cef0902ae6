"""The pages of Soccer Tactics: pawns that share a square, cards, kick-offs, buttons, rolls, the report of a match."""

import json
import re
from random import Random

import pytest
from django.template.loader import render_to_string

from matches.models import Match, Move
from matches.schemas.steps import step_tree_to_json
from matches.views.board import draw_board, draw_trail, pieces_to_json
from matches.views.latest_rows import MIN_MOVES
from matches.views.rolls import draw_roll
from rules_engine.registry import get_game
from tests.matches.play import act
from tests.pages.html import text_of
from tests.pages.stretches import look_back
from tests.rules_engine.soccer_tactics.diagrams import position
from tests.rules_engine.soccer_tactics.players import keen

BATTLE = """
16  . . . . R1 . . .
13  . R2 . . R4 . R5 .
12  . . . Y11R3o . . . .
11  R6 . R7 . . R8 . R9
10  . . . . R10 R11 . .
6   Y6 . Y7 . . Y8 . Y9
4   . Y2 . Y3 Y4 . Y5 .
1   . . . Y1 . . . .
"""
KINDS = {
    "die": ("move", {}, "2", "die: 2"),
    "two-dice": ("ball", {"restart": "goal-kick", "kicker": "1"}, "11", "two dice: 11"),
    "battle": ("battle", {}, "5-3", "Yellow striker 11 rolls 5, Red defender 3 rolls 3."),
    "shot": ("shot", {}, "corner", "Yellow striker 11 shoots, and the ball goes out for a corner."),
    "penalty": ("penalty", {}, "goal", "Yellow scores from the penalty spot."),
}
GOAL_KICK = BATTLE.replace("R3o", "R3").replace("Y1 ", "Y1o ")
IN_THE_AREA = BATTLE.replace("12  . . . Y11R3o . . . .", "15  . . . Y11o . . . .")
MAX_BYTES = 20_000


@pytest.mark.parametrize(("side", "holder", "piece"), [("yellow", "Y8", "yellow-11"), ("red", "R8", "red-3")])
def test_a_trail_is_of_the_side_that_moves_where_opponents_share_a_square(side, holder, piece):
    drawing = BATTLE.replace("R3o", "R3").replace(f"{holder} ", f"{holder}o ")
    (line,) = draw_trail(position(drawing, "move", "2", side=side), "d12-d14").lines
    assert (line.kind, line.piece) == (f"walk {side}", piece)


def test_opponents_on_one_square_are_a_pair_and_nobody_else():
    board = draw_board(position(BATTLE, "battle").picture())
    assert [(each.side, each.number) for each in board.figures if each.paired] == [("yellow", 11), ("red", 3)]


def test_cards_stand_beside_the_board_and_on_who_is_sent_off_next():
    state = position(BATTLE.replace("Y9", "."), "battle", cards=("10,8", "d,4"))
    pieces = pieces_to_json(state.picture())
    looks = {name for name, look in pieces["looks"].items() if look.endswith(" card")}
    assert looks == {"yellow-8", "red-2", "red-3", "red-4", "red-5"}
    assert [(side, kind, text) for side, kind, text, _label in pieces["tallies"]] == [
        ("yellow", "card", "8"),
        ("yellow", "sent-off", "9"),
        ("yellow", "sent-off", "10"),
        ("red", "card", "2–5"),
    ]
    assert pieces["figures"]["yellow-9"] is None
    assert pieces["waiting"] == []


def test_pawns_wait_for_a_kick_off_in_the_order_in_which_they_are_placed():
    state = get_game("soccer-tactics").start().play("2").play("5")
    waiting = pieces_to_json(state.picture())["waiting"]
    assert [each["figure"] for each in waiting if each["side"] == "yellow"] == ["yellow-10", "yellow-11", "yellow-1"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_roll_of_every_kind_is_drawn_and_said(kind):
    phase, fields, text, label = KINDS[kind]
    drawing = GOAL_KICK if kind == "two-dice" else IN_THE_AREA if kind == "penalty" else BATTLE
    roll = draw_roll(position(drawing, phase, **fields), text)
    html = render_to_string("boards/soccer-tactics/roll.html", {"roll": roll})
    assert roll.kind == kind
    assert f'aria-label="{label}' in html
    assert ("owned yellow" in html, "owned red" in html) == (kind == "battle",) * 2


def test_the_steps_to_click_are_never_more_than_a_page_can_carry():
    source, state = Random(2), get_game("soccer-tactics").start()
    sizes: list[int] = []
    while len(sizes) < 150:
        if rolls := state.chance():
            state = state.play(source.choice(rolls).text)
            continue
        match = Match(game="soccer-tactics", position=str(state))
        sizes.append(len(json.dumps(step_tree_to_json(match))))
        state = state.play(source.choice(state.legal_moves()))
    assert 4_000 < max(sizes) < MAX_BYTES


@pytest.fixture
def attempted(begin):
    """Return a match in which a side may ask for the die of an attempt, after a battle that its page lists."""
    match, source, listed = begin("soccer-tactics"), Random(1), False
    while not listed or "roll" not in match.state.legal_moves():
        match = act(match, keen(source, match.state))
        listed = any(match.ply - each.ply < MIN_MOVES for each in battles_of(match))
    return match


def rolls_in(match: Match) -> list[Move]:
    return list(match.moves.filter(actor="chance").order_by("ply"))


def battles_of(match: Match) -> list[Move]:
    """Return the rolls of battles, such as 5-3; a goal-kick is what came of a shot."""
    return [move for move in rolls_in(match) if re.fullmatch(r"\d-\d", move.text)]


def test_a_choice_without_a_square_is_a_button_without_scripts_too(attempted, client_of):
    player = attempted.player_to_act
    client = client_of(player)
    page = client.get(attempted.get_absolute_url())
    assert [(step.text, str(step.label)) for step in page.context["choices"]] == [("roll", "Roll the die")]
    assert '<button class="button primary">Roll the die</button>' in page.content.decode()
    client.post(attempted.get_absolute_url(), {"ply": attempted.ply, "text": "roll"})
    assert attempted.moves.filter(text="roll", ply=attempted.ply).exists()
    other = next(each for each in attempted.players if each != player)
    assert client_of(other).get(attempted.get_absolute_url()).context["choices"] == []


def test_the_moves_are_the_report_of_a_match_in_which_battles_and_shots_stand_out(attempted, client):
    page = client.get(attempted.get_absolute_url())
    entries = [entry for row in page.context["rows"] for entry in row.entries]
    assert [entry.after for entry in entries] == sorted(entry.after for entry in entries)
    alone = [entry for entry in entries if not entry.text]
    assert "battle" in {roll.kind for entry in alone for roll in entry.rolls}
    # Which other rolls there are is up to the dice: numbers are for a move, words say what came of a shot.
    listed = [move.text for move in rolls_in(attempted) if move.ply >= entries[0].first]
    assert [roll.text for entry in alone for roll in entry.rolls] == [text for text in listed if not text.isdigit()]
    for entry in alone:
        assert entry.sentence in text_of(page)


def test_the_page_of_the_dice_draws_battles_with_the_dice_of_both_sides(attempted, client):
    page = client.get(f"/matches/{attempted.pk}/dice/").content.decode()
    assert re.search(r'<link rel="stylesheet" href="[^"]*boards/soccer-tactics[^"]*css">', page)
    assert 'class="owned red"' in page


def test_a_battle_is_shown_large_as_it_is_replayed_and_a_die_for_a_move_is_not(attempted, client):
    battle = battles_of(attempted)[0]
    plies = {0: None, battle.ply: "owned yellow"}
    for ply, drawn in plies.items():
        data = look_back(client, attempted, ply + 1)
        assert drawn in data["roll"] if drawn else data["roll"] is None
