"""What organisers send to the API, and what it answers them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict

from rest_framework import serializers

from matches.api.schema import ShapeSerializer
from rules_engine.values import Side
from tournaments.forms import LONGEST_REASON, MOST_HOURS
from tournaments.importing import LARGEST_LIST
from tournaments.models import Cup, Entry, Fixture, Ladder, Round, RoundEnd
from tournaments.pairing.elimination import fill_bracket
from tournaments.selectors.events import count_entrants
from tournaments.services.cups.draws import Draw

BIGGEST = 2**63 - 1
MOST_SECONDS = MOST_HOURS * 3600
LARGEST_CUP = 10_000


class OrganisedEventShape(TypedDict):
    """How far an event has come. ``kind`` is ladder or cup; since ``paused_at`` its clocks stand still."""

    slug: str
    kind: str
    url: str
    status: str
    paused_at: datetime | None
    entrants: int


class OrganisedEntryShape(TypedDict):
    """An entry; ``id`` is what organisers' addresses name it by, null once it is off the list."""

    id: int | None
    player: str
    status: str
    seed: int | None
    position: int | None


class OrganisedFixtureShape(TypedDict):
    """A match of an event; ``match`` is null until it begins."""

    id: int
    match: int | None
    yellow: str
    red: str
    is_annulled: bool


class GivenTimeShape(TypedDict):
    """The seconds that a clock has got, up to its cap."""

    seconds: float


class OrganisedRoundShape(TypedDict):
    """A round; ``ends_at`` is when it must end."""

    number: int
    started_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None


class PairShape(TypedDict):
    """Two who meet, the upper one or Yellow first."""

    round: int
    first: str
    second: str


class DrawShape(TypedDict):
    """A draw: the seed that gives it again, the players in the order of their seeds, and who meets whom.

    Of an elimination only pairs that are known before any match, of a round robin all. ``is_kept`` is false for one
    that is only looked at.
    """

    seed: int
    is_kept: bool
    players: list[str]
    pairs: list[PairShape]


class ImportedShape(TypedDict):
    """Who has been entered by a list."""

    players: list[str]


class OrganisedEventSerializer(ShapeSerializer):
    """How far an event has come."""

    shape = OrganisedEventShape


class OrganisedEntrySerializer(ShapeSerializer):
    """An entry."""

    shape = OrganisedEntryShape


class OrganisedFixtureSerializer(ShapeSerializer):
    """A match of an event."""

    shape = OrganisedFixtureShape


class GivenTimeSerializer(ShapeSerializer):
    """Time given."""

    shape = GivenTimeShape


class OrganisedRoundSerializer(ShapeSerializer):
    """A round."""

    shape = OrganisedRoundShape


class DrawSerializer(ShapeSerializer):
    """A draw."""

    shape = DrawShape


class ImportedSerializer(ShapeSerializer):
    """Who has been entered."""

    shape = ImportedShape


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


def present_event(event: Cup | Ladder) -> OrganisedEventShape:
    """Return the event in JSON, as it is stored now."""
    event.refresh_from_db(fields=["status", "paused_at"])
    return {
        "slug": event.slug,
        "kind": "cup" if isinstance(event, Cup) else "ladder",
        "url": event.get_absolute_url(),
        "status": event.status,
        "paused_at": event.paused_at,
        "entrants": count_entrants(event),
    }


def present_entry(entry: Entry) -> OrganisedEntryShape:
    """Return an entry in JSON."""
    return {
        "id": entry.pk,
        "player": entry.player.username,
        "status": entry.status,
        "seed": entry.seed,
        "position": entry.position,
    }


def present_fixture(fixture: Fixture) -> OrganisedFixtureShape:
    """Return a fixture in JSON."""
    return {
        "id": fixture.pk,
        "match": fixture.match_id,
        "yellow": fixture.yellow.player.username,
        "red": fixture.red.player.username,
        "is_annulled": fixture.is_annulled,
    }


def present_draw(draw: Draw, *, is_kept: bool) -> DrawShape:
    """Return a draw in JSON."""
    pairs: list[PairShape] = [
        {"round": tie.round, "first": first.player.username, "second": second.player.username}
        for tie, (first, second) in fill_bracket(draw.ties, draw.entries, {}).items()
        if first is not None and second is not None
    ]
    pairs += [
        {"round": each.number, "first": pair.yellow.player.username, "second": pair.red.player.username}
        for each in draw.rounds
        for pair in each.pairs
    ]
    players = [entry.player.username for entry in draw.entries]
    return {"seed": draw.seed, "is_kept": is_kept, "players": players, "pairs": pairs}


def present_round(round_: Round) -> OrganisedRoundShape:
    """Return a round in JSON."""
    return {
        "number": round_.number,
        "started_at": round_.started_at,
        "ends_at": round_.ends_at,
        "ended_at": round_.ended_at,
    }
