"""The forms in which organisers make and change ladders and cups."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, cast

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.forms.models import ModelFormMetaclass
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules_engine.registry import GAMES
from tournaments.admin.fields import TiebreaksField, UsernamesField
from tournaments.admin.point_tables import PointTableField
from tournaments.formats.options import options_of
from tournaments.formats.protocol import Format
from tournaments.models import Competition, CompetitionKind, Cup, Ladder, Stage
from tournaments.option_fields import drop_errors, field_name, field_names, initial_values, make_fields, read_fields
from tournaments.recipes import formats_of
from tournaments.services.competitions import STAGE_OPTIONS


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

    format = forms.ChoiceField(label=_("Format"))

    class Meta:
        model = Competition
        fields = "__all__"  # noqa: DJ007 - the admin's fieldsets name them

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stage = Stage() if self.instance.pk is None else self.instance.first_stage
        self.initial = {**self._read_stage(), **self.initial}
        if "format" in self.fields:
            choices = [(spec.key, _(spec.label)) for spec in self.formats]
            cast("forms.ChoiceField", self.fields["format"]).choices = choices
        _name_dates_and_times(self.fields.values())
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("Leave it empty to make one from the name.")
        if self.instance.pk is not None and "organisers" in self.fields:
            self.initial["organisers"] = list(self.instance.organisers.all())

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
        self._write_stage(data)
        return data

    def changed_options(self) -> set[str]:
        """Return the names of the competition's, the stage's and the format's options that the form has changed."""
        shown = {name for spec in self.formats for name in field_names(spec)}
        changed = set(self.changed_data) - {"organisers", "new_password", "no_password", "tiebreaks"} - shown
        if self.stage.tiebreaks != self.initial["tiebreaks"]:
            changed.add("tiebreaks")
        if self.cleaned_data.get("new_password") or self.cleaned_data.get("no_password"):
            changed.add("password")
        spec = self.stage.format_spec
        return changed | {
            option.name for option in options_of(spec.options) if field_name(spec, option) in self.changed_data
        }

    @property
    def formats(self) -> list[Format]:
        """Return the formats that can be chosen, and the one that was."""
        return offered_formats(self._meta.model, self.instance)

    def _read_stage(self) -> dict[str, Any]:
        """Return what the form shows of the stage."""
        if self.instance.pk is None:
            return {"format": self.formats[0].key}
        columns = {name: getattr(self.stage, name) for name in STAGE_OPTIONS}
        return columns | initial_values(self.stage.format_spec, self.stage.options)

    def _write_stage(self, data: dict[str, Any]) -> None:
        """Give the stage what was chosen for it."""
        key = data.get("format", self.stage.format)
        for spec in self.formats:
            if spec.key != key:
                drop_errors(self, spec)
                continue
            options = read_fields(self, spec)
            self.stage.options = self.stage.options | options if self.stage.format == key else options
        self.stage.format = key
        for name in STAGE_OPTIONS & data.keys() - {"format"}:
            setattr(self.stage, name, data[name])
        columns = {"round_days"} & self.fields.keys() - self.errors.keys()
        try:
            self.stage.clean_fields(exclude={field.name for field in Stage._meta.fields} - columns)  # noqa: SLF001
        except ValidationError as error:
            self.add_error(None, error)
        if not self.stage.tiebreaks and key:
            self.stage.tiebreaks = list(self.stage.format_spec.tiebreaks)


def offered_formats(kind: type[Competition], competition: Competition | None) -> list[Format]:
    """Return the formats that a ladder or a cup can have, and the one that it has."""
    offered = formats_of(CompetitionKind(kind().kind))
    own = [competition.first_stage.format_spec] if competition is not None and competition.pk is not None else []
    return list(dict.fromkeys([*offered, *own]))


def _make_form(kind: type[Competition], columns: Collection[str]) -> type[CompetitionForm]:
    """Return the form of a ladder or a cup, with these columns of its stage and the options of all its formats."""
    fields = forms.fields_for_model(Stage, columns, widgets={"round_days": AdminIntegerFieldWidget()})
    options = make_fields(offered_formats(kind, None))
    meta = type("Meta", (CompetitionForm.Meta,), {"model": kind})
    about = {"__doc__": "A ladder, or a cup, with its first stage.", "Meta": meta, **fields, **options}
    return cast("type[CompetitionForm]", ModelFormMetaclass(f"{kind.__name__}Form", (CompetitionForm,), about))


LadderForm = _make_form(Ladder, ())
CupForm = _make_form(Cup, ("seeding", "round_days", "at_round_end", "late_entry"))
