"""Serializers of query parameters and bodies; services validate what they mean."""

from typing import Any

from rest_framework import serializers

from players.usernames import MAX_LENGTH
from tournaments.models import MAX_ROUND, CompetitionKind, CompetitionStatus
from tournaments.models.game_families import FAMILIES
from tournaments.office.services.slugs import MAX_SLUG_LENGTH

SHOWN_STATUSES = [choice for choice in CompetitionStatus.choices if choice[0] != CompetitionStatus.DRAFT]
MAX_NAME_LENGTH = 80
MAX_NUMBER = 32_767
"""Of stages and groups: no row can have a higher number."""


class CompetitionFilterSerializer(serializers.Serializer[Any]):
    """Filters of the list of competitions."""

    id = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="Its number, a match's ``competition``."
    )
    kind = serializers.ChoiceField(required=False, choices=[kind.value for kind in CompetitionKind])
    status = serializers.ChoiceField(required=False, choices=SHOWN_STATUSES)
    game = serializers.CharField(required=False, max_length=40, help_text="A game's key.")
    name = serializers.CharField(required=False, max_length=MAX_NAME_LENGTH, help_text="A part of the name.")


class GroupFilterSerializer(serializers.Serializer[Any]):
    """The number of a group of a competition, and that of its stage."""

    stage = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text="The number of a stage; the latest that has begun if not given.",
    )
    group = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text="The number of a group in its stage; 1 if not given.",
    )


class PartFilterSerializer(serializers.Serializer[Any]):
    """The part of a competition to list."""

    stage = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_NUMBER, help_text="The number of a stage; all if not given."
    )
    group = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_NUMBER, help_text="The number of groups in their stages."
    )


class PlaceFilterSerializer(serializers.Serializer[Any]):
    """The player whose places are listed."""

    player = serializers.CharField(required=False, max_length=MAX_LENGTH, help_text="A player's username.")


class FixtureFilterSerializer(PartFilterSerializer):
    """Filters of the list of a competition's matches."""

    player = serializers.CharField(required=False, max_length=MAX_LENGTH, help_text="A player's username.")
    round = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ROUND)
    counted = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="True for results that have been counted, false for the others.",
    )


class ReadOptionsSerializer(serializers.Serializer[Any]):
    """The version of the options that a player has read who agrees to them."""

    version = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MAX_NUMBER,
        help_text="The `version` of the competition that you have read; refused if its conditions have changed since.",
    )


class NewEntrySerializer(ReadOptionsSerializer):
    """The body of a request to enter."""

    password = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=128, trim_whitespace=False, write_only=True
    )


class WithdrawalSerializer(serializers.Serializer[Any]):
    """The team that leaves a competition of teams."""

    team = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_SLUG_LENGTH,
        help_text="The slug of a team whose captain you are; the first that plays on if not given.",
    )


class NewByeRequestSerializer(serializers.Serializer[Any]):
    """The body of a request to sit out a round."""

    round = serializers.IntegerField(min_value=1, max_value=MAX_ROUND, help_text="The number of the round.")


class ChallengeFilterSerializer(serializers.Serializer[Any]):
    """The opponent of the challenge to foresee."""

    opponent = serializers.CharField(
        required=False, max_length=MAX_LENGTH, help_text="A username; everybody within reach if not given."
    )


class NewChallengeSerializer(serializers.Serializer[Any]):
    """A challenge."""

    opponent = serializers.CharField(max_length=MAX_LENGTH, help_text="A username.")


class RatingFilterSerializer(serializers.Serializer[Any]):
    """The family of games whose rating list is shown."""

    game = serializers.ChoiceField(
        required=False,
        choices=list(FAMILIES),
        default=next(iter(FAMILIES)),
        help_text="A family of games, whose presets share ratings.",
    )
