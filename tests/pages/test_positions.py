"""Looking ahead and back from the match page."""

import gzip
import json
from hashlib import sha256
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Actor, Match, Move
from matches.selectors.replay import Stage, replay
from matches.services import resign
from matches.views.position_changes import positions_to_json, start_to_json
from matches.views.positions import POSITIONS_VERSION, STRETCH_LENGTH, positions_version
from rules_engine.registry import get_game
from rules_engine.values import Nature, Side
from tests.matches.play import YELLOW_SET_UP, act, play_at_once, play_to_a_goal, reread, set_up, unchanged
from tests.pages.stretches import complete_all, look_back, stretch_url
from tests.rules_engine.soccer_tactics.players import CORNER

pytestmark = pytest.mark.django_db

MAX_BYTES = 16_000
MAX_COMPRESSED = 2_500

WRITTEN = {
    "streetsoccer-board": "edfdb311113314f7",
    "paper-soccer-1": "03b74450c3722bd1",
    "soccer-tactics": "79fc22f070af8d55",
}
"""The first digits of the SHA-256 of the positions of a match played by chance."""


def test_an_action_is_looked_ahead_with_the_steps_of_the_next(client_of, anna, begin):
    match = begin()
    with unchanged(match):
        ahead = client_of(anna).get(f"/matches/{match.pk}/ahead/", {"text": ["@d1", "@d5"]}).json()
    drawing = ahead["drawing"]
    assert [drawing["figures"][f"yellow-{number}"] for number in (1, 2, 3)] == ["d1", "d5", None]
    assert (drawing["labels"]["d1"], drawing["waiting"][0]) == (
        "yellow goalie 1",
        {"figure": "yellow-3", "side": "yellow", "label": "yellow player 3"},
    )
    assert "c3" in {step["space"] for step in ahead["steps"][""]}


def test_the_last_action_of_a_turn_has_no_steps_after_it_and_no_dice(client_of, anna, begin):
    match = begin()
    actions = ["@d1", "@c3", "@d5", "@f7", "@g4"]
    ahead = client_of(anna).get(f"/matches/{match.pk}/ahead/", {"text": actions}).json()
    assert (ahead["steps"], ahead["trail"]["lines"]) == ({}, [])
    assert [ahead["drawing"]["figures"][f"yellow-{number}"] for number in range(1, 6)] == [text[1:] for text in actions]


def test_steps_that_were_left_out_are_those_after_the_actions_before(client_of, anna, begin):
    match = begin("soccer-tactics")
    Match.objects.filter(pk=match.pk).update(position=CORNER, side=Side.YELLOW)
    tree, asked = (
        client_of(anna).get(f"/matches/{match.pk}/ahead/", {"text": "@d1", **more}).json()["steps"]
        for more in ({}, {"prefix": "b2"})
    )
    assert ("b2" in {step["space"] for step in tree[""]}, "b2" in tree) == (True, False)
    assert asked.keys() == {"b2"}
    assert {"text": "b2-c3", "space": "c3", "final": True, "label": None} in asked["b2"]


def test_an_own_goal_has_no_steps_after_it_although_the_same_coach_begins_anew(client_of, begin):
    match = begin("paper-soccer")
    unlucky = Side(match.side).opponent
    home = "0" if unlucky is Side.RED else "4"
    for _turn in range(5):
        match = act(match, home)
    ahead = client_of(match.players[unlucky]).get(f"/matches/{match.pk}/ahead/", {"text": home}).json()
    assert match.state.play(home).turn == unlucky
    assert (ahead["steps"], ahead["drawing"]["lines"]) == ({}, [])


def test_a_kick_is_looked_ahead_with_its_trail(client_of, begin):
    match = set_up(begin())
    player = match.player_to_act
    text = match.state.legal_moves()[0]
    ahead = client_of(player).get(f"/matches/{match.pk}/ahead/", {"text": text}).json()
    [(kind, piece, _points)] = ahead["trail"]["lines"]
    assert (kind, piece, ahead["trail"]["ends"]) == ("kick", "ball", [text[1:]])


@pytest.mark.parametrize(
    ("text", "status", "code", "rule"), [("@a1", 422, "illegal_move", "S4"), ("hop", 400, "invalid_notation", None)]
)
def test_a_text_that_cannot_be_played_is_refused(client_of, anna, begin, text, status, code, rule):
    url = f"/matches/{begin().pk}/ahead/"
    response = client_of(anna).get(url, {"text": text}, headers={"accept": "application/json"})
    problem = response.json()
    assert (response.status_code, problem["code"], problem.get("rule")) == (status, code, rule)


def test_nobody_looks_ahead_for_others(client, client_of, piotr, begin):
    url = f"/matches/{begin().pk}/ahead/"
    assert client.get(url, {"text": "@d1"}).status_code == 409
    assert client_of(piotr).get(url, {"text": "@d1"}).status_code == 409


