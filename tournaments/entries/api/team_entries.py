"""The endpoints of competitions of teams: entering one, line-ups, and meetings with their boards."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from formats.team_meetings import MAX_BOARDS
from players.current_player import current_player, require_player
from tournaments.entries.schemas import OwnEntrySchema, own_entry_to_json
from tournaments.entries.services.line_ups import set_line_up
from tournaments.entries.services.team_entries import enter_team
from tournaments.models import MAX_ROUND, Competition
from tournaments.office.api.serializers import NewEntrySerializer
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.lists import fixtures_of, with_players_and_rounds
from tournaments.office.selectors.organisers import find_competition
from tournaments.office.services.slugs import MAX_SLUG_LENGTH
from tournaments.records.meetings import meetings_of
from tournaments.running.errors import SinglePlayersOnly
from tournaments.teams.inputs import BoardPlayersField
from tournaments.teams.schemas import LineUpSchema, MeetingSchema, line_up_to_json, line_ups_to_json, meeting_to_json
from tournaments.teams.selectors.line_ups import entries_led_by, latest_round_begun, line_ups_to_show
from tournaments.teams.selectors.teams import find_team
from web.api.idempotency.decorator import idempotent
from web.api.rows import rows_to_json
from web.api.strict_views import RefusableView, StrictView, read
from web.requests.client_ip import client_network

AT_BOARDS = "Usernames of members, that of the first board first."


class NewTeamEntrySerializer(NewEntrySerializer):
    """A team that enters, and the order of its players."""

    team = serializers.CharField(max_length=MAX_SLUG_LENGTH, help_text="The slug of a team whose captain you are.")
    players = BoardPlayersField(allow_empty=False, max_length=MAX_BOARDS, help_text=AT_BOARDS)


class NewLineUpSerializer(serializers.Serializer[Any]):
    """The players at the boards from a round on."""

    round = serializers.IntegerField(min_value=1, max_value=MAX_ROUND, help_text="The number of the round.")
    players = BoardPlayersField(allow_empty=False, max_length=MAX_BOARDS, help_text=AT_BOARDS)
    team = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_SLUG_LENGTH,
        help_text="The slug of a team whose captain you are; the first that joined if not given.",
    )


class RoundFilterSerializer(serializers.Serializer[Any]):
    """The number of a round."""

    round = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_ROUND,
        help_text="The number of a round; the latest that has begun if not given, or the first.",
    )


def _asked_round(request: Request, competition: Competition) -> int:
    """Return the number of the round in the query. Raises ``ValidationError`` for what is none."""
    asked: int | None = read(RoundFilterSerializer, request.query_params).get("round")
    return latest_round_begun(competition) or 1 if asked is None else asked


class EnterTeamView(StrictView):
    """Let a captain enter a team, with the order of its players."""

    @extend_schema(request=NewTeamEntrySerializer, responses={201: OwnEntrySchema}, operation_id="enter_team")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Enter a team whose captain you are. Its players sit in this order until you set a line-up."""
        captain = require_player(request)
        competition = find_competition(slug, captain)
        said = self.read_body()
        entry = enter_team(
            competition_id=competition.pk,
            team_id=find_team(slug=said["team"]).pk,
            players=said["players"],
            actor=captain,
            password=said["password"],
            client_ip=client_network(request),
            now=current_moment(),
            version=said["version"],
        )
        return Response(own_entry_to_json(entry), status=201)


class LineUpView(RefusableView):
    """The line-up of one's own team."""

    @extend_schema(request=NewLineUpSerializer, responses=LineUpSchema, operation_id="set_line_up")
    @idempotent
    def put(self, request: Request, slug: str) -> Response:
        """Say who of your team sits at which board from a round on. Each round can be set until it begins."""
        captain = require_player(request)
        competition = find_competition(slug, captain)
        if competition.boards is None:
            raise SinglePlayersOnly(_("Only single players can join this competition, not teams."))
        said = self.read_body()
        led = entries_led_by(competition=competition, captain=captain)
        entry = next((each for each in led if each.team and said["team"] in {"", each.team.slug}), None)
        if entry is None:
            raise EntryNotFound(_("You are not the captain of such a team in this competition."))
        line_up = set_line_up(
            entry_id=entry.pk,
            round_number=said["round"],
            players=said["players"],
            actor=captain,
            now=current_moment(),
        )
        return Response(line_up_to_json(line_up))


class LineUpsView(StrictView):
    """The line-ups of teams."""

    @extend_schema(parameters=[RoundFilterSerializer], responses=list[LineUpSchema], operation_id="list_line_ups")
    def get(self, request: Request, slug: str) -> Response:
        """List the line-ups that hold in a round, by team: before it begins, captains see their own, organisers all."""
        viewer = current_player(request)
        competition = find_competition(slug, viewer)
        number = _asked_round(request, competition)
        return Response(line_ups_to_json(line_ups_to_show(competition=competition, number=number, viewer=viewer)))


class MeetingsView(StrictView):
    """The meetings of teams."""

    @extend_schema(parameters=[RoundFilterSerializer], responses=list[MeetingSchema], operation_id="list_meetings")
    def get(self, request: Request, slug: str) -> Response:
        """List the meetings of two teams in a round, with what their boards add up to; none of single players."""
        competition = find_competition(slug, current_player(request))
        number = _asked_round(request, competition)
        if competition.boards is None:
            return Response([])
        fixtures = with_players_and_rounds(fixtures_of(competition, number=number)).order_by("pk")
        return Response(rows_to_json(meetings_of(list(fixtures)), meeting_to_json))
