"""The forms of captains: a team's name and shirt, and whom to invite."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from tournaments.acts.inputs import Username
from tournaments.models import ShirtColour, ShirtPattern
from tournaments.models.team import MAX_TEAM_NAME


class TeamForm(RefusableForm):
    """What a team is called, and what it wears."""

    name = forms.CharField(
        label=_("Name"), max_length=MAX_TEAM_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    pattern = forms.ChoiceField(
        label=_("Shirt"), choices=ShirtPattern.choices, initial=ShirtPattern.PLAIN, widget=forms.RadioSelect
    )
    first_colour = forms.ChoiceField(label=_("First colour"), choices=ShirtColour.choices, initial=ShirtColour.RED)
    second_colour = forms.ChoiceField(
        label=_("Second colour"),
        choices=ShirtColour.choices,
        initial=ShirtColour.WHITE,
        help_text=_("That of the pattern. A plain shirt shows it on collar and cuffs."),
    )


class InviteForm(RefusableForm):
    """Whom to invite to a team."""

    player = Username()
