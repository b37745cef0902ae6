"""The numbers of a points table of one's own: a field for each, and what is wrong with them in sentences."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from formats.scoring.points import MAX_POINTS, STANDARD, InvalidPointTable, TableFault, read_table, write_table

LABELS = {
    "5-0": _("A 5–0 counts"),
    "4-1": _("A 4–1 counts"),
    "3-2": _("A 3–2 counts"),
    "2-2": _("A 2–2 gives each"),
    "bye": _("A bye gives"),
    "neither": _("If neither played, each gets"),
}
NAMES = {number: f"points-{number}" for number in LABELS}
"""The names of the fields, by what they are called in a stored table."""

_FAULTS = {
    TableFault.MISSING: _("%(label)s: enter whole numbers, for a win the winner’s and the loser’s, such as 5–0."),
    TableFault.OUT_OF_BOUNDS: _("%(label)s: points go from 0 to %(maximum)d."),
    TableFault.WIN_NOT_ABOVE_LOSS: _("%(label)s: the winner must get more than the loser."),
    TableFault.WIN_BELOW_DRAW: _("%(label)s: the winner must get at least what a 2–2 gives each."),
    TableFault.ABOVE_MAXIMUM: _("%(label)s: at most what a match can give."),
    TableFault.ABOVE_DRAW: _("%(label)s: at most what a 2–2 gives each."),
}
_PAIR = re.compile(r"\s*([0-9]{1,4})\s*[-–:]\s*([0-9]{1,4})\s*")
_NUMBER = re.compile(r"\s*([0-9]{1,4})\s*")


def make_point_fields() -> dict[str, forms.Field]:
    """Return a field for each number of a table; none is required, as a stock table may be chosen."""
    return {
        NAMES[number]: forms.CharField(
            label=label, required=False, max_length=20, widget=forms.TextInput(attrs={"autocomplete": "off"})
        )
        for number, label in LABELS.items()
    }


def show_points(table: Mapping[str, Any]) -> dict[str, str]:
    """Return what the fields show of a stored table."""
    return {
        NAMES[number]: str(value) if isinstance(value, int) else "–".join(map(str, value))
        for number, value in table.items()
    }


def read_points(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table that was typed, as it is stored. Raises ``ValidationError`` with sentences by field."""
    values = {number: _read(number, data.get(name, "")) for number, name in NAMES.items()}
    try:
        return write_table(read_table({number: value for number, value in values.items() if value is not None}))
    except InvalidPointTable as error:
        raise forms.ValidationError(
            {
                NAMES[number]: _FAULTS[fault] % {"label": LABELS[number], "maximum": MAX_POINTS}
                for number, fault in error.faults.items()
            }
        ) from error


def _read(number: str, text: str) -> int | Sequence[int] | None:
    """Return the number or the pair that was typed, ``None`` for what is neither."""
    is_pair = number in STANDARD.wins
    found = (_PAIR if is_pair else _NUMBER).fullmatch(text)
    if found is None:
        return None
    numbers = [int(part) for part in found.groups()]
    return numbers if is_pair else numbers[0]
