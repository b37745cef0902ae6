"""The bodies with which competitions are made and edited, and what they do to rows."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext as _
from rest_framework import serializers

from formats.scoring.points import STOCK_TABLES, write_table
from formats.scoring.tiebreaks import TEAM_TIEBREAKS, TIEBREAKS
from formats.team_meetings import MAX_BOARDS, MIN_BOARDS
from matches.api.serializers import TimeControlSerializer
from tournaments.making.recipes import RECIPES
from tournaments.making.services.competitions import LATER_OPTIONS, OPTIONS, STAGE_OPTIONS
from tournaments.making.services.drafts import (
    MAX_DAYS_OF_VACATION,
    MAX_DESCRIPTION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_PASSWORD_LENGTH,
)
from tournaments.models import MAX_CHECK_IN_MINUTES, Competition, RoundEnd, Seeding, Stage
from tournaments.office.inputs import Reason
from tournaments.rounds.services.stage_checks import MAX_STAGES

MAX_NUMBER = 2**31 - 1


class StageOptionsSerializer(serializers.Serializer[Any]):
    """The choices for a stage; everything else stays as it is."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_STAGES, help_text="Of the stage, from 1.")
    options = serializers.DictField(
        required=False, help_text="Of its format, by name, as `get_competition` shows them; those not named stay."
    )
    round_days = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MAX_NUMBER)
    at_round_end = serializers.ChoiceField(required=False, choices=[each.value for each in RoundEnd])
    seeding = serializers.ChoiceField(
        required=False, choices=[each.value for each in Seeding], help_text="Of the first stage."
    )
    late_entry = serializers.BooleanField(required=False, help_text="Of the first stage.")
    tiebreaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[*TIEBREAKS, *TEAM_TIEBREAKS]), required=False, max_length=len(TIEBREAKS)
    )
    grouping = serializers.DictField(
        required=False, allow_null=True, help_text="`groups`, `size`, `league_size`, or `whenever`."
    )
    advance = serializers.DictField(
        required=False,
        allow_null=True,
        help_text="`first` and `best`, or `above_percent`; and `seeding`, `levels` and `begins`.",
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
    is_rated = serializers.BooleanField(required=False)
    admits_computers = serializers.BooleanField(required=False)
    by_invitation = serializers.BooleanField(
        required=False, help_text="True if only invited players can join; then there is no password."
    )
    max_entrants = serializers.IntegerField(required=False, allow_null=True, min_value=2, max_value=MAX_NUMBER)
    min_rating = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=MAX_NUMBER)
    max_rating = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=MAX_NUMBER)
    password = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_PASSWORD_LENGTH,
        trim_whitespace=False,
        write_only=True,
        help_text="For entry; empty for none.",
    )
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
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


def _apply_to_stage(stage: Stage, chosen: Mapping[str, Any]) -> None:
    for name in (STAGE_OPTIONS if stage.number == 1 else LATER_OPTIONS).intersection(chosen):
        setattr(stage, name, chosen[name])
    if "options" in chosen:
        stage.options = {**stage.options, **chosen["options"]}
