"""Looking ahead and back from the match page."""

import pytest

from matches.models import Match
from matches.services import resign
from rules_engine.values import Side
from tests.matches.play import YELLOW_SET_UP, act, play_to_a_goal, set_up, stored
from tests.rules_engine.soccer_tactics.players import CORNER

pytestmark = pytest.mark.django_db


def test_an_action_is_looked_ahead_with_the_steps_of_the_next(client_of, anna, begin):
    match = begin()
    before = stored(match)
    ahead = client_of(anna).get(f"/matches/{match.pk}/ahead/", {"text": ["@d1", "@d5"]}).json()
    drawing = ahead["drawing"]
    assert [drawing["figures"][f"yellow-{number}"] for number in (1, 2, 3)] == ["d1", "d5", None]
    assert (drawing["labels"]["d1"], drawing["waiting"][0]) == (
        "yellow goalie 1",
        {"figure": "yellow-3", "side": "yellow", "label": "yellow player 3"},
    )
    assert "c3" in {step["space"] for step in ahead["steps"][""]}
    assert stored(match) == before


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
    ("text", "status", "code", "rule"),
    [("@a1", 422, "illegal_move", "S4"), ("hop", 400, "invalid_notation", None)],
)
def test_what_cannot_be_played_is_refused(client_of, anna, begin, text, status, code, rule):
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
    back = client.get(f"/matches/{match.pk}/back/{goal.ply + 1}/").json()
    assert (back["actor"], back["text"], sum(back["score"].values())) == (goal.actor, goal.text, 1)
    corner = back["trail"]["lines"][-1][2].split()[-1]
    assert corner in {f"{x},{y}" for x in (320, 350, 450, 480) for y in (50, 1150)}


def test_looking_back_to_a_roll_gives_no_way(client, begin):
    match = set_up(begin())
    roll = match.moves.filter(actor="chance").first()
    back = client.get(f"/matches/{match.pk}/back/{roll.ply + 1}/").json()
    assert (back["actor"], back["trail"]) == ("chance", None)


def test_the_beginning_is_looked_back_at_too(client, begin):
    back = client.get(f"/matches/{act(begin(), YELLOW_SET_UP).pk}/back/0/").json()
    assert (back["ply"], back["actor"], back["stage"]) == (0, None, "set-up")


def test_nobody_looks_back_further_than_the_match_has_come(client, begin):
    assert client.get(f"/matches/{begin().pk}/back/1/").status_code == 404
