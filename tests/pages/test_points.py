"""Pages of a match of several points, on whose board lines are drawn in play."""

import pytest

from matches.models import Match
from tests.matches.play import act
from tests.pages.html import data_of, text_of
from tests.pages.stretches import look_back

pytestmark = pytest.mark.django_db

BOUNCE = ["1", "6", "43"]
INTO_THE_GOAL = "000000"


def play_all(match, turns):
    for text in turns:
        match = act(match, text)
    return match


@pytest.fixture
def match(begin):
    return begin("paper-soccer")


def page_of(client, match, **query):
    return client.get(match.get_absolute_url(), query)


def test_the_page_draws_the_lines_in_their_order_and_describes_the_last_turn(client, match):
    first = match.side
    match = play_all(match, BOUNCE)
    lines = page_of(client, match).context["board"].lines
    assert [line.side for line in lines] == [first, first.opponent, first, first]
    assert [line.latest for line in lines] == [False, False, True, True]
    assert [(line.x1, line.y1, line.x2, line.y2) for line in lines[:2]] == [(450, 650, 550, 550), (550, 550, 450, 550)]


def test_points_say_in_words_where_the_ball_would_bounce(client, match):
    match = play_all(match, BOUNCE[:1])
    page = page_of(client, match).content.decode()
    assert [f'aria-label="{label}"' in page for label in ("e6, bounces", "f7, ball, bounces", "f6, free")] == [True] * 3
    assert [f'aria-label="{label}"' in page for label in ("a1, wall, bounces", "e12, Red’s goal")] == [True] * 2


def test_the_coin_is_shown_to_whom_it_lets_begin(client_of, match):
    page = client_of(match.player_to_act).get(match.get_absolute_url())
    assert [roll.text for roll in page.context["rolls"]] == [match.side]
    assert f'aria-label="coin: {match.side.capitalize()}"' in page.content.decode()


def test_a_new_point_begins_on_a_clean_board_and_the_old_one_is_looked_back_to(client, match):
    match = play_all(match, INTO_THE_GOAL)
    assert sum(match.state.score) == 1
    now = page_of(client, match)
    assert (len(now.context["board"].lines), now.context["stage"]) == (0, "point 2, turn 1")
    back = look_back(client, match, match.ply)
    assert (len(back["drawing"]["lines"]), back["drawing"]["ball"]) == (6, "e12")
    assert (back["drawing"]["labels"]["e12"], back["drawing"]["labels"]["e7"]) == ("ball, Red’s goal", "bounces")
    assert (back["next"]["lines"], back["next"]["ball"]) == ([], "e6")
    assert look_back(client, match, match.ply - 1)["next"] is None
    match = act(match, "1")
    assert len(page_of(client, match, ply=match.ply - 1).context["board"].lines) == 6


def test_turns_of_both_sides_stand_in_one_row_below_their_point(client, match):
    match = play_all(match, [*INTO_THE_GOAL, "1"])
    rows = page_of(client, match).context["rows"]
    turns = [[len(cell) for cell in row.cells] for row in rows if row.part == "point 1"]
    begun_by_yellow = match.moves.first().text == "yellow"
    assert turns == ([[1, 1]] * 3 if begun_by_yellow else [[0, 1], [1, 1], [1, 1], [1, 0]])
    assert [row.part for row in rows][-1] == "point 2"
    assert "Point 2" in text_of(page_of(client, match))


def test_the_page_leads_to_the_rules_and_the_text_of_its_game(client, match):
    content = page_of(client, match).content.decode()
    assert 'href="/rules/paper-soccer/"' in content
    assert f'href="/api/v1/matches/{match.pk}/texts/turns/"' in content


def test_steps_that_a_large_tree_leaves_out_can_be_asked_for(client_of, match):
    match = play_all(match, BOUNCE[:2])
    client = client_of(match.player_to_act)
    onward = [step for step in data_of(client.get(match.get_absolute_url()))["steps"][""] if not step["final"]]
    assert [step["text"] for step in onward] == ["4"]
    answer = client.get(f"/api/v1/matches/{match.pk}/steps/", {"prefix": "4"}).json()
    assert {step["space"] for step in answer["steps"]} == {"d7", "d6", "d5", "e5", "f5", "f6"}


def test_the_computer_is_played_at_it_like_at_any_game(client):
    response = client.post("/play/", {"game": "paper-soccer-1", "level": "beginner"})
    match = Match.objects.get()
    assert response["Location"] == match.get_absolute_url()
    assert (match.game, match.red.username) == ("paper-soccer-1", "computer-beginner")
    offered = [key for key, _ in client.get("/").context["form"].fields["game"].choices]
    assert {"paper-soccer", "paper-soccer-1"} < set(offered)
