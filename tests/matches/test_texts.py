"""Matches as texts of their games, and texts played through by the API."""

import pytest
from django.utils import timezone

from matches.clock import CORRESPONDENCE
from matches.errors import UnknownGame
from matches.models import Match
from matches.services import start_match
from matches.texts import LONGEST_TEXT, replay_text
from players.models import Player
from rules_engine.events import Event, Record
from rules_engine.record import write_record
from rules_engine.registry import GAMES
from tests.matches.playing import act, play_randomly

pytestmark = pytest.mark.django_db

POINT = '[Game "paper-soccer-1"]\n[First "red"]\n\n1. 1 6 2. 43 * {a bounce}\n'


@pytest.fixture
def match() -> Match:
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    return start_match(
        game="paper-soccer", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=timezone.now(), seed=bytes(32)
    )


def replay(client, text, game="paper-soccer"):
    return client.post("/api/v1/replays/", {"game": game, "text": text}, content_type="application/json")


def test_a_match_is_had_in_the_text_of_its_game_and_read_back_as_it_was_played(client, match):
    match = play_randomly(match)
    response = client.get(f"/api/v1/matches/{match.pk}/texts/turns/")
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert response["Content-Disposition"] == f'attachment; filename="kickabout-{match.pk}.turns.txt"'
    text = response.content.decode()
    assert text.count("[Result ") == sum(match.state.score)
    read = replay(client, text).json()
    assert (read["positions"][-1]["position"], read["game"]) == (match.position, match.game)
    assert read["outcome"] == {
        "winner": match.winner,
        "ending": "normal-time",
        "score": {"yellow": match.score_yellow, "red": match.score_red},
    }


def test_the_record_is_read_as_well(client, match):
    match = play_randomly(match, until=9)
    record = client.get(f"/api/v1/matches/{match.pk}/record/").content.decode()
    read = replay(client, record).json()
    assert read["positions"][-1]["position"] == match.position
    assert [event["text"] for event in read["record"]["events"]] == list(match.moves.values_list("text", flat=True))


def test_a_text_names_its_game_itself(client):
    read = replay(client, POINT, game="streetsoccer-board").json()
    assert (read["game"], read["outcome"]) == ("paper-soccer-1", None)
    assert [place["stage"] for place in read["positions"]] == [
        "point 1, coin",
        "point 1, turn 1",
        "point 1, turn 2",
        "point 1, turn 3",
        "point 1, turn 4",
    ]


@pytest.mark.parametrize(
    ("text", "status", "code", "rule", "words"),
    [
        ("1. 0 4", 422, "illegal_move", "P4", "game 1, turn 2"),
        ("1. 00", 422, "illegal_move", "P5", "turn 1"),
        ("1. 9", 400, "invalid_notation", None, "line 1"),
        ("1. 0 " + "x" * LONGEST_TEXT, 400, "invalid", None, ""),
        ("", 400, "invalid", None, ""),
    ],
)
def test_what_is_no_match_is_refused_with_its_place(client, text, status, code, rule, words):
    response = replay(client, text)
    problem = response.json()
    assert (response.status_code, problem["code"], problem.get("rule")) == (status, code, rule)
    assert words in problem["detail"]


def test_a_game_that_nobody_knows_is_refused():
    with pytest.raises(UnknownGame):
        replay_text(game="chess", text="1. e4")


def test_nothing_is_stored_of_a_text(client):
    assert replay(client, POINT).status_code == 200
    assert not Match.objects.exists()


def test_a_game_without_texts_offers_none(client, match):
    texts = {game["key"]: [text["key"] for text in game["texts"]] for game in client.get("/api/v1/games/").json()}
    assert (texts["paper-soccer"], texts["streetsoccer-board"]) == (["turns"], [])
    response = client.get(f"/api/v1/matches/{match.pk}/texts/pgn/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_every_game_is_replayed_from_its_record(client):
    for game in GAMES.values():
        state = game.start()
        events = []
        while state.turn and len(events) < 12:
            rolls = state.chance()
            text = rolls[0].text if rolls else state.legal_moves()[0]
            events.append(Event(state.turn, text))
            state = state.play(text)
        read = replay(client, write_record(Record({"Game": game.key}, tuple(events)))).json()
        assert read["positions"][-1]["position"] == str(state)


def test_steps_sent_one_by_one_are_one_turn_in_the_text(client, match):
    stepwise = act(act(act(match, "1"), "6"), "4")
    assert stepwise.side == stepwise.moves.last().actor
    act(stepwise, "3")
    text = client.get(f"/api/v1/matches/{match.pk}/texts/turns/").content.decode()
    assert text.rstrip().endswith(("1. 1 6 2. 43 *", "1. 5 2 2. 07 *"))
