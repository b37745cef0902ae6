"""The computer as opponent: invited like anybody, called by a task, and called again when a call was lost."""

import time
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from celery import current_app
from django.utils import timezone

from computers.levels import Level, level_of, levels_in
from config.celery import app
from config.celery_threads import work_in_background
from matches.clock import CORRESPONDENCE
from matches.dice import seed_of_choices
from matches.errors import NoComputer
from matches.models import Colour, Match, Move
from matches.services import call_waiting_computers, choose_move, claim_turn, play_against_computer, play_choice, resign
from matches.services.computer_moves import SWEEP_DELAY
from matches.services.verification import verify_match
from players.models import Player
from players.services import create_computer, ensure_computer
from rules_engine.registry import SPECS, find_strategy, get_game
from rules_engine.values import Side
from tests.game_specs import LEVELS, change_spec
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, reread, seek_of, set_up, unchanged

pytestmark = pytest.mark.both_databases

LATER = NOON + timedelta(minutes=1)

Calls = list[float | None]


@pytest.fixture
def calls(monkeypatch):
    """Return the calls that were queued and never answered: after how many seconds each is dropped."""
    queued: Calls = []

    def send_task(name: str, **options: Any) -> None:
        assert name == "matches.tasks.move_computer"
        queued.append(options["expires"])

    monkeypatch.setattr(current_app, "send_task", send_task)
    return queued


@pytest.fixture
def against_computer(calls, anna):
    """Start a match of anna's against the computer at noon."""

    def start(colour: Colour = Colour.RED, game: str = "streetsoccer-board", level: Level = Level.CLUB) -> Match:
        return play_against_computer(player=anna, game=game, colour=colour, level=level, now=NOON)

    return start


def move_at(match: Match, now: datetime = LATER) -> Match:
    choice = choose_move(match_id=match.pk)
    if choice is not None:
        play_choice(choice, now=now)
    return reread(match)


@pytest.mark.parametrize("side", Side)
def test_the_player_gets_the_requested_side(against_computer, anna, side):
    match = against_computer(Colour(side), "streetsoccer-online")
    assert (match.players[side], match.game, match.time_control) == (anna, "streetsoccer-online", CORRESPONDENCE)
    assert (match.players[side.opponent].username, match.players[side.opponent].is_computer) == ("computer-club", True)


def test_the_levels_are_those_of_the_strategies():
    assert tuple(Level.values) == LEVELS


def test_a_fresh_site_has_a_computer_of_each_level(db):
    computers = Player.objects.filter(is_computer=True).order_by("pk")
    assert [(player.username, player.level) for player in computers] == [
        ("computer-beginner", "beginner"),
        ("computer-club", "club"),
        ("computer-strong", "strong"),
    ]
    assert not any(player.has_usable_password() for player in computers)


@pytest.mark.parametrize("level", Level)
def test_each_level_is_one_player(against_computer, level):
    one, other = against_computer(level=level), against_computer(level=level)
    assert one.yellow == other.yellow == Player.objects.get(username=f"computer-{level}")
    assert level_of(one.yellow) == level


def test_a_computer_without_a_level_of_its_own_plays_like_a_club_player(db):
    assert level_of(create_computer(username="computer-2", now=NOON)) == Level.CLUB
    assert level_of(Player(username="computer-3", is_computer=True, level="grandmaster")) == Level.CLUB


@pytest.mark.parametrize("level", Level)
def test_a_computer_asks_the_strategy_of_its_level(monkeypatch, against_computer, level):
    strategies = {key: Mock(side_effect=lambda state: state.legal_moves()[0]) for key in LEVELS}
    change_spec(monkeypatch, "streetsoccer", strategies=strategies)
    assert move_at(against_computer(level=level)).ply == 1
    assert {key: strategy.call_count for key, strategy in strategies.items()} == {key: key == level for key in LEVELS}


