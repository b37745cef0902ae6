"""Seeks, invitations and rematches."""

from functools import partial

import pytest

from matches.clock import TimeControl
from matches.errors import MatchNotOver, NotYourMatch, NotYourSeek, SeekClosed, SeekNotFound
from matches.models import Colour, Match, SeekStatus
from matches.selectors.seeks import open_seeks, seeks_to_take
from matches.services import decline_seek, offer_rematch, resign, take_seek, withdraw_seek
from players.models import Player
from players.services import ensure_computer
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import seek_of

pytestmark = pytest.mark.both_databases


def test_a_player_who_takes_a_seek_plays_its_creator_on_the_creators_terms(anna, piotr):
    control = TimeControl.of_seconds(300, 5, 600)
    seek = seek_of(anna, game="streetsoccer-online", colour=Colour.RED, time_control=control)
    match = take_seek(seek_id=seek.pk, player=piotr, now=NOON)
    assert (match.yellow, match.red, match.game) == (piotr, anna, "streetsoccer-online")
    assert match.time_control == control
    seek.refresh_from_db()
    assert (seek.status, seek.match) == (SeekStatus.TAKEN, match)


@pytest.mark.parametrize("side", Side)
def test_a_coin_decides_who_is_yellow_where_the_creator_does_not_mind(side, anna, piotr):
    seek = seek_of(anna, colour=Colour.RANDOM)
    match = take_seek(seek_id=seek.pk, player=piotr, now=NOON, toss=lambda: side)
    assert match.players[side] == anna


def test_a_seek_is_taken_once_and_gives_who_takes_it_again_the_same_match(anna, piotr, carla):
    seek = seek_of(anna)
    match = take_seek(seek_id=seek.pk, player=piotr, now=NOON)
    with pytest.raises(SeekClosed):
        take_seek(seek_id=seek.pk, player=carla, now=NOON)
    assert take_seek(seek_id=seek.pk, player=piotr, now=NOON) == match
    assert list(Match.objects.all()) == [match]


def test_only_its_creator_withdraws_a_seek(anna, piotr):
    seek = seek_of(anna)
    with pytest.raises(NotYourSeek):
        withdraw_seek(seek_id=seek.pk, player=piotr)
    assert withdraw_seek(seek_id=seek.pk, player=anna).status == SeekStatus.WITHDRAWN
    assert withdraw_seek(seek_id=seek.pk, player=anna).status == SeekStatus.WITHDRAWN
    with pytest.raises(SeekClosed):
        take_seek(seek_id=seek.pk, player=piotr, now=NOON)


def test_only_the_invited_player_declines(anna, piotr):
    seek = seek_of(anna, invited=piotr)
    with pytest.raises(NotYourSeek):
        decline_seek(seek_id=seek.pk, player=anna)
    assert decline_seek(seek_id=seek.pk, player=piotr).status == SeekStatus.DECLINED
    assert decline_seek(seek_id=seek.pk, player=piotr).status == SeekStatus.DECLINED
    with pytest.raises(SeekClosed):
        withdraw_seek(seek_id=seek.pk, player=anna)


def test_a_taken_seek_is_neither_withdrawn_nor_declined(anna, piotr):
    seek = seek_of(anna, invited=piotr)
    take_seek(seek_id=seek.pk, player=piotr, now=NOON)
    for act, player in ((withdraw_seek, anna), (decline_seek, piotr)):
        with pytest.raises(SeekClosed):
            act(seek_id=seek.pk, player=player)


def test_an_invitation_is_seen_by_its_two_players_only(anna, piotr, carla):
    seek = seek_of(anna, invited=piotr)
    seen = {name: list(open_seeks(name)) for name in (anna, piotr, carla, None)}
    assert seen == {anna: [seek], piotr: [seek], carla: [], None: []}
    for call in (partial(take_seek, now=NOON), withdraw_seek, decline_seek):
        with pytest.raises(SeekNotFound):
            call(seek_id=seek.pk, player=carla)


def test_invitations_come_first_among_the_seeks_to_take(anna, piotr, carla):
    invitation = seek_of(anna, invited=piotr)
    public = [seek_of(anna), seek_of(carla)]
    seek_of(piotr)
    assert list(seeks_to_take(piotr, limit=10)) == [invitation, *reversed(public)]


def test_seeks_of_closed_accounts_take_no_place_from_others(anna, piotr, carla):
    others = [seek_of(carla) for _ in range(2)]
    for _ in range(2):
        seek_of(anna)
    Player.objects.exclude(pk__in=[piotr.pk, carla.pk]).update(is_active=False, closed_at=NOON)
    assert list(seeks_to_take(piotr, limit=2)) == others[::-1]


@pytest.fixture
def finished(begin, piotr):
    return resign(match_id=begin().pk, player=piotr, now=NOON)


def test_a_rematch_swaps_the_sides(finished, anna, piotr):
    offer = offer_rematch(match_id=finished.pk, player=anna, now=NOON)
    assert (offer.invited, offer.colour, offer.status) == (piotr, Colour.RED, SeekStatus.OPEN)
    match = take_seek(seek_id=offer.pk, player=piotr, now=NOON)
    assert (match.yellow, match.red, match.rematch_of) == (piotr, anna, finished)
    assert (match.game, match.time_control) == (finished.game, finished.time_control)


def test_to_offer_a_rematch_again_has_no_effect(finished, anna, piotr):
    offer = offer_rematch(match_id=finished.pk, player=anna, now=NOON)
    assert offer_rematch(match_id=finished.pk, player=anna, now=NOON) == offer
    offer_rematch(match_id=finished.pk, player=piotr, now=NOON)
    for player in (anna, piotr):
        again = offer_rematch(match_id=finished.pk, player=player, now=NOON)
        assert (again, again.status) == (offer, SeekStatus.TAKEN)
    assert Match.objects.count() == 2


def test_after_a_declined_offer_another_may_follow(finished, anna, piotr):
    offer = offer_rematch(match_id=finished.pk, player=anna, now=NOON)
    decline_seek(seek_id=offer.pk, player=piotr)
    assert offer_rematch(match_id=finished.pk, player=anna, now=NOON) != offer


def test_the_computer_always_wants_a_rematch(anna):
    first = seek_of(anna, invited=ensure_computer(level="club", now=NOON)).match
    resign(match_id=first.pk, player=anna, now=NOON)
    rematch = offer_rematch(match_id=first.pk, player=anna, now=NOON).match
    assert (rematch.red, rematch.rematch_of) == (anna, first)


def test_there_is_no_rematch_of_a_match_that_goes_on(begin, anna):
    with pytest.raises(MatchNotOver):
        offer_rematch(match_id=begin().pk, player=anna, now=NOON)


def test_only_its_players_offer_a_rematch(finished, carla):
    with pytest.raises(NotYourMatch):
        offer_rematch(match_id=finished.pk, player=carla, now=NOON)
