"""Aborting a match, and offers: to cancel it, a draw, to take back a turn."""

import random
from datetime import timedelta

import pytest

from matches.clock import TimeControl
from matches.errors import AbortNotPossible, MatchOver, NoSuchOffer, NotYourMatch, OfferNotPossible
from matches.games import decision_control
from matches.models import Match, OfferKind, Status
from matches.services import abort, accept_offer, decline_offer, make_offer
from matches.services.site_pauses import complete_site_pauses, give_time_back
from matches.services.verification import verify_match
from players.models import Player
from players.services import ensure_computer
from rules_engine.registry import GAMES
from rules_engine.values import BySide, Ending, Side
from tests.matches.conftest import NOON
from tests.matches.play import act, begin_match, reread
from tournaments.models import RatingChange
from tournaments.running.services.settlement import settle_match

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def rated(anna, piotr):
    return begin_match(anna, piotr, is_rated=True)


def test_a_match_is_aborted_before_both_have_moved_and_counts_nowhere(rated, anna, piotr):
    act(rated, now=NOON)
    aborted = abort(match_id=rated.pk, player=piotr, now=LATER)
    assert (aborted.status, aborted.ending, aborted.winner) == (Status.FINISHED, Ending.CANCELLED, "")
    assert (aborted.finished_at, aborted.annulled_at, aborted.points) == (LATER, LATER, BySide(0, 0))
    assert abort(match_id=rated.pk, player=anna, now=LATER + timedelta(hours=1)).finished_at == LATER
    assert verify_match(match=reread(rated)) == []
    settle_match(match_id=rated.pk, now=LATER)
    assert not RatingChange.objects.exists()


def test_who_may_abort_and_until_when(rated, anna, carla):
    with pytest.raises(NotYourMatch):
        abort(match_id=rated.pk, player=carla, now=NOON)
    while len({move.actor for move in rated.moves.all()} - {"chance"}) < 2:
        rated = act(rated, now=NOON)
    with pytest.raises(AbortNotPossible):
        abort(match_id=rated.pk, player=anna, now=NOON)
    of_cup = begin_match(anna, carla, competition=1)
    with pytest.raises(AbortNotPossible):
        abort(match_id=of_cup.pk, player=anna, now=NOON)


@pytest.mark.parametrize(
    ("kind", "ending", "points"),
    [(OfferKind.DRAW, Ending.AGREEMENT, BySide(2, 2)), (OfferKind.CANCEL, Ending.CANCELLED, BySide(0, 0))],
)
def test_what_both_want_ends_the_match_at_that_moment(rated, anna, piotr, kind, ending, points):
    offered = make_offer(match_id=rated.pk, player=anna, kind=kind, now=NOON)
    assert offered.standing_offer == (kind, "yellow")
    with pytest.raises(NoSuchOffer):
        accept_offer(match_id=rated.pk, player=anna, kind=kind, now=NOON)
    ended = accept_offer(match_id=rated.pk, player=piotr, kind=kind, now=LATER)
    assert (ended.ending, ended.winner, ended.finished_at, ended.points) == (ending, "", LATER, points)
    assert bool(ended.annulled_at) is (kind is OfferKind.CANCEL)
    assert verify_match(match=reread(rated)) == []
    with pytest.raises(MatchOver):
        make_offer(match_id=rated.pk, player=anna, kind=kind, now=LATER)


def test_the_same_offer_by_both_is_an_agreement(rated, anna, piotr):
    make_offer(match_id=rated.pk, player=piotr, kind=OfferKind.DRAW, now=NOON)
    assert make_offer(match_id=rated.pk, player=anna, kind=OfferKind.DRAW, now=NOON).ending == Ending.AGREEMENT


def test_an_offer_stands_until_the_next_move_or_until_it_is_declined(rated, anna, piotr):
    make_offer(match_id=rated.pk, player=piotr, kind=OfferKind.DRAW, now=NOON)
    moved = act(rated, now=NOON)
    assert moved.standing_offer is None
    with pytest.raises(NoSuchOffer):
        accept_offer(match_id=rated.pk, player=anna, kind=OfferKind.DRAW, now=NOON)
    for decliner in (anna, piotr):
        make_offer(match_id=rated.pk, player=anna, kind=OfferKind.CANCEL, now=NOON)
        assert decline_offer(match_id=rated.pk, player=decliner, now=NOON).standing_offer is None
        with pytest.raises(NoSuchOffer):
            accept_offer(match_id=rated.pk, player=piotr, kind=OfferKind.CANCEL, now=NOON)


