"""The names of the options of competitions and stages, and their values in words, for the log and for forms."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.options import Option, options_of
from matches.sentences import format_duration
from tournaments.models import Competition, Stage
from tournaments.office.sentences import points_sentence
from tournaments.office.stage_texts import advance_text, grouping_text, tiebreak_name
from web.moments import format_moment


def option_value_text(option: Option, value: Any) -> str:
    """Return the value of an option of a format in words."""
    if option.kind is bool:
        return _yes_or_no(value)
    if value is None:
        return _("none")
    label = dict(option.choices).get(value)
    return str(value) if label is None else _(label)


def competition_option_title(name: str) -> str:
    """Return what a column of a competition is called."""
    if name in _CLOCK:
        return str(_CLOCK[name])
    return _column_title(Competition, name)


def stage_option_title(stage: Stage, name: str) -> str:
    """Return what a column of a stage, or an option of its format, is called."""
    option = _find_option(stage, name)
    return _column_title(Stage, name) if option is None else _(option.label)


def competition_option_text(competition: Competition, name: str, stages: Sequence[Stage]) -> str:
    """Return the value of a column of a competition with these stages in words. A password is not told."""
    value = getattr(competition, name)
    match name:
        case "password":
            return _("set") if value else _("none")
        case "disqualification":
            return competition.get_disqualification_display()
        case "game":
            return competition.rules.title
        case "point_table":
            return points_sentence(competition.scoring, stages)
    if name in _CLOCK:
        return format_duration(timedelta(seconds=value))
    if name in {"begin_hours", "protest_hours"} and value is not None:
        return format_duration(timedelta(hours=value))
    if name == "check_in_minutes" and value is not None:
        return format_duration(timedelta(minutes=value))
    if isinstance(value, bool):
        return _yes_or_no(value)
    if isinstance(value, datetime):
        return format_moment(value)
    return _("none") if value in {None, ""} else str(value)


def stage_option_text(stage: Stage, name: str) -> str:
    """Return the value of a column of a stage, or of an option of its format, in words."""
    if name in _COLUMNS:
        return str(_COLUMNS[name](stage))
    option = _find_option(stage, name)
    return _("none") if option is None else option_value_text(option, stage.options.get(name, option.default))


def stages_text(stages: Sequence[Stage]) -> str:
    """Return the formats of a competition's stages, in their order."""
    return ", ".join(_(stage.format_spec.label) for stage in stages)


def _find_option(stage: Stage, name: str) -> Option | None:
    return next((option for option in options_of(stage.format_spec.options) if option.name == name), None)


def _column_title(model: type[Competition | Stage], name: str) -> str:
    return str(getattr(model._meta.get_field(name), "verbose_name", name))  # noqa: SLF001 - Django's own


def _yes_or_no(value: Any) -> str:
    return _("yes") if value else _("no")


_CLOCK = {
    "time_bank": gettext_lazy("time to start with"),
    "time_increment": gettext_lazy("time that a turn adds"),
    "time_cap": gettext_lazy("most time on a clock"),
}
_COLUMNS: dict[str, Callable[[Stage], Any]] = {
    "format": lambda stage: _(stage.format_spec.label),
    "grouping": grouping_text,
    "advance": advance_text,
    "tiebreaks": lambda stage: ", ".join(tiebreak_name(key) for key in stage.tiebreaks),
    "seeding": lambda stage: stage.get_seeding_display(),
    "round_days": lambda stage: stage.round_days or _("none"),
    "at_round_end": lambda stage: stage.get_at_round_end_display(),
    "late_entry": lambda stage: _yes_or_no(stage.late_entry),
}
