"""The endpoints of ladders and cups as a whole, and with which they are made."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.contrib.auth.hashers import make_password
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from formats.options import MAX_DAYS
from formats.scoring.points import STOCK_TABLES, write_table
from formats.scoring.tiebreaks import TEAM_TIEBREAKS, TIEBREAKS
from formats.team_meetings import MAX_BOARDS, MIN_BOARDS
from matches.api.serializers import TimeControlSerializer
from players.api.base import IF_NONE_MATCH
from players.current_player import current_player, require_player
from players.models import Scope
from tournaments.making.recipes import RECIPES, complete_play_offs, make_stages
from tournaments.making.services.competitions import LATER_OPTIONS, OPTIONS, STAGE_OPTIONS
from tournaments.making.services.copies import copy_competition
from tournaments.making.services.drafts import (
    MAX_DAYS_OF_VACATION,
    MAX_DESCRIPTION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MAX_PASSWORD_LENGTH,
    MAX_RATING_LIMIT,
    delete_draft,
    edit_options,
    find_changes,
    make_draft,
)
from tournaments.models import (
    MAX_BEGIN_HOURS,
    MAX_CHECK_IN_MINUTES,
    MAX_PROTEST_HOURS,
    Competition,
    CompetitionKind,
    Cup,
    Disqualification,
    Ladder,
    RoundEnd,
    Seeding,
    Stage,
)
from tournaments.office.api.base import OrganiserView
from tournaments.office.api.lookups import tagged
from tournaments.office.api.serializers import CompetitionFilterSerializer
from tournaments.office.inputs import Reason
from tournaments.office.selectors.organisers import find_competition, get_organised_competition
from tournaments.pages.schemas.competition import (
    CompetitionDetailSchema,
    CompetitionSchema,
    competition_detail_to_json,
    competition_to_json,
)
from tournaments.records.competitions import list_competitions
from tournaments.rounds.services.stage_checks import MAX_STAGES
from web.api.idempotency.decorator import idempotent
from web.api.moment_fields import MomentField
from web.api.pagination import NewestFirst
from web.api.rows import rows_to_json
from web.api.strict_views import StrictListView, StrictView


class StageOptionsSerializer(serializers.Serializer[Any]):
    """The choices for a stage; everything else stays as it is."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_STAGES, help_text="Of the stage, from 1.")
    options = serializers.DictField(
        required=False, help_text="Of its format, by name, as `get_competition` shows them; those not named stay."
    )
    round_days = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MAX_DAYS)
    at_round_end = serializers.ChoiceField(required=False, choices=[each.value for each in RoundEnd])
    seeding = serializers.ChoiceField(
        required=False, choices=[each.value for each in Seeding], help_text="Of the first stage."
    )
    late_entry = serializers.BooleanField(required=False, help_text="Of the first stage.")
    tiebreaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[*TIEBREAKS, *TEAM_TIEBREAKS]), required=False, max_length=len(TIEBREAKS)
    )
    grouping = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="`groups`, `size`, `league_size` with `last_promoted` and `last_to_stay`, or `whenever`.",
    )
    advance = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="`first` and `best`, or `above_percent`; and `seeding`, `levels` and `begins`. Of leagues "
        "`play_offs`, which adds a stage that is a knock-out.",
    )

    def to_internal_value(self, data: Any) -> Any:
        """Return the values. Raises ``ValidationError`` for names that a stage has not."""
        unknown = [name for name in data if name not in self.fields] if isinstance(data, Mapping) else []
        if unknown:
            sentence = _("A stage has no such member.")
            raise serializers.ValidationError({str(name)[:40]: [sentence] for name in unknown[:5]})
        return super().to_internal_value(data)


