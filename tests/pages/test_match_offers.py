"""Aborting and offers on the match page, for its players and for scripts."""

import pytest

from matches.models import OfferKind
from matches.services import accept_offer, make_offer
from matches.services.verification import verify_match
from rules_engine.record_formats import read_record, replay_record
from tests.matches.play import act, reread
from tests.pages.html import text_of

pytestmark = pytest.mark.django_db

TAKE_BACK, DRAW, CANCEL, ABORT = "take back your last turn", "Offer a draw", "cancel the match", "Abort"


@pytest.fixture
def match(begin):
    return begin("paper-soccer")


def offered(client, match):
    """Return which of the buttons are there."""
    text = text_of(client.get(f"/matches/{match.pk}/"))
    return {label for label in (TAKE_BACK, DRAW, CANCEL, ABORT) if label in text}


def test_players_see_what_they_can_do_and_nobody_else_anything(begin, match, client_of, anna, piotr, carla):
    assert offered(client_of(anna), match) == {CANCEL, ABORT}
    assert offered(client_of(anna), begin("streetsoccer-board")) == {CANCEL, ABORT, DRAW}
    assert offered(client_of(anna), begin("paper-soccer", competition=1)) == set()
    mover = match.player_to_act
    moved = act(match)
    assert offered(client_of(mover), match) == {CANCEL, ABORT, TAKE_BACK}
    assert offered(client_of(moved.player_to_act), match) == {CANCEL, ABORT}
    act(moved)
    assert ABORT not in offered(client_of(mover), match)
    assert offered(client_of(carla), match) == set()
    assert not client_of(carla).get(f"/matches/{match.pk}/offer/state/").content.strip()


def test_an_offer_is_shown_to_both_and_accepted_by_the_other(begin, client_of, anna, piotr):
    match = begin("streetsoccer-board")
    assert client_of(anna).post(f"/matches/{match.pk}/offer/", {"kind": "draw"}).status_code == 302
    assert "You have offered a draw." in text_of(client_of(anna).get(f"/matches/{match.pk}/"))
    assert "anna offers a draw." in text_of(client_of(piotr).get(f"/matches/{match.pk}/offer/state/"))
    updates = client_of(piotr).get(f"/matches/{match.pk}/updates/?since=0").json()
    assert updates["match"]["offer"] == {"kind": "draw", "by": "yellow"}
    client_of(piotr).post(f"/matches/{match.pk}/offer/accept/", {"kind": "draw"})
    assert "A draw by agreement." in text_of(client_of(anna).get(f"/matches/{match.pk}/"))


def test_a_cancelled_match_says_so_everywhere(match, client_of, anna):
    client_of(anna).post(f"/matches/{match.pk}/abort/")
    page = text_of(client_of(anna).get(f"/matches/{match.pk}/"))
    assert "The match was cancelled" in page
    assert "Match points" not in page
    assert "cancelled" in text_of(client_of(anna).get("/"))


def test_the_record_keeps_a_turn_that_was_taken_back_and_can_be_replayed(match, client_of):
    asking = match.player_to_act
    moved = act(match)
    taken = moved.moves.latest("ply").text
    at = moved.last_move_at
    make_offer(match_id=match.pk, player=asking, kind=OfferKind.TAKE_BACK, now=at)
    before = client_of(asking).get(f"/api/v1/matches/{match.pk}/").json()
    accept_offer(match_id=match.pk, player=moved.player_to_act, kind=OfferKind.TAKE_BACK, now=at)
    act(reread(match), match.state.legal_moves()[-1], now=at)
    client = client_of(asking)
    after = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert (before["take_backs"], after["take_backs"], after["ply"]) == (0, 1, before["ply"])
    assert [(turn["side"], turn["moves"]) for turn in after["taken_back"]] == [(match.side, [taken])]
    record = read_record(client.get(f"/api/v1/matches/{match.pk}/record/?format=txt").text)
    assert record.tags["TakenBack"] == f"{match.ply} {match.side} {taken}"
    assert str(replay_record(record)) == after["position"]
    assert "1 turn, which the record keeps" in text_of(client.get(f"/matches/{match.pk}/"))
    assert verify_match(match=reread(match)) == []
