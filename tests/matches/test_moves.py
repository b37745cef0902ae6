"""Starting a match and playing moves."""

from datetime import timedelta

import pytest

from matches import dice
from matches.clock import TimeControl
from matches.errors import UnknownGame
from matches.models import Status
from rules_engine.values import BySide, Side
from tests.matches.conftest import NOON, SEED
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, begin_match, play, play_randomly, reread, set_up

MINUTE = timedelta(minutes=1)


def test_dice_that_come_first_are_rolled_when_the_match_starts(begin):
    match = begin("streetsoccer-online")
    rolls = list(match.moves.values_list("ply", "actor", "thinking"))
    assert len(rolls) >= 2
    assert rolls == [(ply, "chance", None) for ply in range(match.ply)]
    assert match.side == Side.YELLOW
    assert match.rolls == match.ply


def test_every_match_has_a_secret_seed_of_its_own_and_shows_its_commitment(anna, piotr):
    matches = [begin_match(anna, piotr) for _ in range(2)]
    assert matches[0].seed != matches[1].seed
    assert [match.commitment for match in matches] == [dice.commit(bytes.fromhex(match.seed)) for match in matches]
    assert [match.revealed_seed for match in matches] == [None, None]


def test_an_unknown_game_cannot_be_started(anna, piotr):
    with pytest.raises(UnknownGame, match="streetsoccer-board, streetsoccer-online"):
        begin_match(anna, piotr, game="chess")


def test_the_dice_fall_by_themselves_after_the_move_that_calls_for_them(begin):
    played = play(act(begin(), YELLOW_SET_UP), RED_SET_UP)
    rolls = list(played.match.moves.filter(actor="chance").values_list("ply", "played_at"))
    assert rolls == [(ply, played.move.played_at) for ply in range(2, played.match.ply)]
    assert len(rolls) >= 2
    assert played.match.rolls == len(rolls)


def test_the_rolls_are_those_of_the_seed(begin):
    match = set_up(begin())
    chain = dice.first_link(match.pk)
    state = match.rules.start()
    number = 0
    for move in match.moves.all():
        if move.actor == "chance":
            assert move.text == dice.draw(SEED, match.pk, number, chain, state.chance()).text
            number += 1
        state = state.play(move.text)
        chain = dice.next_link(chain, move.actor, move.text)
    assert number == match.rolls
    assert chain == match.chain
    assert str(state) == match.position


def test_the_turn_passes_with_its_increment_and_starts_the_other_clock(begin):
    control = TimeControl.of_seconds(600, 10, 700)
    match = act(begin(time_control=control), YELLOW_SET_UP, now=NOON + MINUTE)
    assert match.banks == BySide(timedelta(seconds=550), timedelta(seconds=600))
    assert match.turn_started_at == NOON + MINUTE
    assert match.deadline == NOON + MINUTE + timedelta(seconds=600)


def test_a_side_that_acts_again_is_still_in_the_same_turn(begin):
    match = begin()
    for number, text in enumerate(("@d1", "@c3", "@d5"), start=1):
        match = act(match, text, now=NOON + number * MINUTE)
    assert match.side == Side.YELLOW
    assert match.bank_yellow == 240 * 3_600_000
    assert (match.turn_started_at, match.deadline) == (NOON, NOON + timedelta(hours=240))


def test_a_turn_of_several_actions_is_charged_as_a_whole(begin):
    match = begin(time_control=TimeControl.of_seconds(600, 10, 700))
    for number, text in enumerate(("@d1", "@c3", "@d5", "@f7", "@g4"), start=1):
        match = act(match, text, now=NOON + number * MINUTE)
    assert match.side == Side.RED
    assert match.banks.yellow == timedelta(seconds=600 - 300 + 10)


def test_a_match_whose_rules_end_it_is_finished_with_its_match_points(begin):
    match = play_randomly(begin(), seed=1)
    outcome = match.state.outcome
    assert match.outcome == outcome is not None
    assert match.points == match.rules.match_points(outcome)
    assert (match.status, match.side, match.deadline) == (Status.FINISHED, "", None)
    assert match.finished_at == match.last_move_at
    assert match.revealed_seed == SEED.hex()


def test_the_service_returns_the_match_as_it_is_stored(begin):
    match = play_randomly(begin("streetsoccer-online"), until=40)
    again = reread(match)
    names = {field.attname for field in match._meta.concrete_fields} - {"changed_at"}
    assert {name: getattr(again, name) for name in names} == {name: getattr(match, name) for name in names}
