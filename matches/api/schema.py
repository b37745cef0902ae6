"""The shapes as serializers, so that the OpenAPI description has them by name."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import Direction
from rest_framework import serializers

from matches import game_shapes, shapes


class ShapeSerializer(serializers.Serializer[Any]):
    """Gives out a value of its ``shape`` as it is."""

    shape: ClassVar[type]

    def to_representation(self, instance: Any) -> Any:
        """Return the value itself."""
        return instance


class ShapeExtension(OpenApiSerializerExtension):
    """Describes a shape by its type hints."""

    target_class = ShapeSerializer
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the shape's name without its last word."""
        name: str = self.target.shape.__name__
        return name.removesuffix("Shape")

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Return the shape's schema with its docstring."""
        schema: dict[str, Any] = resolve_type_hint(self.target.shape)
        return schema | {"description": self.target.shape.__doc__}


class MatchSerializer(ShapeSerializer):
    """A whole match."""

    shape = shapes.MatchShape


class MatchSummarySerializer(ShapeSerializer):
    """A match in a list."""

    shape = shapes.MatchSummaryShape


class PlayedMoveSerializer(ShapeSerializer):
    """A stored move, and the match after it."""

    shape = shapes.PlayedMoveShape


class MoveReceiptSerializer(ShapeSerializer):
    """A stored move, and what a list shows of the match after it."""

    shape = shapes.MoveReceiptShape


class PlayedTurnSerializer(ShapeSerializer):
    """The stored moves of a turn, and the match after them."""

    shape = shapes.PlayedTurnShape


class TurnReceiptSerializer(ShapeSerializer):
    """The stored moves of a turn, and what a list shows of the match after them."""

    shape = shapes.TurnReceiptShape


class PositionSerializer(ShapeSerializer):
    """A match's position after some events."""

    shape = shapes.PositionShape


class StepsSerializer(ShapeSerializer):
    """The clicks that may follow a prefix."""

    shape = shapes.StepsShape


class StepTreeSerializer(ShapeSerializer):
    """The clicks that may follow each prefix."""

    shape = shapes.StepTreeShape


class RouteSerializer(ShapeSerializer):
    """One way to play a move."""

    shape = shapes.RouteShape


class DiceProofSerializer(ShapeSerializer):
    """Every roll with its proof."""

    shape = shapes.DiceProofShape


class RecordSerializer(ShapeSerializer):
    """A match's record."""

    shape = game_shapes.RecordShape


class ReplaySerializer(ShapeSerializer):
    """A text played through."""

    shape = game_shapes.ReplayShape


class GameSerializer(ShapeSerializer):
    """A game that can be played."""

    shape = game_shapes.GameShape


class SeekSerializer(ShapeSerializer):
    """A seek, or an invitation."""

    shape = shapes.SeekShape
