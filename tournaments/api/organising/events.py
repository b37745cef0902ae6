"""Running an event over the API: from its opening to its end."""

from __future__ import annotations

from http import HTTPStatus

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.reading import player_of, read
from matches.api.repeating import repeatable
from tournaments.api.organising import serializers
from tournaments.api.organising.view import OrganiserView, describe
from tournaments.schemas.competition import organised_competition_to_json
from tournaments.schemas.draw import DrawSchema, draw_to_json
from tournaments.services.cups.drawing import draw_cup
from tournaments.services.cups.draws import kept_draw, preview_draw
from tournaments.services.lifecycle.pausing import pause_event, resume_event
from tournaments.services.lifecycle.stages import announce, cancel_event, close_event, finish_event, open_event
from tournaments.services.lifecycle.starting import start_event


class OpenView(OrganiserView):
    """Opening entry."""

    @describe("open_event")
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Open an event for entry. A draw that was made is forgotten."""
        event = self.find(request, slug)
        open_event(event_id=event.pk, actor=player_of(request), now=timezone.now())
        return Response(organised_competition_to_json(event))


class CloseView(OrganiserView):
    """Closing entry."""

    @describe("close_event")
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Close the entry of an event that has not started."""
        event = self.find(request, slug)
        close_event(event_id=event.pk, actor=player_of(request), now=timezone.now())
        return Response(organised_competition_to_json(event))


class StartView(OrganiserView):
    """Starting."""

    @describe("start_event")
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Start an event; a cup that has not been drawn is drawn now."""
        event = self.find(request, slug)
        start_event(event_id=event.pk, actor=player_of(request), now=timezone.now())
        return Response(organised_competition_to_json(event))


class PauseView(OrganiserView):
    """Pausing."""

    @describe("pause_event", serializers.ReasonSerializer)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Stop the clocks of a running event; nobody moves until it is resumed."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        pause_event(event=event, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class ResumeView(OrganiserView):
    """Going on after a pause."""

    @describe("resume_event", serializers.NoteSerializer)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Let the clocks of a paused event run on; the dates of its rounds are later by the pause."""
        event, said = self.find(request, slug), read(serializers.NoteSerializer, request.data)
        resume_event(event=event, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class FinishView(OrganiserView):
    """Finishing a ladder."""

    @describe("finish_event", serializers.ReasonSerializer)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Finish a ladder; its table stays as it is, and matches that go on count nowhere."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        finish_event(event_id=event.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class CancelView(OrganiserView):
    """Cancelling."""

    @describe("cancel_event", serializers.ReasonSerializer)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Cancel an event for good; matches that go on count nowhere."""
        event, said = self.find(request, slug), read(serializers.ReasonSerializer, request.data)
        cancel_event(event_id=event.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class AnnouncementsView(OrganiserView):
    """Telling the players something."""

    @describe("announce", serializers.AnnouncementSerializer)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Write something into the event's log."""
        event, said = self.find(request, slug), read(serializers.AnnouncementSerializer, request.data)
        announce(event_id=event.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(organised_competition_to_json(event))


class DrawView(OrganiserView):
    """The draw of a cup."""

    refusals = (HTTPStatus.CONFLICT,)

    @extend_schema(operation_id="preview_draw", parameters=[serializers.DrawQuerySerializer], responses=DrawSchema)
    def get(self, request: Request, slug: str) -> Response:
        """The draw of a cup that is drawn; before that, or by a ``seed``, what it would be, and nothing is kept.

        Once the cup has started, only its own draw can be seen.
        """
        cup, said = self.find_cup(request, slug), read(serializers.DrawQuerySerializer, request.query_params)
        kept = kept_draw(cup=cup) if said["seed"] is None else None
        return Response(draw_to_json(kept or preview_draw(cup=cup, **said), is_kept=kept is not None))

    @describe("draw_cup", serializers.WantedDrawSerializer, DrawSchema)
    @repeatable
    def post(self, request: Request, slug: str) -> Response:
        """Draw a cup that has not started, or draw it again. Entry is closed with it."""
        cup, said = self.find_cup(request, slug), read(serializers.WantedDrawSerializer, request.data)
        drawn = draw_cup(cup_id=cup.pk, actor=player_of(request), **said, now=timezone.now())
        return Response(draw_to_json(drawn, is_kept=True))