def test_a_computer_is_invited_only_to_a_game_that_its_level_plays(monkeypatch, against_computer):
    without_strong = {level: play for level, play in SPECS["streetsoccer"].strategies.items() if level != "strong"}
    change_spec(monkeypatch, "streetsoccer", strategies=without_strong)
    assert levels_in(get_game("streetsoccer-board")) == [Level.BEGINNER, Level.CLUB]
    with pytest.raises(NoComputer):
        against_computer(level=Level.STRONG)
    assert against_computer(level=Level.CLUB)


def fail(state: Any) -> str:
    raise ZeroDivisionError


def test_a_weaker_level_answers_for_one_that_fails(monkeypatch, against_computer):
    moves = get_game("streetsoccer-board").start().legal_moves()
    strategies = {"beginner": lambda state: moves[0], "club": lambda state: moves[1], "strong": fail}
    change_spec(monkeypatch, "streetsoccer", strategies=strategies)
    move_at(against_computer(level=Level.STRONG))
    assert Move.objects.get().text == moves[1]


@pytest.mark.parametrize("nonsense", ["a9-z1", ""])
def test_a_match_goes_on_even_if_all_levels_fail(monkeypatch, against_computer, nonsense):
    change_spec(
        monkeypatch, "streetsoccer", strategies={"beginner": lambda state: nonsense, "club": fail, "strong": fail}
    )
    match = against_computer()
    assert move_at(match).ply == 1
    assert Move.objects.get().text == match.state.legal_moves()[0]


def test_a_player_who_invites_the_computer_hears_that_it_does_not_play_this_game(monkeypatch, anna):
    change_spec(monkeypatch, "streetsoccer", strategies={})
    with pytest.raises(NoComputer):
        seek_of(anna, invited=ensure_computer(level="club", now=NOON), colour=Colour.RED)


def test_it_plays_one_action_as_its_strategy_says(against_computer):
    match = against_computer()
    strategy = find_strategy(get_game(match.game), seed=seed_of_choices(bytes.fromhex(match.seed)))
    after = move_at(match)
    move = Move.objects.get(match=match)
    assert (move.text, move.actor, move.thinking) == (strategy(match.state), "yellow", 60_000)
    assert after.ply == 1


@pytest.mark.django_db(transaction=True)
def test_it_places_all_its_players_in_one_move(against_computer, calls):
    match = move_at(against_computer())
    assert (match.ply, match.side) == (1, Side.RED)
    assert calls == [None]


@pytest.mark.django_db(transaction=True)
def test_it_is_called_again_where_it_is_to_act_again(against_computer, calls):
    match = move_at(act(against_computer(Colour.YELLOW), YELLOW_SET_UP))
    kicks_off = match.side == Side.RED
    assert calls == [None] * (1 + kicks_off)


def test_a_call_that_comes_twice_does_nothing_the_second_time(against_computer):
    match = set_up(against_computer(Colour.YELLOW))
    while match.player_to_act is not None and not match.player_to_act.is_computer:
        match = act(match)
    match = move_at(match, match.last_move_at)
    assert match.side == Side.YELLOW
    with unchanged(match):
        move_at(match)


def test_two_that_answer_the_same_call_at_once_play_one_move(against_computer):
    match = against_computer()
    choice, other = choose_move(match_id=match.pk), choose_move(match_id=match.pk)
    play_choice(choice, now=LATER)
    with unchanged(match):
        play_choice(other, now=LATER)


def test_a_call_does_nothing_after_the_end_for_a_person_or_when_the_time_has_run_out(against_computer, anna, begin):
    resigned, late = resign(match_id=against_computer().pk, player=anna, now=NOON), against_computer()
    with unchanged(resigned):
        move_at(resigned)
    assert move_at(begin()).ply == 0
    assert move_at(late, NOON + CORRESPONDENCE.bank).ply == 0


def test_the_sweep_calls_where_a_computer_has_been_to_act_for_a_while(against_computer, begin, calls, anna):
    lost, other = against_computer(Colour.RED), act(against_computer(Colour.YELLOW), YELLOW_SET_UP, now=NOON)
    against_computer(Colour.YELLOW)
    begin()
    resign(match_id=against_computer().pk, player=anna, now=NOON)
    calls.clear()
    assert call_waiting_computers(now=NOON + SWEEP_DELAY - timedelta(milliseconds=1)) == 0
    assert call_waiting_computers(now=NOON + SWEEP_DELAY) == 2
    assert calls == [SWEEP_DELAY.total_seconds()] * 2
    assert {claim_turn(now=LATER), claim_turn(now=LATER)} == {lost.pk, other.pk}


