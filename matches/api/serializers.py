"""Serializers of request bodies: they check the form, and services check the meaning."""

from typing import Any, cast

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from computers.levels import Level
from matches.clock import CORRESPONDENCE, MAX_BANK, SECOND
from matches.models import Colour, OfferKind, SeekStatus, Status
from matches.schemas.record import RecordSchema
from matches.services.conditional_answers import MAX_ANSWERS, MAX_LINE_ACTIONS
from players.usernames import COMPUTER, MAX_LENGTH
from rules_engine.registry import GAMES

MAX_IDS = 100
MAX_TEXT_LENGTH = 400
MAX_ACTIONS = max(game.max_turn_actions for game in GAMES.values())
MAX_PLY = 2**31 - 1
MAX_RATING = 9999


class IdsField(serializers.CharField):
    """Numbers with commas between them."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the numbers; raises ``ValidationError``."""
        parts = super().to_internal_value(data).split(",")
        if len(parts) > MAX_IDS or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
            raise serializers.ValidationError(
                _("Send at most %(most)d numbers, separated by commas.") % {"most": MAX_IDS}
            )
        return [int(part) for part in parts]


@extend_schema_field(cast("Any", RecordSchema))
class RecordField(serializers.Field[Any, Any, Any, Any]):
    """A record in JSON, which the engine reads."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the data as they are."""
        return data


class MatchFilterSerializer(serializers.Serializer[Any]):
    """Filters of the list of matches."""

    player = serializers.CharField(required=False, max_length=MAX_LENGTH, help_text="A player's username.")
    status = serializers.ChoiceField(required=False, choices=Status.choices)
    game = serializers.CharField(required=False, max_length=40, help_text="A game's key.")
    ids = IdsField(required=False, help_text=f"At most {MAX_IDS} matches' numbers, with commas between them.")
    turn = serializers.ChoiceField(
        required=False,
        choices=["me"],
        help_text="`me` keeps the matches that wait for your move, and whose clocks run.",
    )
    order = serializers.ChoiceField(
        required=False,
        default="newest",
        choices=["newest", "deadline"],
        help_text="`deadline` begins with the match that has the least time; it needs `turn=me`.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes; raises ``ValidationError`` for an order that needs a turn."""
        if attrs["order"] == "deadline" and "turn" not in attrs:
            raise serializers.ValidationError({"order": _("Send “turn=me” with this order.")})
        return attrs


class SeekFilterSerializer(serializers.Serializer[Any]):
    """Filters of the list of seeks."""

    status = serializers.ChoiceField(required=False, choices=SeekStatus.choices, default=SeekStatus.OPEN)
    game = serializers.CharField(required=False, max_length=40, help_text="A game's key.")
    for_me = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only what waits for the caller: invitations of the caller, and open seeks that the caller may take.",
    )


class NewMoveSerializer(serializers.Serializer[Any]):
    """A move to be played as move number ``ply``."""

    ply = serializers.IntegerField(min_value=0, max_value=MAX_PLY)
    text = serializers.CharField(max_length=MAX_TEXT_LENGTH)


class NewTurnSerializer(serializers.Serializer[Any]):
    """Several actions of one turn to be played from move number ``ply`` on."""

    ply = serializers.IntegerField(min_value=0, max_value=MAX_PLY)
    texts = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT_LENGTH),
        min_length=1,
        max_length=MAX_ACTIONS,
        help_text="The actions in their order, a move each.",
    )
    across_rolls = serializers.BooleanField(
        required=False,
        default=False,
        help_text="If true, the actions go on after rolls as far as they are legal, and all or none are those before.",
    )


class StepsQuerySerializer(serializers.Serializer[Any]):
    """The steps to show: those after some clicks, or all."""

    prefix = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_TEXT_LENGTH,
        help_text="The clicks so far, as text.",
    )
    all = serializers.BooleanField(required=False, default=False, help_text="Every prefix with its steps at once.")


class RouteQuerySerializer(serializers.Serializer[Any]):
    """The move whose route is shown."""

    text = serializers.CharField(max_length=MAX_TEXT_LENGTH, help_text="A legal move.")


