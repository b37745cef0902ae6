"""The three columns of a time control, for every model whose matches are played on a clock."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import NOT_PROVIDED, F, Q
from django.utils.translation import gettext_lazy as _

from matches.clock import InvalidClock, TimeControl
from matches.clock_sentences import clock_fault_sentence
from matches.games import decision_control

TIME_CONTROL_COLUMNS = ("time_bank", "time_increment", "time_cap")


def time_control_columns(default: TimeControl | None = None) -> list[Any]:
    """Return the columns ``time_bank``, ``time_increment`` and ``time_cap``, in seconds."""
    titles = (
        _("time to start with, in seconds"),
        _("time that a turn adds, in seconds"),
        _("most time on a clock, in seconds"),
    )
    defaults = (NOT_PROVIDED,) * len(titles) if default is None else default.in_seconds
    columns: list[Any] = [
        models.PositiveBigIntegerField(title, default=seconds) for title, seconds in zip(titles, defaults, strict=True)
    ]
    return columns


def columns_of(control: TimeControl) -> dict[str, int]:
    """Return what the three columns hold of a time control, by name."""
    return dict(zip(TIME_CONTROL_COLUMNS, control.in_seconds, strict=True))


def bank_within_cap(name: str) -> models.CheckConstraint:
    """Return the constraint with this name that the cap is no less than the bank, and the bank not empty."""
    return models.CheckConstraint(condition=Q(time_bank__gte=1, time_cap__gte=F("time_bank")), name=name)


def control_in(game: str, bank: int, increment: int, cap: int) -> TimeControl:
    """Return the time control that these numbers of seconds are in a game: in some it is that of each decision."""
    own = decision_control(game)
    if own is not None and own.in_seconds == (bank, increment, cap):
        return own
    return TimeControl.of_seconds(bank, increment, cap)


class TimeControlled(models.Model):
    """Read the three columns as one ``time_control``. Each model has its own, made by ``time_control_columns``."""

    game: str
    time_bank: int
    time_increment: int
    time_cap: int

    class Meta:
        abstract = True

    @property
    def time_control(self) -> TimeControl:
        """Return the time control of both sides, as one value."""
        return control_in(self.game, self.time_bank, self.time_increment, self.time_cap)

    def clean(self) -> None:
        """Raise ``ValidationError`` at the bank for three numbers that make no time control together."""
        super().clean()
        if None in {self.time_bank, self.time_increment, self.time_cap}:
            return
        try:
            TimeControl.for_new_match(self.time_bank, self.time_increment, self.time_cap)
        except InvalidClock as error:
            raise ValidationError({"time_bank": clock_fault_sentence(error)}) from error
