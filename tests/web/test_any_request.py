"""Whatever a client sends, the API answers as its description says and never fails."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from players.models import Player, Scope
from players.services import create_token
from tests.permissions.world import TOMORROW, World, make_world
from tests.web.answers.description import read_description

schema = schemathesis.openapi.from_dict(deepcopy(read_description()))
schema.app = application

OPERATIONS = [result.ok() for result in schema.get_all_operations()]  # type: ignore[union-attr]
EXAMPLES = 6
ROLES = {"anonymous": "", "player": "anna", "organiser": "olga"}


@pytest.fixture(scope="module")
def world(module_transaction: None) -> World:
    """Return one for all the requests, each of which is undone."""
    return make_world()


@pytest.fixture(scope="module")
def tokens(world: World) -> dict[str, str]:
    """Return a token of each role that does all that the role may do."""
    return {
        role: create_token(
            player=Player.objects.get(username=name), name="fuzz", scopes=Scope.values, now=timezone.now()
        )[1]
        for role, name in ROLES.items()
        if name
    }


def no_fault(context: Any, response: Any, case: Any) -> None:
    """Fail when the site has failed; what is away is answered with 503, on purpose."""
    assert response.status_code != 500, response.text


CHECKS = [
    no_fault,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.mark.django_db
@pytest.mark.usefixtures("open_connection", "without_rates")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_any_request_is_answered_to_each_role_as_described(
    operation: Any, world: World, tokens: dict[str, str], pytestconfig: pytest.Config
) -> None:
    real = real_parameters(world, operation)

    @given(case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes_of(operation))))
    @settings(
        max_examples=max(EXAMPLES, pytestconfig.getoption("--examples")),
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case) -> None:
        for name, value in (case.path_parameters or {}).items():
            if name in real and len(str(value)) % 2:
                case.path_parameters[name] = real[name]
        for role in ROLES:
            note(f"asked by: {role}")
            cache.clear()
            with transaction.atomic():
                try:
                    case.call_and_validate(headers=headers_of(role, tokens), checks=CHECKS)
                finally:
                    transaction.set_rollback(True)

    ask()


def headers_of(role: str, tokens: Mapping[str, str]) -> dict[str, str]:
    """Return what a client of this role sends with its request."""
    return {"Authorization": f"Bearer {tokens[role]}"} if role in tokens else {}


def modes_of(operation: Any) -> list[GenerationMode]:
    """Return sound requests and unsound ones, where an operation takes anything that can be unsound."""
    takes_something = operation.body or any(operation.iter_parameters())
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes_something else [])]


def real_parameters(world: World, operation: Any) -> Mapping[str, Any]:
    """Return parameters of paths that lead somewhere: without them most requests would find nothing."""
    competition = world.ladder if "ladder" in operation.path else world.cup
    entry, fixture = competition.entries.first(), world.cup.fixtures.get()
    return {
        "match_id": world.match.pk,
        "seek_id": world.seek.pk,
        "token_id": world.token.pk,
        "entry_id": entry.pk,
        "fixture_id": fixture.pk,
        "slug": competition.slug,
        "username": "anna",
        "number": 1,
        "ply": 0,
        "day": str(TOMORROW),
        "key": "turns",
    }
