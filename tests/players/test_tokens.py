"""API tokens by their services."""

from datetime import timedelta
from hashlib import sha256

import pytest

from players.errors import TokenNotFound, TooManyTokens
from players.models import ApiToken, Player
from players.selectors import find_token, tokens_of
from players.services import create_guest, create_token, note_use, revoke_token
from tests.players.conftest import NOON


def test_only_the_digest_of_a_secret_is_kept(anna):
    token, secret = create_token(player=anna, name="bot", scopes=["play", "read"], now=NOON)
    stored = ApiToken.objects.get()
    assert secret.startswith("kick_")
    assert len(secret) == 5 + 43
    assert stored.digest == sha256(secret.encode()).hexdigest()
    assert stored.prefix == secret[:9]
    assert stored.scopes == ["read", "play"]
    assert secret not in {str(value) for value in vars(stored).values()}
    assert token == stored


def test_a_token_is_found_by_its_secret_until_it_expires(anna):
    token, secret = create_token(
        player=anna, name="bot", scopes=["read"], expires_at=NOON + timedelta(days=1), now=NOON
    )
    assert find_token(secret=secret, now=NOON + timedelta(hours=23)) == token
    assert find_token(secret=secret, now=NOON + timedelta(days=1)) is None
    assert find_token(secret=secret[:-1], now=NOON) is None
    assert find_token(secret="\ud800", now=NOON) is None


def test_a_token_of_a_player_who_is_not_active_is_not_found(anna):
    _token, secret = create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    Player.objects.update(is_active=False)
    assert find_token(secret=secret, now=NOON) is None


def test_finding_a_token_and_its_player_is_one_query(anna, django_assert_num_queries):
    _token, secret = create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    with django_assert_num_queries(1):
        assert find_token(secret=secret, now=NOON).player.username == "anna"


def test_use_is_noted_at_most_once_a_minute(anna, django_assert_num_queries):
    token, secret = create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    note_use(token=token, now=NOON)
    token = find_token(secret=secret, now=NOON)
    with django_assert_num_queries(0):
        note_use(token=token, now=NOON + timedelta(seconds=59))
    note_use(token=token, now=NOON + timedelta(seconds=60))
    token.refresh_from_db()
    assert token.last_used_at == NOON + timedelta(seconds=60)


def test_players_revoke_their_own_tokens_only(anna):
    piotr = create_guest(now=NOON)
    token, _secret = create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    with pytest.raises(TokenNotFound):
        revoke_token(player=piotr, token_id=token.pk)
    revoke_token(player=anna, token_id=token.pk)
    assert list(tokens_of(player=anna)) == []
    with pytest.raises(TokenNotFound):
        revoke_token(player=anna, token_id=10**30)


def test_a_player_holds_at_most_50_tokens(anna):
    for _ in range(50):
        create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    with pytest.raises(TooManyTokens):
        create_token(player=anna, name="bot", scopes=["read"], now=NOON)
