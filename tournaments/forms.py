"""What the organisers' pages ask for. The services judge it; these forms only carry it."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from players.models import Player
from players.selectors import find_player, find_players
from players.usernames import LONGEST
from rules_engine.values import Side
from tournaments.importing import LARGEST_LIST
from tournaments.models import Entry, Fixture, RoundEnd

NOBODY = "nobody"
LONGEST_REASON = 2000
MOST_HOURS = 10_000
PLAIN_TEXT = {"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}


def _reason(*, required: bool) -> forms.CharField:
    return forms.CharField(
        label=_("Why"),
        required=required,
        max_length=LONGEST_REASON,
        help_text=_("The players can read it in the log."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class ConfirmForm(RefusableForm):
    """Nothing but the answer yes."""


class ReasonForm(RefusableForm):
    """Why it is done."""

    reason = _reason(required=True)


class NoteForm(RefusableForm):
    """Why it is done, if there is something to say."""

    reason = _reason(required=False)


class AnnouncementForm(RefusableForm):
    """Something to tell the players."""

    text = forms.CharField(
        label=_("Announcement"),
        max_length=LONGEST_REASON,
        help_text=_("It stands in the log of the event, where everybody can read it."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AdmissionForm(RefusableForm):
    """A player to enter, and why."""

    player = forms.CharField(label=_("Player"), max_length=LONGEST, widget=forms.TextInput(attrs=PLAIN_TEXT))
    reason = _reason(required=False)

    def clean_player(self) -> Player:
        """Return the player with this username."""
        player = find_player(username=self.cleaned_data["player"])
        if player is None:
            raise forms.ValidationError(_("Nobody has this username."))
        return player


class ReplacementForm(AdmissionForm):
    """Who plays in an entrant's place, and why."""

    reason = _reason(required=True)


class AdjudicationForm(RefusableForm):
    """Who wins a match, and why."""

    winner = forms.ChoiceField(label=_("Winner"), widget=forms.RadioSelect)
    reason = _reason(required=True)

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"].choices = [*_sides(fixture), (NOBODY, _("Nobody: a draw"))]  # type: ignore[attr-defined]

    def clean_winner(self) -> Side | None:
        """Return the winner's side, ``None`` for a draw."""
        winner = self.cleaned_data["winner"]
        return None if winner == NOBODY else Side(winner)


class ExtensionForm(RefusableForm):
    """Who gets how much time, and why."""

    side = forms.TypedChoiceField(label=_("Who gets more time"), coerce=Side, widget=forms.RadioSelect)
    hours = forms.DecimalField(
        label=_("Hours"),
        min_value=0,
        max_value=MOST_HOURS,
        decimal_places=2,
        initial=24,
        help_text=_("0.25 is a quarter."),
    )
    reason = _reason(required=True)

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["side"].choices = _sides(fixture)  # type: ignore[attr-defined]

    def clean_hours(self) -> timedelta:
        """Return the time."""
        time = timedelta(hours=float(self.cleaned_data["hours"]))
        if not time:
            raise forms.ValidationError(_("Give more than nothing."))
        return time


class RoundEndForm(RefusableForm):
    """What becomes of the matches that still go on, and why."""

    policy = forms.TypedChoiceField(
        label=_("Matches that still go on"),
        coerce=RoundEnd,
        choices=[
            (RoundEnd.ADJUDICATE, _("are decided by their score")),
            (RoundEnd.FORFEIT, _("are lost by whoever is to move")),
        ],
        initial=RoundEnd.ADJUDICATE,
        widget=forms.RadioSelect,
    )
    reason = _reason(required=True)


class RoundDateForm(RefusableForm):
    """Until when a round must end."""

    ends_at = forms.DateTimeField(
        label=_("Must end by (UTC)"),
        required=False,
        help_text=_("Leave it empty for no date."),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def clean_ends_at(self) -> Any:
        """Return the moment in UTC, ``None`` for no date."""
        moment = self.cleaned_data["ends_at"]
        return None if moment is None else moment.replace(tzinfo=UTC)


class DrawForm(RefusableForm):
    """The number that a draw follows from, and the seeds by hand."""

    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, required=False, widget=forms.HiddenInput)
    order = forms.CharField(
        label=_("Usernames, the first seed first"),
        required=False,
        max_length=60_000,
        help_text=_("One a line. Whoever is not named is drawn behind them."),
        widget=forms.Textarea(attrs={"rows": 8, **PLAIN_TEXT}),
    )

    def __init__(self, *args: Any, event_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event_id = event_id

    def clean_order(self) -> list[int] | None:
        """Return the ids of the entries in this order, ``None`` where nobody is named."""
        names = self.cleaned_data["order"].replace(",", " ").split()
        if not names:
            return None
        players = find_players(usernames=names, with_closed=True)
        entries = dict(
            Entry.objects.filter(event_id=self.event_id, player__in=players.values()).values_list("player_id", "pk")
        )
        found = [entries.get(players[name.lower()].pk) if name.lower() in players else None for name in names]
        strangers = [name for name, entry in zip(names, found, strict=True) if entry is None]
        if strangers:
            raise forms.ValidationError(_("Not in this event: %(names)s.") % {"names": ", ".join(strangers)})
        return [entry for entry in found if entry is not None]


class EntryListForm(RefusableForm):
    """A list of entrants: a file, or pasted."""

    file = forms.FileField(label=_("CSV file"), required=False)
    text = forms.CharField(
        label=_("or the list itself"),
        required=False,
        strip=False,
        max_length=LARGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 8, **PLAIN_TEXT}),
        help_text=_("One player a line: username, and his seed after a comma if you like."),
    )
    reason = _reason(required=False)

    def clean_file(self) -> str:
        """Return what the file says. Raises ``ValidationError`` for one that is too large, or no text."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > LARGEST_LIST:
            raise forms.ValidationError(_("The file is too large for a list of entrants."))
        try:
            text: str = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is no text in UTF-8.")) from None
        return text

    def clean(self) -> dict[str, Any]:
        """Put the list into ``text``, wherever it came from."""
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        data["text"] = data.get("file") or data["text"]
        if not data["text"].strip():
            self.add_error("text", _("Give a file, or a list."))
        return data


def _sides(fixture: Fixture) -> list[tuple[str, Any]]:
    return [
        (Side.YELLOW, _("%(player)s (Yellow)") % {"player": fixture.yellow}),
        (Side.RED, _("%(player)s (Red)") % {"player": fixture.red}),
    ]
