"""The fields of a form for the stages of a competition: those of the first by their names, later ones with a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.options import InvalidOptions, Option, OptionFault, options_of, read_options, write_options
from formats.protocol import Format
from tournaments.making.admin.fields import TiebreaksField
from tournaments.making.admin.labelled import LabelledWidget
from tournaments.making.option_fields import field_name, initial_values, make_field, make_fields
from tournaments.making.services.competitions import LATER_OPTIONS, STAGE_OPTIONS
from tournaments.models import Stage
from tournaments.rounds.services.stage_checks import MAX_STAGES, option_name

NUMBERS = range(1, MAX_STAGES + 1)


class OptionsWidget(LabelledWidget):
    """An input for every option of a dataclass."""

    def __init__(self, options: Sequence[Option], attrs: dict[str, Any] | None = None) -> None:
        self.options = options
        super().__init__({each.name: (capfirst(_(each.label)), make_field(each).widget) for each in options}, attrs)

    def decompress(self, value: Mapping[str, Any] | None) -> list[Any]:
        """Return the values of the options; without any, the choices have their defaults."""
        if value is not None:
            return [value.get(each.name, each.default) for each in self.options]
        return [each.default if each.choices else None for each in self.options]


class OptionsField(forms.MultiValueField):
    """The options of a dataclass as they are stored; ``None`` where no number is given.

    ``conflict`` is the sentence about numbers that exclude each other.
    """

    def __init__(self, type_: type[Any], *, conflict: Any, **about: Any) -> None:
        self.type, self.options, self.conflict = type_, list(options_of(type_)), conflict
        fields = [_without_bounds(make_field(each)) for each in self.options]
        super().__init__(fields, widget=OptionsWidget(self.options), required=False, require_all_fields=False, **about)

    def compress(self, data_list: Sequence[Any]) -> dict[str, Any] | None:
        """Return what was chosen. Raises ``ValidationError`` with a sentence for every number that cannot be."""
        given = {each.name: value for each, value in zip(self.options, data_list, strict=False)}
        if all(given.get(each.name) in {None, ""} for each in self.options if not each.choices):
            return None
        values = {each.name: self._read(each, given[each.name]) for each in self.options}
        try:
            return write_options(read_options(self.type, values))
        except InvalidOptions as error:
            known = {each.name: each for each in self.options}
            sentences = [self._explain(known[name], *fault) for name, fault in error.faults.items()]
            raise forms.ValidationError(list(dict.fromkeys(sentences))) from error

    def _read(self, option: Option, value: Any) -> Any:
        if value not in {None, ""}:
            return value
        if option.choices:
            return option.default
        return None if option.may_be_empty else option.minimum

    def _explain(self, option: Option, fault: OptionFault, parameters: Mapping[str, Any]) -> str:
        label = capfirst(_(option.label))
        if fault is OptionFault.TOO_SMALL:
            return _("%(label)s: at least %(number)d.") % {"label": label, "number": parameters["minimum"]}
        if fault is OptionFault.TOO_LARGE and parameters["maximum"] == option.maximum:
            return _("%(label)s: at most %(number)d.") % {"label": label, "number": parameters["maximum"]}
        return str(self.conflict)


def columns_of(number: int) -> frozenset[str]:
    """Return the columns that are chosen for the stage of this number."""
    return STAGE_OPTIONS if number == 1 else LATER_OPTIONS


def prefix_of(number: int) -> str:
    """Return what the names of all fields of a stage begin with."""
    return option_name(number, "")


def make_stage_fields(number: int, specs: Sequence[Format]) -> dict[str, forms.Field]:
    """Return the fields of a stage of a cup, which can be played in each of these formats.

    The first stage's format and order of the table are fields of every competition.
    """
    columns = {"round_days", "at_round_end"} | ({"seeding", "late_entry"} if number == 1 else set())
    fields = forms.fields_for_model(Stage, columns, widgets={"round_days": AdminIntegerFieldWidget()})
    fields["grouping"] = OptionsField(
        GroupingOptions,
        label=_("Groups"),
        help_text=_(
            "Leave all empty for one group. Groups differ by one player at most, and are equally strong. Leagues "
            "are filled from the strongest players down: the first has 1 group, the next ones 2, 4, 8 and so on."
        ),
        conflict=_(
            "Enter the number of groups, the group size, or the group size for leagues. Enter only one of them."
        ),
    )
    fields["advance"] = OptionsField(
        AdvanceRule,
        label=_("Who goes on"),
        help_text=_(
            "Who goes on to the next stage. Leave all empty if there is none. Choose either a number of players "
            "from each group, and the best of those in the next place, or everybody with more than a percentage of the "
            "possible points."
        ),
        conflict=_("Enter either how many go on, or the percentage of the points, not both."),
    )
    if number > 1:
        choices = [("", _("no stage")), *((spec.key, _(spec.label)) for spec in specs)]
        fields["format"] = forms.ChoiceField(label=_("Format"), choices=choices, required=False)
        fields["tiebreaks"] = TiebreaksField(
            label=_("Order of the table"), required=False, help_text=_("Leave all empty for the usual order.")
        )
        # It need not be sent for a stage that there is not.
        fields["at_round_end"].required = False
    options = make_fields(specs, prefix_of(number))
    if number > 1:
        for spec in specs:
            for option in options_of(spec.options):
                label = format_lazy("{}: {}", _(spec.label), _(option.label))
                options[field_name(spec, option, prefix_of(number))].label = label
    return {option_name(number, name): field for name, field in fields.items()} | options


def values_of(stages: Sequence[Stage]) -> dict[str, Any]:
    """Return what the fields of a form show of these stages, the first first."""
    values: dict[str, Any] = {}
    for number, stage in enumerate(stages, start=1):
        values |= {option_name(number, name): getattr(stage, name) for name in columns_of(number)}
        values |= initial_values(stage.format_spec, stage.options, prefix_of(number))
    return values


def count_shown(stages: int, data: Mapping[str, Any]) -> int:
    """Return of how many stages a form has fields: one more than there are, or as many as were sent."""
    sent = max((number for number in NUMBERS if option_name(number, "format") in data), default=0)
    return min(max(stages, sent) if data else stages + 1, MAX_STAGES)


def _without_bounds(field: forms.Field) -> forms.Field:
    """Return a field whose bounds are checked with those of the other options, so that sentences can name it."""
    field.validators = []
    return field
