"""Ratings: always those of a replay of all matches, in whatever order they were settled or taken back."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.services.adjudication import adjudicate_match
from players.models import Player, Rating
from rules_engine.values import Side
from tests.tournaments.settlement.competitions import FAMILY, HOUR, NOON, make_players, start_rated, stored_tables
from tournaments.models import RatingChange, RatingDue
from tournaments.services import ratings
from tournaments.services.ratings import annul_rated, rate_pending, rate_waiting, recompute_ratings
from tournaments.services.settlement import settle_match
from tournaments.services.verification import verify_ratings

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
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
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


def test_who_has_no_rated_match_left_has_no_rating() -> None:
    anna, piotr = make_players(2)
    match = adjudicate_match(match_id=start_rated(anna, piotr).pk, winner=Side.RED, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    rate_pending(family=FAMILY, now=NOON)
    annul_rated(match_id=match.pk, now=LATE)
    rate_waiting(now=LATE)
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()


def test_a_match_that_is_annulled_before_it_is_rated_is_never_rated() -> None:
    anna, piotr = make_players(2)
    match = adjudicate_match(match_id=start_rated(anna, piotr).pk, winner=Side.RED, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    annul_rated(match_id=match.pk, now=NOON)
    assert rate_pending(family=FAMILY, now=NOON) == 0
    assert not RatingDue.objects.exists()


@pytest.mark.once
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
