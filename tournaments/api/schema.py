"""The shapes as serializers, so that the OpenAPI description has them by name."""

from __future__ import annotations

from matches.api.schema import ShapeSerializer
from tournaments.api import shapes


class EventSerializer(ShapeSerializer):
    """An event in a list."""

    shape = shapes.EventShape


class EventDetailSerializer(ShapeSerializer):
    """A whole event."""

    shape = shapes.EventDetailShape


class OwnEntrySerializer(ShapeSerializer):
    """The caller's entry."""

    shape = shapes.OwnEntryShape


class StandingSerializer(ShapeSerializer):
    """A row of a table."""

    shape = shapes.StandingShape


class PlaceChangeSerializer(ShapeSerializer):
    """A change of a place."""

    shape = shapes.PlaceChangeShape


class FixtureSerializer(ShapeSerializer):
    """A match of an event."""

    shape = shapes.FixtureShape


class BracketSerializer(ShapeSerializer):
    """A bracket."""

    shape = shapes.BracketShape


class ChallengeOptionSerializer(ShapeSerializer):
    """Whom the caller can challenge."""

    shape = shapes.ChallengeOptionShape


class LogLineSerializer(ShapeSerializer):
    """A line of an event's log."""

    shape = shapes.LogLineShape


class RatingSerializer(ShapeSerializer):
    """A player's rating."""

    shape = shapes.RatingShape


class RatingChangeSerializer(ShapeSerializer):
    """What a match did to a rating."""

    shape = shapes.RatingChangeShape


class OwnEventSerializer(ShapeSerializer):
    """An event and a player's entry in it."""

    shape = shapes.OwnEventShape
