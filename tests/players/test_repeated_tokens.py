"""A token requested twice with one Idempotency-Key is one token; its secret is returned again, and never stored."""

import base64
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from players.errors import TooManyTokens
from players.models import ApiToken, Player
from players.selectors import find_token
from players.services import create_token, revoke_token
from players.services.tokens import MAX_TOKENS
from tests.matches.test_races import race
from tests.players.conftest import NOON, PASSWORD
from web.errors import IdempotencyKeyReused

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATER = NOON + timedelta(hours=23)
TOMORROW = NOON + timedelta(hours=24)


def make(player: Player, **changes: Any) -> tuple[ApiToken, str]:
    return create_token(**{"player": player, "name": "bot", "scopes": ["read"], "now": NOON, "key": "once", **changes})


def test_the_same_request_gives_the_same_token_and_secret_for_24_hours(anna):
    token, secret = make(anna)
    assert len(secret) == 5 + 43
    assert make(anna, now=LATER) == (token, secret)
    assert find_token(secret=secret, now=NOON) == token
    other, new_secret = make(anna, now=TOMORROW)
    assert (other.pk != token.pk, new_secret != secret) == (True, True)
    assert make(anna, now=TOMORROW) == (other, new_secret)


def test_neither_the_secret_nor_the_key_is_kept(anna):
    _token, secret = make(anna, key="a-rare-key")
    kept = " ".join(str(value) for value in ApiToken.objects.values_list()[0])
    assert secret not in kept
    assert "a-rare-key" not in kept


def test_the_secret_cannot_be_derived_from_the_rows_without_the_key_of_the_site(anna, settings):
    _token, secret = make(anna)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 50, []
    with pytest.raises(IdempotencyKeyReused, match="cannot be shown again"):
        make(anna)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    assert make(anna, key="other")[1] != secret


def test_after_the_site_has_another_key_the_secret_is_given_by_the_earlier_one(anna, settings):
    made = make(anna)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 50, [settings.SECRET_KEY]
    assert make(anna) == made


def test_another_request_with_the_key_is_refused(anna):
    make(anna)
    for change in ({"name": "other"}, {"scopes": ["read", "play"]}, {"expires_at": TOMORROW}):
        with pytest.raises(IdempotencyKeyReused):
            make(anna, **change)
    assert ApiToken.objects.count() == 1


def test_a_token_that_was_revoked_does_not_come_back(anna):
    token, secret = make(anna)
    revoke_token(player=anna, token_id=token.pk)
    new, new_secret = make(anna, now=LATER)
    assert new_secret != secret
    assert find_token(secret=secret, now=LATER) is None
    assert find_token(secret=new_secret, now=LATER) == new


def test_two_players_may_choose_the_same_key(anna):
    assert make(anna)[1] != make(Player.objects.create(username="piotr"))[1]


def test_a_player_who_holds_the_most_tokens_allowed_is_still_answered_again(anna):
    made = make(anna)
    for _ in range(MAX_TOKENS - 1):
        make(anna, key=None)
    assert make(anna) == made
    with pytest.raises(TooManyTokens):
        make(anna, key="twice")


def test_the_api_takes_the_key(api, anna):
    api.credentials(HTTP_AUTHORIZATION="Basic " + base64.b64encode(f"anna:{PASSWORD}".encode()).decode())
    fields = {"name": "bot", "scopes": ["read"]}
    one, same, other = (
        api.post("/api/v1/tokens/", fields, HTTP_IDEMPOTENCY_KEY=key).json() for key in ("a", " a ", "b")
    )
    assert one == same
    assert one["secret"] != other["secret"]
    reused = api.post("/api/v1/tokens/", {**fields, "name": "c"}, HTTP_IDEMPOTENCY_KEY="a")
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    invalid = api.post("/api/v1/tokens/", fields, HTTP_IDEMPOTENCY_KEY="é")
    assert (invalid.status_code, invalid.json()["code"]) == (400, "invalid_idempotency_key")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_requests_that_come_at_once_make_one_token_and_pass_no_cap_together():
    anna = Player.objects.create(username="anna")
    made: list[tuple[ApiToken, str]] = []
    assert race(*[lambda: made.append(make(anna))] * 4) == ["ok"] * 4
    assert len({secret for _token, secret in made}) == ApiToken.objects.count() == 1
    for _ in range(MAX_TOKENS - 2):
        make(anna, key=None)
    assert sorted(race(*[partial(make, anna, key=None)] * 4)) == ["ok"] + ["too_many_tokens"] * 3
