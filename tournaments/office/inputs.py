"""Inputs of acts and of forms: each is a form's field and an API field."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.urls import reverse_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.fields import empty

from matches.errors import UnknownPlayer
from players.models import Player
from players.selectors import find_player, find_usernames
from players.usernames import MAX_LENGTH

MAX_REASON_LENGTH = 2000


PLAIN_TEXT = {"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}


UNKNOWN_PLAYER = _("There is no player with this username.")


class Input(forms.Field):
    """A field of an act's form that says how the API takes it.

    ``api_name`` is what the API calls it where that is not the field's name.
    """

    api_name = ""

    def fit(self, subject: Any) -> None:
        """Set the choices or the initial value of a form's field for the subject of the act."""

    def choose(self, values: Mapping[str, Any]) -> None:
        """Set the choices of a form's field that depend on what else was entered and is valid."""

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the field of the API that gives the same value. The ``options`` go to its constructor."""
        raise NotImplementedError


class Reason(Input, forms.CharField):
    """The reason why an act is done."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            label=_("Reason") if required else _("Reason (optional)"),
            required=required,
            max_length=MAX_REASON_LENGTH,
            help_text=_("Players can read this in the log."),
            widget=forms.Textarea(attrs={"rows": 3}),
        )

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a text, which may be left out where the form's may."""
        if not self.required:
            options |= {"required": False, "default": "", "allow_blank": True}
        return serializers.CharField(max_length=MAX_REASON_LENGTH, help_text="The players can read it.", **options)


class Confirm(Input, forms.BooleanField):
    """The confirmation that matches may be annulled in which somebody has moved."""

    def __init__(self, label: Any = None) -> None:
        super().__init__(label=label or _("Annul matches in which somebody has moved"), required=False)

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a truth value that may be left out."""
        return serializers.BooleanField(required=False, default=False, help_text=f"{self.label}.", **options)


class Announcement(Input, forms.CharField):
    """Something to tell the players."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Announcement"),
            max_length=MAX_REASON_LENGTH,
            help_text=_("Everybody can read it in the competition’s log."),
            widget=forms.Textarea(attrs={"rows": 4}),
        )

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a text."""
        return serializers.CharField(max_length=MAX_REASON_LENGTH, **options)


class Username(Input, forms.CharField):
    """A player, by the username."""

    def __init__(self) -> None:
        suggesting = {**PLAIN_TEXT, "data-usernames": reverse_lazy("api-usernames")}
        super().__init__(
            label=_("Player"),
            max_length=MAX_LENGTH,
            help_text=_("Type a username or a part of it."),
            widget=forms.TextInput(attrs=suggesting),
        )

    def clean(self, value: Any) -> Player:
        """Return the player with this username. A refusal names those with it in their usernames."""
        username = super().clean(value)
        player = find_player(username=username)
        if player is None:
            raise forms.ValidationError(_explain_unknown(username))
        return player

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a username."""
        return _PlayerField(max_length=MAX_LENGTH, help_text="A username.", **options)


def _explain_unknown(username: str) -> str:
    found = find_usernames(part=username)
    if not found:
        return str(UNKNOWN_PLAYER)
    names = ", ".join(found)
    return gettext("There is no player with this username. Usernames like this: %(names)s.") % {"names": names}


class _PlayerField(serializers.CharField):
    def run_validation(self, data: Any = empty) -> Player:
        player = find_player(username=super().run_validation(data))
        if player is None:
            raise UnknownPlayer(str(UNKNOWN_PLAYER))
        return player
