"""The forms of captains: a team's name and shirt, and whom to invite."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from players.models import Player
from tournaments.models import ShirtColour, ShirtPattern
from tournaments.models.team import MAX_TEAM_NAME
from tournaments.office.inputs import Username


class TeamForm(RefusableForm):
    """The name of a team, and its shirt."""

    name = forms.CharField(
        label=_("Name"), max_length=MAX_TEAM_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    pattern = forms.ChoiceField(
        label=_("Shirt"), choices=ShirtPattern.choices, initial=ShirtPattern.PLAIN, widget=forms.RadioSelect
    )
    first_colour = forms.ChoiceField(label=_("First colour"), choices=ShirtColour.choices, initial=ShirtColour.RED)
    second_colour = forms.ChoiceField(
        label=_("Second colour"),
        choices=ShirtColour.choices,
        initial=ShirtColour.WHITE,
        help_text=_("The colour of the pattern. A plain shirt has it on the collar and cuffs."),
    )


class InviteForm(RefusableForm):
    """The player to invite to a team."""

    player = Username()


class LineUpForm(RefusableForm):
    """The players at the boards, a field for each; ``players`` are the ids of those who sit there so far.

    Once it is valid its ``players`` are the ids of those who were chosen.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        boards: int,
        members: Sequence[Player],
        players: Sequence[int] = (),
        asks_password: bool = False,
    ) -> None:
        super().__init__(data)
        self.players: list[int] = []
        known = {each.pk for each in members}
        at_boards = [key if key in known else "" for key in players]
        for number in range(1, boards + 1):
            self.fields[f"board_{number}"] = forms.TypedChoiceField(
                label=gettext("Board %d") % number,
                choices=[("", gettext("nobody")), *((each.pk, each.username) for each in members)],
                coerce=int,
                empty_value=None,
                required=False,
                initial=at_boards[number - 1] if number <= len(at_boards) else "",
            )
        if asks_password:
            self.fields["password"] = forms.CharField(
                label=gettext("Password of the competition"), widget=forms.PasswordInput, strip=False
            )

    def clean(self) -> dict[str, Any]:
        """Return what was chosen. Boards are filled from the first one on."""
        cleaned: dict[str, Any] = super().clean() or {}
        chosen = [cleaned.get(name) for name in self.fields if name.startswith("board_")]
        self.players = [key for key in chosen if key is not None]
        if None in chosen[: len(self.players)]:
            raise forms.ValidationError(
                gettext("Fill the boards in order, starting with board 1. Only the last boards can stay empty.")
            )
        return cleaned
