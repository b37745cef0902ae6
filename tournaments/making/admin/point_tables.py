"""The choice of a competition's points table in the admin: a stock table by its name, or an organiser's own numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from formats.scoring import (
    MAX_POINTS,
    STANDARD,
    STOCK_TABLES,
    InvalidPointTable,
    TableFault,
    name_table,
    read_table,
    write_table,
)
from tournaments.making.admin.labelled import LabelledWidget

OWN = "own"

_CHOICES = [
    ("5-4-3-2", _("a win 5–0, 4–1 or 3–2, else 2–2")),
    ("3-1-0", _("a win 3–0, else 1–1")),
    ("2-1-0", _("a win 2–0, else 1–1")),
    (OWN, _("numbers of your own")),
]
_LABELS = {
    "5-0": _("A 5–0 counts"),
    "4-1": _("A 4–1 counts"),
    "3-2": _("A 3–2 counts"),
    "2-2": _("A 2–2 gives each"),
    "bye": _("A bye gives"),
    "neither": _("If neither played, each gets"),
}
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


class PointTableWidget(LabelledWidget):
    """A choice of the stock tables, and an input for every number of a table of one's own."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        stock = forms.Select(choices=_CHOICES, attrs={"aria-label": _("Points table")})
        inputs = {
            name: (label, forms.TextInput(attrs={"size": 5, "autocomplete": "off"})) for name, label in _LABELS.items()
        }
        super().__init__({"stock": ("", stock), **inputs}, attrs)

    def decompress(self, value: Mapping[str, Any] | None) -> list[str]:
        """Return the name of a table, and its numbers as they are typed."""
        values = value or write_table(STANDARD)
        return [name_table(read_table(values)) or OWN, *(_write(values[name]) for name in _LABELS)]


class PointTableField(forms.MultiValueField):
    """A points table as it is stored; nothing where the form was sent without it."""

    widget = PointTableWidget

    def __init__(self, **kwargs: Any) -> None:
        inputs = [forms.CharField(required=False, max_length=20) for _name in _LABELS]
        fields = [forms.ChoiceField(choices=_CHOICES, required=False), *inputs]
        super().__init__(fields, require_all_fields=False, **kwargs)

    def compress(self, data_list: Sequence[str]) -> dict[str, Any]:
        """Return the chosen table. Raises ``ValidationError`` with a sentence for every number that it cannot have."""
        chosen, *texts = data_list or [""]
        if not chosen:
            return {}
        if chosen != OWN:
            return write_table(STOCK_TABLES[chosen])
        values = {name: _read(name, text) for name, text in zip(_LABELS, texts, strict=True)}
        try:
            return write_table(read_table({name: value for name, value in values.items() if value is not None}))
        except InvalidPointTable as error:
            sentences = [
                _FAULTS[fault] % {"label": _LABELS[name], "maximum": MAX_POINTS} for name, fault in error.faults.items()
            ]
            raise forms.ValidationError(sentences) from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether another table is chosen than before."""
        try:
            chosen = self.clean(data)
        except forms.ValidationError:
            return True
        return bool(chosen) and chosen != initial


def _write(value: int | Sequence[int]) -> str:
    return str(value) if isinstance(value, int) else "–".join(map(str, value))


def _read(name: str, text: str) -> int | list[int] | None:
    """Return the number or the pair that was typed, ``None`` for what is neither."""
    is_pair = name in STANDARD.wins
    found = (_PAIR if is_pair else _NUMBER).fullmatch(text)
    if found is None:
        return None
    numbers = [int(number) for number in found.groups()]
    return numbers if is_pair else numbers[0]
