"""Inputs that name a team, its players at the boards, or a round."""

import re
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.fields import empty

from formats.team_meetings import MAX_BOARDS
from players.selectors import find_players
from players.usernames import MAX_LENGTH
from tournaments.models import MAX_ROUND, Entry
from tournaments.models.team import MAX_TEAM_NAME
from tournaments.office.inputs import PLAIN_TEXT, Input, _PlayerField
from tournaments.office.services.slugs import MAX_SLUG_LENGTH
from tournaments.teams.selectors.line_ups import coming_line_up_rounds, line_ups_in_force, usernames_in
from tournaments.teams.selectors.teams import find_team, find_team_called

MAX_LINE_UP_LENGTH = 500


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
