"""The inputs of acts. Each is a form's field and an API field; both give the same value."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.fields import empty

from formats.advancement import MAX_LEVELS
from formats.grouping import MAX_GATHERED
from rules_engine.values import Side
from tournaments.decisions.services.undo.outages import find_lost
from tournaments.decisions.services.undo.rivals import Counting, find_rivals
from tournaments.entries.selectors.byes import find_bye_choice
from tournaments.models import (
    MAX_ROUND,
    VERSION_LENGTH,
    Competition,
    Disqualification,
    Entry,
    Fixture,
    LogEntry,
    ProposedRound,
    Round,
    RoundEnd,
    read_pairings,
)
from tournaments.office.inputs import Announcement, Input, Username
from tournaments.office.stage_names import name_level
from tournaments.records.levels import queues_of
from tournaments.rounds.selectors import entries_by_seat
from tournaments.rounds.services.consequences import name_match
from web.api import moment_fields as api_fields
from web.pages.moment_fields import MomentField

NOBODY = "nobody"
MAX_HOURS = 10_000
MAX_DIGITS = 18


class PlacedPlayer(Username):
    """A player of a round that waits to be published, who plays in it or has a bye that nobody asked for."""

    def __init__(self, label: Any) -> None:
        super().__init__()
        self.label, self.help_text = label, ""

    def fit(self, subject: ProposedRound) -> None:
        """Let the field offer those who can be swapped, by username."""
        pairings = read_pairings(subject.pairings)
        entries = entries_by_seat([pairings])
        names = sorted(str(entries[seat]) for seat in pairings.swappable)
        self.widget = forms.Select(choices=[("", "–"), *((name, name) for name in names)])


class PairingsVersion(Input, forms.CharField):
    """The version of the pairings that were read."""

    def __init__(self) -> None:
        super().__init__(max_length=VERSION_LENGTH, required=False, empty_value=None, widget=forms.HiddenInput)

    def fit(self, subject: ProposedRound) -> None:
        """Set the version that is shown."""
        self.initial = subject.version

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the version's text, null for any."""
        help_text = "That of the pairings that were read: others are not published then. Null for any."
        options |= {"required": False, "allow_null": True, "default": None}
        return serializers.CharField(max_length=VERSION_LENGTH, help_text=help_text, **options)


class PublicText(Announcement):
    """The text of a line of the log as everybody is to read it."""

    def __init__(self) -> None:
        super().__init__()
        self.label = _("Text")

    def fit(self, subject: LogEntry) -> None:
        """Show the present text."""
        self.initial = subject.reason


class WhichSide(Input, forms.TypedChoiceField):
    """One of the two sides of a match, shown by their players."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, coerce=Side, choices=[(side, side) for side in Side], widget=forms.RadioSelect)

    def fit(self, subject: Fixture) -> None:
        """Set the players as the field's choices."""
        self.choices = self.choices_of(subject)

    def choices_of(self, fixture: Fixture) -> list[tuple[str, str]]:
        """Return the sides with their players."""
        return [
            (Side.YELLOW, gettext("%(player)s (Yellow)") % {"player": fixture.yellow_name}),
            (Side.RED, gettext("%(player)s (Red)") % {"player": fixture.red_name}),
        ]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the side's name."""
        return _SideField(choices=[side.value for side in Side], **options)


class Winner(WhichSide):
    """The side that wins, or nobody."""

    def __init__(self) -> None:
        super().__init__(_("Winner"))
        self.coerce = lambda value: None if value == NOBODY else Side(value)

    def choices_of(self, fixture: Fixture) -> list[tuple[str, str]]:
        """Return the sides with their players, and nobody."""
        return [*super().choices_of(fixture), (NOBODY, gettext("Nobody: a draw"))]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the side's name, null for nobody."""
        return super().api_field(allow_null=True, help_text="Null for a draw.", **options)


