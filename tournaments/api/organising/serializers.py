"""What organisers send to the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from rules_engine.values import Side
from tournaments.forms import LONGEST_REASON, MOST_HOURS
from tournaments.importing import LARGEST_LIST
from tournaments.models import RoundEnd

BIGGEST = 2**63 - 1
MOST_SECONDS = MOST_HOURS * 3600
LARGEST_CUP = 10_000


class NoteSerializer(serializers.Serializer[Any]):
    """A reason that may be left out."""

    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why it is done: the players can read it."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class AnnouncementSerializer(serializers.Serializer[Any]):
    """Something to tell the players."""

    text = serializers.CharField(max_length=LONGEST_REASON)


class AdmissionSerializer(NoteSerializer):
    """Who is to be entered."""

    player = serializers.CharField(max_length=150, help_text="A username.")


class ReplacementSerializer(ReasonSerializer):
    """Who takes over the place."""

    player = serializers.CharField(max_length=150, help_text="A username.")


class WantedDrawSerializer(serializers.Serializer[Any]):
    """How to draw: by this seed, and with these entries (ids, the first seed first) seeded by hand."""

    seed = serializers.IntegerField(min_value=0, max_value=BIGGEST, required=False, default=None, allow_null=True)
    order = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=BIGGEST),
        max_length=LARGEST_CUP,
        required=False,
        default=None,
        allow_null=True,
    )


class DrawQuerySerializer(serializers.Serializer[Any]):
    """By which seed to draw."""

    seed = serializers.IntegerField(min_value=0, max_value=BIGGEST, required=False, default=None)


class AdjudicationSerializer(ReasonSerializer):
    """Who wins: null for a draw."""

    winner = serializers.ChoiceField(choices=[side.value for side in Side], allow_null=True)


class ExtensionSerializer(ReasonSerializer):
    """Whose clock gets how many seconds."""

    side = serializers.ChoiceField(choices=[side.value for side in Side])
    seconds = serializers.IntegerField(min_value=1, max_value=MOST_SECONDS)


class RoundEndSerializer(ReasonSerializer):
    """What becomes of the matches that still go on."""

    policy = serializers.ChoiceField(choices=[RoundEnd.ADJUDICATE.value, RoundEnd.FORFEIT.value])


class RoundDateSerializer(serializers.Serializer[Any]):
    """Until when the round must end: null for no date."""

    ends_at = serializers.DateTimeField(allow_null=True)


class EntryListSerializer(NoteSerializer):
    """Players by lines of CSV: a username, and a seed if wanted."""

    text = serializers.CharField(max_length=LARGEST_LIST, trim_whitespace=False)
