"""The fields of one stage in the form of a competition: what they show, what they write, where errors stand."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from formats.advancement import AdvanceRule
from formats.options import MAX_DAYS, Option, options_of
from formats.protocol import Flow, Format
from tournaments.making.services.drafts import PARTS
from tournaments.models import RoundEnd, Seeding, Stage
from tournaments.rounds.services.stage_checks import option_name


def field_name(spec: Format, option: Option, prefix: str = "") -> str:
    """Return the name of an option's field: formats may have options of one name, and a form several stages."""
    return f"{prefix}{spec.key}-{option.name}"


def make_field(option: Option) -> forms.Field:
    """Return the field of an option. None is required: ``read_value`` says what an empty one means."""
    about: dict[str, Any] = {
        "label": capfirst(_(option.label)),
        "help_text": _(option.help_text) if option.help_text else "",
        "required": False,
        "initial": option.default,
    }
    if option.kind is bool:
        return forms.BooleanField(**about)
    if option.choices:
        empty = [("", "—")] if option.may_be_empty else []
        return forms.ChoiceField(choices=[*empty, *((key, _(label)) for key, label in option.choices)], **about)
    if option.kind is int:
        return forms.IntegerField(
            min_value=option.minimum, max_value=option.maximum, widget=AdminIntegerFieldWidget, **about
        )
    return forms.CharField(**about)


def read_value(option: Option, value: Any, *, least: bool = False) -> Any:
    """Return what the value of a field means: an empty one nothing, or the least or usual value."""
    if value not in {None, ""}:
        return value
    if option.may_be_empty:
        return None
    return option.minimum if least and not option.choices else option.default


