"""What the organisers' endpoints have in common."""

from __future__ import annotations

from rest_framework.request import Request

from matches.api.reading import player_of
from players.api.strict import StrictView
from players.models import Scope
from tournaments.errors import EventNotFound
from tournaments.models import Cup, Ladder
from tournaments.selectors.organising import get_organised_event


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
