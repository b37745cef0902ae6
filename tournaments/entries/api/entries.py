"""The endpoints with which players enter and leave competitions, wait, check in, and challenge each other."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.current_player import require_player
from players.models import Player
from tournaments.entries.schemas import (
    ChallengeOptionSchema,
    OwnCheckInSchema,
    OwnEntrySchema,
    OwnWaitingSchema,
    challenge_option_to_json,
    own_check_in_to_json,
    own_entry_to_json,
    own_waiting_to_json,
)
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.waiting_list import join_waiting_list, leave_waiting_list
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import NOT_REPLACED, Entry, Ladder
from tournaments.office.api.lookups import named_player
from tournaments.office.api.serializers import (
    ChallengeFilterSerializer,
    NewByeRequestSerializer,
    NewChallengeSerializer,
    NewEntrySerializer,
    WithdrawalSerializer,
)
from tournaments.office.errors import EntryNotFound
from tournaments.office.schemas import FixtureSchema, fixture_to_json
from tournaments.office.selectors.organisers import find_competition
from tournaments.office.selectors.own_entries import find_own_entry
from tournaments.records.challenges import challenge_preview, opponents_within_reach
from tournaments.records.groups import SEATS, group_of
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.selectors.waiting_lists import find_own_waiting
from tournaments.running.services.challenges import challenge
from tournaments.tables.selectors.tables import is_challenge, ladder_positions
from web.api.idempotency.decorator import idempotent
from web.api.rows import rows_to_json
from web.api.strict_views import RefusableView, StrictView
from web.requests.client_ip import client_network


class EnterView(StrictView):
    """Let a player enter."""

    @extend_schema(request=NewEntrySerializer, responses={201: OwnEntrySchema}, operation_id="enter_competition")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Enter a competition. On a ladder you come back by it after a loss on time, or after you left."""
        player = require_player(request)
        competition = find_competition(slug, player)
        said = self.read_body()
        entry = enter_competition(
            competition_id=competition.pk,
            player=player,
            password=said["password"],
            client_ip=client_network(request),
            now=current_moment(),
            version=said["version"],
        )
        return Response(own_entry_to_json(entry), status=201)


class LeaveView(StrictView):
    """Let a player leave."""

    @extend_schema(
        request=WithdrawalSerializer,
        responses={200: OwnEntrySchema, 204: OpenApiResponse(description="The entry has been removed")},
        operation_id="leave_competition",
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Leave a competition. You finish a ladder's running games first; a running cup's are lost by forfeit.

        A captain withdraws the team.
        """
        team = self.read_body()["team"]
        entry = find_own_entry(slug=slug, player=require_player(request), team=team)
        left = leave_competition(entry_id=entry.pk, now=current_moment())
        return Response(status=204) if left is None else Response(own_entry_to_json(left))


class ByeView(StrictView):
    """Let a player ask for a bye in a round that is still to be drawn."""

    @extend_schema(request=NewByeRequestSerializer, responses=OwnEntrySchema, operation_id="request_bye")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Ask to sit out a round that is still to be drawn, in place of any other that you asked for."""
        said = self.read_body()
        player = require_player(request)
        entry = _own_entry(slug, player)
        request_bye(entry_id=entry.pk, round_number=said["round"], actor=player, now=current_moment())
        return Response(own_entry_to_json(_own_entry(slug, player)))


class TakeBackByeView(StrictView):
    """Let a player take back that they asked for a bye."""

    @extend_schema(request=None, responses=OwnEntrySchema, operation_id="take_back_bye")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Play after all in the round that you asked to sit out; until the round has been drawn."""
        player = require_player(request)
        take_back_bye(entry_id=_own_entry(slug, player).pk, actor=player, now=current_moment())
        return Response(own_entry_to_json(_own_entry(slug, player)))


class ChallengesView(RefusableView):
    """Challenges on a challenge ladder."""

    private = True

    @extend_schema(
        parameters=[ChallengeFilterSerializer],
        responses=list[ChallengeOptionSchema],
        operation_id="list_challenges",
    )
    def get(self, request: Request, slug: str) -> Response:
        """List whom you can challenge: what each end of the game would do to your place, or why you cannot.

        Everybody within your reach is listed, or one ``opponent``.
        """
        query = self.read_query()
        player = require_player(request)
        ladder = _challenge_ladder(slug, player)
        options = challenge_preview(
            ladder=ladder,
            player=player,
            now=current_moment(),
            opponents=_opponents(ladder, player, query.get("opponent")),
        )
        return Response(rows_to_json(options, challenge_option_to_json))

    @extend_schema(request=NewChallengeSerializer, responses={201: FixtureSchema}, operation_id="challenge_player")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Challenge a player: the game starts at once, and you play Yellow."""
        said = self.read_body()
        player = require_player(request)
        fixture = challenge(
            ladder_id=_challenge_ladder(slug, player).pk,
            challenger=player,
            opponent=named_player(said["opponent"]),
            now=current_moment(),
        )
        return Response(fixture_to_json(fixture), status=201)


def _own_entry(slug: str, player: Player) -> Entry:
    competition = find_competition(slug, player)
    own = Entry.objects.filter(NOT_REPLACED, competition_id=competition.pk, player=player)
    entry = own.prefetch_related(SEATS).first()
    if entry is None:
        raise EntryNotFound(_("You have not joined this competition."))
    return entry


def _challenge_ladder(slug: str, player: Player) -> Ladder:
    ladder = find_competition(slug, player)
    if not isinstance(ladder, Ladder) or not is_challenge(ladder):
        raise WrongCompetitionStatus(_("Players can challenge each other only on a challenge ladder."))
    return ladder


def _opponents(ladder: Ladder, player: Player, username: str | None) -> list[Entry]:
    seats = ladder_positions(group_of(ladder)).select_related("entry__player")
    if username is not None:
        return [seat.entry for seat in seats.filter(entry__player=named_player(username))]
    own = seats.filter(entry__player=player).first()
    return opponents_within_reach(seat=own) if own else []


class CheckInView(RefusableView):
    """Let a player check in before the start."""

    @extend_schema(request=None, responses={200: OwnCheckInSchema}, operation_id="check_in")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Check in before the start, in the competition or on its waiting list. Again has no effect."""
        player = require_player(request)
        competition = find_competition(slug, player)
        place = check_in(competition_id=competition.pk, player=player, now=current_moment())
        return Response(own_check_in_to_json(place))


class JoinWaitingListView(StrictView):
    """Let a player wait for a place in a competition that is full."""

    @extend_schema(request=NewEntrySerializer, responses={201: OwnWaitingSchema}, operation_id="join_waiting_list")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Join the waiting list of a competition that is full. You move up by itself when a place becomes free."""
        player = require_player(request)
        competition = find_competition(slug, player)
        said = self.read_body()
        waiting = join_waiting_list(
            competition_id=competition.pk,
            player=player,
            password=said["password"],
            client_ip=client_network(request),
            now=current_moment(),
            version=said["version"],
        )
        return Response(own_waiting_to_json(waiting), status=201)


class LeaveWaitingListView(RefusableView):
    """Let a player wait for a place no longer."""

    @extend_schema(request=None, responses={204: None}, operation_id="leave_waiting_list")
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Leave the waiting list of a competition. If you join it again, you are its last."""
        player = require_player(request)
        waiting = find_own_waiting(slug=slug, player=player)
        leave_waiting_list(competition_id=waiting.competition_id, player=player, now=current_moment())
        return Response(status=204)
