"""The API's endpoint of the rounds that wait for organisers; the acts on them are those of the table."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.office.api.base import OrganiserView
from tournaments.rounds.schemas import ProposedRoundSchema, proposal_to_json
from tournaments.rounds.selectors import proposed_rounds_of, read_proposals


class ProposedRoundsView(OrganiserView):
    """The rounds that wait for organisers."""

    @extend_schema(operation_id="list_proposed_rounds", responses=list[ProposedRoundSchema])
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds of a competition that have been drawn and wait to be published: one of a group at most."""
        competition = self.find(request, slug)
        return Response([proposal_to_json(each) for each in read_proposals(proposed_rounds_of(competition))])
