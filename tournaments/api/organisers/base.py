"""The base of the organisers' endpoints."""

from __future__ import annotations

from rest_framework.request import Request

from players.current_player import require_player
from players.models import Scope
from tournaments.errors import CompetitionNotFound
from tournaments.models import Competition, Cup
from tournaments.selectors.organisers import get_organised_competition
from web.strict_views import StrictView


class OrganiserView(StrictView):
    """For the organisers of a competition alone."""

    write_scope = Scope.ORGANISE
    private = True

    def find(self, request: Request, slug: str) -> Competition:
        """Return the competition. Raises ``CompetitionNotFound``, or ``NotAnOrganiser``: nobody else comes further."""
        return get_organised_competition(slug=slug, player=require_player(request))

    def find_cup(self, request: Request, slug: str) -> Cup:
        """Return the cup. Raises ``CompetitionNotFound`` where the competition is none."""
        competition = self.find(request, slug)
        if not isinstance(competition, Cup):
            raise CompetitionNotFound("Only cups are drawn.")
        return competition