class DraftSerializer(serializers.Serializer[Any]):
    """Options of a competition; what is not given stays as it is."""

    name = serializers.CharField(required=False, max_length=MAX_NAME_LENGTH)
    game = serializers.CharField(required=False, max_length=40, help_text="A game's key.")
    description = serializers.CharField(required=False, allow_blank=True, max_length=MAX_DESCRIPTION_LENGTH)
    time_control = TimeControlSerializer(required=False)
    vacation_limit = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=MAX_DAYS_OF_VACATION
    )
    begin_hours = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_BEGIN_HOURS,
        help_text="The hours of their clock after which players who have not made a first move forfeit a match; null "
        "for the whole clock.",
    )
    protest_hours = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_PROTEST_HOURS,
        help_text="Of cups: for how many hours after the end the final result is provisional; null for none.",
    )
    is_rated = serializers.BooleanField(required=False)
    admits_computers = serializers.BooleanField(required=False)
    disqualification = serializers.ChoiceField(
        required=False,
        choices=[rule.value for rule in Disqualification],
        help_text="The rule for the results of disqualified players.",
    )
    by_invitation = serializers.BooleanField(
        required=False, help_text="True if only invited players can join; then there is no password."
    )
    max_entrants = serializers.IntegerField(required=False, allow_null=True, min_value=2, max_value=MAX_NUMBER)
    min_rating = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=MAX_RATING_LIMIT)
    max_rating = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=MAX_RATING_LIMIT)
    password = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_PASSWORD_LENGTH,
        trim_whitespace=False,
        write_only=True,
        help_text="For entry; empty for none.",
    )
    starts_at = MomentField(required=False, allow_null=True)
    starts_when_full = serializers.BooleanField(required=False)
    check_in_minutes = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_CHECK_IN_MINUTES,
        help_text="Of cups: how long before `starts_at` players can check in. Those who have not by then do not play.",
    )
    boards = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=MIN_BOARDS,
        max_value=MAX_BOARDS,
        help_text="Teams with so many boards join, and play a round robin, or a knock-out without replays, with days "
        "for each round; null for none.",
    )
    match_points = serializers.ChoiceField(required=False, choices=list(STOCK_TABLES), help_text="A stock table.")
    stages = StageOptionsSerializer(many=True, required=False)


class EditSerializer(DraftSerializer):
    """Other options of a competition, the version of those that were read, and why."""

    version = serializers.IntegerField(
        required=False,
        default=None,
        min_value=0,
        max_value=MAX_NUMBER,
        help_text="As `get_competition` shows it: refused if somebody has changed the options since.",
    )
    reason = Reason(required=False).api_field()
    asks_again = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Invite all who have joined again, in place of their entries: without it, `game` and `time_control` "
        "cannot change once others have joined.",
    )


class NewCompetitionSerializer(DraftSerializer):
    """A competition to be made: a recipe, and what is chosen otherwise."""

    recipe = serializers.ChoiceField(choices=list(RECIPES))
    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    game = serializers.CharField(max_length=40, help_text="A game's key.")


def apply_options(competition: Competition, stages: list[Stage], values: Mapping[str, Any]) -> None:
    """Give a competition and its stages, none of which is stored by this, what a body says.

    Raises ``ValidationError`` for a stage that there is not.
    """
    for name in OPTIONS.intersection(values) - {"password"}:
        setattr(competition, name, values[name])
    if "time_control" in values:
        control = values["time_control"]
        competition.time_bank, competition.time_increment = control["bank"], control["increment"]
        competition.time_cap = control.get("cap", control["bank"])
    if "password" in values:
        competition.password = make_password(values["password"]) if values["password"] else ""
    if "match_points" in values:
        competition.point_table = write_table(STOCK_TABLES[values["match_points"]])
    for chosen in values.get("stages", ()):
        if chosen["number"] > len(stages):
            sentence = _("There is no stage %(number)d.") % {"number": chosen["number"]}
            raise serializers.ValidationError({"stages": [sentence]})
        _apply_to_stage(stages[chosen["number"] - 1], chosen)
        stages[:] = complete_play_offs(stages)


def _apply_to_stage(stage: Stage, chosen: Mapping[str, Any]) -> None:
    for name in (STAGE_OPTIONS if stage.number == 1 else LATER_OPTIONS).intersection(chosen):
        setattr(stage, name, chosen[name])
    if "options" in chosen:
        stage.options = {**stage.options, **chosen["options"]}


