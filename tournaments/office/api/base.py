"""The base of the organisers' endpoints."""

from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.current_player import require_player
from players.models import Scope
from tournaments.models import Competition, Cup
from tournaments.models.rights import Right
from tournaments.office.selectors.organisers import get_organised_competition
from tournaments.records.errors import CompetitionNotFound
from web.api.strict_views import StrictView


class OrganiserView(StrictView):
    """For those who run a competition alone."""

    write_scope = Scope.ORGANISE
    private = True

    def find(self, request: Request, slug: str, right: Right = Right.ORGANISE) -> Competition:
        """Return the competition.

        Raises ``CompetitionNotFound``, or ``NotAnOrganiser``: who has not this right in it comes no further.
        """
        return get_organised_competition(slug=slug, player=require_player(request), right=right)

    def find_cup(self, request: Request, slug: str) -> Cup:
        """Return the cup. Raises ``CompetitionNotFound`` where the competition is none."""
        competition = self.find(request, slug)
        if not isinstance(competition, Cup):
            raise CompetitionNotFound(_("Only cups are drawn."))
        return competition
