"""A summary stored beside a position lets a long one be read as fast as a short one: it is believed only if it fits."""

from unittest.mock import patch

import pytest
import time_machine

from matches.models import Match
from matches.services.verification import verify_match
from rules_engine.paper_soccer import game as paper_soccer
from rules_engine.registry import GAMES
from tests.matches.conftest import NOON
from tests.matches.play import act, play_randomly, reread

LINES = 20


@pytest.fixture
def point(begin):
    """Play some lines of a point."""
    return play_randomly(begin("paper-soccer-1"), until=LINES)


def summarise(match: Match, summary: str) -> Match:
    """Return the match after another summary of its position was stored."""
    Match.objects.filter(pk=match.pk).update(position_summary=summary)
    return reread(match)


@pytest.mark.parametrize("game", GAMES)
def test_each_move_stores_the_summary_of_its_position(game, begin):
    match = play_randomly(begin(game), until=12)
    assert reread(match).position_summary == match.rules.read(match.position).summary


@time_machine.travel(NOON)
def test_requests_for_a_running_match_do_not_follow_its_lines(point, client, client_of):
    player, url = point.player_to_act, f"/api/v1/matches/{point.pk}/"
    assert client.get(point.get_absolute_url()).status_code == 200
    api, move = client_of(player), {"ply": point.ply, "text": point.state.legal_moves()[0]}
    with patch.object(paper_soccer, "follow_turns") as follow_turns:
        assert client.get(point.get_absolute_url()).status_code == 200
        assert api.get(url).json()["position"] == point.position
        assert api.get(f"{url}steps/").status_code == 200
        assert api.post(f"{url}moves/", move, format="json").status_code == 201
    follow_turns.assert_not_called()


@pytest.mark.parametrize("summary", ["", "nonsense", "red 62 1", "red 62 1 00000000"])
def test_a_damaged_summary_is_not_believed(summary, point):
    damaged = summarise(point, summary)
    assert (damaged.state, damaged.position) == (point.state, point.position)
    after = act(damaged)
    assert after.state == point.state.play(point.state.legal_moves()[0])
    assert reread(after).position_summary == after.state.summary


def test_a_summary_that_contradicts_the_moves_is_found(point):
    other = summarise(point, "red 62 1 00000000")
    assert verify_match(match=other) == [
        f"position_summary is red 62 1 00000000, but the moves give {point.state.summary}."
    ]


def test_a_match_of_before_without_a_summary_is_borne_out(point):
    assert verify_match(match=reread(point)) == []
    assert verify_match(match=summarise(point, "")) == []


def test_nobody_is_shown_the_summary(point, client, client_of):
    pages = [point.get_absolute_url(), f"{point.get_absolute_url()}panels/"]
    endpoints = [f"/api/v1/matches/{point.pk}/{part}" for part in ("", "record/", "steps/")]
    shown = [client.get(url) for url in pages] + [client_of(point.yellow).get(url) for url in endpoints]
    assert [response.status_code for response in shown] == [200] * 5
    drawn = point.position_summary.split()[2]
    assert not any(drawn in response.content.decode() for response in shown)