class TextToReplaySerializer(serializers.Serializer[Any]):
    """A match to be played through: either ``text`` or ``record``."""

    game = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=40,
        help_text="A game's key, unless the text names one.",
    )
    text = serializers.CharField(
        required=False,
        max_length=settings.MAX_REPLAY_CHARACTERS,
        trim_whitespace=False,
        help_text="A record, its JSON twin as text, or another text of the game.",
    )
    record = RecordField(required=False, help_text="The JSON twin of a record.")
    number = serializers.IntegerField(
        required=False,
        default=1,
        min_value=1,
        max_value=MAX_PLY,
        help_text="Which match of the text is wanted, if it has several.",
    )
    first_ply = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=MAX_PLY,
        help_text="From which position on `positions` are wanted.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes; raises ``ValidationError`` unless they hold either a text or a record."""
        if ("text" in attrs) is ("record" in attrs):
            raise serializers.ValidationError({"text": _("Send either a text or a record.")})
        return attrs


class TimeControlSerializer(serializers.Serializer[Any]):
    """Seconds: at the start, added by a turn, and the most that a bank holds (the bank, unless given)."""

    bank = serializers.IntegerField(min_value=1, max_value=MAX_BANK // SECOND)
    increment = serializers.IntegerField(min_value=0, max_value=MAX_BANK // SECOND, default=0)
    cap = serializers.IntegerField(min_value=1, max_value=MAX_BANK // SECOND, required=False)


class NewMatchSerializer(serializers.Serializer[Any]):
    """A match to be started against a computer."""

    opponent = serializers.ChoiceField(choices=[COMPUTER])
    game = serializers.CharField(max_length=40, help_text="A game's key; one that has a computer.")
    level = serializers.ChoiceField(choices=Level.choices, default=Level.CLUB, help_text="The level at which it plays.")
    colour = serializers.ChoiceField(choices=Colour.choices, default=Colour.RANDOM, help_text="The caller's side.")


class DecisionAnswerSerializer(serializers.Serializer[Any]):
    """The answer to every decision of a kind."""

    kind = serializers.CharField(max_length=20, help_text="A kind among those `to_come`.")
    texts = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT_LENGTH),
        min_length=1,
        max_length=MAX_ACTIONS,
        help_text="Your actions in their order.",
    )


class ConditionalAnswersSerializer(serializers.Serializer[Any]):
    """All that a player gives beforehand in a match."""

    ply = serializers.IntegerField(min_value=0, max_value=MAX_PLY, help_text="The ply from which on the lines begin.")
    lines = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(max_length=MAX_TEXT_LENGTH), min_length=2, max_length=MAX_LINE_ACTIONS
        ),
        required=False,
        default=list,
        max_length=MAX_ANSWERS,
        help_text="The actions of both sides in their order, your opponent's first, an answer of yours last.",
    )
    decisions = serializers.ListField(
        child=DecisionAnswerSerializer(),
        required=False,
        default=list,
        max_length=MAX_ANSWERS,
        help_text="Answers that suit whatever comes.",
    )


class ByHandSerializer(serializers.Serializer[Any]):
    """Whether all is played by hand in a match."""

    by_hand = serializers.BooleanField(help_text="False if it shall be as in your other matches.")


class OfferSerializer(serializers.Serializer[Any]):
    """An offer to the opponent."""

    kind = serializers.ChoiceField(
        choices=OfferKind.choices,
        help_text="To cancel the match, a draw where the game has draws, or to take back the last turn.",
    )


class NewSeekSerializer(serializers.Serializer[Any]):
    """A seek to be opened, or an invitation of one player."""

    game = serializers.CharField(max_length=40, help_text="A game's key.")
    colour = serializers.ChoiceField(choices=Colour.choices, default=Colour.RANDOM)
    time_control = TimeControlSerializer(
        required=False,
        help_text=f"Unless you send one, a bank of {CORRESPONDENCE.bank // SECOND} seconds, and "
        f"{CORRESPONDENCE.increment // SECOND} for each turn.",
    )
    invited = serializers.CharField(
        required=False, default=None, allow_null=True, max_length=MAX_LENGTH, help_text="A username."
    )
    is_rated = serializers.BooleanField(required=False, default=False)
    min_rating = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MAX_RATING,
        help_text="The lowest rating with which a player can take an open seek.",
    )
    max_rating = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=0, max_value=MAX_RATING, help_text="The highest."
    )
    admits_computers = serializers.BooleanField(
        required=False, default=False, help_text="True if a computer may take an open seek."
    )
    by_link = serializers.BooleanField(
        required=False,
        default=False,
        help_text="True if only who is given its `link` shall find it; nobody is invited then, and no limits are set.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes; raises ``ValidationError`` where a game with a link is for somebody else, too."""
        others = attrs["invited"], attrs["min_rating"], attrs["max_rating"], attrs["admits_computers"] or None
        if attrs["by_link"] and any(each is not None for each in others):
            raise serializers.ValidationError({"by_link": _("Whoever has the link can take the game.")})
        return attrs
