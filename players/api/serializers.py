"""Serializers of bodies about players, tokens, mail and vacation."""

from typing import Any

from rest_framework import serializers

from players.models import REMINDER_HOURS, SWITCHES, MailSettings, Scope
from players.usernames import MAX_LENGTH, MIN_BEGINNING
from web.api.moment_fields import DayField, MomentField


class MailSettingsSerializer(serializers.ModelSerializer[MailSettings]):
    """The mails that a player wants."""

    reminder_hours = serializers.ListField(
        child=serializers.ChoiceField(choices=REMINDER_HOURS),
        help_text="The number of hours before a deadline at which a reminder is sent.",
        required=False,
    )

    turns_daily_at = serializers.IntegerField(
        min_value=0,
        max_value=23,
        allow_null=True,
        required=False,
        help_text="The hour at which one mail a day names all your turns; null for mails as turns begin.",
    )

    class Meta:
        model = MailSettings
        fields = (*SWITCHES.values(), "turns_daily_at", "reminder_hours")


class OwnSettingsSerializer(serializers.Serializer[Any]):
    """The choices of players about themselves."""

    may_be_entered = serializers.BooleanField(
        required=False, help_text="True if organisers may enter you in competitions without asking first."
    )
    goes_on = serializers.BooleanField(
        required=False, help_text="True if the match page goes on to your next match by itself after your turn."
    )
    by_itself = serializers.BooleanField(
        required=False, help_text="True if what leaves you no choice is played by itself."
    )
    single_keys = serializers.BooleanField(
        required=False, help_text="True if pages have shortcuts of a single letter: `n` goes to your next match."
    )
    time_zone = serializers.CharField(
        required=False, help_text="The name of your time zone in the IANA database, such as Europe/Prague."
    )


class PasswordResetSerializer(serializers.Serializer[Any]):
    """The e-mail of the player who has forgotten the password."""

    email = serializers.EmailField(max_length=254)


class SignUpSerializer(serializers.Serializer[Any]):
    """A new account."""

    username = serializers.CharField(help_text="3 to 20 letters, digits, hyphens or underscores.")
    password = serializers.CharField(trim_whitespace=False, write_only=True)
    email = serializers.CharField(required=False, allow_blank=True, default="")


class EmailSerializer(serializers.Serializer[Any]):
    """Another e-mail, or none."""

    email = serializers.CharField(allow_blank=True)


class PasswordSerializer(serializers.Serializer[Any]):
    """Another password."""

    old = serializers.CharField(trim_whitespace=False, write_only=True, help_text="The current password.")
    new = serializers.CharField(trim_whitespace=False, write_only=True)
    revoke_tokens = serializers.BooleanField(default=True, write_only=True, help_text="True to revoke all API tokens.")


class NewTokenSerializer(serializers.Serializer[Any]):
    """A token to be made."""

    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices), allow_empty=False)
    expires_at = MomentField(required=False, allow_null=True, default=None)


class NewVacationSerializer(serializers.Serializer[Any]):
    """Days to be planned."""

    first = DayField()
    last = DayField()


class BeginningSerializer(serializers.Serializer[Any]):
    """A known part of usernames, which is called ``beginning`` since it had to be one."""

    beginning = serializers.CharField(
        min_length=MIN_BEGINNING,
        max_length=MAX_LENGTH,
        help_text="A part of the usernames.",
    )
