"""The forms in which organisers make and change ladders and cups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from typing import Any, cast

from django import forms
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.forms.models import ModelFormMetaclass
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from formats.options import options_of
from formats.protocol import Format
from formats.team_meetings import usual_order
from rules_engine.registry import GAMES
from tournaments.making.admin.fields import TiebreaksField, UsernamesField
from tournaments.making.admin.point_tables import PointTableField
from tournaments.making.admin.stage_fields import (
    NUMBERS,
    columns_of,
    count_shown,
    make_stage_fields,
    prefix_of,
    values_of,
)
from tournaments.making.option_fields import drop_errors, field_names, make_fields, read_fields
from tournaments.making.recipes import formats_of
from tournaments.making.services.competitions import OPTIONS, STAGES
from tournaments.making.services.drafts import ONLY_OF_PLAYERS, faults_of_teams
from tournaments.models import NOT_STARTED, Competition, CompetitionKind, Cup, Ladder, RoundEnd, Stage
from tournaments.office.errors import OptionsChanged
from tournaments.office.inputs import MAX_REASON_LENGTH
from tournaments.office.services.option_versions import check_version
from tournaments.rounds.services.stage_checks import find_faults, option_name

MIN_ENTRANTS = 2


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
        help_text=_("It is stored so that nobody can read it. Leave it empty to keep the current password."),
    )
    no_password = forms.BooleanField(label=_("Remove the password"), required=False)

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why the options are changed"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "class": "vLargeTextField"}),
        help_text=_("Players can read this in the log."),
    )
    format = forms.ChoiceField(label=_("Format"))

    class Meta:
        model = Competition
        fields = "__all__"  # noqa: DJ007 - the admin's fieldsets name them

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_new = self.instance.pk is None
        stored = [Stage(format=self.formats[0].key)] if is_new else self.instance.all_stages
        self.stages, self.before = stored, deepcopy(stored)
        offered = sum(option_name(number, "format") in self.initial for number in NUMBERS)
        self.shown = count_shown(max(len(stored), offered), self.data)
        for name in [name for number in NUMBERS[self.shown :] for name in self.fields if _is_of(number, name)]:
            del self.fields[name]
        self.initial = {**values_of(stored), **self.initial}
        if "format" in self.fields:
            choices = [(spec.key, _(spec.label)) for spec in self.formats]
            cast("forms.ChoiceField", self.fields["format"]).choices = choices
        _name_dates_and_times(self.fields.values())
        self._prepare_version(is_new=is_new)
        if not is_new and "boards" in self.fields:
            # Teams never become single players.
            self.fields["boards"].required = True
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("Leave it empty to make one from the name.")
        if not is_new and "organisers" in self.fields:
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
        has_password = bool(data.get("new_password") or (self.instance.password and not data.get("no_password")))
        if data.get("by_invitation") and has_password:
            self.add_error("by_invitation", _("Choose a password or invitations, not both."))
        if "boards" in self.fields:
            self.instance.boards = data.get("boards")
        if self.instance.boards is not None:
            for name, sentence in faults_of_teams({name: data.get(name) for name in ONLY_OF_PLAYERS}).items():
                self.add_error(name, sentence)
        if data.get("no_password"):
            self.instance.password = ""
        elif data.get("new_password"):
            self.instance.password = make_password(data["new_password"])
        self._write_stages(data)
        return data

    def clean_version(self) -> int:
        """Return the version of the options that was read. Raises ``ValidationError`` if it is not the latest."""
        version: int = self.cleaned_data["version"]
        try:
            check_version(competition=self.instance, version=version)
        except OptionsChanged as refusal:
            raise ValidationError(str(refusal)) from refusal
        return version

    def changed_options(self) -> set[str]:
        """Return the names of the options of the competition and of its stages that the form has changed."""
        changed = OPTIONS.intersection(self.changed_data)
        if self.cleaned_data.get("new_password") or self.cleaned_data.get("no_password"):
            changed |= {"password"}
        kept = min(len(self.numbers), len(self.before))
        if self.numbers != [*range(1, len(self.before) + 1)]:
            changed, kept = changed | {STAGES}, 1
        for number in range(1, kept + 1):
            names = _find_changes(self.before[number - 1], self.stages[number - 1], columns_of(number))
            changed |= {option_name(number, name) for name in names}
        return set(changed)

    @property
    def formats(self) -> list[Format]:
        """Return the formats that can be chosen, and the one that was."""
        return offered_formats(self._meta.model, self.instance)

    def _prepare_version(self, *, is_new: bool) -> None:
        if is_new or "version" not in self.fields:
            for name in {"version", "reason"} & self.fields.keys():
                del self.fields[name]
        else:
            self.initial["version"] = self.instance.options_version

    def _write_stages(self, data: dict[str, Any]) -> None:
        """Give the stages what was chosen for them. Where one was not chosen, those after it move up."""
        chosen = {number: self._write_stage(number, data) for number in range(1, self.shown + 1)}
        self.stages = [stage for stage in chosen.values() if stage is not None]
        self.numbers = [number for number, stage in chosen.items() if stage is not None]
        most = data.get("max_entrants")
        # The model refuses impossible numbers of entrants; the rest is said when each stage by itself is sound.
        if self.instance.status in NOT_STARTED and not self.errors and (most is None or most >= MIN_ENTRANTS):
            self._show_faults(find_faults(self.stages, max_entrants=most, boards=self.instance.boards))

    def _write_stage(self, number: int, data: dict[str, Any]) -> Stage | None:
        """Return a stage with what was chosen for it, ``None`` where there is to be none."""
        stage = deepcopy(self.before[number - 1]) if number <= len(self.before) else Stage(number=number)
        name, prefix = option_name(number, "format"), prefix_of(number)
        key = data.get(name, "" if name in self.fields and number > 1 else stage.format)
        if not key:
            drop_errors(self, [each for each in self.fields if _is_of(number, each) and each != name])
            return None
        for spec in self.formats:
            if spec.key != key:
                drop_errors(self, field_names(spec, prefix))
                continue
            options = read_fields(self, spec, prefix)
            stage.options = stage.options | options if stage.format == key else options
        stage.format = key
        for column in columns_of(number) - {"format"}:
            if option_name(number, column) in data:
                setattr(stage, column, data[option_name(number, column)])
        stage.at_round_end = stage.at_round_end or RoundEnd.WAIT
        self._check_columns(number, stage)
        if not stage.tiebreaks:
            stage.tiebreaks = list(usual_order(stage.format_spec, of_teams=self.instance.boards is not None))
        return stage

    def _check_columns(self, number: int, stage: Stage) -> None:
        """Add the errors of the days for each round, whose bounds are those of the column."""
        name = option_name(number, "round_days")
        if name not in self.fields or name in self.errors:
            return
        try:
            stage.clean_fields(exclude={field.name for field in Stage._meta.fields} - {"round_days"})  # noqa: SLF001
        except ValidationError as error:
            self.add_error(name, error.error_dict["round_days"])

    def _show_faults(self, faults: dict[str, list[str]]) -> None:
        """Add the reasons why stages do not go together to the fields at fault, as far as they are shown."""
        shown_as = {
            option_name(index, column): option_name(number, column)
            for index, number in enumerate(self.numbers, start=1)
            for column in columns_of(number)
        }
        for name, sentences in faults.items():
            field = shown_as.get(name, name)
            self.add_error(field if field in self.fields else None, sentences)


def _is_of(number: int, name: str) -> bool:
    """Return whether a field is one of a later stage."""
    return number > 1 and name.startswith(prefix_of(number))


def _find_changes(before: Stage, after: Stage, columns: Collection[str]) -> set[str]:
    """Return the names of the columns and options in which a stage differs from what it was."""
    changed = {name for name in columns if getattr(before, name) != getattr(after, name)}
    known = before.options if before.format == after.format else {}
    for option in options_of(after.format_spec.options):
        usual = known.get(option.name, option.default)
        if after.options.get(option.name, usual) != usual:
            changed.add(option.name)
    return changed


def offered_formats(kind: type[Competition], competition: Competition | None) -> list[Format]:
    """Return the formats that a ladder or a cup can have, and the one that it has."""
    offered = formats_of(CompetitionKind(kind().kind))
    own = [competition.first_stage.format_spec] if competition is not None and competition.pk is not None else []
    return list(dict.fromkeys([*offered, *own]))


def _make_form(kind: type[Competition], fields: Mapping[str, forms.Field]) -> type[CompetitionForm]:
    """Return the form of a ladder or a cup, with these fields for how it is played."""
    meta = type("Meta", (CompetitionForm.Meta,), {"model": kind})
    about = {"__doc__": "A ladder, or a cup, with its stages.", "Meta": meta, **fields}
    return cast("type[CompetitionForm]", ModelFormMetaclass(f"{kind.__name__}Form", (CompetitionForm,), about))


def _make_fields_of_cups() -> dict[str, forms.Field]:
    specs = offered_formats(Cup, None)
    return {name: field for number in NUMBERS for name, field in make_stage_fields(number, specs).items()}


LadderForm = _make_form(Ladder, make_fields(offered_formats(Ladder, None)))
CupForm = _make_form(Cup, _make_fields_of_cups())
