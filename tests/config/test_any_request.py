"""Whatever a client sends, the API answers as its description says and never fails."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from config.wsgi import application
from matches.clock import CORRESPONDENCE
from matches.models import Colour
from matches.services import open_seek, start_match
from players.models import Player, Scope
from players.services import create_token

# Streams are on another server: see tests/config/streams.
schema = schemathesis.openapi.from_path("docs/openapi.yaml").exclude(path="/api/v1/matches/{match_id}/events/")
schema.app = application


@pytest.fixture
def secret(db: None, open_connection: None, without_rates: None) -> str:
    """The token of a player who is in a match and has been invited to another one."""
    now = datetime.now(UTC)
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=now)
    open_seek(
        creator=piotr,
        invited=anna,
        game="streetsoccer-online",
        colour=Colour.RED,
        time_control=CORRESPONDENCE,
        now=now,
    )
    return create_token(player=anna, name="fuzz", scopes=Scope.values, now=now)[1]


@schema.parametrize()
@settings(
    max_examples=6,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_any_request_is_answered_as_described(case: schemathesis.Case, secret: str) -> None:
    from matches.models import Match, Seek

    real = {"match_id": Match.objects.values_list("pk").first(), "seek_id": Seek.objects.values_list("pk").first()}
    for name, found in real.items():
        value = (case.path_parameters or {}).get(name)
        if found and isinstance(value, int) and value % 2:
            case.path_parameters[name] = found[0]
    case.call_and_validate(
        headers={"Authorization": f"Bearer {secret}"},
        checks=[not_a_server_error, content_type_conformance, response_schema_conformance],
    )
