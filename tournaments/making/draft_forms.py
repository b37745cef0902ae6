"""The form in which a player makes a competition from a recipe, or edits one: only what its stages have."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.hashers import make_password
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from formats.scoring.points import STOCK_TABLES, name_table, read_table, write_table
from formats.team_meetings import MAX_BOARDS, MIN_BOARDS
from matches.clock import CORRESPONDENCE, TimeControl
from matches.games import BY_DECISION, decision_control, decision_pace
from players.forms import RefusableForm
from rules_engine.registry import GAMES
from tournaments.making.recipes import complete_play_offs
from tournaments.making.services.competitions import OPTIONS
from tournaments.making.services.drafts import (
    MAX_DAYS_OF_VACATION,
    MAX_DESCRIPTION_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MAX_PASSWORD_LENGTH,
    MAX_RATING_LIMIT,
)
from tournaments.making.stage_fields import StageFields
from tournaments.models import (
    MAX_BEGIN_HOURS,
    MAX_CHECK_IN_MINUTES,
    MAX_PROTEST_HOURS,
    NOT_STARTED,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Disqualification,
    SeriesRhythm,
    Stage,
)
from tournaments.office.inputs import Reason
from tournaments.rounds.services.stage_checks import TEAM_SEEDS
from tournaments.running.selectors.agreed_players import have_others_joined
from web.pages.length_fields import LengthField
from web.pages.moment_fields import MomentField

LIVE = TimeControl(timedelta(minutes=10), timedelta(seconds=15), timedelta(minutes=10))
FAST = TimeControl(timedelta(days=1), timedelta(hours=12), timedelta(days=1))
NORMAL = TimeControl(timedelta(days=3), timedelta(days=1), timedelta(days=3))
PACES = {"live": LIVE, "fast": FAST, "normal": NORMAL, "slow": CORRESPONDENCE}
OWN = "own"

OPEN, PASSWORD, INVITATION = "open", "password", "invitation"
ENTRY = [
    (OPEN, _("Open to everybody")),
    (PASSWORD, _("By password")),
    (INVITATION, _("By invitation: only players invited by organisers")),
]
BY_HAND, WHEN_FULL, AT_A_TIME, FULL_OR_AT_A_TIME = "hand", "full", "time", "full-or-time"
START = {
    (False, False): (BY_HAND, _("When I start it")),
    (True, False): (WHEN_FULL, _("When all places are taken")),
    (False, True): (AT_A_TIME, _("At a fixed time")),
    (True, True): (FULL_OR_AT_A_TIME, _("When all places are taken, or at a fixed time")),
}
"""The ways to start, by whether it starts when full, and at a time."""

AS_IT_IS = ""

SHOWN_AS = {
    **dict.fromkeys(("time_bank", "time_increment", "time_cap"), ("pace", "bank", "increment", "cap")),
    **dict.fromkeys(("password", "by_invitation"), ("entry", "new_password")),
    **dict.fromkeys(("starts_at", "starts_when_full"), ("start", "starts_at")),
}
"""The fields in which an option of a competition is chosen, where they have other names."""


def _games() -> list[tuple[str, str]]:
    return [(game.key, game.title) for game in GAMES.values()]


def _not_asked_of(competition: Competition) -> tuple[str, ...]:
    """Return the fields that a ladder has not, or a competition that is stored: its series has a tab of its own."""
    if competition.kind != CompetitionKind.CUP:
        return ("check_in_minutes", "protest_hours", "again")
    return () if competition.pk is None else ("again",)


class DraftForm(RefusableForm):
    """Everything that can be chosen for a competition with these stages.

    After validation ``competition`` and ``stages`` hold what was chosen; services check what it means.
    """

    name = forms.CharField(
        label=_("Name"), max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=lazy(_games, list)(),
        initial=lambda: next(iter(GAMES)),
        widget=forms.RadioSelect,
    )
    pace = forms.ChoiceField(
        label=_("Clock"),
        choices=lambda: [
            ("live", _("Live: 10 minutes + 15 seconds a turn")),
            *decision_pace(),
            ("fast", _("Fast: 1 day + 12 hours a turn")),
            ("normal", _("Normal: 3 days + 1 day a turn")),
            ("slow", _("Slow: 10 days + 36 hours a turn")),
            (OWN, _("Custom")),
        ],
        initial="slow",
        widget=forms.RadioSelect,
    )
    bank = LengthField(label=_("Custom: time to start with"))
    increment = LengthField(label=_("Custom: time that a turn adds"))
    cap = LengthField(
        label=_("Custom: most time on a clock"), help_text=_("Leave it empty for the time to start with.")
    )
    boards = forms.IntegerField(
        label=_("Boards"),
        min_value=MIN_BOARDS,
        max_value=MAX_BOARDS,
        help_text=_("How many players of each team play in a round: board 1 against board 1, and so on."),
    )
    max_entrants = forms.IntegerField(
        label=_("Maximum number of players"),
        min_value=2,
        max_value=MAX_NUMBER,
        required=False,
        help_text=_("Leave it empty for no limit."),
    )
    entry = forms.ChoiceField(
        label=_("Entry"),
        choices=ENTRY,
        initial=OPEN,
        widget=forms.RadioSelect,
    )
    new_password = forms.CharField(
        label=_("Password for entry"),
        required=False,
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("Give it to the players you want to join. It is stored so that nobody can read it."),
    )
    is_rated = forms.BooleanField(label=_("Counts for the ratings"), required=False, initial=True)
    start = forms.ChoiceField(
        label=_("Start"),
        choices=list(START.values()),
        initial=BY_HAND,
        widget=forms.RadioSelect,
    )
    starts_at = MomentField(label=_("Date and time of the start (UTC)"), required=False)
    again = forms.ChoiceField(
        label=_("Again"),
        choices=[("", _("once")), *(each for each in SeriesRhythm.choices if each[0] != SeriesRhythm.DATES)],
        required=False,
        help_text=_(
            "A new season with the same options opens for entry by itself. When and who comes along can be changed on "
            "the tab Series, where it can come on dates of the year, too."
        ),
    )
    check_in_minutes = forms.IntegerField(
        label=_("Minutes of check-in before the start"),
        min_value=1,
        max_value=MAX_CHECK_IN_MINUTES,
        required=False,
        help_text=_("Players who have not checked in by the start do not play. Leave it empty for no check-in."),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=MAX_DESCRIPTION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    point_table = forms.ChoiceField(label=_("Match points"), required=False)
    min_rating = forms.IntegerField(label=_("Lowest rating"), min_value=0, max_value=MAX_RATING_LIMIT, required=False)
    max_rating = forms.IntegerField(label=_("Highest rating"), min_value=0, max_value=MAX_RATING_LIMIT, required=False)
    vacation_limit = forms.IntegerField(
        label=_("Maximum days of vacation"),
        min_value=0,
        max_value=MAX_DAYS_OF_VACATION,
        required=False,
        help_text=_("For each player in this competition. 0 means none. Leave it empty for no limit."),
    )
    disqualification = forms.ChoiceField(
        label=_("Results of disqualified players"), choices=Disqualification.choices, required=False
    )
    begin_hours = forms.IntegerField(
        label=_("Hours for the first move"),
        min_value=1,
        max_value=MAX_BEGIN_HOURS,
        required=False,
        help_text=_(
            "A player who has not made a first move after so many hours of their clock forfeits the match. Leave it "
            "empty for the whole clock."
        ),
    )
    protest_hours = forms.IntegerField(
        label=_("Hours of protest time"),
        min_value=1,
        max_value=MAX_PROTEST_HOURS,
        required=False,
        help_text=_(
            "For so many hours after the end the final result is provisional. Leave it empty for no protest time."
        ),
    )
    admits_computers = forms.BooleanField(label=_("Computers and bots can join"), required=False)

    offers_all: ClassVar[bool] = False
    """Whether all options of stages are asked for, and not only those that matter in a recipe."""

    about = ("name", "game", "boards", "pace", "bank", "increment", "cap")
    joining = ("max_entrants", "entry", "new_password", "is_rated", "start", "starts_at", "again")
    further = (
        "description",
        "check_in_minutes",
        "point_table",
        "min_rating",
        "max_rating",
        "vacation_limit",
        "disqualification",
        "begin_hours",
        "protest_hours",
        "admits_computers",
    )

    def __init__(
        self,
        data: Any = None,
        *,
        competition: Competition,
        stages: Sequence[Stage],
        fixed: Collection[str] = (),
        is_live: bool = False,
    ) -> None:
        """Make the form without the fields of options that are ``fixed``, named as ``fixed_options`` names them.

        One that ``is_live`` is proposed with a live clock, and so that nobody has two matches at once.
        """
        super().__init__(data)
        self.competition, self.stages = competition, list(stages)
        self.by_stage = [
            StageFields(stage, number, len(self.stages), offers_all=self.offers_all)
            for number, stage in enumerate(self.stages, start=1)
        ]
        tables = [(key, key.replace("-", "–")) for key in STOCK_TABLES]
        is_own = name_table(read_table(competition.point_table)) is None
        table = cast("forms.ChoiceField", self.fields["point_table"])
        table.choices = [*([(AS_IT_IS, _("keep the current ones"))] if is_own else []), *tables]
        starts_either = competition.starts_when_full and competition.starts_at is not None
        if not self.offers_all and not starts_either:
            # Few need both: the pages show it only where it has been chosen.
            cast("forms.ChoiceField", self.fields["start"]).choices = list(START.values())[:-1]
        for name in _not_asked_of(competition):
            del self.fields[name]
        if competition.pk is not None:
            self.fields["version"] = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
            self.fields["reason"] = Reason(required=competition.status != CompetitionStatus.DRAFT)
            if competition.status in NOT_STARTED and have_others_joined(competition):
                self.fields["asks_again"] = forms.BooleanField(
                    label=_("Ask all players again"),
                    required=False,
                    help_text=_(
                        "Needed to change the game or the clock: those who have joined or wait for a place are out, "
                        "and invited. They play only if they accept before the start."
                    ),
                )
        for part in self.by_stage:
            self.fields |= part.fields
        if competition.boards is None:
            del self.fields["boards"]
        else:
            self._ask_of_teams()
        self.initial = _values_of(competition)
        for part in self.by_stage:
            self.initial |= part.values()
        if is_live:
            self.initial |= {"pace": "live"}
            for part in self.by_stage:
                self.initial |= part.propose_live()
        for name in {shown for option in fixed for shown in self._fields_of_option(option)}:
            self.fields.pop(name, None)
        if competition.password and "new_password" in self.fields:
            self.fields["new_password"].help_text = _("Leave it empty to keep the current password.")

    def _ask_of_teams(self) -> None:
        """Ask for what teams have, and for nothing that only single players do."""
        for name in ("min_rating", "max_rating", "admits_computers", "check_in_minutes"):
            self.fields.pop(name, None)
        if not self.offers_all:
            # Recipes of teams have none; staff may have chosen the format, which brings some.
            self.fields.pop("knock-out-replays", None)
        if self.stages[0].is_bracket:
            cast("forms.ChoiceField", self.fields["seeding"]).choices = TEAM_SEEDS
        self.fields["boards"].initial = self.competition.boards
        self.fields["max_entrants"].label = _("Maximum number of teams")

    @property
    def comes_again(self) -> str:
        """Return when a valid form lets it come again; nothing where it is played once."""
        rhythm = self.cleaned_data.get("again")
        return str(SeriesRhythm(rhythm).label) if rhythm else ""

    @property
    def main(self) -> list[forms.BoundField]:
        """Return the fields that everybody looks at, apart from those of the stages."""
        return [self[name] for name in (*self.about, *self.joining) if name in self.fields]

    @property
    def stage_fields(self) -> list[tuple[Stage, list[forms.BoundField]]]:
        """Return each stage with the fields on how it is played."""
        return [
            (part.stage, [self[name] for name in part.fields if name in self.fields and part.is_first(name)])
            for part in self.by_stage
        ]

    @property
    def more(self) -> list[forms.BoundField]:
        """Return the fields that fold."""
        of_stages = [name for part in self.by_stage for name in part.fields if not part.is_first(name)]
        return [self[name] for name in (*self.further, *of_stages) if name in self.fields]

    @property
    def has_faults_in_more(self) -> bool:
        """Return whether a field that folds has an error, so that it must be seen."""
        return any(field.errors for field in self.more)

    def clean_starts_at(self) -> datetime | None:
        """Return when it starts: as it is stored where only the seconds differ, which the field does not show."""
        chosen: datetime | None = self.cleaned_data["starts_at"]
        stored = self.competition.starts_at
        is_same = stored is not None and chosen == stored.replace(second=0, microsecond=0)
        return stored if is_same else chosen

    def clean_disqualification(self) -> str:
        """Return the rule for disqualified players, the present one where none is chosen."""
        return self.cleaned_data["disqualification"] or self.competition.disqualification

    def clean(self) -> dict[str, Any]:
        """Give the competition and its stages what was chosen."""
        data = super().clean() or self.cleaned_data
        for name in OPTIONS.intersection(data) - {"point_table"}:
            setattr(self.competition, name, data[name])
        self._write_clock(data)
        self._write_entry(data)
        self._write_start(data)
        if data.get("point_table"):
            self._write_point_table(data["point_table"], data)
        for part in self.by_stage:
            part.write(data)
        self.stages = complete_play_offs(self.stages)
        return data

    def add_error(self, field: str | None, error: Any) -> None:
        """Add an error beside the field that shows an option."""
        super().add_error(self._shown_as(field) if isinstance(field, str) else field, error)

    def show(self, refusal: Any) -> None:
        """Add a refusal's sentences beside the fields that show the options at fault."""
        if not refusal.fields:
            super().show(refusal)
        for name, sentences in refusal.fields.items():
            for sentence in sentences:
                self.add_error(name, sentence)

    def _shown_as(self, name: str) -> str | None:
        """Return the field that shows an option, ``None`` where there is none."""
        if name in self.fields:
            return name
        if name in {"time_bank", "time_increment", "time_cap"}:
            own = self.data.get("pace") == OWN
            return name.removeprefix("time_") if own else "pace"
        return next((shown for part in self.by_stage if (shown := part.field_at_fault(name)) is not None), None)

    def _fields_of_option(self, option: str) -> Sequence[str]:
        """Return the fields that show an option, or a part of it."""
        of_stages = [name for part in self.by_stage for name in part.fields_of_option(option)]
        return of_stages or SHOWN_AS.get(option, (option,))

    def _write_point_table(self, chosen: str, data: Mapping[str, Any]) -> None:
        self.competition.point_table = write_table(STOCK_TABLES[chosen])

    def _write_start(self, data: Mapping[str, Any]) -> None:
        if "start" not in self.fields:
            return
        start = data.get("start")
        self.competition.starts_when_full = start in {WHEN_FULL, FULL_OR_AT_A_TIME}
        if start not in {AT_A_TIME, FULL_OR_AT_A_TIME}:
            self.competition.starts_at = None
        elif data.get("starts_at") is None and "starts_at" not in self.errors:
            self.add_error("starts_at", _("Choose when it starts."))

    def _write_clock(self, data: Mapping[str, Any]) -> None:
        pace = data.get("pace")
        control = decision_control(data.get("game", "")) if pace == BY_DECISION else PACES.get(pace or "")
        if control is not None:
            bank, increment, cap = control.in_seconds
        elif pace == BY_DECISION:
            self.add_error("pace", _("This game is not played with a time for each decision."))
            return
        elif pace == OWN and not {"bank", "increment", "cap"} & self.errors.keys():
            bank, increment = data.get("bank") or 0, data.get("increment") or 0
            cap = data["cap"] if data.get("cap") is not None else bank
            if not bank:
                self.add_error("bank", _("Choose the time to start with."))
                return
        else:
            return
        self.competition.time_bank, self.competition.time_increment, self.competition.time_cap = bank, increment, cap

    def _write_entry(self, data: Mapping[str, Any]) -> None:
        if "entry" not in self.fields:
            return
        password = data.get("new_password")
        self.competition.by_invitation = data.get("entry") == INVITATION
        if data.get("entry") in {OPEN, INVITATION}:
            self.competition.password = ""
        elif password:
            self.competition.password = make_password(password)
        elif not self.competition.password and "new_password" not in self.errors:
            self.add_error("new_password", _("Choose a password, or let everybody join."))


def _admission_of(competition: Competition) -> str:
    if competition.by_invitation:
        return INVITATION
    return PASSWORD if competition.password else OPEN


def _values_of(competition: Competition) -> dict[str, Any]:
    """Return what the fields of a competition show; of one that is new, their own values where there are none."""
    if competition.pk is None:
        return {}
    own = BY_DECISION if competition.time_control.by_decision else OWN
    pace = next((key for key, control in PACES.items() if control == competition.time_control), own)
    return {name: getattr(competition, name) for name in OPTIONS - {"password"}} | {
        "version": competition.options_version,
        "pace": pace,
        "bank": competition.time_bank,
        "increment": competition.time_increment,
        "cap": competition.time_cap,
        "entry": _admission_of(competition),
        "start": START[competition.starts_when_full, competition.starts_at is not None][0],
        "point_table": name_table(read_table(competition.point_table)) or AS_IT_IS,
    }
