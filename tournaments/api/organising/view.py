"""What the organisers' endpoints have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from matches.api.reading import player_of
from matches.errors import UnknownPlayer
from players.api.asking import IDEMPOTENCY_KEY
from players.api.strict import StrictView
from players.models import Player, Scope
from players.selectors import find_player
from tournaments.errors import EventNotFound
from tournaments.models import Cup, Ladder
from tournaments.schemas.competition import OrganisedCompetitionSchema
from tournaments.selectors.organising import get_organised_event


def describe(
    operation: str, asked: type[Serializer[Any]] | None = None, answered: Any = OrganisedCompetitionSchema
) -> Callable[..., Any]:
    """Return what tells the API's description of an action: its name, what it takes, and what it answers."""
    return extend_schema(
        operation_id=operation,
        request=asked,
        parameters=[IDEMPOTENCY_KEY],
        responses=answered,
    )


class OrganiserView(StrictView):
    """For the organisers of an event alone."""

    write_scope = Scope.ORGANISE
    private = True

    def find(self, request: Request, slug: str) -> Cup | Ladder:
        """Return the event. Raises ``EventNotFound``, or ``NotAnOrganiser``: nobody else comes further."""
        return get_organised_event(slug=slug, player=player_of(request))

    def find_cup(self, request: Request, slug: str) -> Cup:
        """Return the cup. Raises ``EventNotFound`` where the event is none."""
        event = self.find(request, slug)
        if not isinstance(event, Cup):
            raise EventNotFound("Only cups are drawn.")
        return event


def named_player(username: str) -> Player:
    """Return the player with this username. Raises ``UnknownPlayer``."""
    player = find_player(username=username)
    if player is None:
        raise UnknownPlayer("Nobody has this username.")
    return player
