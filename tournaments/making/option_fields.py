"""Fields of forms for options, made from what formats, groups and advancement say of them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from formats.options import Option, options_of
from formats.protocol import Format


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
