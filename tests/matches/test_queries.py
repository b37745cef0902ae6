"""Queries that things cost: exact numbers, and lists that cost the same however long they are."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches.clock import CORRESPONDENCE
from matches.models import Colour, Match
from matches.services import play_move, play_turn
from matches.services.new_matches import MatchTerms, Pairing, start_matches
from players.models import Scope
from players.services import create_token
from rules_engine.values import BySide
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, play_randomly, seek_of, set_up

pytestmark = pytest.mark.both_databases

TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def storing() -> list[str]:
    """Return how a move is stored: on PostgreSQL by one statement."""
    return ["WITH"] if connection.vendor == "postgresql" else ["UPDATE", "INSERT"]


def sql_of(action: Callable[[], Any]) -> list[str]:
    """Return the statements of the queries that the action makes."""
    with CaptureQueriesContext(connection) as captured:
        action()
    return [query["sql"] for query in captured]


def queries_of(action: Callable[[], Any]) -> list[str]:
    """Return the first word of each query that the action makes; where a transaction ends is none."""
    words = [statement.split()[0] for statement in sql_of(action)]
    return [word for word in words if word not in TRANSACTION]


def just_before_the_end(match: Match) -> tuple[Match, str]:
    """Play until the next move can end the match; return the match and that move."""
    while True:
        for text in match.state.legal_moves():
            if match.state.play(text).turn is None:
                return match, text
        match = play_randomly(match, until=match.ply + 1)


def test_a_quiet_move_is_read_and_stored(begin):
    match = begin()
    player = match.player_to_act
    queries = queries_of(lambda: play_move(match_id=match.pk, player=player, ply=0, text="@d1", now=NOON))
    assert queries == ["SELECT", *storing()]


def test_a_turn_of_five_actions_costs_what_a_move_costs(begin):
    match = begin()
    texts = ["@d1", "@c3", "@d5", "@f7", "@g4"]

    def play() -> None:
        play_turn(match_id=match.pk, player=match.yellow, ply=0, texts=texts, now=NOON)

    assert queries_of(play) == ["SELECT", *storing()]
    assert queries_of(play) == ["SELECT"] * 2


def test_a_move_that_ends_the_match_is_read_and_stored(begin):
    match, text = just_before_the_end(begin())
    player = match.player_to_act
    queries = queries_of(
        lambda: play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=match.last_move_at)
    )
    assert queries == ["SELECT", *storing()]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("preferred", "more"), [("", ["SELECT"]), ("return=minimal", [])])
def test_a_move_over_the_api_costs_at_most_four_queries(preferred, more, begin, client_of):
    """The token, the match, what is stored of it, and its moves unless they are not asked for.

    On SQLite a transaction has a beginning and an end.
    """
    match = begin(now=timezone.now())
    player = match.player_to_act
    _token, secret = create_token(player=player, name="bot", scopes=[Scope.PLAY, Scope.READ], now=timezone.now())
    client = client_of(None)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    client.get("/api/v1/players/me/")
    with CaptureQueriesContext(connection) as captured:
        response = client.post(
            f"/api/v1/matches/{match.pk}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, headers={"Prefer": preferred}
        )
    assert response.status_code == 201
    words = [query["sql"].split()[0] for query in captured]
    stored = storing() if connection.vendor == "postgresql" else ["BEGIN", *storing(), "COMMIT"]
    assert words == ["SELECT", "SELECT", *stored, *more]


def test_a_match_costs_two_queries_and_one_if_it_has_not_changed(begin, client_of):
    match, client = set_up(begin()), client_of(None)
    url = f"/api/v1/matches/{match.pk}/"
    etag = client.get(url)["ETag"]
    assert queries_of(lambda: client.get(url)) == ["SELECT"] * 2
    assert queries_of(lambda: client.get(url, headers={"If-None-Match": etag})) == ["SELECT"]


@pytest.mark.parametrize("count", [1, 3])
def test_a_list_of_matches_costs_one_query(count, begin, client_of):
    for _ in range(count):
        set_up(begin())
    client = client_of(None)
    assert queries_of(lambda: client.get("/api/v1/matches/")) == ["SELECT"]
    assert len(client.get("/api/v1/matches/").json()["results"]) == count


@pytest.mark.parametrize("count", [1, 3])
def test_a_list_of_seeks_costs_one_query(count, anna, piotr, client_of):
    for _ in range(count):
        seek_of(anna, colour=Colour.RANDOM)
    client = client_of(None)
    assert queries_of(lambda: client.get("/api/v1/seeks/")) == ["SELECT"]
    assert len(client.get("/api/v1/seeks/").json()["results"]) == count


@pytest.mark.postgresql
def test_matches_that_start_together_are_inserted_as_an_array_for_each_column(anna, piotr):
    terms = MatchTerms(game="streetsoccer-board", time_control=CORRESPONDENCE)
    pairings = [Pairing(BySide(anna, piotr)), Pairing(BySide(piotr, anna))]
    with CaptureQueriesContext(connection) as captured:
        matches = start_matches(terms=terms, pairings=pairings, now=NOON)
    inserts = [query["sql"] for query in captured if 'INSERT INTO "matches_match"' in query["sql"]]
    assert ["UNNEST" in insert for insert in inserts] == [True]
    assert set(Match.objects.values_list("pk", "seed")) == {(match.pk, match.seed) for match in matches}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_queries_of_every_move_are_prepared_on_their_connection(begin):
    match = play_randomly(begin(), until=20)
    assert match.ply >= 20
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        prepared = " ".join(statement for (statement,) in cursor.fetchall())
    assert "UPDATE matches_match" in prepared
    assert 'FROM "matches_match"' in prepared


def test_the_dice_are_shown_by_one_look_at_the_match_and_one_at_its_moves(begin, client_of):
    match = set_up(begin())
    for url in (f"/matches/{match.pk}/dice/", f"/api/v1/matches/{match.pk}/dice/"):
        assert queries_of(partial(client_of(None).get, url)) == ["SELECT"] * 2
