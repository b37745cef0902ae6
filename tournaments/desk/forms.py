"""The organisers' forms that are no acts: a draw, a list of entrants, who organises.

Services validate what they carry.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.forms import RefusableForm
from players.selectors import find_players
from players.usernames import MAX_LENGTH as MAX_USERNAME_LENGTH
from tournaments.entries.entry_files import MAX_FILE_SIZE, read_file
from tournaments.entries.entry_lists import MAX_LIST_SIZE, MAX_SHOWN, declared_separator, edit_entry_list
from tournaments.models import Entry
from tournaments.models.rights import Role
from tournaments.models.team import MAX_TEAM_NAME
from tournaments.office.inputs import PLAIN_TEXT, Reason, Username
from tournaments.teams.selectors.teams import fold_team_name

EDITED = "username-"
"""The beginning of the name of the field of a corrected username, before the number of its line."""


class DrawForm(RefusableForm):
    """The number that a draw follows from, the seeds by hand, and two entrants to be swapped in what is previewed.

    Players are named by usernames, ``of_teams`` by the names of teams.
    """

    seed = forms.IntegerField(
        label=_("Draw seed"), min_value=0, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )
    order = forms.CharField(
        label=_("Usernames, first seed first"),
        required=False,
        max_length=60_000,
        help_text=_("One on each line. Players who are not named are drawn after them."),
        widget=forms.Textarea(attrs={"rows": 8, **PLAIN_TEXT}),
    )

    first = forms.CharField(label=_("Player"), required=False, max_length=MAX_USERNAME_LENGTH)
    second = forms.CharField(label=_("swaps places with"), required=False, max_length=MAX_USERNAME_LENGTH)
    reason = Reason(required=False)

    def __init__(self, *args: Any, competition_id: int, of_teams: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition_id, self.of_teams = competition_id, of_teams
        if of_teams:
            self.fields["order"].label = _("Team names, first seed first")
            self.fields["order"].help_text = _("One on each line. Teams that are not named are drawn after them.")
            self.fields["first"] = forms.CharField(label=_("Team"), required=False, max_length=MAX_TEAM_NAME)
            self.fields["second"] = forms.CharField(
                label=_("swaps places with"), required=False, max_length=MAX_TEAM_NAME
            )

    def clean_order(self) -> list[int] | None:
        """Return the ids of the entries in this order, ``None`` where nobody is named. Names of teams have blanks."""
        text: str = self.cleaned_data["order"]
        names = text.splitlines() if self.of_teams else text.replace(",", " ").split()
        names = [name for name in names if name.strip()]
        return self._find_entries(names) if names else None

    def clean(self) -> dict[str, Any]:
        """Put the ids of the entries to be swapped into ``swap``, nothing unless two are named."""
        data = super().clean() or self.cleaned_data
        names = [data.get(name) for name in ("first", "second")]
        data["swap"] = self._find_entries([name for name in names if name]) if all(names) else None
        return data

    def show_order(self, entries: Sequence[Entry]) -> None:
        """Let the field of the seeds show these entries, the first seed first."""
        self.data = {**{name: self.data.get(name) for name in self.data}, "order": "\n".join(map(str, entries))}

    def _find_entries(self, names: Sequence[str]) -> list[int]:
        """Return the ids of entries by name. Raises ``ValidationError`` for who is not in the competition."""
        entries = Entry.objects.filter(competition_id=self.competition_id)
        if self.of_teams:
            keys = [fold_team_name(name) for name in names]
            known = dict(entries.filter(team__folded_name__in=keys).values_list("team__folded_name", "pk"))
        else:
            keys = [name.lower() for name in names]
            players = find_players(usernames=names, with_closed=True)
            own = dict(entries.filter(player__in=players.values()).values_list("player_id", "pk"))
            known = {key: own[player.pk] for key, player in players.items() if player.pk in own}
        strangers = [name.strip() for name, key in zip(names, keys, strict=True) if key not in known]
        if strangers:
            raise forms.ValidationError(_("Not in this competition: %(names)s.") % {"names": ", ".join(strangers)})
        return [known[key] for key in keys]


class EntryListForm(RefusableForm):
    """A list of entrants: a file, or pasted, or one that was shown and corrected line by line."""

    file = forms.FileField(label=_("CSV file or Excel workbook (.xlsx)"), required=False)
    text = forms.CharField(
        label=_("or paste the list"),
        required=False,
        strip=False,
        max_length=MAX_LIST_SIZE,
        widget=forms.Textarea(attrs={"rows": 8, **PLAIN_TEXT}),
        help_text=_(
            "One player per line: a username and, if you like, a comma and the seed. You can also paste a table "
            "with column headings, one of them “username”, such as a list exported from this site."
        ),
    )
    reason = Reason(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.remarks: list[str] = []
        """Sentences about how the list was read."""

    def clean_file(self) -> str:
        """Return what the file says. Raises ``ValidationError`` for one that is too large, or no list."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        try:
            read = read_file(file.read(MAX_FILE_SIZE + 1))
        except ValueError as fault:
            raise forms.ValidationError(str(fault)) from None
        self.remarks += read.remarks
        # Once it is read the list can be corrected on the page, as the browser does not send the file again.
        self.data = {**dict(self.data.items()), "text": read.text}
        return read.text

    def clean(self) -> dict[str, Any]:
        """Put the list into ``text``, wherever it came from, with what was corrected in it."""
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        data["text"] = data.get("file") or edit_entry_list(data["text"], self._edits())
        if not data["text"].strip():
            self.add_error("text", _("Choose a file or paste a list."))
        elif separator := declared_separator(data["text"]):
            self.remarks.append(
                gettext("Cells are separated by “%(separator)s”, as the first line says.") % {"separator": separator}
            )
        return data

    def _edits(self) -> dict[int, tuple[str, str]]:
        """Return the usernames and seeds that were corrected, by the numbers of their lines."""
        fields = ((name.removeprefix(EDITED), name) for name in self.data if name.startswith(EDITED))
        numbers = [
            (number, name) for number, name in fields if number.isascii() and number.isdigit() and len(number) < 7
        ]
        return {
            int(number): (self.data[name][:MAX_SHOWN], self.data.get(f"seed-{number}", "")[:MAX_SHOWN])
            for number, name in numbers
        }


class OrganiserForm(RefusableForm):
    """The player who is to run the competition, and their role."""

    player = Username()
    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=Role,
        choices=[
            (Role.HELPER, _("Helper: may decide matches, and nothing else")),
            (Role.ORGANISER, _("Organiser: may do everything that you may do")),
        ],
        initial=Role.HELPER,
        widget=forms.RadioSelect,
    )
