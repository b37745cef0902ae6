"""The inputs of acts. Each is a form's field and an API field; both give the same value."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.urls import reverse_lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.fields import empty

from formats.team_meetings import MAX_BOARDS
from matches.errors import UnknownPlayer
from players.models import Player
from players.selectors import find_player, find_players, find_usernames
from players.usernames import MAX_LENGTH
from rules_engine.values import Side
from tournaments.entries.selectors.byes import find_bye_choice
from tournaments.models import (
    MAX_ROUND,
    VERSION_LENGTH,
    Entry,
    Fixture,
    ProposedRound,
    Round,
    RoundEnd,
    read_pairings,
)
from tournaments.models.team import MAX_TEAM_NAME
from tournaments.office.services.slugs import MAX_SLUG_LENGTH
from tournaments.rounds.selectors import entries_by_seat
from tournaments.teams.selectors.line_ups import coming_line_up_rounds, line_ups_in_force, usernames_in
from tournaments.teams.selectors.teams import find_team, find_team_called

NOBODY = "nobody"
MAX_REASON_LENGTH = 2000
MAX_HOURS = 10_000
MAX_LINE_UP_LENGTH = 500
PLAIN_TEXT = {"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
UNKNOWN_PLAYER = _("There is no player with this username.")


class Input(forms.Field):
    """A field of an act's form that says how the API takes it.

    ``api_name`` is what the API calls it where that is not the field's name.
    """

    api_name = ""

    def fit(self, subject: Any) -> None:
        """Set the choices or the initial value of a form's field for the subject of the act."""

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

    def __init__(self) -> None:
        super().__init__(label=_("Annul matches in which somebody has moved"), required=False)

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a truth value that may be left out."""
        return serializers.BooleanField(
            required=False, default=False, help_text="Annul matches in which somebody has moved.", **options
        )


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
            help_text=_(
                "Type a username or its beginning. For players of your own competitions, any part of it will do."
            ),
            widget=forms.TextInput(attrs=suggesting),
        )

    def clean(self, value: Any) -> Player:
        """Return the player with this username. A refusal names those whose usernames begin so."""
        username = super().clean(value)
        player = find_player(username=username)
        if player is None:
            raise forms.ValidationError(_explain_unknown(username))
        return player

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a username."""
        return _PlayerField(max_length=150, help_text="A username.", **options)


def _explain_unknown(username: str) -> str:
    found = find_usernames(beginning=username)
    if not found:
        return str(UNKNOWN_PLAYER)
    names = ", ".join(found)
    return gettext("There is no player with this username. Usernames that start like this: %(names)s.") % {
        "names": names
    }


class PlacedPlayer(Username):
    """A player of a round that waits to be published, who plays in it or has a bye that nobody asked for."""

    def __init__(self, label: Any) -> None:
        super().__init__()
        self.label, self.help_text = label, ""

    def fit(self, subject: ProposedRound) -> None:
        """Let the field offer those who can be swapped, by username."""
        pairings = read_pairings(subject.pairings)
        entries = entries_by_seat([pairings])
        names = sorted(str(entries[seat]) for seat in pairings.swappable)
        self.widget = forms.Select(choices=[("", "–"), *((name, name) for name in names)])


class PairingsVersion(Input, forms.CharField):
    """The version of the pairings that were read."""

    def __init__(self) -> None:
        super().__init__(max_length=VERSION_LENGTH, required=False, empty_value=None, widget=forms.HiddenInput)

    def fit(self, subject: ProposedRound) -> None:
        """Set the version that is shown."""
        self.initial = subject.version

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the version's text, null for any."""
        help_text = "That of the pairings that were read: others are not published then. Null for any."
        options |= {"required": False, "allow_null": True, "default": None}
        return serializers.CharField(max_length=VERSION_LENGTH, help_text=help_text, **options)


