"""Nobody starts a match with a closed account, in whatever way."""

from datetime import timedelta

import pytest

from matches.models import Colour, Match, Seek
from matches.selectors.seeks import open_seeks
from matches.services import resign, take_seek
from matches.services.computer_moves import play_against_computer, take_waiting_seeks
from matches.services.rematches import offer_rematch
from players.errors import AccountClosed
from players.models import Player
from tests.matches.conftest import NOON
from tests.matches.play import seek_of


def close(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False)
    player.refresh_from_db()


def test_a_seek_of_a_closed_account_is_neither_shown_nor_taken(anna, piotr):
    seek = seek_of(anna)
    close(anna)
    assert not open_seeks(piotr).exists()
    with pytest.raises(AccountClosed, match="anna is closed"):
        take_seek(seek_id=seek.pk, player=piotr, now=NOON)
    assert not Match.objects.exists()


@pytest.fixture
def finished(begin, anna):
    return resign(match_id=begin().pk, player=anna, now=NOON)


WAYS = {
    "take a seek": lambda match: take_seek(seek_id=Seek.objects.get().pk, player=match.red, now=NOON),
    "open a seek": lambda match: seek_of(match.red),
    "be invited": lambda match: seek_of(match.yellow, invited=match.red),
    "be offered a rematch": lambda match: offer_rematch(match_id=match.pk, player=match.yellow, now=NOON),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_closed_account_comes_into_no_match(way, finished, anna, piotr):
    seek_of(anna)
    close(piotr)
    with pytest.raises(AccountClosed, match="piotr is closed"):
        way(Match.objects.select_related("yellow", "red").get())


def test_an_offer_of_a_rematch_by_a_closed_account_is_not_accepted(finished, anna, piotr):
    offer_rematch(match_id=finished.pk, player=piotr, now=NOON)
    close(piotr)
    with pytest.raises(AccountClosed):
        offer_rematch(match_id=finished.pk, player=anna, now=NOON)
    assert Match.objects.count() == 1


def test_no_computer_takes_a_seek_of_a_closed_account(anna):
    seek_of(anna, admits_computers=True)
    close(anna)
    assert take_waiting_seeks(now=NOON + timedelta(hours=1)) == 0


def test_a_computer_that_was_switched_off_plays_nobody(anna):
    seek_of(anna, admits_computers=True)
    Player.objects.filter(is_computer=True).update(is_active=False)
    assert take_waiting_seeks(now=NOON + timedelta(hours=1)) == 0
    with pytest.raises(AccountClosed):
        play_against_computer(player=anna, game="streetsoccer-board", colour=Colour.RANDOM, now=NOON)


def test_the_page_of_a_match_offers_no_rematch_with_a_closed_account(finished, anna, piotr, client):
    client.force_login(anna)
    assert "Rematch, sides swapped" in client.get(finished.get_absolute_url()).content.decode()
    close(piotr)
    assert "Rematch, sides swapped" not in client.get(finished.get_absolute_url()).content.decode()
