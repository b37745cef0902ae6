"""The forms of a copy of a competition, and of a series."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from tournaments.making.services.drafts import MAX_NAME_LENGTH
from tournaments.models import Series, SeriesRhythm
from tournaments.models.carry_overs import CARRY_OVERS
from tournaments.models.series import MAX_ANNOUNCE_DAYS, MAX_SERIES_NAME
from web.pages.moment_fields import MomentField


class CopyForm(RefusableForm):
    """The name of a copy of a competition, and whether the players who are in it come along; no teams do."""

    name = forms.CharField(
        label=_("Name"), max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    with_entrants = forms.BooleanField(
        label=_("With its players"),
        required=False,
        help_text=_("All players who have not left and may play. You can add or remove players before you open entry."),
    )

    def __init__(self, *args: Any, of_teams: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if of_teams:
            del self.fields["with_entrants"]


class SeriesForm(RefusableForm):
    """The name, the dates and the rules of a competition that comes again."""

    name = forms.CharField(
        label=_("Name of the series"),
        max_length=MAX_SERIES_NAME,
        help_text=_("Each season gets this name and its number."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    rhythm = forms.ChoiceField(label=_("Next season"), choices=SeriesRhythm.choices, widget=forms.RadioSelect)
    days = forms.CharField(
        label=_("Dates of the year"),
        required=False,
        max_length=200,
        help_text=_("For a series on dates of the year: month and day, separated by commas, such as 05-01, 11-01."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    anchor = MomentField(
        label=_("First date (UTC)"),
        required=False,
        help_text=_(
            "No season starts before this date. All seasons start at this time of day, on this day of the week "
            "or month. Leave it empty to keep the current date."
        ),
    )
    announce_days = forms.IntegerField(
        label=_("Entry opens (days before the start)"), min_value=0, max_value=MAX_ANNOUNCE_DAYS
    )
    carry_over = forms.ChoiceField(
        label=_("Players of the previous season"),
        choices=[(each.name, f"{capfirst(_(each.label))}. {_(each.summary)}") for each in CARRY_OVERS.values()],
        widget=forms.RadioSelect,
    )
    overlap, year_final = forms.fields_for_model(Series, ("overlap", "year_final")).values()

    def clean_days(self) -> list[str]:
        """Return the days one by one; the service says which is none."""
        return [each for each in self.cleaned_data["days"].replace(",", " ").split() if each]
