"""The API's endpoints for notes among organisers."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from players.models import Scope
from tournaments.models import Note
from tournaments.models.note import MAX_NOTE_LENGTH
from tournaments.models.rights import Right
from tournaments.office.api.base import OrganiserView
from tournaments.office.schemas import NoteSchema, note_to_json
from tournaments.office.selectors.organisers import get_organised_competition
from tournaments.office.services.notes import delete_note, write_note
from web.api.idempotency.decorator import idempotent
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView


class NewNoteSerializer(serializers.Serializer[Any]):
    """Something to remember."""

    text = serializers.CharField(max_length=MAX_NOTE_LENGTH)


class NotesView(StrictListView[Note]):
    """The notes of a competition's organisers."""

    write_scope = Scope.ORGANISE
    private = True
    pagination_class = NewestFirst
    queryset = Note.objects.none()

    @extend_schema(responses=list[NoteSchema], operation_id="list_notes")
    def get(self, request: Request, slug: str) -> Response:
        """List what organisers and helpers have noted for each other, the latest first. Nobody else can read it."""
        competition = get_organised_competition(slug=slug, player=require_player(request), right=Right.DECIDE)
        page = self.paginate_queryset(Note.objects.filter(competition=competition).select_related("author")) or []
        return self.get_paginated_response(rows_to_json(page, note_to_json))

    @extend_schema(request=NewNoteSerializer, responses={201: NoteSchema}, operation_id="write_note")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Note something for the other organisers and helpers."""
        author = require_player(request)
        competition = get_organised_competition(slug=slug, player=author, right=Right.DECIDE)
        values = self.read_body()
        note = write_note(competition_id=competition.pk, actor=author, now=current_moment(), **values)
        return Response(note_to_json(note), status=201)


class NoteView(OrganiserView):
    """A note."""

    @extend_schema(responses={204: None}, operation_id="delete_note")
    @idempotent
    def delete(self, request: Request, slug: str, note_id: int) -> Response:
        """Delete a note, an organiser anybody’s, a helper only their own."""
        competition = self.find(request, slug, Right.DECIDE)
        delete_note(competition_id=competition.pk, note_id=note_id, actor=require_player(request))
        return Response(status=204)