def test_nobody_looks_ahead_where_nobody_may_act(client_of, anna, begin):
    paused, resigned = begin(), begin()
    Match.objects.filter(pk=paused.pk).update(paused_at=paused.turn_started_at)
    resign(match_id=resigned.pk, player=anna, now=resigned.turn_started_at)
    for match, code in ((paused, "match_paused"), (resigned, "match_over")):
        url = f"/matches/{match.pk}/ahead/"
        refused = client_of(anna).get(url, {"text": "@d1"}, headers={"accept": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (409, code)
        assert client_of(anna).get(url).json()["steps"] == {}


def test_looking_back_gives_the_position_and_the_way_of_the_last_move(client, begin):
    match = play_to_a_goal(set_up(begin()))
    goal = match.moves.filter(text__endswith="goal").get()
    back = look_back(client, match, goal.ply + 1)
    assert (sum(back["score"].values()), "scores" in back["sentence"]) == (1, True)
    corner = back["trail"]["lines"][-1][2].split()[-1]
    assert corner in {f"{x},{y}" for x in (320, 350, 450, 480) for y in (50, 1150)}


def test_looking_back_to_a_roll_gives_no_way(client, begin):
    match = set_up(begin())
    roll = match.moves.filter(actor="chance").first()
    back = look_back(client, match, roll.ply + 1)
    assert (back["trail"], "roll" in back["sentence"]) == (None, True)


def test_the_beginning_is_looked_back_at_too(client, begin):
    back = look_back(client, act(begin(), YELLOW_SET_UP), 0)
    assert (back["ply"], back["sentence"], back["stage"]) == (0, "", "set-up")


@pytest.mark.parametrize("game", ["streetsoccer-board", "paper-soccer-1", "soccer-tactics"])
def test_differences_between_positions_lead_to_each_as_it_is_sent_alone(client, begin, game):
    match = play_at_once(begin(game), until=STRETCH_LENGTH + 10)
    alone = [start_to_json(match.rules.start())]
    for stage in replay(match, match.moves.all()):
        alone += complete_all(positions_to_json(match.rules, [stage], from_complete=True))
    whole = [look_back(client, match, ply) for ply in range(0, match.ply + 1, 3)]
    assert whole == json.loads(json.dumps(alone[::3]))


@pytest.mark.parametrize(("first", "last"), [(1, 0), (0, STRETCH_LENGTH), (STRETCH_LENGTH - 1, STRETCH_LENGTH)])
def test_no_positions_are_sent_beyond_a_stretch(client, begin, first, last):
    match = play_at_once(begin(), until=STRETCH_LENGTH + 1)
    assert client.get(stretch_url(match, first, last)).status_code == 404


def test_nobody_looks_back_further_than_the_match_has_come(client, begin):
    assert client.get(stretch_url(begin(), 0, 1)).status_code == 404


def test_browsers_keep_positions_for_good_which_have_a_url_of_their_own(client, begin):
    match, other = act(begin(), YELLOW_SET_UP), begin()
    Match.objects.filter(pk=other.pk).update(commitment="0" * 64)
    urls = [stretch_url(each, 0, 0) for each in (match, reread(other))]
    assert [url.split("/")[-3] for url in urls] == [positions_version(match), "1-0000000000000000-0"]
    found = client.get(urls[0])
    control = {part.strip() for part in found["Cache-Control"].split(",")}
    assert control == {"private", "max-age=31536000", "immutable"}
    client.force_login(match.yellow)
    assert client.get(urls[0])["Cache-Control"] == found["Cache-Control"]
    match = set_up(begin())
    before = client.get(stretch_url(match, 0, 2))
    assert client.get(stretch_url(act(match), 0, 2)).content == before.content


def test_positions_by_the_url_of_another_version_are_not_kept(client, begin):
    match = act(begin(), YELLOW_SET_UP)
    url = stretch_url(match, 0, 1)
    other = client.get(url.replace(positions_version(match), "0-before"))
    assert other.json() == client.get(url).json()
    assert other["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(("game", "digest"), WRITTEN.items())
def test_positions_that_are_written_in_another_way_have_another_version(game, digest):
    """Browsers keep them for good: a change of how they are written raises ``POSITIONS_VERSION``, and then this."""
    rules, source = get_game(game), Random(1)
    state = rules.start()
    stages: list[Stage] = []
    while state.turn is not None and len(stages) < 60:
        is_roll = state.turn is Nature.CHANCE
        texts = [roll.text for roll in state.chance()] if is_roll else list(state.legal_moves())
        move = Move(ply=len(stages), actor=Actor.CHANCE if is_roll else state.turn, text=source.choice(texts))
        stages.append(Stage(move, state, state.play(move.text)))
        state = stages[-1].after
    positions = [start_to_json(rules.start()), *positions_to_json(rules, stages, from_complete=True)]
    written = sha256(json.dumps(positions).encode()).hexdigest()
    assert (POSITIONS_VERSION, written[:16]) == (1, digest)


def test_a_stretch_takes_two_queries_and_few_bytes(client, begin):
    match = play_at_once(begin(), until=3 * STRETCH_LENGTH)
    with CaptureQueriesContext(connection) as captured:
        found = client.get(stretch_url(match, STRETCH_LENGTH, 2 * STRETCH_LENGTH - 1))
    assert len(captured) == 2
    assert len(found.content) <= MAX_BYTES
    assert len(gzip.compress(found.content)) <= MAX_COMPRESSED
