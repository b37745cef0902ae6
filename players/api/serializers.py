"""The shape of players and tokens in JSON, and of what clients send about them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from players.models import REMINDER_HOURS, SWITCHES, ApiToken, MailSettings, Player, Scope


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """What everybody may know of a player."""

    url = serializers.CharField(source="get_absolute_url", read_only=True, help_text="His page.")
    is_closed = serializers.SerializerMethodField(help_text="Whether the account is closed: its results stay.")
    level = serializers.CharField(read_only=True, help_text="How strong a computer plays; empty for everybody else.")

    class Meta:
        model = Player
        fields: tuple[str, ...] = ("username", "url", "is_guest", "is_computer", "is_closed", "level", "date_joined")
        read_only_fields = fields

    def get_is_closed(self, player: Player) -> bool:
        """Whether nobody can log in to the account any more."""
        return not player.is_active


class OwnPlayerSerializer(PlayerSerializer):
    """What a player may know of himself."""

    email = serializers.CharField(read_only=True, help_text="Empty where there is none.")
    email_confirmed = serializers.SerializerMethodField(help_text="Whether he has shown that the address is his.")

    class Meta(PlayerSerializer.Meta):
        fields = (*PlayerSerializer.Meta.fields, "email", "email_confirmed")
        read_only_fields = fields

    def get_email_confirmed(self, player: Player) -> bool:
        """Whether mail may go to the address."""
        return player.email_confirmed_at is not None


class MailSettingsSerializer(serializers.ModelSerializer[MailSettings]):
    """What a player wants to be told by mail."""

    reminder_hours = serializers.ListField(
        child=serializers.ChoiceField(choices=REMINDER_HOURS),
        help_text="How many hours before a deadline he is reminded of it.",
        required=False,
    )

    class Meta:
        model = MailSettings
        fields = (*SWITCHES.values(), "reminder_hours")


class AddressSerializer(serializers.Serializer[Any]):
    """Whose password is forgotten."""

    email = serializers.EmailField(max_length=254)


class SignUpSerializer(serializers.Serializer[Any]):
    """A new account."""

    username = serializers.CharField(help_text="3 to 20 letters, digits, hyphens or underscores.")
    password = serializers.CharField(trim_whitespace=False, write_only=True)
    email = serializers.CharField(required=False, allow_blank=True, default="")


class EmailSerializer(serializers.Serializer[Any]):
    """Another e-mail address, or none."""

    email = serializers.CharField(allow_blank=True)


class PasswordSerializer(serializers.Serializer[Any]):
    """Another password."""

    old = serializers.CharField(trim_whitespace=False, write_only=True, help_text="The present password.")
    new = serializers.CharField(trim_whitespace=False, write_only=True)
    revoke_tokens = serializers.BooleanField(
        default=True, write_only=True, help_text="Whether all API tokens are revoked."
    )


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    """A token without its secret."""

    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = ("id", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
        read_only_fields = fields


class NewTokenSerializer(serializers.Serializer[Any]):
    """A token to be made."""

    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices), allow_empty=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class SecretTokenSerializer(TokenSerializer):
    """A token just made, with its secret: shown this once."""

    secret = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = (*TokenSerializer.Meta.fields, "secret")
        read_only_fields = fields


class GuestSerializer(serializers.Serializer[Any]):
    """A guest just made, with the token that is his only key."""

    player = PlayerSerializer(read_only=True)
    token = SecretTokenSerializer(read_only=True)


class VacationYearSerializer(serializers.Serializer[Any]):
    """A year's days of vacation; ``left`` are those neither spent nor planned."""

    year = serializers.IntegerField()
    allowance = serializers.IntegerField()
    spent = serializers.IntegerField()
    planned = serializers.IntegerField()
    left = serializers.IntegerField()


class VacationDaySerializer(serializers.Serializer[Any]):
    """A day of vacation, planned or spent by itself. It lasts 24 hours."""

    date = serializers.DateField(help_text="In UTC.")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    is_planned = serializers.BooleanField()


class VacationSerializer(serializers.Serializer[Any]):
    """A player's vacation."""

    years = VacationYearSerializer(many=True)
    days = VacationDaySerializer(many=True)


class NewVacationSerializer(serializers.Serializer[Any]):
    """Days to be planned."""

    first = serializers.DateField()
    last = serializers.DateField()
