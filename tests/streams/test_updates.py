"""A stream brings changes to the pages that show a match: once for all, and the next clicks only to the player."""

from typing import Any

import pytest

from matches.models import Match
from matches.selectors.matches import find_last_turn
from matches.views.updates import update_to_json
from players.models import Player
from streams import updates
from streams.changes import Change, add_updates, read_named
from streams.subscriptions import MatchSubscription, PlayerSubscription
from tests.matches.play import YELLOW_SET_UP, act, set_up
from tests.matches.test_queries import sql_of
from tests.streams.events import parse
from tests.streams.test_schemas import judge


def changed(match: Match, *players: Player) -> Change:
    """Return the match as it is now, with the update that pages of these players are sent."""
    (change,) = add_updates(read_named(match=[match.pk]), {("match", match.pk): {player.pk for player in players}})
    return change


def data(change: Change, player: Player | None, *, updates: bool = True) -> dict[str, Any]:
    subscription = PlayerSubscription(player.pk if player else None, "", [change.subject], updates=updates)
    event = parse(subscription.event_of(change).decode())
    assert event
    return event.data


def test_watchers_are_sent_what_has_happened_and_the_player_to_act_the_next_clicks_too(begin, anna, piotr, carla):
    match = act(act(begin("paper-soccer")))
    to_act = match.player_to_act
    change = changed(match, anna, piotr, carla)
    for player in (anna, piotr, carla, None):
        sent = data(change, player)
        assert (sent["update"]["since"], sent["update"]["match"]["ply"]) == (match.ply - 1, match.ply)
        assert ("steps" in sent) == ("placing" in sent) == (player == to_act)
        assert [position["ply"] for position in sent["update"]["positions"]] == [match.ply]


def test_a_move_that_is_played_while_an_update_is_read_does_not_let_it_begin_earlier(begin):
    read = act(act(begin("paper-soccer")))
    act(Match.objects.get(pk=read.pk))
    assert find_last_turn(read, since=0) == read.ply - 1


def test_the_next_clicks_are_not_made_unless_the_player_to_act_watches(begin, carla):
    match = act(begin("paper-soccer"))
    assert "steps" not in data(changed(match, carla), match.player_to_act)


def test_programs_and_streams_that_do_not_ask_are_sent_no_updates(begin, anna):
    match = act(begin(), YELLOW_SET_UP)
    change = changed(match, anna)
    assert "update" not in data(change, anna, updates=False)
    assert b"update" not in MatchSubscription(match.pk, "").event_of(change)


@pytest.mark.parametrize("game", ["streetsoccer-board", "paper-soccer-1", "soccer-tactics"])
def test_no_event_is_longer_than_3_kb(begin, game):
    match, turns, with_updates = begin(game), 0, 0
    for _turn in range(25):
        match = act(match)
        if (actor := match.player_to_act) is None:
            break
        event = PlayerSubscription(actor.pk, "", [match.pk], updates=True).event_of(changed(match, actor))
        assert len(event) <= 3000
        turns += 1
        with_updates += b'"update"' in event
        assert judge("follow_player", event) == []
    assert with_updates > turns / 2


def test_a_page_asks_for_what_is_too_long(begin, anna, monkeypatch):
    monkeypatch.setattr(updates, "MAX_BYTES", 100)
    sent = data(changed(act(begin(), YELLOW_SET_UP), anna), anna)
    assert ("update" in sent, sent["ply"]) == (False, 1)


def test_an_update_is_made_in_few_queries_however_long_the_match_is(begin):
    match = set_up(begin())
    for _turn in range(20):
        match = act(match)
    changed(match)
    match = act(match)
    change = read_named(match=[match.pk])
    assert len(sql_of(lambda: add_updates(change, {("match", match.pk): set()}))) == 3
    assert sql_of(lambda: update_to_json(match, match.ply - 2)) == []
