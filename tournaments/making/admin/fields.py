"""Fields of the form of staff: players by their usernames, the order of a table, and points of its own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from formats.scoring.points import MAX_POINTS, STANDARD, InvalidPointTable, TableFault, read_table, write_table
from formats.scoring.tiebreaks import TEAM_TIEBREAKS, TIEBREAKS
from players.models import Player
from players.selectors import find_players
from tournaments.office.stage_texts import TEAM_TIEBREAK_NAMES, TIEBREAK_NAMES

DRAW = "draw"


class UsernamesField(forms.CharField):
    """Players by their usernames, with spaces or commas between."""

    widget = AdminTextInputWidget

    def prepare_value(self, value: Any) -> Any:
        """Return the usernames of players, or what was typed."""
        if value is None or isinstance(value, str):
            return value
        return ", ".join(sorted(player.username for player in value))

    def clean(self, value: Any) -> list[Player]:
        """Return the players. Raises ``ValidationError`` with the names that nobody has."""
        names = [name for name in re.split(r"[\s,;]+", super().clean(value)) if name]
        found = find_players(usernames=names, with_closed=True)
        unknown = [name for name in names if name.lower() not in found]
        if unknown:
            raise forms.ValidationError(
                ngettext(
                    "There is no player with this username: %(names)s.",
                    "There are no players with these usernames: %(names)s.",
                    len(unknown),
                )
                % {"names": ", ".join(unknown)}
            )
        return list(found.values())

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether other players are named than before."""
        names = {name.lower() for name in re.split(r"[\s,;]+", data or "") if name}
        return names != {player.username.lower() for player in initial or ()}


class TiebreaksWidget(forms.MultiWidget):
    """A choice for each tie-break, the first deciding first."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        choices = [("", "—"), *TIEBREAK_NAMES.items(), *TEAM_TIEBREAK_NAMES.items()]
        names = [format_lazy("{} {}", _("Criterion"), number) for number in range(1, len(TIEBREAKS) + 1)]
        super().__init__([forms.Select(choices=choices, attrs={"aria-label": name}) for name in names], attrs)

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        """Return the keys, and nothing for the choices that are left."""
        keys = list(value or ())
        return keys + [""] * (len(self.widgets) - len(keys))


class TiebreaksField(forms.MultiValueField):
    """The order of a table: keys of tiebreaks, each once, of which the draw decides last."""

    widget = TiebreaksWidget

    def __init__(self, **kwargs: Any) -> None:
        choices = [(key, key) for key in (*TIEBREAKS, *TEAM_TIEBREAKS)]
        fields = [forms.ChoiceField(choices=choices, required=False) for _tiebreak in TIEBREAKS]
        super().__init__(fields, require_all_fields=False, **kwargs)

    def compress(self, data_list: list[str]) -> list[str]:
        """Return the chosen keys in their order, and the draw; nothing if nothing was chosen.

        Without the draw two could be equal for good, and a cup would have nobody who has won it. Raises
        ``ValidationError`` where a key comes twice.
        """
        keys = [key for key in data_list if key]
        if len(set(keys)) < len(keys):
            raise forms.ValidationError(_("Use each tie-break only once."))
        return [*keys, DRAW] if keys and DRAW not in keys else keys


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
