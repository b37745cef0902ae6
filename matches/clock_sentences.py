"""Sentences about clocks that cannot be, also for models."""

from django.utils.translation import gettext as _

from matches.clock import ClockFault, InvalidClock


def clock_fault_sentence(error: InvalidClock) -> str:
    """Return why there is no such clock."""
    return {
        ClockFault.BANK_OUT_OF_RANGE: _("The time to start with must be between one second and %(days)d days."),
        ClockFault.INCREMENT_OUT_OF_RANGE: _("The time that a turn adds must be between 0 seconds and %(days)d days."),
        ClockFault.CAP_OUT_OF_RANGE: _(
            "The most time on a clock must be between the time to start with and %(days)d days."
        ),
        ClockFault.INCREMENT_ABOVE_BANK: _("A turn cannot add more time than a side starts with."),
        ClockFault.BANK_SPENT: _("The time ran out before the turn was over."),
    }[error.fault] % {"days": error.max_days}


def clock_fault_parameters(error: InvalidClock) -> dict[str, int]:
    """Return what the sentence tells beside the fault, by name."""
    return {} if error.fault is ClockFault.INCREMENT_ABOVE_BANK else {"days": error.max_days}
