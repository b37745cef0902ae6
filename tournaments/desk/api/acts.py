"""An endpoint for each act of the table, made from what the table says of it."""

from http import HTTPStatus
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from tournaments.desk.acts import ACTS, Act
from tournaments.desk.acts.act import Bulk
from tournaments.desk.acts.bulk import perform_on_each
from tournaments.desk.schemas import ConsequencesSchema, RowOutcomesSchema, consequences_to_json, outcomes_to_json
from tournaments.office.api.base import OrganiserView
from tournaments.office.api.serializers import GroupFilterSerializer
from tournaments.office.selectors.interests import stake_of
from tournaments.rounds.services.consequences import Consequences
from web.api.idempotency.decorator import idempotent, idempotent_in_steps
from web.api.idempotency.steps import Steps
from web.api.strict_views import read


def act_urls(base: str) -> list[URLPattern]:
    """Return the URLs of all acts, and of the previews of those that have one, below that of a competition."""
    acts = [path(f"{base}{_path_of(act)}", _view_of(act).as_view()) for act in ACTS]
    foreseen = [act for act in ACTS if act.is_foreseen]
    return [
        *acts,
        *(path(f"{base}{_path_of(act)}preview/", _preview_of(act).as_view()) for act in foreseen),
        *(path(f"{base}{act.on.path}/{act.name}/", _bulk_view_of(act, act.bulk).as_view()) for act in ACTS if act.bulk),
    ]


def _path_of(act: Act) -> str:
    return f"{act.path_of(f'<int:{act.on.number}>')}{act.api_path or act.name}/"


def _view_of(act: Act) -> type[OrganiserView]:
    serializer = act.serializer

    @extend_schema(
        operation_id=act.operation,
        summary=act.operation.replace("_", " ").capitalize(),
        description=act.ask(),
        request=serializer,
        parameters=[*([GroupFilterSerializer] if act.on.is_in_group else [])],
        responses=act.answer.schema,
    )
    @idempotent
    def handle(self: OrganiserView, request: Request, slug: str, **numbers: int) -> Response:
        competition = self.find(request, slug, act.on.needs)
        values: dict[str, Any] = read(serializer, request.data) if serializer else {}
        asked: dict[str, int] = read(GroupFilterSerializer, request.query_params) if act.on.is_in_group else {}
        subject = act.on.find(competition, numbers.get(act.on.number, competition.pk), **asked)
        result = act.perform(subject, values, require_player(request), current_moment())
        return Response(act.answer.to_json(competition, subject, result))

    return type("ActView", (OrganiserView,), {act.api_method: handle, "__doc__": str(act.title)})


def _bulk_view_of(act: Act, bulk: Bulk) -> type[OrganiserView]:
    serializer = act.bulk_serializer

    @extend_schema(
        operation_id=bulk.operation,
        summary=bulk.operation.replace("_", " ").capitalize(),
        description=f"{act.ask()} Each is done separately. The answer says what was refused, and why.",
        request=serializer,
        responses=RowOutcomesSchema,
    )
    @idempotent_in_steps
    def post(self: OrganiserView, request: Request, steps: Steps, slug: str) -> Response:
        competition = self.find(request, slug, act.on.needs)
        values: dict[str, Any] = dict(read(serializer, request.data))
        numbers = values.pop(act.on.path)
        outcomes = perform_on_each(
            act=act,
            competition=competition,
            numbers=numbers,
            values=values,
            actor=require_player(request),
            steps=steps,
        )
        return Response(outcomes_to_json(outcomes))

    return type("BulkActView", (OrganiserView,), {"post": post, "__doc__": str(act.title)})


def _preview_of(act: Act) -> type[OrganiserView]:
    serializer = act.preview_serializer

    @extend_schema(
        operation_id=f"preview_{act.operation}",
        summary=f"Preview: {act.operation.replace('_', ' ')}",
        description="What would follow from the act if it were done now, and your interest in it. Nothing is changed.",
        parameters=[serializer] if serializer else [],
        responses=ConsequencesSchema,
    )
    def handle(self: OrganiserView, request: Request, slug: str, **numbers: int) -> Response:
        competition = self.find(request, slug, act.on.needs)
        subject = act.on.find(competition, numbers.get(act.on.number, competition.pk))
        values = read(serializer, request.query_params) if serializer else None
        follows = act.foresee(subject, current_moment(), values) or Consequences()
        stake = stake_of(competition=competition, player=require_player(request))
        return Response(consequences_to_json(follows, act.interest_in(subject, stake)))

    members = {"get": handle, "refusals": (HTTPStatus.CONFLICT,), "__doc__": str(act.title)}
    return type("PreviewView", (OrganiserView,), members)
