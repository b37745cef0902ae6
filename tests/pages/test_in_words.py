"""Pages say positions and moves in words to those who do not see the board."""

import html
import re
from typing import Any

from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, play_to_a_goal, set_up
from tests.pages.html import data_of
from tests.pages.stretches import look_back


def words_of(response):
    """Return the sentences about the position that a page lists."""
    found = re.search(r'<ul id="in-words">(.*?)</ul>', response.content.decode(), re.DOTALL)
    return re.findall("<li>(.*?)</li>", html.unescape(found[1]))


def test_the_match_page_says_who_stands_where_the_ball_the_score_and_whose_turn_it_is(client, begin):
    response = client.get(act(begin(), YELLOW_SET_UP).get_absolute_url())
    assert words_of(response) == data_of(response)["match"]["in_words"]
    assert words_of(response) == [
        "Set-up. Yellow 0, Red 0. It is Red's turn.",
        "Yellow: goalie on d1, 2 on c3, 3 on d5, 4 on f7 and 5 on g4.",
        "Red has no players on the board.",
        "The ball is not in play.",
    ]
    named = re.search(r'<svg class="board[^>]*aria-label="([^"]*)"', response.content.decode(), re.DOTALL)
    assert named[1] == "Board, set-up, 0 to 0"


def test_the_position_that_is_looked_back_to_is_the_one_that_is_described(client, begin):
    match = act(begin(), YELLOW_SET_UP)
    assert words_of(client.get(f"{match.get_absolute_url()}?ply=0"))[1] == "Yellow has no players on the board."


def test_looking_back_describes_the_position_and_what_led_to_it(client, begin):
    match = play_to_a_goal(set_up(begin()))
    goal = match.moves.filter(text__endswith="goal").get()
    back = look_back(client, match, goal.ply + 1)
    score = back["score"]
    assert re.search(rf"scores(, then is moved to \w+)?\. {score['yellow']} to {score['red']}\.$", back["sentence"])
    assert back["in_words"][0].startswith(f"Minute {back['stage'].split()[-1]}. Yellow {score['yellow']}, Red")
    assert look_back(client, match, 0)["sentence"] == ""


def test_each_move_of_the_list_is_a_sentence_for_who_has_it_read_aloud(client, begin):
    content = client.get(set_up(begin()).get_absolute_url()).content.decode()
    listed = re.search(r'id="moves".*?</table>', content, re.DOTALL)[0]
    spoken = re.findall(
        r'<span class="mono" aria-hidden="true">(.*?)</span><span class="visually-hidden">(.*?)</span>', listed
    )
    assert spoken == [
        (
            YELLOW_SET_UP,
            "Yellow places the goalie on d1, player 2 on c3, player 3 on d5, player 4 on f7 and player 5 on g4.",
        ),
        (
            RED_SET_UP,
            "Red places the goalie on e10, player 2 on c8, player 3 on e6, player 4 on c4 and player 5 on f9.",
        ),
    ]


def test_a_text_that_is_replayed_is_described_too(client, db):
    response = client.post("/replay/", {"game": "paper-soccer-1", "text": "1. 1 6 2. 43"})
    assert words_of(response)[1] == "The ball is on f5. 4 lines have been drawn."
    positions = data_of(response)["positions"]
    assert [position["sentence"] for position in positions] == [
        "",
        "The coin decides: Yellow begins.",
        "Yellow draws from e6 to f7.",
        "Red draws from f7 to e7.",
        "Yellow draws from e7 via e6 to f5.",
    ]
    said: list[Any] = []
    for position in positions:
        said = [sentence or said[at] for at, sentence in enumerate(position["in_words"])]
    assert said == words_of(response)