class WhichCounts(Input, forms.TypedChoiceField):
    """The one of two matches that counts, where somebody has moved in both."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Which match counts"),
            coerce=Counting,
            choices=[(each.value, each.value) for each in Counting],
            initial=Counting.OLD,
            required=False,
            empty_value=Counting.OLD,
            widget=forms.HiddenInput,
        )

    def fit(self, subject: Fixture) -> None:
        """Ask only where two matches rival each other, and name both."""
        if (rivals := find_rivals(subject)) is not None:
            old, new = name_match(rivals.old), name_match(rivals.new)
            self.widget = forms.RadioSelect()
            self.choices = [
                (Counting.OLD.value, gettext("%(match)s, as before") % {"match": old}),
                (Counting.NEW.value, gettext("%(match)s, which began since") % {"match": new}),
            ]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the name of one, the old match if left out."""
        help_text = "Of two matches in which somebody has moved, the old one, which comes back, or the new one."
        options |= {"required": False, "default": Counting.OLD, "help_text": help_text}
        return _CountingField(choices=[each.value for each in Counting], **options)


class Number(Input, forms.IntegerField):
    """A number of a result, which follows by itself where it is left out."""

    def __init__(self, label: Any, help_text: Any, *, most: int) -> None:
        super().__init__(label=label, help_text=help_text, min_value=0, max_value=most, required=False)
        self.most = most

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a whole number, null for what follows by itself."""
        options |= {"required": False, "allow_null": True, "default": None, "help_text": str(self.help_text)}
        return serializers.IntegerField(min_value=0, max_value=self.most, **options)


class Rated(Input, forms.BooleanField):
    """Whether a result counts for the ratings."""

    def __init__(self) -> None:
        super().__init__(label=_("Counts for the ratings"), required=False, initial=True)

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a truth value, true if left out."""
        return serializers.BooleanField(required=False, default=True, **options)


class RoundNumber(Input, forms.IntegerField):
    """A round that is still to be drawn."""

    api_name = "round"

    def __init__(self) -> None:
        super().__init__(
            label=_("Round"),
            min_value=1,
            max_value=MAX_ROUND,
            help_text=_("A round is drawn as soon as the one before it has ended."),
        )

    def fit(self, subject: Entry) -> None:
        """Show the round that is drawn next, or the one that was asked for."""
        choice = find_bye_choice(subject)
        self.initial = (choice.requested or min(choice.rounds, default=None)) if choice else None

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the round's number."""
        return serializers.IntegerField(min_value=1, max_value=MAX_ROUND, **options)


class QueueLevel(Input, forms.TypedChoiceField):
    """A level at which an entrant waits for a group."""

    def __init__(self) -> None:
        super().__init__(label=_("Queue"), coerce=int)

    def fit(self, subject: Entry) -> None:
        """Offer the levels at which they wait; to who does not wait anywhere the service says so."""
        levels = queues_of(subject.competition, subject.pk) or [1]
        self.choices = [(level, name_level(level)) for level in levels]

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the number of the level, null for the highest."""
        options |= {"required": False, "allow_null": True, "default": None}
        help_text = "Null for the highest level at which they wait."
        return serializers.IntegerField(min_value=1, max_value=MAX_LEVELS, help_text=help_text, **options)


class QueuePlace(Input, forms.IntegerField):
    """The place in a queue, from 1."""

    def __init__(self) -> None:
        super().__init__(
            label=_("New place"),
            min_value=1,
            max_value=MAX_GATHERED,
            help_text=_("Who is first plays first."),
        )

    def fit(self, subject: Entry) -> None:
        """Show the place that they have at the highest level."""
        for seats in queues_of(subject.competition, subject.pk).values():
            self.initial = [seat.entry_id for seat in seats].index(subject.pk) + 1
            return

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the number of the place."""
        return serializers.IntegerField(min_value=1, max_value=MAX_GATHERED, **options)


