"""The matches' endpoints."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match
from matches.services import resign
from matches.services.adjudication import annul_match
from players.services import ensure_computer
from rules_engine.description import summarise
from rules_engine.record_formats import read_record, record_to_json, replay_record
from tests.matches.conftest import NOON, SEED
from tests.matches.play import YELLOW_SET_UP, act, play_randomly, set_up

NOBODY = None


@pytest.fixture
def match(begin):
    return set_up(begin(now=timezone.now() - timedelta(hours=1)))


def test_a_match_shows_everything_that_a_player_needs(match, client_of):
    state, player = match.state, match.player_to_act
    body = client_of(player).get(f"/api/v1/matches/{match.pk}/").json()
    moves = body.pop("moves")
    picture = body.pop("picture")
    assert body == {
        "id": match.pk,
        "url": f"/matches/{match.pk}/",
        "game": "streetsoccer-board",
        "title": "StreetSoccer (full set-up)",
        "status": "playing",
        "players": {
            "yellow": {"username": "anna", "is_computer": False, "is_guest": False},
            "red": {"username": "piotr", "is_computer": False, "is_guest": False},
        },
        "turn": match.side,
        "you": match.side,
        "ply": match.ply,
        "stage": state.stage,
        "in_words": list(summarise(state)),
        "task": state.task,
        "score": {"yellow": 0, "red": 0},
        "roll": moves[-1]["text"],
        "deadline": stamp(match.deadline),
        "clocks": {"yellow": {"bank": 864_000.0, "held": 0.0}, "red": {"bank": 864_000.0, "held": 0.0}},
        "turn_started_at": stamp(match.turn_started_at),
        "paused_at": None,
        "vacation": {"allowed": True, "limit": None},
        "time_control": {"bank": 864_000, "increment": 129_600, "cap": 864_000},
        "position": match.position,
        "legal_moves": list(state.legal_moves()),
        "by_hand": False,
        "dice": {"commitment": match.commitment, "seed": None},
        "outcome": None,
        "match_points": None,
        "is_rated": False,
        "competition": None,
        "rematch_of": None,
        "created_at": stamp(match.created_at),
        "finished_at": None,
        "annulled_at": None,
        "corrected_at": None,
        "offer": None,
        "take_backs": 0,
        "taken_back": [],
        "by_decision": False,
    }
    assert moves[0] == {
        "ply": 0,
        "actor": "yellow",
        "text": YELLOW_SET_UP,
        "played_at": stamp(match.created_at + timedelta(minutes=1)),
        "thinking": 60_000,
        "is_drawn": False,
        "by_itself": False,
        "allowance": 0,
    }
    assert [move["ply"] for move in moves] == list(range(match.ply))
    assert len(picture["spaces"]) == 8 * 12
    assert len(picture["figures"]) == 10


def stamp(moment: Any) -> str:
    return str(moment.isoformat().replace("+00:00", "Z"))


def test_legal_moves_are_for_the_player_to_act(match, client_of, carla):
    waiting = match.red if match.side == "yellow" else match.yellow
    for viewer in (NOBODY, carla, waiting):
        body = client_of(viewer).get(f"/api/v1/matches/{match.pk}/").json()
        assert body["legal_moves"] == []
        assert body["turn"] == match.side


def test_a_finished_match_shows_its_result_and_its_seed(begin, client_of):
    match = play_randomly(begin())
    body = client_of(NOBODY).get(f"/api/v1/matches/{match.pk}/").json()
    assert (body["status"], body["turn"], body["deadline"], body["roll"]) == ("finished", None, None, None)
    assert body["legal_moves"] == []
    assert body["outcome"] == {
        "winner": match.winner or None,
        "ending": str(match.ending),
        "score": {"yellow": match.score_yellow, "red": match.score_red},
    }
    assert body["match_points"] == {"yellow": match.points_yellow, "red": match.points_red}
    assert body["dice"]["seed"] == SEED.hex()


def test_an_annulled_match_says_so_under_another_tag(begin, client_of, anna):
    match = resign(match_id=begin().pk, player=anna, now=NOON)
    client, url = client_of(NOBODY), f"/api/v1/matches/{match.pk}/"
    etag = client.get(url)["ETag"]
    annul_match(match_id=match.pk, now=NOON + timedelta(hours=1))
    body = client.get(url, headers={"If-None-Match": etag}).json()
    assert (body["annulled_at"], body["outcome"]["winner"]) == ("2026-11-01T13:00:00Z", "red")
    (listed,) = client.get("/api/v1/matches/").json()["results"]
    assert listed["annulled_at"] == body["annulled_at"]


def test_an_unchanged_match_is_not_sent_twice(match, client_of):
    client = client_of(match.player_to_act)
    url = f"/api/v1/matches/{match.pk}/"
    etag = client.get(url)["ETag"]
    again = client.get(url, headers={"If-None-Match": etag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    assert {"Authorization", "Cookie"} <= set(again["Vary"].split(", "))
    act(match, now=timezone.now())
    changed = client.get(url, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed["ETag"] != etag


def test_each_viewer_has_their_own_entity_tag(match, client_of):
    url = f"/api/v1/matches/{match.pk}/"
    tags = {client_of(viewer).get(url)["ETag"] for viewer in (match.yellow, match.red, NOBODY)}
    assert len(tags) == 3


def test_a_move_is_answered_with_the_move_and_the_match(match, client_of):
    player, text = match.player_to_act, match.state.legal_moves()[0]
    response = client_of(player).post(f"/api/v1/matches/{match.pk}/moves/", {"ply": match.ply, "text": text})
    assert response.status_code == 201
    body = response.json()
    assert (body["move"]["ply"], body["move"]["text"], body["move"]["actor"]) == (match.ply, text, match.side)
    assert body["match"] == client_of(player).get(f"/api/v1/matches/{match.pk}/").json()


@pytest.mark.parametrize("preferred", ["return=minimal", "respond-async, Return=Minimal; wait=3"])
def test_a_client_that_prefers_a_minimal_answer_gets_what_a_list_shows(preferred, match, client_of):
    player, text = match.player_to_act, match.state.legal_moves()[0]
    url, move = f"/api/v1/matches/{match.pk}/moves/", {"ply": match.ply, "text": text}
    response = client_of(player).post(url, move, headers={"Prefer": preferred})
    assert (response.status_code, response["Preference-Applied"]) == (201, "return=minimal")
    (listed,) = client_of(player).get("/api/v1/matches/", {"ids": match.pk}).json()["results"]
    whole = client_of(player).post(url, move, headers={"Prefer": "return=representation"})
    assert response.json() == {"move": whole.json()["move"], "summary": listed}
    again = client_of(player).post(url, move, headers={"Prefer": preferred})
    assert (again.status_code, again.json()) == (200, response.json())


def test_the_steps_lead_to_every_legal_move_and_to_nothing_else(match, client_of):
    client, url = client_of(NOBODY), f"/api/v1/matches/{match.pk}/steps/"
    tree = client.get(url, {"all": 1}).json()
    assert tree["ply"] == match.ply
    final = {step["text"] for steps in tree["steps"].values() for step in steps if step["final"]}
    assert final == set(match.state.legal_moves())
    for prefix, steps in tree["steps"].items():
        assert client.get(url, {"prefix": prefix}).json() == {"ply": match.ply, "prefix": prefix, "steps": steps}


def test_the_tree_says_how_a_whole_set_up_can_go_on(begin, client_of):
    url = f"/api/v1/matches/{begin().pk}/steps/"
    placing = client_of(NOBODY).get(url, {"all": 1}).json()["placing"]
    first = placing["stages"][0]
    assert first["task"] == "Place your goalie on one of your keeper spaces."
    ((group, following),) = first["then"].items()
    assert [step["text"] for step in placing["groups"][int(group)]] == ["@d1", "@e1"]
    assert placing["stages"][following]["task"] == "Place player 2."
    assert {None} < {number for stage in placing["stages"] for number in stage["then"].values()}


@pytest.mark.parametrize("what", ["paused", "resigned"])
def test_there_are_no_steps_where_nobody_may_act(what, match, client_of):
    if what == "paused":
        Match.objects.filter(pk=match.pk).update(paused_at=match.turn_started_at)
    else:
        resign(match_id=match.pk, player=match.yellow, now=match.turn_started_at)
    client, url = client_of(match.yellow), f"/api/v1/matches/{match.pk}/steps/"
    assert client.get(url, {"all": 1}).json() == {"ply": match.ply, "steps": {}, "placing": None}
    assert client.get(url).json() == {"ply": match.ply, "prefix": "", "steps": []}


def test_a_tree_of_steps_that_would_be_too_large_has_its_first_clicks_only(match, client_of, monkeypatch):
    monkeypatch.setattr("matches.schemas.steps.MAX_STEPS", 3)
    match = play_randomly(match, until=match.ply + 3)
    tree = client_of(NOBODY).get(f"/api/v1/matches/{match.pk}/steps/", {"all": 1}).json()
    assert list(tree["steps"]) == [""]


def test_a_route_of_a_move_can_be_asked_for(match, client_of):
    client, url = client_of(NOBODY), f"/api/v1/matches/{match.pk}/route/"
    move = match.state.legal_moves()[0]
    route = client.get(url, {"text": move}).json()
    assert route["kick"][-1] == move.removeprefix(">")
    assert client.get(url, {"text": "b1-b9"}).status_code == 422
    assert client.get(url, {"text": "over there"}).json()["code"] == "invalid_notation"
    assert client.get(url).status_code == 400


def test_every_position_of_a_match_can_be_asked_for(match, client_of):
    client = client_of(NOBODY)
    positions = [client.get(f"/api/v1/matches/{match.pk}/positions/{ply}/").json() for ply in range(match.ply + 1)]
    assert [position["ply"] for position in positions] == list(range(match.ply + 1))
    assert positions[0]["position"] == str(match.rules.start())
    assert positions[-1]["position"] == match.position
    assert positions[-1]["picture"] == client.get(f"/api/v1/matches/{match.pk}/").json()["picture"]
    for beyond in (match.ply + 1, 10**40):
        assert client.get(f"/api/v1/matches/{match.pk}/positions/{beyond}/").status_code == 404


def test_the_record_can_be_had_as_text_and_as_json(begin, client_of):
    match = play_randomly(begin())
    client, url = client_of(NOBODY), f"/api/v1/matches/{match.pk}/record/"
    text = client.get(url)
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text["Content-Disposition"] == f'attachment; filename="kickabout-{match.pk}.txt"'
    record = read_record(text.content.decode())
    for response in (client.get(url, {"format": "json"}), client.get(url, headers={"Accept": "application/json"})):
        assert response["Content-Type"] == "application/json"
        assert response.json() == record_to_json(record)
    assert str(replay_record(record)) == match.position
    assert record.tags["Match"] == str(match.pk)
    assert (record.tags["Commitment"], record.tags["Seed"]) == (match.commitment, SEED.hex())
    assert record.tags["Points"] == f"{match.points_yellow}-{match.points_red}"


def test_the_record_of_a_running_match_keeps_the_seed_secret(match, client_of):
    body = client_of(NOBODY).get(f"/api/v1/matches/{match.pk}/record/", {"format": "json"}).json()
    assert set(body["tags"]) == set("Game Match Yellow Red Date Bank Increment Cap Commitment".split())
    assert len(body["moves"]) == match.ply


def test_a_record_that_does_not_exist_is_a_problem_whatever_was_asked_for(client_of, db):
    for accept in ("text/plain", "application/json", "*/*"):
        response = client_of(NOBODY).get("/api/v1/matches/9/record/", headers={"Accept": accept})
        assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
        assert json.loads(response.content)["code"] == "not_found"


def test_the_dice_are_proved_once_the_match_is_over(begin, client_of):
    match = set_up(begin())
    client, url = client_of(NOBODY), f"/api/v1/matches/{match.pk}/dice/"
    open_proof = client.get(url).json()
    assert (open_proof["seed"], open_proof["commitment"]) == (None, match.commitment)
    assert [(roll["digest"], roll["holds"]) for roll in open_proof["rolls"]] == [(None, None)] * match.rolls
    resign(match_id=match.pk, player=match.yellow, now=match.last_move_at)
    proof = client.get(url).json()
    assert proof["seed"] == SEED.hex()
    assert [roll["holds"] for roll in proof["rolls"]] == [True] * match.rolls
    assert [roll["message"] for roll in proof["rolls"]] == [roll["message"] for roll in open_proof["rolls"]]


def test_resigning_and_playing_again_over_the_api(match, client_of):
    yellow, red = client_of(match.yellow), client_of(match.red)
    body = yellow.post(f"/api/v1/matches/{match.pk}/resign/").json()
    assert (body["status"], body["outcome"]["winner"]) == ("finished", "red")
    assert body["match_points"] == {"yellow": 0, "red": 5}
    offer = yellow.post(f"/api/v1/matches/{match.pk}/rematch/").json()
    assert (offer["status"], offer["match"], offer["rematch_of"]) == ("open", None, match.pk)
    accepted = red.post(f"/api/v1/matches/{match.pk}/rematch/").json()
    assert (accepted["id"], accepted["status"]) == (offer["id"], "taken")
    rematch = yellow.get(f"/api/v1/matches/{accepted['match']}/").json()
    assert (rematch["you"], rematch["rematch_of"]) == ("red", match.pk)


@pytest.fixture
def several(begin, anna):
    """Return a finished match, and two running ones of different games."""
    now = timezone.now()
    finished = resign(match_id=begin(now=now).pk, player=anna, now=now)
    return [finished, begin("streetsoccer-online", now=now), begin(now=now)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, [2, 1, 0]),
        ({"player": "ANNA"}, [2, 1, 0]),
        ({"player": "nobody-here"}, []),
        ({"player": "carla"}, []),
        ({"status": "finished"}, [0]),
        ({"status": "playing", "game": "streetsoccer-online"}, [1]),
        ({"game": "chess"}, []),
    ],
)
def test_matches_are_listed_by_what_is_asked_for(query, found, several, client_of, carla):
    body = client_of(NOBODY).get("/api/v1/matches/", query).json()
    assert [match["id"] for match in body["results"]] == [several[index].pk for index in found]


def test_the_matches_that_wait_for_the_caller_come_by_deadline_in_pages(client_of, begin, anna, piotr):
    now = timezone.now()
    slow, quick, theirs, slower = (begin(now=now + timedelta(hours=hours)) for hours in (2, 1, 0, 3))
    act(theirs, YELLOW_SET_UP)
    paused = begin(now=now)
    Match.objects.filter(pk=paused.pk).update(paused_at=now)
    client = client_of(anna)
    first = client.get("/api/v1/matches/?turn=me&order=deadline&limit=2").json()
    rest = client.get(first["next"]).json()
    assert [[each["id"] for each in page["results"]] for page in (first, rest)] == [[quick.pk, slow.pk], [slower.pk]]
    assert (rest["next"], client.get(rest["previous"]).json()["results"]) == (None, first["results"])
    newest = client.get("/api/v1/matches/?turn=me").json()["results"]
    assert [each["id"] for each in newest] == [slower.pk, quick.pk, slow.pk]
    waiting = client_of(piotr).get("/api/v1/matches/?turn=me&order=deadline&player=anna").json()["results"]
    assert [each["id"] for each in waiting] == [theirs.pk]
    assert client_of(NOBODY).get("/api/v1/matches/?turn=me").status_code == 401


def test_many_matches_are_read_by_one_request(several, client_of):
    ids = ",".join(str(match.pk) for match in several[:2])
    body = client_of(several[1].yellow).get("/api/v1/matches/", {"ids": f"{ids},999999"}).json()
    whole = client_of(several[1].yellow).get(f"/api/v1/matches/{several[1].pk}/").json()
    assert {match["id"] for match in body["results"]} == {match.pk for match in several[:2]}
    summary = next(match for match in body["results"] if match["id"] == several[1].pk)
    assert summary == {name: whole[name] for name in summary}


def test_a_list_comes_in_pages(several, client_of):
    client = client_of(NOBODY)
    first = client.get("/api/v1/matches/", {"limit": 2}).json()
    second = client.get(first["next"]).json()
    assert [len(page["results"]) for page in (first, second)] == [2, 1]
    assert second["next"] is None
    assert client.get(second["previous"]).json()["results"] == first["results"]


@pytest.mark.parametrize(
    "query",
    [
        *"turn=anna turn= order=deadline order=oldest turn=me&order=deadline&cursor=cD0x".split(),
        *"ids=1,x ids=, ids=-1 ids=%D9%A1 ids=1%00 status=won player=%00".split(),
        *(f"ids={'9' * 40}", "ids=" + ",".join(["1"] * 101), f"player={'x' * 21}"),
    ],
)
def test_a_query_that_makes_no_sense_is_a_problem_of_the_client(query, client_of, anna):
    response = client_of(anna).get(f"/api/v1/matches/?{query}")
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")


def test_games_are_listed(client_of, db):
    games = client_of(NOBODY).get("/api/v1/games/").json()
    assert {game["key"]: (game["family"], game["title"]) for game in games} == {
        "streetsoccer-board": ("streetsoccer", "StreetSoccer (full set-up)"),
        "streetsoccer-online": ("streetsoccer", "StreetSoccer (quick set-up)"),
        "paper-soccer": ("paper-soccer", "Paper Soccer (first to 3)"),
        "paper-soccer-1": ("paper-soccer", "Paper Soccer (one point)"),
        "soccer-tactics": ("soccer-tactics", "Soccer Tactics"),
        "soccer-tactics-advanced": ("soccer-tactics", "Soccer Tactics (advanced)"),
        "soccer-tactics-20": ("soccer-tactics", "Soccer Tactics (20 minutes)"),
        "soccer-tactics-90": ("soccer-tactics", "Soccer Tactics (90 minutes)"),
        "soccer-tactics-90-advanced": ("soccer-tactics", "Soccer Tactics (90 minutes, advanced)"),
    }


def test_a_seek_is_opened_listed_and_taken(client_of, anna, piotr):
    wanted = {"game": "streetsoccer-online", "colour": "red", "time_control": {"bank": 300, "increment": 5}}
    opened = client_of(anna).post("/api/v1/seeks/", wanted)
    assert opened.status_code == 201
    seek = opened.json()
    assert seek["time_control"] == {"bank": 300, "increment": 5, "cap": 300}
    assert client_of(piotr).get("/api/v1/seeks/").json()["results"] == [seek | {"why_casual": None}]
    taken = client_of(piotr).post(f"/api/v1/seeks/{seek['id']}/take/")
    assert taken.status_code == 201
    assert (taken.json()["you"], taken.json()["game"]) == ("yellow", "streetsoccer-online")
    assert taken.json() == client_of(piotr).get(f"/api/v1/matches/{taken.json()['id']}/").json()
    assert client_of(anna).get("/api/v1/seeks/").json()["results"] == []
    (now,) = client_of(anna).get("/api/v1/seeks/", {"status": "taken"}).json()["results"]
    assert now["match"] == taken.json()["id"]


def test_a_seek_has_the_correspondence_clock_unless_it_names_another(client_of, anna):
    seek = client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board"}).json()
    assert seek["time_control"] == {"bank": 864_000, "increment": 129_600, "cap": 864_000}
    assert seek["colour"] == "random"


def test_an_invitation_can_be_declined_and_withdrawn(client_of, anna, piotr):
    invitation = {"game": "streetsoccer-board", "invited": "Piotr"}
    first, second = (client_of(anna).post("/api/v1/seeks/", invitation).json() for _ in range(2))
    assert first["invited"]["username"] == "piotr"
    assert client_of(NOBODY).get("/api/v1/seeks/").json()["results"] == []
    declined = client_of(piotr).post(f"/api/v1/seeks/{first['id']}/decline/").json()
    withdrawn = client_of(anna).post(f"/api/v1/seeks/{second['id']}/withdraw/").json()
    assert (declined["status"], withdrawn["status"]) == ("declined", "withdrawn")


def test_a_seek_is_read_by_everybody_who_may_see_it_whatever_became_of_it(client_of, anna, piotr, carla):
    public = client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board"}).json()["id"]
    match = client_of(piotr).post(f"/api/v1/seeks/{public}/take/").json()["id"]
    for viewer in (None, carla):
        seek = client_of(viewer).get(f"/api/v1/seeks/{public}/").json()
        assert (seek["id"], seek["status"], seek["match"]) == (public, "taken", match)


def test_the_computer_is_invited_like_anybody_and_starts_at_once(client_of, anna):
    ensure_computer(level="club", now=timezone.now())
    wish = {"game": "streetsoccer-board", "colour": "yellow", "invited": "computer-club"}
    seek = client_of(anna).post("/api/v1/seeks/", wish).json()
    assert seek["status"] == "taken"
    match = client_of(anna).get(f"/api/v1/matches/{seek['match']}/").json()
    assert match["players"]["red"] == {"username": "computer-club", "is_computer": True, "is_guest": False}


@pytest.mark.parametrize(
    ("wish", "status", "problem"),
    [
        ({"game": "chess"}, 400, {"code": "unknown_game"}),
        ({"invited": "nobody-here"}, 400, {"code": "unknown_player"}),
        ({"invited": "anna"}, 409, {"code": "own_seek"}),
        ({"colour": "blue"}, 400, {"code": "invalid"}),
        (
            {"time_control": {"bank": 60, "cap": 59}},
            400,
            {"code": "invalid_time_control", "reason": "cap_out_of_range", "parameters": {"days": 366}},
        ),
        (
            {"time_control": {"bank": 60, "increment": 61, "cap": 120}},
            400,
            {"code": "invalid_time_control", "reason": "increment_above_bank"},
        ),
    ],
)
def test_a_seek_that_makes_no_sense_is_refused_and_programs_are_told_why(wish, status, problem, client_of, anna):
    response = client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board", **wish})
    said = {name: value for name, value in response.json().items() if name in {"code", "reason", "parameters"}}
    assert (response.status_code, said) == (status, problem)


def test_a_write_with_the_same_key_is_done_once(client_of, anna, piotr):
    wanted, headers = {"game": "streetsoccer-board"}, {"Idempotency-Key": "a-key"}
    first, again = (client_of(anna).post("/api/v1/seeks/", wanted, headers=headers) for _ in range(2))
    assert (again.status_code, again.json()) == (first.status_code, first.json()) == (201, first.json())
    other = client_of(piotr).post("/api/v1/seeks/", wanted, headers=headers)
    assert other.json()["id"] != first.json()["id"]


def test_a_key_is_not_taken_for_another_request(client_of, anna):
    headers = {"Idempotency-Key": "a-key"}
    client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board"}, headers=headers)
    response = client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-online"}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, "idempotency_key_reused")


def test_a_refused_request_does_not_use_up_its_key(client_of, anna, begin):
    match, headers = begin(now=timezone.now()), {"Idempotency-Key": "a-key"}
    client, url = client_of(anna), f"/api/v1/matches/{match.pk}/rematch/"
    assert client.post(url, headers=headers).status_code == 409
    resign(match_id=match.pk, player=anna, now=timezone.now())
    assert client.post(url, headers=headers).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "ö"])
def test_a_key_that_cannot_be_kept_is_refused(key, client_of, anna):
    response = client_of(anna).post("/api/v1/seeks/", {"game": "streetsoccer-board"}, headers={"Idempotency-Key": key})
    assert (response.status_code, response.json()["code"]) == (400, "invalid_idempotency_key")