class WhichSide(Input, forms.TypedChoiceField):
    """One of the two sides of a match, shown by their players."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, coerce=Side, choices=[(side, side) for side in Side], widget=forms.RadioSelect)

    def fit(self, subject: Fixture) -> None:
        """Set the players as the field's choices."""
        self.choices = self.choices_of(subject)

    def choices_of(self, fixture: Fixture) -> list[tuple[str, str]]:
        """Return the sides with their players."""
        return [
            (Side.YELLOW, gettext("%(player)s (Yellow)") % {"player": fixture.yellow_name}),
            (Side.RED, gettext("%(player)s (Red)") % {"player": fixture.red_name}),
        ]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the side's name."""
        return _SideField(choices=[side.value for side in Side], **options)


class Winner(WhichSide):
    """The side that wins, or nobody."""

    def __init__(self) -> None:
        super().__init__(_("Winner"))
        self.coerce = lambda value: None if value == NOBODY else Side(value)

    def choices_of(self, fixture: Fixture) -> list[tuple[str, str]]:
        """Return the sides with their players, and nobody."""
        return [*super().choices_of(fixture), (NOBODY, gettext("Nobody: a draw"))]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the side's name, null for nobody."""
        return super().api_field(allow_null=True, help_text="Null for a draw.", **options)


class RoundNumber(Input, forms.IntegerField):
    """A round that is still to be drawn."""

    api_name = "round"

    def __init__(self) -> None:
        super().__init__(
            label=_("Round"),
            min_value=1,
            max_value=MAX_ROUND,
            help_text=_("A round is drawn as soon as the one before it has ended."),
        )

    def fit(self, subject: Entry) -> None:
        """Show the round that is drawn next, or the one that was asked for."""
        choice = find_bye_choice(subject)
        self.initial = (choice.requested or min(choice.rounds, default=None)) if choice else None

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the round's number."""
        return serializers.IntegerField(min_value=1, max_value=MAX_ROUND, **options)


class TeamName(Input, forms.CharField):
    """A team, by its name in a form and by its slug in the API, as its id."""

    api_name = "team"

    def __init__(self) -> None:
        super().__init__(
            label=_("Team"),
            max_length=MAX_TEAM_NAME,
            help_text=_("The full name of the team."),
            widget=forms.TextInput(attrs=PLAIN_TEXT),
        )

    def clean(self, value: Any) -> int:
        """Return the id of the team that is called so."""
        team = find_team_called(super().clean(value))
        if team is None:
            raise forms.ValidationError(_("There is no team with this name."))
        return team.pk

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a slug."""
        return _TeamField(max_length=MAX_SLUG_LENGTH, help_text="The slug of a team.", **options)


class BoardPlayers(Input, forms.CharField):
    """The players at the boards of a team, by their usernames, as ids: that of the first board first."""

    def __init__(self, *, required: bool = True) -> None:
        order = _("Members' usernames, one per line, first board first.")
        longest = _("Leave it empty to use the players who have been members longest.")
        super().__init__(
            label=_("Players") if required else _("Players (optional)"),
            required=required,
            max_length=MAX_LINE_UP_LENGTH,
            help_text=order if required else format_lazy("{} {}", order, longest),
            widget=forms.Textarea(attrs={"rows": MAX_BOARDS, **PLAIN_TEXT}),
        )

    def fit(self, subject: Any) -> None:
        """Show the line-up that holds in the next round of a team that has joined."""
        if isinstance(subject, Entry) and (rounds := coming_line_up_rounds(subject)):
            held = line_ups_in_force([subject.pk], number=rounds[0]).get(subject.pk)
            self.initial = "\n".join(usernames_in(held.players)) if held else ""

    def clean(self, value: Any) -> list[int] | None:
        """Return the ids of these players, ``None`` for nobody."""
        names = [name for name in re.split(r"[\s,;]+", super().clean(value)) if name]
        if not names:
            return None
        known = find_players(usernames=names)
        for name in names:
            if name.lower() not in known:
                raise forms.ValidationError(
                    gettext("There is no player with the username %(name)s.") % {"name": name[:MAX_LENGTH]}
                )
        return [known[name.lower()].pk for name in names]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a list of usernames."""
        about = "Usernames of members, that of the first board first."
        if not self.required:
            about = f"{about} Those who have been members longest if not given."
            options |= {"required": False, "allow_null": True, "default": None}
        return BoardPlayersField(allow_empty=False, max_length=MAX_BOARDS, help_text=about, **options)


