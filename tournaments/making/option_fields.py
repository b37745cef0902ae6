"""Fields of forms for the options of formats, made from what the formats say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def field_names(spec: Format, prefix: str = "") -> tuple[str, ...]:
    """Return the names of all fields of a format, in the order of its options."""
    return tuple(field_name(spec, option, prefix) for option in options_of(spec.options))


def make_fields(specs: Iterable[Format], prefix: str = "") -> dict[str, forms.Field]:
    """Return the fields of these formats, by name.

    None is required by itself: only one of the formats is chosen, and ``read_fields`` asks for what this one needs.
    """
    return {
        field_name(spec, option, prefix): make_field(option) for spec in specs for option in options_of(spec.options)
    }


def initial_values(spec: Format, options: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return what the fields of a format show for these options, as they are stored."""
    return {
        field_name(spec, option, prefix): options.get(option.name, option.default)
        for option in options_of(spec.options)
    }


def read_fields(form: forms.BaseForm, spec: Format, prefix: str = "") -> dict[str, Any]:
    """Return the options that were chosen in a form's fields of a format; add an error for each that lacks."""
    options = {}
    for option in options_of(spec.options):
        name = field_name(spec, option, prefix)
        if name not in form.cleaned_data:
            continue
        value = form.cleaned_data[name]
        if value in {None, ""} and not option.may_be_empty:
            form.add_error(name, form.fields[name].error_messages["required"])
        options[option.name] = None if value == "" and option.may_be_empty else value
    return options


def drop_errors(form: forms.BaseForm, names: Iterable[str]) -> None:
    """Forget what is wrong in fields that do not matter: those of a format that was not chosen."""
    for name in names:
        form.errors.pop(name, None)


def make_field(option: Option) -> forms.Field:
    """Return the field of an option."""
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