def test_nothing_is_offered_that_cannot_be(anna, piotr, rated):
    refused = [
        (rated, OfferKind.TAKE_BACK),
        (begin_match(anna, piotr, game="paper-soccer"), OfferKind.DRAW),
        (begin_match(anna, piotr, competition=1), OfferKind.CANCEL),
        (begin_match(anna, ensure_computer(level="club", now=NOON)), OfferKind.CANCEL),
        (begin_match(anna, piotr), OfferKind.TAKE_BACK),
    ]
    for match, kind in refused:
        with pytest.raises(OfferNotPossible):
            make_offer(match_id=match.pk, player=anna, kind=kind, now=NOON)


class TestTakeBack:
    """A match of Paper Soccer with 60 seconds and 30 more a turn, at most 80, in which a coin has been tossed."""

    @pytest.fixture
    def match(self, anna: Player, piotr: Player) -> Match:
        return begin_match(anna, piotr, game="paper-soccer", time_control=TimeControl.of_seconds(60, 30, 80))

    def take_back(self, match: Match, side: str, seconds: int) -> Match:
        asking = getattr(match, side)
        other = match.players[match.side_of(asking.pk).opponent]
        at = NOON + timedelta(seconds=seconds)
        make_offer(match_id=match.pk, player=asking, kind=OfferKind.TAKE_BACK, now=at)
        return accept_offer(match_id=match.pk, player=other, kind=OfferKind.TAKE_BACK, now=at)

    def test_the_turn_is_played_again_with_the_time_that_was_left(self, match: Match) -> None:
        first = Side(match.side)
        moved = act(match, now=NOON + timedelta(seconds=20))
        assert moved.side != first
        back = self.take_back(match, first, 25)
        assert (back.ply, back.position, back.chain, back.side) == (match.ply, match.position, match.chain, first)
        assert back.banks[first].total_seconds() == 40
        assert back.banks[first.opponent].total_seconds() == 55
        assert (back.deadline, back.take_backs) == (NOON + timedelta(seconds=65), 1)
        assert verify_match(match=reread(match)) == []
        again = act(back, now=NOON + timedelta(seconds=30))
        assert again.banks[first].total_seconds() == 65
        assert verify_match(match=reread(match)) == []

    def test_a_pause_of_the_site_is_given_back_to_whose_clock_ran(self, match: Match) -> None:
        first = Side(match.side)
        act(match, now=NOON + timedelta(seconds=20))
        self.take_back(match, first, 25)
        span = {"begins_at": NOON + timedelta(seconds=10), "ends_at": NOON + timedelta(seconds=22)}
        give_time_back(**span, reason="", actor=None, now=NOON + timedelta(seconds=26))
        complete_site_pauses(now=NOON + timedelta(seconds=26))
        given = reread(match)
        assert [given.banks[side].total_seconds() for side in (first, first.opponent)] == [50, 57]
        assert verify_match(match=given) == []

    @pytest.mark.parametrize("key", sorted(GAMES))
    def test_matches_with_turns_that_were_taken_back_are_sound(self, anna: Player, piotr: Player, key: str) -> None:
        source = random.Random(key)
        control = decision_control(key) or TimeControl.of_seconds(60, 30, 80)
        match, seconds = begin_match(anna, piotr, game=key, time_control=control), 0
        while match.status == Status.PLAYING and seconds < 50:
            seconds += 1
            match = act(match, source.choice(match.state.legal_moves()), now=NOON + timedelta(seconds=seconds))
            last = match.moves.latest("ply").actor
            if match.side and last != "chance" and source.random() < 0.5:
                match = self.take_back(match, last, seconds)
        assert match.take_backs
        assert verify_match(match=reread(match)) == []