class LineUpRound(Input, forms.IntegerField):
    """The round from which on a line-up holds."""

    api_name = "round"

    def __init__(self) -> None:
        super().__init__(
            label=_("From round"),
            min_value=1,
            max_value=MAX_ROUND,
            help_text=_("The line-up is used until another one is set. Rounds that have begun keep theirs."),
        )

    def fit(self, subject: Entry) -> None:
        """Show the next round to begin."""
        self.initial = next(iter(coming_line_up_rounds(subject)), None)

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the round's number."""
        return serializers.IntegerField(min_value=1, max_value=MAX_ROUND, **options)


class MoreTime(Input, forms.DecimalField):
    """The time that a clock gets: hours in a form, seconds in the API."""

    api_name = "seconds"

    def __init__(self) -> None:
        super().__init__(
            label=_("Hours"),
            min_value=0,
            max_value=MAX_HOURS,
            decimal_places=2,
            initial=24,
            help_text=_("0.25 is a quarter of an hour."),
        )

    def clean(self, value: Any) -> timedelta:
        """Return the time."""
        time = timedelta(hours=float(super().clean(value)))
        if not time:
            raise forms.ValidationError(_("Enter more than 0 hours."))
        return time

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a field of whole seconds."""
        return _SecondsField(min_value=1, max_value=MAX_HOURS * 3600, **options)


class RoundPolicy(Input, forms.TypedChoiceField):
    """The rule for the matches that still go on."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Unfinished matches"),
            coerce=RoundEnd,
            choices=[
                (RoundEnd.ADJUDICATE, _("are decided by their score")),
                (RoundEnd.FORFEIT, _("are lost by the player to move")),
            ],
            initial=RoundEnd.ADJUDICATE,
            widget=forms.RadioSelect,
        )

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the policy's name."""
        return serializers.ChoiceField(choices=[RoundEnd.ADJUDICATE.value, RoundEnd.FORFEIT.value], **options)


class RoundDate(Input, forms.DateTimeField):
    """The moment when a round must end; nothing for no date."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Must end by (UTC)"),
            required=False,
            help_text=_("Leave it empty for no end date."),
            input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        )

    def fit(self, subject: Round) -> None:
        """Show the date that is set."""
        self.initial = subject.ends_at

    def clean(self, value: Any) -> datetime | None:
        """Return the moment in UTC."""
        moment: datetime | None = super().clean(value)
        return None if moment is None else moment.replace(tzinfo=UTC)

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a moment, null for no date."""
        return serializers.DateTimeField(allow_null=True, help_text="Null for no date.", **options)


class _PlayerField(serializers.CharField):
    def run_validation(self, data: Any = empty) -> Player:
        player = find_player(username=super().run_validation(data))
        if player is None:
            raise UnknownPlayer(str(UNKNOWN_PLAYER))
        return player


class _TeamField(serializers.CharField):
    def run_validation(self, data: Any = empty) -> int:
        return find_team(slug=super().run_validation(data)).pk


class BoardPlayersField(serializers.ListField):
    """A list of usernames, as the ids of the players."""

    child = _PlayerField(max_length=150)

    def to_internal_value(self, data: Any) -> list[int]:
        """Return the ids. Raises ``UnknownPlayer``."""
        if isinstance(data, list) and len(data) > MAX_BOARDS:
            # Each name is looked up: not more of them than can be right.
            self.fail("max_length", max_length=MAX_BOARDS)
        return [player.pk for player in super().to_internal_value(data)]


class _SideField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Side:
        return Side(super().to_internal_value(data))


class _SecondsField(serializers.IntegerField):
    def run_validation(self, data: Any = empty) -> timedelta:
        return timedelta(seconds=super().run_validation(data))
