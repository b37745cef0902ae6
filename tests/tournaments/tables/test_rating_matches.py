"""Ratings: always those of a replay of all matches, in whatever order they were settled or taken back."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.services.adjudication import adjudicate_match
from players.models import Player, Rating
from players.services.account_closures import deactivate_player, reactivate_player
from rules_engine.values import Side
from tests.matches.locks import do_while_others_come
from tests.tournaments.settled_competitions import FAMILY, HOUR, NOON, make_players, rated, start_rated, stored_tables
from tournaments.entries.services.account_closures import finish_closing
from tournaments.models import RatingChange, RatingCount, RatingDue
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.verification import verify_ratings
from tournaments.tables.selectors.records import count_before, count_listed, place_of, rating_list
from tournaments.tables.services import ratings
from tournaments.tables.services.rating_counts import change_counts, unlist_closed
from tournaments.tables.services.ratings import annul_rated, rate_pending, rate_waiting, recompute_ratings

pytestmark = pytest.mark.django_db

LATE = NOON + 100 * HOUR


def play_rated(players: list[Player], count: int) -> list[int]:
    source = random.Random(3)
    matches = []
    for number in range(count):
        yellow, red = source.sample(players, 2)
        match = start_rated(yellow, red)
        # Two matches each end at the same moment.
        at = NOON + number // 2 * HOUR
        matches.append(adjudicate_match(match_id=match.pk, winner=source.choice([*Side, None]), now=at).pk)
    return matches


def test_every_order_of_settling_rates_as_a_replay_does() -> None:
    matches = play_rated(make_players(5), 24)
    tables = []
    for seed in (None, 1, 2):
        order = matches if seed is None else random.Random(seed).sample(matches, len(matches))
        for number, match_id in enumerate(order):
            settle_match(match_id=match_id, now=LATE)
            if number % 3 == 0:
                rate_pending(family=FAMILY, now=LATE)
        rate_pending(family=FAMILY, now=LATE)
        assert verify_ratings(family=FAMILY) == []
        tables.append((stored_tables()["changes"], list(Rating.objects.order_by("player").values("player", "rating"))))
        Match.objects.update(settled_at=None)
        for model in (RatingChange, Rating, RatingCount):
            model.objects.all().delete()
    assert tables[0] == tables[1] == tables[2]


def test_recomputing_from_nothing_gives_the_very_same_rows() -> None:
    for match_id in play_rated(make_players(5), 20):
        settle_match(match_id=match_id, now=LATE)
        rate_pending(family=FAMILY, now=LATE)
    before = stored_tables()["changes"]
    assert recompute_ratings(family=FAMILY, now=LATE) == 20
    assert stored_tables()["changes"] == before
    assert verify_ratings(family=FAMILY) == []


def test_an_annulled_match_is_as_if_it_had_never_been_played() -> None:
    players = make_players(4)
    matches = play_rated(players, 16)
    for match_id in matches:
        settle_match(match_id=match_id, now=LATE)
    rate_pending(family=FAMILY, now=LATE)
    for match_id in (matches[0], matches[7], matches[15]):
        annul_rated(match_id=match_id, now=LATE)
        annul_rated(match_id=match_id, now=LATE)
    rate_pending(family=FAMILY, now=LATE)
    assert RatingChange.objects.count() == 26
    assert verify_ratings(family=FAMILY) == []


def test_a_match_that_is_annulled_before_it_is_rated_is_never_rated() -> None:
    anna, piotr = make_players(2)
    match = adjudicate_match(match_id=start_rated(anna, piotr).pk, winner=Side.RED, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    annul_rated(match_id=match.pk, now=NOON)
    assert rate_pending(family=FAMILY, now=NOON) == 0
    assert not RatingDue.objects.exists()


def test_one_more_match_costs_the_same_after_few_and_after_many() -> None:
    players = make_players(4)
    matches = play_rated(players, 30)
    costs = []
    for stop in (3, 30):
        for match_id in matches[:stop]:
            settle_match(match_id=match_id, now=LATE)
        rate_pending(family=FAMILY, now=LATE)
        match = adjudicate_match(match_id=start_rated(players[0], players[1]).pk, winner=None, now=LATE + stop * HOUR)
        settle_match(match_id=match.pk, now=LATE)
        with CaptureQueriesContext(connection) as captured:
            assert rate_pending(family=FAMILY, now=LATE) == 1
        costs.append(len(captured))
    assert costs[0] == costs[1] <= 16


def test_a_family_that_cannot_be_rated_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, piotr = make_players(2)
    match = adjudicate_match(match_id=start_rated(anna, piotr).pk, winner=Side.RED, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    RatingDue.objects.create(family="a-broken-game", match=match)
    really = ratings.rate_pending

    def rate(*, family: str, **given: object) -> int:
        if family == "a-broken-game":
            raise RuntimeError("no such game")
        return really(family=family, now=NOON)

    monkeypatch.setattr(ratings, "rate_pending", rate)
    assert rate_waiting(now=NOON) == 1


def places() -> dict[str, int]:
    """Return the place of everybody who is in the list, and make sure that it is that in the list."""
    listed = list(rating_list(FAMILY))
    assert [count_before(each) for each in listed] == list(range(count_listed(FAMILY)))
    for each in listed:
        assert place_of(each) == 1 + sum(other.rating > each.rating for other in listed)
    return {each.player.username: place_of(each) for each in listed}


def test_places_count_those_who_have_a_higher_rating() -> None:
    one, two, three = make_players(3)
    rated(one, two, Side.YELLOW)
    assert places() == {str(one): 1, str(two): 2}
    rated(two, three, None, NOON + HOUR)
    rated(three, one, Side.YELLOW, NOON + 2 * HOUR)
    assert sorted(places().values()) == [1, 2, 3]


def test_equal_ratings_have_one_place_and_a_row_each() -> None:
    one, two, three, four = make_players(4)
    rated(one, two, Side.YELLOW)
    rated(three, four, Side.YELLOW, NOON + HOUR)
    assert places() == {str(one): 1, str(three): 1, str(two): 3, str(four): 3}


def test_a_closed_account_has_no_place_until_it_is_opened_again() -> None:
    one, two, three = make_players(3)
    rated(one, two, Side.YELLOW)
    deactivate_player(player_id=one.pk, now=LATE)
    deactivate_player(player_id=one.pk, now=LATE)
    assert places() == {str(two): 1}
    # An annulment, or a match that ends now, changes the rating of a closed account, too.
    rated(three, one, Side.YELLOW, NOON + HOUR)
    assert places() == {str(three): 1, str(two): 2}
    assert verify_ratings(family=FAMILY) == []
    reactivate_player(player_id=one.pk)
    assert places() == {str(three): 1, str(one): 2, str(two): 3}
    assert verify_ratings(family=FAMILY) == []


def test_a_player_first_rated_while_the_account_was_closed_leaves_the_list_with_the_rest() -> None:
    one, two = make_players(2)
    deactivate_player(player_id=one.pk, now=NOON)
    rated(one, two, Side.YELLOW)
    assert places() == {str(two): 1}
    Rating.objects.filter(player=one).update(is_listed=True)
    change_counts(family=FAMILY, changes={1530: 1})
    finish_closing(player_id=one.pk, now=LATE)
    assert places() == {str(two): 1}
    assert verify_ratings(family=FAMILY) == []


def test_a_player_who_opens_the_account_again_while_its_closing_is_finished_is_in_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = make_players(2)
    rated(one, two, Side.YELLOW)
    deactivate_player(player_id=one.pk, now=LATE)
    monkeypatch.setattr(
        "tournaments.entries.services.account_closures.end_matches_of",
        lambda player, now: reactivate_player(player_id=player.pk),
    )
    finish_closing(player_id=one.pk, now=LATE)
    assert places() == {str(one): 1, str(two): 2}
    assert verify_ratings(family=FAMILY) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_player_who_opens_the_account_again_while_it_leaves_the_lists_is_in_them() -> None:
    one, two = make_players(2)
    rated(one, two, Side.YELLOW)
    deactivate_player(player_id=one.pk, now=LATE)
    # As a first rated match leaves it that was rated while the account was being closed.
    Rating.objects.filter(player=one).update(is_listed=True)
    change_counts(family=FAMILY, changes={1530: 1})
    unlist, reopen = partial(unlist_closed, player_id=one.pk), partial(reactivate_player, player_id=one.pk)
    assert do_while_others_come(unlist, reopen) == ["ok"]
    assert places() == {str(one): 1, str(two): 2}
    assert verify_ratings(family=FAMILY) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_rated_first", [True, False])
@pytest.mark.parametrize("make", [rate_pending, recompute_ratings])
def test_a_player_first_rated_while_the_account_is_opened_again_is_in_the_lists(
    make: Callable[..., int], is_rated_first: bool
) -> None:
    one, two = make_players(2)
    deactivate_player(player_id=one.pk, now=LATE)
    match = adjudicate_match(match_id=start_rated(one, two).pk, winner=Side.YELLOW, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    acts = partial(make, family=FAMILY, now=LATE), partial(reactivate_player, player_id=one.pk)
    assert do_while_others_come(*(acts if is_rated_first else reversed(acts))) == ["ok"]
    assert places() == {str(one): 1, str(two): 2}
    assert verify_ratings(family=FAMILY) == []


def test_recomputing_mends_the_numbers_and_verification_finds_what_is_wrong_with_them() -> None:
    one, two = make_players(2)
    rated(one, two, Side.YELLOW)
    RatingCount.objects.filter(points=1530).update(players=7)
    Rating.objects.filter(player=two).update(is_listed=False)
    faults = verify_ratings(family=FAMILY)
    assert [each.partition(":")[0] for each in faults] == [f"Player {two.pk}", "Rating 1470", "Rating 1530"]
    recompute_ratings(family=FAMILY, now=LATE)
    assert verify_ratings(family=FAMILY) == []
    assert places() == {str(one): 1, str(two): 2}


def test_a_player_who_has_no_rating_any_more_is_counted_no_more() -> None:
    one, two = make_players(2)
    match = adjudicate_match(match_id=start_rated(one, two).pk, winner=Side.RED, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    rate_pending(family=FAMILY, now=NOON)
    assert count_listed(FAMILY) == 2
    annul_rated(match_id=match.pk, now=LATE)
    rate_waiting(now=LATE)
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()
    assert (count_listed(FAMILY), verify_ratings(family=FAMILY)) == (0, [])
