"""The places of stages' fields in the form of a competition, and what is read in place of those that are fixed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from formats.options import Option, options_of
from formats.protocol import Format
from tournaments.making.admin.stage_fields import columns_of, prefix_of
from tournaments.making.option_fields import field_name, field_names
from tournaments.making.services.competitions import STAGES
from tournaments.models import Competition, Stage
from tournaments.office.option_texts import stage_option_text
from tournaments.rounds.services.stage_checks import MAX_STAGES, option_name


def stage_rows(number: int, specs: Sequence[Format]) -> tuple[Any, ...]:
    """Return the rows of fields of a later stage: the options of each format stand in one."""
    rows = ("format", "grouping", "advance", ("round_days", "at_round_end"), "tiebreaks")
    own = tuple(
        tuple(option_name(number, name) for name in row) if isinstance(row, tuple) else option_name(number, row)
        for row in rows
    )
    return (*own[:1], *(field_names(spec, prefix_of(number)) for spec in specs), *own[1:])


def shown_instead(competition: Competition, fixed: Collection[str]) -> dict[str, Any]:
    """Return what shows each option of a stage that can't be changed any more, by the name of its field."""
    shown: dict[str, Any] = {}
    for stage in competition.all_stages:
        for column in columns_of(stage.number):
            if option_name(stage.number, column) in fixed:
                shown[option_name(stage.number, column)] = _show_column(stage.number, column)
        for option in options_of(stage.format_spec.options):
            if option_name(stage.number, option.name) in fixed:
                shown[field_name(stage.format_spec, option, prefix_of(stage.number))] = _show_option(
                    stage.number, option
                )
    return shown


def hidden_fields(competition: Competition, fixed: Collection[str], specs: Sequence[Format]) -> frozenset[str]:
    """Return the fields of formats that a stage can't be given any more, and those of stages that can't be added."""
    stages = competition.all_stages
    names = [
        name
        for stage in stages
        for spec in specs
        if option_name(stage.number, "format") in fixed and spec.key != stage.format
        for name in field_names(spec, prefix_of(stage.number))
    ]
    if STAGES in fixed:
        for number in range(len(stages) + 1, MAX_STAGES + 1):
            names += [option_name(number, column) for column in columns_of(number)]
            names += [name for spec in specs for name in field_names(spec, prefix_of(number))]
    return frozenset(names)


def replace_names(names: Sequence[Any], shown: Mapping[str, Any], hidden: Collection[str]) -> tuple[Any, ...]:
    """Return the names of a fieldset, without those that are hidden, and with what is shown instead of others."""
    replaced = (
        replace_names(name, shown, hidden) if isinstance(name, tuple) else shown.get(name, name)
        for name in names
        if name not in hidden
    )
    return tuple(name for name in replaced if name != ())


def _stage_of(competition: Competition, number: int) -> Stage:
    return competition.all_stages[number - 1]


@cache
def _show_option(number: int, option: Option) -> Callable[[Competition], str]:
    """Return what the admin calls to show an option of a format: always the same, by which the admin knows it."""

    @admin.display(description=_(option.label))
    def show(competition: Competition) -> str:
        return stage_option_text(_stage_of(competition, number), option.name)

    return show


@cache
def _show_column(number: int, column: str) -> Callable[[Competition], str]:
    """Return what the admin calls to show a column of a stage."""

    @admin.display(description=getattr(Stage._meta.get_field(column), "verbose_name", column))  # noqa: SLF001
    def show(competition: Competition) -> str:
        return stage_option_text(_stage_of(competition, number), column)

    return show