class CompetitionsView(StrictListView[Competition]):
    """Ladders and cups."""

    write_scope = Scope.ORGANISE
    pagination_class = NewestFirst
    queryset = Competition.objects.none()

    @extend_schema(
        parameters=[CompetitionFilterSerializer], responses=list[CompetitionSchema], operation_id="list_competitions"
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the competitions that fit every filter, the newest first."""
        query = self.read_query()
        kind = query.get("kind")
        competitions = list_competitions(
            kind=CompetitionKind(kind) if kind else None,
            status=query.get("status"),
            game=query.get("game"),
            query=query.get("name", ""),
        )
        if "id" in query:
            competitions = competitions.filter(pk=query["id"])
        page = self.paginate_queryset(competitions) or []
        return self.get_paginated_response(rows_to_json(page, competition_to_json))

    @extend_schema(
        request=NewCompetitionSerializer,
        responses={201: CompetitionDetailSchema},
        operation_id="create_competition",
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a competition from a recipe. It is a draft that only you see, its organiser, until you open entry."""
        values = self.read_body()
        recipe, maker = RECIPES[values["recipe"]], require_player(request)
        competition = (Ladder if recipe.kind == CompetitionKind.LADDER else Cup)(boards=recipe.boards)
        stages = make_stages(recipe)
        apply_options(competition, stages, values)
        make_draft(competition=competition, stages=stages, maker=maker, now=current_moment())
        made = find_competition(competition.slug, maker)
        return Response(competition_detail_to_json(made, maker), status=201)


class CompetitionView(StrictView):
    """A competition."""

    write_scope = Scope.ORGANISE

    @extend_schema(
        parameters=[IF_NONE_MATCH],
        responses={200: CompetitionDetailSchema, 304: None},
        operation_id="get_competition",
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        """Get a whole competition as you see it: with your entry, why you may not enter, and what a cup waits for."""
        viewer = current_player(request)
        return tagged(request, Response(competition_detail_to_json(find_competition(slug, viewer), viewer)))

    @extend_schema(request=EditSerializer, responses=CompetitionDetailSchema, operation_id="edit_competition")
    @idempotent
    def patch(self, request: Request, slug: str) -> Response:
        """Change options of a competition that you organise, as far as its status allows. Its stages and formats stay.

        Once it runs, what its matches depend on is fixed, and once it is over all but its name and description.
        With a ``version``, they are changed only if nobody else has changed any since you read them.
        """
        organiser, values = require_player(request), self.read_body()
        before = get_organised_competition(slug=slug, player=organiser)
        stages_before = before.all_stages
        competition, stages = deepcopy(before), deepcopy(stages_before)
        apply_options(competition, stages, values)
        changed = find_changes(before=before, after=competition, stages_before=stages_before, stages=stages)
        edit_options(
            competition=competition,
            stages=stages,
            changed=changed,
            version=values["version"],
            actor=organiser,
            reason=values["reason"],
            asks_again=values["asks_again"],
            now=current_moment(),
        )
        return Response(competition_detail_to_json(find_competition(slug, organiser), organiser))

    @extend_schema(responses={204: None}, operation_id="delete_draft")
    @idempotent
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a draft that you organise, with its entries. A competition that was open for entry is cancelled."""
        organiser = require_player(request)
        delete_draft(competition=get_organised_competition(slug=slug, player=organiser), actor=organiser)
        return Response(status=204)


class CopySerializer(serializers.Serializer[Any]):
    """The name of a copy, and whether those who are in it come along."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    with_entrants = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Enter all who have not left the competition and may play. Of teams nobody is entered.",
    )


class CopyView(OrganiserView):
    """A competition made again."""

    @extend_schema(operation_id="copy_competition", request=CopySerializer, responses={201: CompetitionDetailSchema})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a draft with the options of a competition that you organise: its own `name`, and no time of a start."""
        competition, values = self.find(request, slug), self.read_body()
        maker = require_player(request)
        made = copy_competition(competition=competition, **values, actor=maker, now=current_moment())
        return Response(competition_detail_to_json(find_competition(made.slug, maker), maker), status=201)
