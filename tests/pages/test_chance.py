"""Pages of games that chance plays differently in: dice, a coin, nothing."""

import re

import pytest
from django.utils import timezone

from matches.services import resign
from rules_engine.series import Series
from rules_engine.values import ChanceDevice
from tests.matches.analysed import store_analysis
from tests.matches.play import act, play_at_once, set_up
from tests.pages.html import text_of

pytestmark = pytest.mark.django_db

OF_DICE = re.compile(r"\b(dice|die|rolls?|rolled|luck|lucky)\b", re.IGNORECASE)


def said(response):
    """Return what a page says, without what is for its scripts or is a recipe's code."""
    content = re.sub(r"<(script|template|code)\b.*?</\1>", "", response.content.decode(), flags=re.DOTALL)
    labels = " ".join(re.findall(r'aria-label="([^"]*)"', content))
    return f"{re.sub(r'<[^>]+>', ' ', content)} {labels}"


def pages_of(client, match):
    url = match.get_absolute_url()
    return {path: said(client.get(url + path)) for path in ("", "dice/", "analysis/", "panels/")}


@pytest.mark.parametrize("game", ["paper-soccer", "paper-soccer-1"])
def test_no_page_of_a_game_without_dice_speaks_of_dice(client_of, anna, begin, game):
    client = client_of(anna)
    running = begin(game)
    finished = resign(match_id=act(act(begin(game), "0"), "1").pk, player=anna, now=timezone.now())
    wanted = resign(match_id=begin(game).pk, player=anna, now=timezone.now())
    store_analysis(finished)
    for match in (running, finished, wanted):
        for path, words in pages_of(client, match).items():
            assert (path, OF_DICE.findall(words)) == (path, [])


def test_the_coin_is_checked_as_the_dice_are(client_of, anna, begin):
    client = client_of(anna)
    finished = play_at_once(begin("paper-soccer-1"))
    pages = pages_of(client, finished)
    assert "Check the coin" in pages[""]
    assert "The coin toss is correct" in pages["dice/"]


def test_a_game_without_any_chance_has_nothing_to_check(client_of, anna, begin, monkeypatch):
    monkeypatch.setattr(Series, "chance_device", ChanceDevice.NONE)
    finished = resign(match_id=begin("paper-soccer-1").pk, player=anna, now=timezone.now())
    pages = pages_of(client_of(anna), finished)
    assert "there is nothing to check" in pages["dice/"]
    assert [word for word in ("Check the", "seal") if word in pages[""]] == []


def test_the_pages_of_a_game_with_dice_speak_of_them(client_of, anna, begin):
    client = client_of(anna)
    finished = resign(match_id=set_up(begin()).pk, player=anna, now=timezone.now())
    assert "Check the dice" in text_of(client.get(finished.get_absolute_url()))
    assert "how lucky each roll was" in text_of(client.get(f"{finished.get_absolute_url()}analysis/"))
