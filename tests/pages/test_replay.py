"""The page on which the text of a match is looked at."""

import json
from typing import Any

import pytest

from matches.views.board import drawing_to_json
from rules_engine.record_formats import write_record
from tests.pages.html import data_of, text_of
from tests.rules_engine.playouts import playout

pytestmark = pytest.mark.django_db

TEXT = '[Game "paper-soccer"]\n[White "piotr"]\n[Black "anna"]\n[Result "0-1"]\n\n1. 0 0 2. 0 0 3. 0 0 0-1\n'


def look(client, text=TEXT, **more):
    return client.post("/replay/", {"game": "streetsoccer-board", "text": text, **more})


def test_a_text_is_shown_with_its_last_position_its_players_and_its_moves(client):
    response = look(client)
    context = response.context
    assert (context["total"], context["score"].yellow, context["names"]) == (7, 1, {"yellow": "anna", "red": "piotr"})
    assert [[entry.text for entry in cell] for row in context["rows"][:1] for cell in row.cells] == [["0"], ["0"]]
    assert "point 2" in text_of(response)


def test_every_position_can_be_shown_without_a_script(client):
    response = look(client, ply=3)
    assert (response.context["shown_ply"], response.context["stage"]) == (3, "point 1, turn 3")
    assert [line.side for line in response.context["board"].lines] == ["yellow", "red"]


def test_the_goal_that_ended_a_point_is_seen_although_the_next_has_begun(client):
    positions = data_of(look(client))["positions"]
    drawings = [place["drawing"] for place in positions]
    assert [(drawing["kept"], len(drawing["lines"])) for drawing in drawings[1:]] == [
        (0, 0),
        *((drawn, 1) for drawn in range(6)),
    ]
    assert (drawings[-1]["ball"], drawings[-1]["labels"]["e12"]) == ("e12", "ball, Red’s goal")


@pytest.mark.parametrize(
    ("text", "status", "sentence"),
    [
        ('[Game "paper-soccer"]\n\n0 4', 422, "P4: game 1, turn 2"),
        ("hop", 400, "line 1"),
        ("", 400, "This field is required."),
    ],
)
def test_the_page_explains_beside_the_text_why_it_cannot_be_played(client, text, status, sentence):
    response = look(client, text)
    assert response.status_code == status
    assert sentence in text_of(response)


def test_the_form_is_had_for_a_game(client):
    response = client.get("/replay/", {"game": "paper-soccer-1"})
    assert response.context["form"]["game"].value() == "paper-soccer-1"
    assert "replay" not in response.context


def test_the_form_leads_to_what_a_record_is(client):
    page = client.get("/replay/").content.decode()
    assert '<a href="/rules/records/">record</a>' in page
    assert client.get("/rules/records/").status_code == 200


@pytest.mark.parametrize("game", ["paper-soccer", "streetsoccer-online"])
def test_every_drawing_can_be_put_together_from_what_differs(client, game):
    played = playout(game, 0)
    positions = data_of(look(client, write_record(played.record)))["positions"]
    drawing: dict[str, Any] = {"figures": {}, "labels": {}, "lines": []}
    for place, state in zip(positions, played.states, strict=True):
        change = place["drawing"]
        for name in ("figures", "labels"):
            change[name] = drawing[name] | change.get(name, {})
        change["lines"] = drawing["lines"][: change.pop("kept", 0)] + change["lines"]
        drawing |= change
        if state.picture().segments or not drawing["lines"]:
            assert drawing == json.loads(json.dumps(drawing_to_json(state.picture())))


def test_differences_between_the_text_and_its_turns_are_shown(client):
    response = look(client, TEXT.replace("0-1", "1-0"), game="paper-soccer")
    assert "Game 1: the result is given as 1-0, but the turns give 0-1." in text_of(response)
    assert "differently" not in text_of(look(client))


def test_a_page_grows_with_the_match_and_not_with_its_square(client):
    record = max((playout("paper-soccer", seed).record for seed in range(8)), key=lambda each: len(each.moves))
    text = write_record(record)
    assert len(look(client, text).content) < 200 * len(text)