class MoreTime(Input, forms.DecimalField):
    """The time that a clock gets: hours in a form, seconds in the API."""

    api_name = "seconds"

    def __init__(self) -> None:
        super().__init__(
            label=_("Hours"),
            min_value=0,
            max_value=MAX_HOURS,
            decimal_places=2,
            initial=24,
            help_text=_("0.25 is a quarter of an hour."),
        )

    def clean(self, value: Any) -> timedelta:
        """Return the time."""
        time = timedelta(hours=float(super().clean(value)))
        if not time:
            raise forms.ValidationError(_("Enter more than 0 hours."))
        return time

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a field of whole seconds."""
        return _SecondsField(min_value=1, max_value=MAX_HOURS * 3600, **options)


class RoundPolicy(Input, forms.TypedChoiceField):
    """The rule for the matches that still go on."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Unfinished matches"),
            coerce=RoundEnd,
            choices=[
                (RoundEnd.ADJUDICATE, _("are decided by their score")),
                (RoundEnd.FORFEIT, _("are lost by the player to move")),
            ],
            initial=RoundEnd.ADJUDICATE,
            widget=forms.RadioSelect,
        )

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the policy's name."""
        return serializers.ChoiceField(choices=[RoundEnd.ADJUDICATE.value, RoundEnd.FORFEIT.value], **options)


class ResultsRule(Input, forms.TypedChoiceField):
    """The rule for the results of who is disqualified."""

    api_name = "results"

    def __init__(self) -> None:
        super().__init__(
            label=_("Their results"),
            coerce=Disqualification,
            choices=Disqualification.choices,
            widget=forms.RadioSelect,
        )

    def fit(self, subject: Entry) -> None:
        """Propose the rule of the competition."""
        self.initial = subject.competition.disqualification

    def api_field(self, **options: Any) -> serializers.Field:
        """Return the rule's name, null for the competition's."""
        options |= {"required": False, "allow_null": True, "default": None}
        choices = [rule.value for rule in Disqualification]
        return _RuleField(choices=choices, help_text="Null for the rule of the competition.", **options)


class RoundDate(Input, MomentField):
    """The moment when a round must end; nothing for no date."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Must end by (UTC)"),
            required=False,
            help_text=_("Leave it empty for no end date."),
        )

    def fit(self, subject: Round) -> None:
        """Show the date that is set."""
        self.initial = subject.ends_at

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a moment, null for no date."""
        return api_fields.MomentField(allow_null=True, help_text="Null for no date.", **options)


class OutageMoment(Input, MomentField):
    """The moment when an outage began, or was over."""

    def __init__(self, label: Any, api_name: str) -> None:
        super().__init__(label=label)
        self.api_name = api_name

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a moment."""
        return api_fields.MomentField(**options)


class KeptResults(Input, forms.TypedMultipleChoiceField):
    """The matches lost on time in an outage that keep their results; their list follows from when it was."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Matches that keep their results"),
            required=False,
            coerce=int,
            empty_value=[],
            widget=forms.MultipleHiddenInput,
        )

    def fit(self, subject: Competition) -> None:
        """Note in which competition they were lost."""
        self.competition_id = subject.pk

    def choose(self, values: Mapping[str, Any]) -> None:
        """Offer the matches that were lost in the span, once it is known."""
        begins_at, ends_at = values.get("begins_at"), values.get("ends_at")
        if begins_at is not None and ends_at is not None:
            lost = find_lost(competition_id=self.competition_id, begins_at=begins_at, ends_at=ends_at)
            self.widget = forms.CheckboxSelectMultiple(choices=[(each.pk, name_match(each)) for each in lost])

    def valid_value(self, value: Any) -> bool:
        """Return whether it may be the number of one: the service knows which were lost."""
        digits = str(value)
        return digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS and int(digits) >= 1

    def api_field(self, **options: Any) -> serializers.Field:
        """Return a list of numbers that may be left out."""
        number = serializers.IntegerField(min_value=1, max_value=10**MAX_DIGITS - 1)
        options |= {"required": False, "default": list}
        return serializers.ListField(child=number, help_text="The ids of fixtures.", **options)


class _SideField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Side:
        return Side(super().to_internal_value(data))


class _CountingField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Counting:
        return Counting(super().to_internal_value(data))


class _RuleField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Disqualification:
        return Disqualification(super().to_internal_value(data))


class _SecondsField(serializers.IntegerField):
    def run_validation(self, data: Any = empty) -> timedelta:
        return timedelta(seconds=super().run_validation(data))
