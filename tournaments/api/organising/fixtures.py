"""Deciding matches and rounds over the API."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.reading import player_of, read
from matches.api.repeating import repeatable
from rules_engine.values import Side
from tournaments.api.organising import serializers
from tournaments.api.organising.view import OrganiserView, describe
from tournaments.models import RoundEnd
from tournaments.schemas.fixture import GivenTimeSchema, OrganisedFixtureSchema, organised_fixture_to_json
from tournaments.schemas.round import RoundSchema, round_to_json
from tournaments.selectors.organising import get_fixture, get_round
from tournaments.services import organising
from tournaments.services.cups.dates import set_round_date
from tournaments.services.cups.deadlines import end_round


class AdjudicateView(OrganiserView):
    """Deciding a match."""

    @describe("adjudicate_fixture", serializers.AdjudicationSerializer, OrganisedFixtureSchema)
    @repeatable
    def post(self, request: Request, slug: str, fixture_id: int) -> Response:
        """Say who wins a match that has no result yet."""
        event, said = self.find(request, slug), read(serializers.AdjudicationSerializer, request.data)
        fixture = organising.adjudicate_fixture(
            fixture_id=get_fixture(event, fixture_id).pk,
            winner=None if said["winner"] is None else Side(said["winner"]),
            actor=player_of(request),
            reason=said["reason"],
            now=timezone.now(),
        )
        return Response(organised_fixture_to_json(fixture))


class AnnulView(OrganiserView):
    """Annulling a match."""

    @describe("annul_fixture", serializers.ReasonSerializer, OrganisedFixtureSchema)
    @repeatable
    def post(self, request: Request, slug: str, fixture_id: int) -> Response:
        """Let a match count for nothing, here and in the ratings."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        found = get_fixture(event, fixture_id)
        fixture = organising.annul_fixture(fixture_id=found.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_fixture_to_json(fixture))


class ReplayView(OrganiserView):
    """Playing a match again."""

    @describe("replay_fixture", serializers.ReasonSerializer, OrganisedFixtureSchema)
    @repeatable
    def post(self, request: Request, slug: str, fixture_id: int) -> Response:
        """Annul a match and begin a new one between the same two, which is answered."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        found = get_fixture(event, fixture_id)
        fixture = organising.replay_fixture(fixture_id=found.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_fixture_to_json(fixture))


class ExtendView(OrganiserView):
    """Giving time."""

    @describe("extend_clock", serializers.ExtensionSerializer, GivenTimeSchema)
    @repeatable
    def post(self, request: Request, slug: str, fixture_id: int) -> Response:
        """Give a side of a running match more time, up to its clock's cap."""
        event, said = self.find(request, slug), read(serializers.ExtensionSerializer, request.data)
        given = organising.extend_clock(
            fixture_id=get_fixture(event, fixture_id).pk,
            side=Side(said["side"]),
            by=timedelta(seconds=said["seconds"]),
            actor=player_of(request),
            reason=said["reason"],
            now=timezone.now(),
        )
        return Response({"seconds": given.total_seconds()})


class EndRoundView(OrganiserView):
    """Ending a round."""

    @describe("end_round", serializers.RoundEndSerializer, RoundSchema)
    @repeatable
    def post(self, request: Request, slug: str, number: int) -> Response:
        """End all matches of a round that still go on."""
        event, said = self.find(request, slug), read(serializers.RoundEndSerializer, request.data)
        round_ = get_round(event, number)
        end_round(
            round=round_,
            policy=RoundEnd(said["policy"]),
            actor=player_of(request),
            reason=said["reason"],
            now=timezone.now(),
        )
        return Response(round_to_json(get_round(event, number)))


class RoundDateView(OrganiserView):
    """The date of a round."""

    @describe("set_round_date", serializers.RoundDateSerializer, RoundSchema)
    @repeatable
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Set until when a round must end, or that it need not."""
        event, said = self.find(request, slug), read(serializers.RoundDateSerializer, request.data)
        round_ = get_round(event, number)
        return Response(
            round_to_json(set_round_date(round=round_, actor=player_of(request), **said, now=timezone.now()))
        )
