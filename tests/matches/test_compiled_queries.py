"""Queries that are compiled once find what the ORM finds."""

from __future__ import annotations

import pytest
from django.forms import model_to_dict
from django.utils import timezone

from database.compiled_queries import CompiledQuery
from matches.errors import MatchNotFound
from matches.models import Match
from matches.selectors.matches import MAX_ID, get_match, list_moves
from players.models import ApiToken, Player, Scope
from players.selectors import find_token
from players.services import create_token
from tests.matches.conftest import StartMatch
from tests.matches.play import play_randomly


def fields_of(found: Match | Player | ApiToken) -> dict[str, object]:
    """Return every field of an object with its value, those too that no form shows."""
    return {field.attname: getattr(found, field.attname) for field in found._meta.concrete_fields}


def test_a_match_is_found_with_its_players_and_all_their_fields(begin: StartMatch) -> None:
    match, other = play_randomly(begin(), until=6), begin()
    for each in (match, other):
        found, stored = get_match(each.pk), Match.objects.get(pk=each.pk)
        assert fields_of(found) == fields_of(stored)
        assert [fields_of(player) for player in found.players] == [fields_of(player) for player in stored.players]
        assert model_to_dict(found) == model_to_dict(stored)


def test_a_number_that_no_match_can_have_is_that_of_none(begin: StartMatch) -> None:
    begin()
    for number in (MAX_ID, MAX_ID + 1, 10**30):
        with pytest.raises(MatchNotFound):
            get_match(number)


def test_the_moves_of_a_match_come_in_order_and_nobody_elses(begin: StartMatch) -> None:
    match, other = play_randomly(begin(), until=6), play_randomly(begin(), until=3)
    for each in (match, other):
        stored = [
            (move.ply, move.actor, move.text, move.played_at, move.thinking, move.is_drawn) for move in each.moves.all()
        ]
        assert list_moves(each.pk) == stored
        assert [ply for ply, *_ in stored] == list(range(each.ply))


def test_a_token_is_found_with_its_player_and_its_scopes(anna: Player, piotr: Player) -> None:
    now = timezone.now()
    for player, scopes in ((anna, [Scope.READ]), (piotr, [Scope.READ, Scope.PLAY])):
        token, secret = create_token(player=player, name="bot", scopes=scopes, now=now)
        found = find_token(secret=secret, now=now)
        assert found is not None
        assert fields_of(found) == fields_of(ApiToken.objects.get(pk=token.pk))
        assert found.player == player
        assert fields_of(found.player) == fields_of(Player.objects.get(pk=player.pk))


def test_a_query_that_would_compare_with_a_moment_is_refused(begin: StartMatch) -> None:
    begin()
    since = CompiledQuery(lambda since: Match.objects.filter(changed_at__gte=since).order_by("pk"))
    with pytest.raises(TypeError, match="cannot compare with since: it is a moment"):
        since.all(since=timezone.now())
