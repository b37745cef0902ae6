"""Matches as texts of their games, and texts played through by the API."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from matches.errors import UnknownGame
from matches.interchange import replay_text
from matches.models import Match
from matches.schemas.record import MAX_POSITIONS
from rules_engine.record import Move, Record
from rules_engine.record_formats import record_to_json, replay_record, write_record
from rules_engine.registry import GAMES
from tests.matches.play import act, play_randomly
from tests.rules_engine.playouts import playout
from tests.web.test_page_throttling import set_rate

pytestmark = pytest.mark.django_db

POINT = '[Game "paper-soccer-1"]\n[First "red"]\n\n1. 1 6 2. 43 * {a bounce}\n'


@pytest.fixture
def match(begin):
    return begin("paper-soccer", now=timezone.now())


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
    assert (read["last"]["position"], read["game"], read["remarks"]) == (match.position, match.game, [])
    assert read["outcome"] == {
        "winner": match.winner,
        "ending": "normal-time",
        "score": {"yellow": match.score_yellow, "red": match.score_red},
    }


def test_a_text_names_its_game_itself(client):
    read = replay(client, POINT, game="streetsoccer-board").json()
    assert (read["game"], read["outcome"]) == ("paper-soccer-1", None)
    assert [place["stage"] for place in read["positions"]] == [
        "point 1, coin toss",
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
        ("1. 0 " + "x" * 100_000, 400, "invalid", None, ""),
        ('{"tags": {}, "moves": [], "more": 1}', 400, "invalid_notation", None, "members tags and moves"),
        ('{"tags": 1e999}', 400, "invalid_notation", None, "too large: 1e999"),
        ("", 400, "invalid", None, ""),
    ],
)
def test_a_text_that_is_no_match_is_refused_with_its_place(client, text, status, code, rule, words):
    response = replay(client, text)
    problem = response.json()
    assert (response.status_code, problem["code"], problem.get("rule")) == (status, code, rule)
    assert words in problem["detail"]


def test_a_game_that_nobody_knows_is_refused():
    with pytest.raises(UnknownGame):
        replay_text(game="chess", text="1. e4")
    with pytest.raises(UnknownGame):
        replay_text(text="1. e4")


OWN = '[Game "streetsoccer-online"]\n[Yellow "an;na {1}"]\n\nyellow (6) (2) @c4\nyellow @g10\n'
PASTED = (
    '\ufeff  [ Game   "streetsoccer-online" ]\r\n\t[Yellow\u00a0"an;na {1}"]\r\n% an escape\r\n\r\n'
    "  yellow\t(6)  (2)\u00a0@c4!? ; well placed\r\n{ over\r\n two lines }\r\n   yellow @g10 $3\r\n"
)


def test_what_people_paste_is_read_and_what_was_left_out_is_said(client):
    read = replay(client, PASTED).json()
    assert read["record"] == replay(client, OWN).json()["record"]
    assert read["remarks"] == ["3 comments left out", "2 signs of judgement left out"]
    foreign = '[White\u00a0 "wanda"]\n[Black "bolek"]\n\n1. 7 (1. 0 (or 1. 1 {far}) 4) 0 {a } 2. 0 $2 7! 3. 11 0-1\n'
    read = replay(client, foreign, game="paper-soccer-1").json()
    assert (read["outcome"]["winner"], read["record"]["tags"]["Yellow"]) == ("yellow", "bolek")
    assert read["remarks"] == ["1 comment left out", "2 signs of judgement left out", "1 variation left out"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{PASTED}yellow so\nyellow hop hop", "line 10: a line is a side"),
        (f"{OWN}yellow {{ open", "line 6: what '{' begins has no end"),
        ('[Game "paper-soccer"]\n1. 0 (\n1. 1', "line 2: what '(' begins has no end"),
    ],
)
def test_a_fault_in_what_was_pasted_names_its_line(client, text, words):
    response = replay(client, text)
    assert response.status_code == 400
    assert words in response.json()["detail"]


def test_a_text_without_its_game_is_read_by_the_game_that_can(client):
    read = replay(client, '[White "wanda"]\n\n1. 7 0 2. 0 7', game="soccer-tactics").json()
    assert read["game"].startswith("paper-soccer")
    assert read["remarks"] == [f"The text names no game that is played here. It can be read as {read['title']}"]
    refused = replay(client, OWN.replace("streetsoccer-online", "chess").replace("@g10", "@z99"), game="soccer-tactics")
    assert refused.status_code in (400, 422)


def test_of_several_matches_in_a_text_one_is_chosen(client):
    second = '[White "ola"]\n[Black "ewa"]\n[Date "2026.11.28"]\n[Round "1"]\n\n1. 0 *\n'
    points = (
        '[Game "paper-soccer"]\n[Round "1"]\n[Yellow "jan"]\n\n1. 0 0 2. 0 0 3. 0 0 0-1\n\n[Round "2"]\n\n1. 1 *\n\n'
    )
    text = points + second
    first = replay(client, text).json()
    assert (first["number"], first["matches"]) == (1, ["1. jan - ?", "2. ewa - ola, 2026.11.28"])
    assert first["last"]["stage"].startswith("point 2")
    body = {"text": text, "game": "paper-soccer-1", "number": 2}
    read = client.post("/api/v1/replays/", body, content_type="application/json").json()
    assert (read["game"], read["number"], read["last"]["ply"]) == ("paper-soccer-1", 2, 2)
    refused = client.post("/api/v1/replays/", {**body, "number": 3}, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"]) == (400, "the text has 2 matches")
    page = client.post("/replay/", {"text": text, "game": "paper-soccer-1", "number": 2})
    assert (page.context["replay"].number, page.context["total"]) == (2, 2)
    assert 'name="number"' in page.content.decode()


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
        moves: list[Any] = []
        while state.turn and len(moves) < 12:
            rolls = state.chance()
            text = rolls[0].text if rolls else state.legal_moves()[0]
            moves.append(Move(state.turn, text))
            state = state.play(text)
        read = replay(client, write_record(Record({"Game": game.key}, tuple(moves)))).json()
        assert read["last"]["position"] == str(state)


def test_steps_sent_one_by_one_are_one_turn_in_the_text(client, match):
    stepwise = act(act(act(match, "1"), "6"), "4")
    assert stepwise.side == stepwise.moves.last().actor
    act(stepwise, "3")
    text = client.get(f"/api/v1/matches/{match.pk}/texts/turns/").content.decode()
    assert text.rstrip().endswith(("1. 1 6 2. 43 *", "1. 5 2 2. 07 *"))


def long_record():
    """Return a match of Paper Soccer, each step of it a move."""
    return playout("paper-soccer", 3).record


def test_an_answer_holds_so_many_positions_and_says_where_to_go_on(client):
    record = long_record()
    states = playout("paper-soccer", 3).states
    assert len(record.moves) > 2 * MAX_POSITIONS

    found, first = [], 0
    while first is not None:
        body = {"text": write_record(record), "first_ply": first}
        read = client.post("/api/v1/replays/", body, content_type="application/json").json()
        assert len(read["positions"]) <= MAX_POSITIONS
        assert read["last"]["position"] == str(states[-1])
        found += read["positions"]
        first = read["next_ply"]
    assert [place["ply"] for place in found] == list(range(len(states)))
    assert [place["position"] for place in found] == [str(state) for state in states]


def test_the_json_twin_is_read_as_a_record_and_as_a_text(client, match):
    match = play_randomly(match, until=9)
    twin = client.get(f"/api/v1/matches/{match.pk}/record/?format=json")
    read = client.post("/api/v1/replays/", {"record": twin.json()}, content_type="application/json").json()

    assert (read["game"], read["last"]["position"]) == (match.game, match.position)
    assert read["record"] == twin.json()
    assert replay(client, twin.content.decode()).json() == read


def test_either_a_text_or_a_record_is_wanted(client):
    both = {"text": "1. 0", "record": record_to_json(long_record())}
    for body in ({"game": "paper-soccer"}, both):
        response = client.post("/api/v1/replays/", body, content_type="application/json")
        assert (response.status_code, response.json()["detail"]) == (400, "Send either a text or a record.")


def test_more_moves_and_rolls_than_any_match_has_are_refused(client):
    tie = [{"actor": "chance", "text": "3"}]
    record = {"tags": {"Game": "streetsoccer-board"}, "moves": tie * 6_001}
    response = client.post("/api/v1/replays/", {"record": record}, content_type="application/json")

    assert (response.status_code, response.json()["code"]) == (422, "too_many_plies")
    assert response.json()["detail"] == "The text has 6001 moves and rolls; Kickabout replays at most 6000."


def test_a_result_that_the_turns_contradict_is_remarked(client):
    text = '[White "wanda"]\n[Black "bolek"]\n[Result "1-0"]\n\n1. 7 0 2. 0 7 3. 11 1-0\n'
    read = replay(client, text, game="paper-soccer-1").json()

    assert read["remarks"] == ["game 1: the result is given as 1-0, but the turns give 0-1"]
    assert (read["outcome"]["winner"], read["record"]["tags"]["Yellow"]) == ("yellow", "bolek")


def test_page_and_api_share_a_rate(client, settings):
    set_rate(settings, "replays", "2/min")
    form = {"game": "paper-soccer-1", "text": POINT}

    assert (replay(client, POINT).status_code, client.post("/replay/", form).status_code) == (200, 200)
    refused = client.post("/replay/", form)
    assert (refused.status_code, 1 <= int(refused["Retry-After"]) <= 60) == (429, True)
    assert replay(client, POINT).status_code == 429
    assert client.get("/replay/").status_code == 200


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command with files of these contents; return its status, and what it printed."""

    def run(*texts, game=""):
        files = []
        for number, text in enumerate(texts):
            file = tmp_path / f"{number}.txt"
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
            files.append(str(file))
        try:
            call_command("replay_text", *files, game=game)
            status = ""
        except CommandError as error:
            status = str(error)
        printed = capsys.readouterr()
        return status, (printed.out + printed.err).replace(f"{tmp_path}/", "").splitlines()

    return run


def test_the_command_says_what_became_of_each_text(run):
    wrong = '[White "wanda"]\n[Black "bolek"]\n[Result "1-0"]\n\n1. 7 0 2. 0 7 3. 11 1-0\n'
    points = (playout("paper-soccer-1", seed).record for seed in range(20))
    played = next(record for record in points if replay_record(record).score.yellow)
    twin = json.dumps(record_to_json(played))
    status, lines = run(wrong, twin, "1. 0 4", b"\xff", "{", game="paper-soccer-1")

    assert status == "3 of 5 texts refused"
    assert sorted(lines) == sorted(
        [
            "0.txt: Paper Soccer (one point), bolek - wanda, 6 plies, 1-0, won by yellow",
            "  remark: game 1: the result is given as 1-0, but the turns give 0-1",
            f"1.txt: Paper Soccer (one point), anna - piotr, {len(played.moves)} plies, 1-0, won by yellow",
            "2.txt: P4: game 1, turn 2: there is already a line from e7 to e6",
            "3.txt: this is no UTF-8",
            "4.txt: line 1: what '{' begins has no end",
        ]
    )
    assert run("1. 7 0 2. 0 7 3. 11 0-1", game="paper-soccer-1")[0] == ""
