"""Whatever a client sends, the API answers as its description says and never fails."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from players.models import Player, Scope
from players.services import create_token
from tests.permissions.test_permissions import world
from tests.permissions.world import World
from tests.web.answers.description import operations, read_description

__all__ = ["world"]

LABELS = [f"{method.upper()} {path}" for method, path, _described in operations().values()]
ROLES = {"anonymous": "", "player": "anna", "organiser": "olga"}


@pytest.fixture(scope="module")
def operations_by_label() -> dict[str, Any]:
    """Return the operations of the description, as Schemathesis reads them.

    Both it and the site take long to import, which processes that run no test of this file do not.
    """
    import schemathesis

    from config.wsgi import application

    schema = schemathesis.openapi.from_dict(deepcopy(read_description()))
    schema.app = application
    found = [result.ok() for result in schema.get_all_operations()]  # type: ignore[union-attr]
    assert [operation.label for operation in found] == LABELS
    return {operation.label: operation for operation in found}


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


def read_checks() -> list[Any]:
    """Return what is asked of every answer."""
    from schemathesis.specs.openapi import checks

    return [
        no_fault,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("open_connection", "without_rates")
@pytest.mark.parametrize(
    "roles",
    [
        # PostgreSQL minds more of what is written, and the role that gets furthest stands for the others.
        pytest.param(["organiser"], marks=pytest.mark.postgresql, id="organiser"),
        pytest.param([*ROLES], marks=pytest.mark.nightly, id="all"),
    ],
)
@pytest.mark.parametrize("label", LABELS)
def test_any_request_is_answered_to_each_role_as_described(
    label: str,
    roles: list[str],
    operations_by_label: dict[str, Any],
    world: World,
    tokens: dict[str, str],
    pytestconfig: pytest.Config,
) -> None:
    operation, checks = operations_by_label[label], read_checks()
    real = world.ids(world.cup)

    @given(case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes_of(operation))))
    @settings(
        max_examples=max(settings().max_examples // 10, pytestconfig.getoption("--examples")),
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        for name, value in (case.path_parameters or {}).items():
            if name in real and len(str(value)) % 2:
                case.path_parameters[name] = real[name]
        for role in roles:
            note(f"asked by: {role}")
            cache.clear()
            with transaction.atomic():
                try:
                    case.call_and_validate(headers=headers_of(role, tokens), checks=checks)
                finally:
                    transaction.set_rollback(True)

    ask()


def headers_of(role: str, tokens: Mapping[str, str]) -> dict[str, str]:
    """Return what a client of this role sends with its request."""
    return {"Authorization": f"Bearer {tokens[role]}"} if role in tokens else {}


def modes_of(operation: Any) -> list[Any]:
    """Return sound requests and unsound ones, where an operation takes anything that can be unsound."""
    from schemathesis import GenerationMode

    takes_something = operation.body or any(operation.iter_parameters())
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes_something else [])]
