"""Who is in an event, over the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.reading import player_of, read
from matches.api.repeating import repeatable
from tournaments.api.organising import serializers
from tournaments.api.organising.view import OrganiserView, describe, named_player
from tournaments.schemas.competition import organised_competition_to_json
from tournaments.schemas.entry import ImportSchema, OrganisedEntrySchema, organised_entry_to_json
from tournaments.selectors.exporting import Export, ExportFormat, export_event, wanted_export
from tournaments.selectors.organising import get_entry
from tournaments.services.entries.entering import admit_player
from tournaments.services.entries.leaving import withdraw_entry
from tournaments.services.entries.replacing import replace_entry
from tournaments.services.importing import import_entry_list
from tournaments.streaming import stream


class AdmissionsView(OrganiserView):
    """Entering players by hand."""

    @describe("admit_player", serializers.AdmissionSerializer, OrganisedEntrySchema)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player, whatever the limits on number, rating and password."""
        event, said = self.find(request, slug), read(serializers.AdmissionSerializer, request.data)
        entry = admit_player(
            event_id=event.pk,
            player=named_player(said["player"]),
            actor=player_of(request),
            reason=said["reason"],
            now=timezone.now(),
        )
        return Response(organised_entry_to_json(entry))


class ImportView(OrganiserView):
    """Entering a list of players."""

    @describe("import_entries", serializers.EntryListSerializer, ImportSchema)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody on a list, or nobody: a refusal names every line at fault."""
        event, said = self.find(request, slug), read(serializers.EntryListSerializer, request.data)
        entries = import_entry_list(event_id=event.pk, actor=player_of(request), **said, now=timezone.now())
        return Response({"players": [entry.player.username for entry in entries]})


class ExportView(OrganiserView):
    """Taking away what there is."""

    @extend_schema(
        operation_id="export_event",
        parameters=[
            OpenApiParameter("what", str, OpenApiParameter.PATH, enum=[what.value for what in Export]),
            OpenApiParameter("form", str, OpenApiParameter.PATH, enum=[form.value for form in ExportFormat]),
        ],
        responses={(200, "text/csv"): str, (200, "application/json"): list[dict[str, Any]]},
    )
    def get(self, request: Request, slug: str, what: str, form: str) -> StreamingHttpResponse:
        """Entries, results or standings, in CSV or JSON, however many there are."""
        event = self.find(request, slug)
        wanted, chosen = wanted_export(what, form)
        plain: HttpRequest = request._request  # noqa: SLF001 - Django's own
        chunks = export_event(event=event, what=wanted, form=chosen)
        return StreamingHttpResponse(stream(plain, chunks), content_type=chosen.content_type)


class WithdrawView(OrganiserView):
    """Taking an entrant out."""

    @describe("withdraw_entry", serializers.ReasonSerializer)
    @repeatable
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Withdraw an entrant: his open matches are lost by forfeit."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        entry = get_entry(event, entry_id)
        withdraw_entry(entry_id=entry.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class ReplaceView(OrganiserView):
    """Putting somebody else in a place."""

    @describe("replace_entry", serializers.ReplacementSerializer, OrganisedEntrySchema)
    @repeatable
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Let another player take over an entrant's place, with all its results."""
        event, said = self.find(request, slug), read(serializers.ReplacementSerializer, request.data)
        entry = replace_entry(
            entry_id=get_entry(event, entry_id).pk,
            player=named_player(said["player"]),
            actor=player_of(request),
            reason=said["reason"],
            now=timezone.now(),
        )
        return Response(organised_entry_to_json(entry))
