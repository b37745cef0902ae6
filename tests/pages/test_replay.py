"""The page on which the text of a match is looked at."""

import pytest

from tests.pages.reading import data_of, text_of

pytestmark = pytest.mark.django_db

TEXT = '[Game "paper-soccer"]\n[White "anna"]\n[Black "piotr"]\n[Result "1-0"]\n\n1. 0 0 2. 0 0 3. 0 0 1-0\n'


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
    assert [segment.side for segment in response.context["board"].segments] == ["yellow", "red"]


def test_the_goal_that_ended_a_point_is_seen_although_the_next_has_begun(client):
    positions = data_of(look(client))["positions"]
    assert [len(place["picture"]["segments"]) for place in positions] == [0, 0, 1, 2, 3, 4, 5, 6]
    assert positions[-1]["picture"]["ball"] == "e12"


@pytest.mark.parametrize(
    ("text", "status", "sentence"),
    [
        ('[Game "paper-soccer"]\n\n0 4', 422, "P4: game 1, turn 2"),
        ("hop", 400, "line 1"),
        ("", 400, "This field is required."),
    ],
)
def test_what_cannot_be_played_is_explained_beside_the_text(client, text, status, sentence):
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