def read_part(type_: type[Any], given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the options of a dataclass that these values of fields give, ``None`` where no number is given."""
    known = options_of(type_)
    if all(given.get(each.name) in {None, ""} for each in known if not each.choices):
        return None
    return {each.name: read_value(each, given[each.name], least=True) for each in known if each.name in given}


COLUMNS = ("round_days", "at_round_end", "seeding", "late_entry")

FIRST = frozenset(
    {"grouping-size", "grouping-groups", "grouping-whenever", "advance-first", "advance-levels", "seeding"}
)
"""The fields that stand before the folded options, as do those of the format, except for replays."""

OF_GATHERED = frozenset({"whenever", "first", "above_percent", "levels"})
"""The options that are shown of a stage whose groups form one by one."""

OF_LEAGUES = frozenset({"last_promoted", "last_to_stay", "play_offs"})
"""The options that are shown of a stage of leagues alone."""

OF_ADVANCE = frozenset(each.name for each in options_of(AdvanceRule))


class StageFields:
    """The fields of a stage that is the one of this number among ``last``, by name.

    They are no more than matter in its format and where it stands, unless it ``offers_all``.
    """

    def __init__(self, stage: Stage, number: int, last: int, *, offers_all: bool = False) -> None:
        self.stage, self.number, self.last, self.offers_all = stage, number, last, offers_all
        self.prefix = option_name(number, "")
        self.parts = {part: self._fields_of_part(part) for part in PARTS if self._has_part(part)}
        self.options = {
            f"{self.prefix}{each.name}": field_name(stage.format_spec, each, self.prefix)
            for each in stage.format_options
        }
        self.fields: dict[str, forms.Field] = {}
        for fields in self.parts.values():
            self.fields |= fields
        self.fields |= {name: make_field(each) for name, each in self._format_options()}
        if stage.format_spec.flow is not Flow.CONTINUOUS:
            self.fields |= self._fields_of_rounds()
        if last > 1 and not offers_all:
            # The others stand below the name of their stage.
            for name, field in self.fields.items():
                if not self.is_first(name):
                    field.label = format_lazy("{} {}: {}", _("Stage"), number, field.label)

    def is_first(self, name: str) -> bool:
        """Return whether a field is asked before the folded options."""
        own = name.removeprefix(self.prefix)
        is_of_format = "-" in own and not own.startswith(tuple(f"{part}-" for part in PARTS))
        return own in FIRST or (is_of_format and not own.endswith("-replays"))

    def values(self) -> dict[str, Any]:
        """Return what the fields show."""
        stage = self.stage
        shown = {f"{self.prefix}{name}": getattr(stage, name) for name in COLUMNS}
        for part, fields in self.parts.items():
            values = getattr(stage, part)
            if values is None and self.number == self.last:
                values = dict.fromkeys(each.name for each in options_of(PARTS[part]) if not each.choices)
            known = {f"{self.prefix}{part}-{name}": value for name, value in (values or {}).items()}
            shown |= {name: value for name, value in known.items() if name in fields}
        return shown | {name: stage.options.get(each.name, each.default) for name, each in self._format_options()}

    def write(self, data: Mapping[str, Any]) -> None:
        """Give the stage what was chosen in its fields."""
        stage = self.stage
        for name in COLUMNS:
            if f"{self.prefix}{name}" in data:
                setattr(stage, name, data[f"{self.prefix}{name}"])
        stage.at_round_end = stage.at_round_end or RoundEnd.WAIT
        for part, type_ in PARTS.items():
            names = {each.name: f"{self.prefix}{part}-{each.name}" for each in options_of(type_)}
            if given := {own: data[name] for own, name in names.items() if name in data}:
                setattr(stage, part, read_part(type_, given))
        chosen = {each.name: read_value(each, data[name]) for name, each in self._format_options() if name in data}
        stage.options = {**stage.options, **chosen}

    def fields_of_option(self, option: str) -> list[str]:
        """Return the fields that show an option, or a part of it."""
        for part, fields in self.parts.items():
            if option == f"{self.prefix}{part}":
                return list(fields)
        shown = self.options.get(option, option)
        return [shown] if shown in self.fields else []

    def field_at_fault(self, option: str) -> str | None:
        """Return the field beside which errors of an option stand, ``None`` where it has none."""
        by_part = {
            f"{self.prefix}grouping": f"{self.prefix}grouping-{'whenever' if self.stage.gathers else 'size'}",
            f"{self.prefix}advance": f"{self.prefix}advance-{'play_offs' if self.stage.has_leagues else 'first'}",
        }
        shown = by_part.get(option) or self.options.get(option, option)
        return shown if shown in self.fields else None

    def propose_live(self) -> dict[str, Any]:
        """Return what fields propose where a player has one match at a time: single legs, and round after round."""
        proposed: dict[str, Any] = {name: 1 for name, each in self._format_options() if each.name == "legs"}
        if self.stage.is_played_at_once:
            proposed[f"{self.prefix}round_days"] = 1
        return proposed

    def _format_options(self) -> list[tuple[str, Option]]:
        return [(self.options[f"{self.prefix}{each.name}"], each) for each in self.stage.format_options]

    def _has_part(self, part: str) -> bool:
        flow = self.stage.format_spec.flow
        if part == "grouping" and flow is not Flow.ROUNDS:
            return False
        if self.stage.is_play_offs and not self.offers_all:
            return False
        is_asked = self.number < self.last or getattr(self.stage, part) is not None or self.stage.has_leagues
        return is_asked or (self.offers_all and flow is not Flow.CONTINUOUS)

    def _fields_of_part(self, part: str) -> dict[str, forms.Field]:
        shown = [each for each in options_of(PARTS[part]) if self._is_shown(each.name)]
        fields = {f"{self.prefix}{part}-{each.name}": make_field(each) for each in shown}
        if (groups := fields.get(f"{self.prefix}grouping-groups")) is not None:
            groups.help_text = _("Leave it empty to set the number of players in a group instead.")
        return fields

    def _is_shown(self, name: str) -> bool:
        """Return whether an option of the groups, or of who goes on, matters by how the groups form."""
        if self.offers_all:
            return True
        if self.stage.gathers:
            return name in OF_GATHERED
        if name in OF_LEAGUES or (name in OF_ADVANCE and self.stage.has_leagues):
            return self.stage.has_leagues and name in OF_LEAGUES
        return name != "whenever" and (name != "levels" or self.stage.max_levels is not None)

    def _fields_of_rounds(self) -> dict[str, forms.Field]:
        stage, fields = self.stage, dict[str, forms.Field]()
        if self.number == 1 and (self.offers_all or not stage.gathers):
            fields["seeding"] = forms.ChoiceField(label=_("Seeds"), choices=Seeding.choices)
        if self.number == 1 and (self.offers_all or stage.abilities.late_entry):
            fields["late_entry"] = forms.BooleanField(label=_("Entry after the start"), required=False)
        fields[f"{self.prefix}round_days"] = forms.IntegerField(
            label=_("Days for each round"),
            min_value=1,
            max_value=MAX_DAYS,
            required=False,
            help_text=_("Leave it empty to let every round take as long as its matches do."),
        )
        fields[f"{self.prefix}at_round_end"] = forms.ChoiceField(
            label=_("When the time for a round is up"), choices=RoundEnd.choices, required=False
        )
        return fields