def test_the_sweep_begins_with_those_who_have_waited_longest(against_computer, calls):
    late, early = against_computer(), against_computer()
    Match.objects.filter(pk=late.pk).update(last_move_at=LATER)
    calls.clear()
    assert call_waiting_computers(now=LATER + SWEEP_DELAY, limit=1) == 1
    assert calls == [SWEEP_DELAY.total_seconds()]
    assert claim_turn(now=LATER) == early.pk


@pytest.mark.django_db(transaction=True)
def test_a_call_that_was_lost_is_made_good_when_the_work_starts_again(monkeypatch, calls, anna):
    a_minute_ago = timezone.now() - timedelta(minutes=1)
    match = play_against_computer(player=anna, game="streetsoccer-board", colour=Colour.RED, now=a_minute_ago)
    assert calls == [None]
    monkeypatch.undo()
    with work_in_background(app, threads=2):
        assert wait_for_computer(match).ply == 1


@pytest.mark.django_db(transaction=True)
def test_a_match_against_the_computer_goes_on_by_itself_to_its_end(anna):
    random = Random(1)
    with work_in_background(app, threads=2):
        match = play_against_computer(player=anna, game="streetsoccer-online", colour=Colour.YELLOW, now=timezone.now())
        while match.side:
            match = act(match, random.choice(match.state.legal_moves()), now=timezone.now(), player=anna)
            match = wait_for_computer(match)
    assert (match.winner, match.ending) == (Side.RED, "normal-time")
    assert verify_match(match=match) == []


def wait_for_computer(match: Match) -> Match:
    """Return the match when the computer has played all that it had to, within two minutes."""
    for _ in range(6000):
        match = reread(match)
        if match.player_to_act is None or not match.player_to_act.is_computer:
            return match
        time.sleep(0.02)
    raise AssertionError("the computer has not moved")


def test_the_api_starts_a_match_against_the_computer(calls, client_of, anna):
    wanted = {"opponent": "computer", "game": "streetsoccer-online", "colour": "red", "level": "strong"}
    answer = client_of(anna).post("/api/v1/matches/", wanted)
    assert answer.status_code == 201
    match = answer.json()
    assert match["players"]["yellow"] == {"username": "computer-strong", "is_computer": True, "is_guest": False}
    assert (match["game"], match["you"], match["turn"]) == ("streetsoccer-online", "red", "yellow")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"opponent": "piotr"}, "invalid"),
        ({"colour": "blue"}, "invalid"),
        ({"level": "perfect"}, "invalid"),
        ({"game": "chess"}, "unknown_game"),
    ],
)
def test_the_api_refuses_what_it_cannot_start(calls, client_of, anna, piotr, change, code):
    answer = client_of(anna).post("/api/v1/matches/", {"opponent": "computer", "game": "streetsoccer-board"} | change)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_the_api_says_when_a_game_has_no_computer(monkeypatch, client_of, anna):
    change_spec(monkeypatch, "streetsoccer", strategies={})
    answer = client_of(anna).post("/api/v1/matches/", {"opponent": "computer", "game": "streetsoccer-board"})
    assert (answer.status_code, answer.json()["code"]) == (400, "no_computer")
    games = client_of(None).get("/api/v1/games/").json()
    listed = {game["key"]: (game["has_computer"], game["levels"]) for game in games}
    assert listed["streetsoccer-board"] == listed["streetsoccer-online"] == (False, [])


def test_the_api_says_how_strong_the_computer_plays_a_game_and_who_plays_at_a_level(client_of, db):
    games = client_of(None).get("/api/v1/games/").json()
    levels = {game["key"]: game["levels"] for game in games}
    assert levels["streetsoccer-board"] == ["beginner", "club", "strong"]
    assert client_of(None).get("/api/v1/players/computer-strong/").json()["level"] == "strong"
