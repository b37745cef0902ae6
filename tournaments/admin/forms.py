"""The forms in which organisers make and change ladders and cups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.hashers import make_password
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules_engine.registry import GAMES
from tournaments.admin.fields import TiebreaksField, UsernamesField
from tournaments.admin.point_tables import PointTableField
from tournaments.models import Competition, Cup, Ladder
from tournaments.services.competitions import default_tiebreaks


def _games() -> list[tuple[str, str]]:
    return [(game.key, game.title) for game in GAMES.values()]


def _name_dates_and_times(fields: Iterable[forms.Field]) -> None:
    """Give both inputs of a moment a name: on the page only words that are no labels stand before them."""
    for field in fields:
        if isinstance(field.widget, forms.SplitDateTimeWidget):
            for part, word in zip(field.widget.widgets, (_("date"), _("time")), strict=True):
                part.attrs["aria-label"] = format_lazy("{}: {}", field.label, word)


class CompetitionForm(forms.ModelForm):
    """The form that those of ladders and cups extend."""

    game = forms.ChoiceField(label=_("Game"), choices=lazy(_games, list)())
    point_table = PointTableField(
        label=_("Match points"),
        required=False,
        help_text=_("What a match is worth here. The numbers below the choice count only if you choose your own."),
    )
    tiebreaks = TiebreaksField(
        label=_("Order of the table"),
        required=False,
        help_text=_(
            "Each tie-break decides between players who are level on the ones before it. The draw decides "
            "last. Leave all empty for the usual order."
        ),
    )
    organisers = UsernamesField(
        label=_("Organisers"),
        required=False,
        help_text=_("Usernames, separated by commas. The player who creates the competition is one of them."),
    )
    new_password = forms.CharField(
        label=_("Password for entry"),
        required=False,
        max_length=100,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "class": "vTextField"}),
        help_text=_("Stored so that nobody can read it. Leave it empty to change nothing."),
    )
    no_password = forms.BooleanField(label=_("Remove the password"), required=False)

    class Meta:
        model = Competition
        fields = "__all__"  # noqa: DJ007 - the admin's fieldsets name them

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_dates_and_times(self.fields.values())
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("Leave it empty to make one from the name.")
        if "tiebreaks" in self.fields and self.instance.pk is None:
            self.fields["tiebreaks"].initial = default_tiebreaks(self._meta.model)
        if self.instance.pk is not None and "organisers" in self.fields:
            self.initial["organisers"] = list(self.instance.organisers.all())

    def clean_tiebreaks(self) -> list[str]:
        """Return the order that was chosen, or the usual one."""
        chosen: list[str] = self.cleaned_data["tiebreaks"]
        return chosen or default_tiebreaks(self._meta.model)

    def clean(self) -> dict[str, Any]:
        """Add an error for options that exclude each other; hash the password."""
        data = super().clean() or self.cleaned_data
        low, high = data.get("min_rating"), data.get("max_rating")
        if low is not None and high is not None and low > high:
            self.add_error("max_rating", _("The highest rating is lower than the lowest."))
        if data.get("starts_when_full") and data.get("max_entrants") is None and "max_entrants" not in self.errors:
            self.add_error(
                "max_entrants", _("A competition that starts when it is full needs a maximum number of players.")
            )
        if data.get("no_password"):
            self.instance.password = ""
        elif data.get("new_password"):
            self.instance.password = make_password(data["new_password"])
        return data

    def changed_options(self) -> set[str]:
        """Return the names of the model's fields that the form has changed."""
        changed = set(self.changed_data) - {"organisers", "new_password", "no_password"}
        if self.cleaned_data.get("new_password") or self.cleaned_data.get("no_password"):
            changed.add("password")
        return changed


class LadderForm(CompetitionForm):
    """A ladder."""

    class Meta(CompetitionForm.Meta):
        model = Ladder


class CupForm(CompetitionForm):
    """A cup."""

    class Meta(CompetitionForm.Meta):
        model = Cup
