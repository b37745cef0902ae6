"""Fields of the form of staff: players by their usernames, and the order of a table."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

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
