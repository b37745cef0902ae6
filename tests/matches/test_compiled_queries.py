"""Queries that are compiled once find what the ORM finds."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Count, Q
from django.db.transaction import TransactionManagementError
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from database.compiled_queries import CompiledQuery
from matches.clock import DAY
from matches.errors import MatchNotFound
from matches.models import Colour, Match, Seek, SeekStatus
from matches.schemas.move import MEMBERS
from matches.selectors.matches import MAX_ID, get_match, list_moves
from players.models import ApiToken, Player, Scope
from players.selectors import find_token
from players.services import create_token
from tests.matches.play import play_randomly

pytestmark = pytest.mark.both_databases


def fields_of(found: Match | Player | ApiToken) -> dict[str, object]:
    """Return every field of an object with its value, those too that no form shows."""
    return {field.attname: getattr(found, field.attname) for field in found._meta.concrete_fields}


def test_a_match_is_found_with_its_players_and_all_their_fields(begin):
    match, other = play_randomly(begin(), until=6), begin()
    for each in (match, other):
        found, stored = get_match(each.pk), Match.objects.get(pk=each.pk)
        assert fields_of(found) == fields_of(stored)
        assert [fields_of(player) for player in found.players] == [fields_of(player) for player in stored.players]
        assert model_to_dict(found) == model_to_dict(stored)


def test_a_number_that_no_match_can_have_is_that_of_none(begin):
    begin()
    for number in (MAX_ID, MAX_ID + 1, 10**30):
        with pytest.raises(MatchNotFound):
            get_match(number)


def test_the_moves_of_a_match_come_in_order_and_nobody_elses(begin):
    match, other = play_randomly(begin(), until=6), play_randomly(begin(), until=3)
    for each in (match, other):
        stored = [tuple(getattr(move, name) for name in MEMBERS) for move in each.moves.all()]
        assert list_moves(each.pk) == stored
        assert [ply for ply, *_ in stored] == list(range(each.ply))


def test_a_token_is_found_with_its_player_and_its_scopes(anna, piotr):
    now = timezone.now()
    for player, scopes in ((anna, [Scope.READ]), (piotr, [Scope.READ, Scope.PLAY])):
        token, secret = create_token(player=player, name="bot", scopes=scopes, now=now)
        found = find_token(secret=secret, now=now)
        assert fields_of(found) == fields_of(ApiToken.objects.get(pk=token.pk))
        assert found.player == player
        assert fields_of(found.player) == fields_of(Player.objects.get(pk=player.pk))


def test_a_query_compares_with_moments_as_the_orm_does(begin):
    started = play_randomly(begin(), until=6).turn_started_at
    begun_by = CompiledQuery(lambda now: Match.objects.filter(turn_started_at__lte=now).order_by("pk"))
    for moment in (started - timedelta(microseconds=1), started, started.replace(microsecond=0), started + DAY):
        assert begun_by.all(now=moment) == list(Match.objects.filter(turn_started_at__lte=moment).order_by("pk"))


def test_values_that_are_computed_for_an_object_come_with_it(begin):
    match, other = play_randomly(begin(), until=3), begin()
    counted = CompiledQuery(
        lambda match_id: Match.objects.filter(pk=match_id).annotate(played=Count("moves"), has_begun=Q(ply__gt=0))
    )
    for each in (match, other):
        found: Any = counted.find(match_id=each.pk)
        assert (found.played, found.has_begun) == (each.ply, each == match)


def test_objects_come_with_those_that_are_joined_and_without_those_that_are_not_there(begin, anna, piotr):
    match = begin()
    options: dict[str, Any] = {"game": match.game, "colour": Colour.YELLOW, "is_rated": False}
    options |= {"time_bank": 600, "time_increment": 0, "time_cap": 600, "created_at": timezone.now()}
    seeks = [
        Seek.objects.create(creator=anna, match=match, status=SeekStatus.TAKEN, **options),
        Seek.objects.create(creator=piotr, invited=anna, **options),
    ]
    joined = Seek.objects.select_related("creator", "invited", "match__yellow").order_by("pk")
    found = CompiledQuery(lambda since: joined.filter(pk__gte=since)).all(since=seeks[0].pk)
    assert found == seeks
    with CaptureQueriesContext(connection) as captured:
        assert [(seek.creator, seek.invited) for seek in found] == [(anna, None), (piotr, anna)]
        assert [seek.match and seek.match.yellow for seek in found] == [match.yellow, None]
    assert not captured.captured_queries


@pytest.mark.django_db(transaction=True)
def test_a_query_that_locks_does_so_each_time_and_is_refused_where_the_lock_would_be_let_go(begin):
    match = begin()
    locked = CompiledQuery(lambda match_id: Match.objects.select_for_update().filter(pk=match_id).order_by())
    for _time in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as captured:
            assert locked.find(match_id=match.pk) == match
        assert ("FOR UPDATE" in captured[0]["sql"]) == (connection.vendor == "postgresql")
    if connection.vendor == "postgresql":
        with pytest.raises(TransactionManagementError):
            locked.find(match_id=match.pk)
