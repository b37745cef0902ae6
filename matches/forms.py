"""Forms of the matches' pages. The services check what they mean."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from computers.levels import Level, levels_in
from matches.clock import CORRESPONDENCE, MAX_BANK, SECOND, InvalidClock, TimeControl
from matches.clock_sentences import clock_fault_sentence
from matches.games import BY_DECISION, decision_control, decision_pace
from matches.models import Colour, OfferKind
from players.models import Player
from players.selectors import find_player
from rules_engine.registry import GAMES

LIVE = TimeControl(bank=timedelta(minutes=10), increment=timedelta(seconds=15), cap=timedelta(minutes=10))
DAILY = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
PRESETS = {"slow": CORRESPONDENCE, "daily": DAILY, "live": LIVE}
CUSTOM = "custom"
MAX_NUMBER = 100_000
MAX_RATING = 9999

UNITS = [("60", _("minutes")), ("3600", _("hours")), ("86400", _("days"))]


def _games() -> list[tuple[str, str]]:
    return [(game.key, game.title) for game in GAMES.values()]


GAME_CHOICES = lazy(_games, list)()


def _readable_texts() -> SafeString:
    sentence = gettext(
        'A Kickabout <a href="{url}">record</a>, or a match in the notation that players of the game usually exchange.'
    )
    return format_html(sentence, url=reverse("rules", args=["records"]))


READABLE_TEXTS = lazy(_readable_texts, SafeString)()


class GameForm(forms.Form):
    """A choice of a game and a side."""

    game = forms.ChoiceField(label=_("Game"), choices=GAME_CHOICES, widget=forms.RadioSelect)
    colour = forms.ChoiceField(
        label=_("Side"),
        choices=[(Colour.RANDOM, _("random")), (Colour.YELLOW, _("Yellow")), (Colour.RED, _("Red"))],
        initial=Colour.RANDOM,
        widget=forms.RadioSelect,
    )


class ComputerForm(GameForm):
    """A new match against a computer: its game, its level, and your side."""

    game = forms.ChoiceField(
        label=_("Game"),
        choices=lambda: [(game.key, game.title) for game in GAMES.values() if levels_in(game)],
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(label=_("Level"), choices=Level.choices, initial=Level.BEGINNER, widget=forms.RadioSelect)


class TimedGameForm(GameForm):
    """A choice of a game, a side and a time control, and whether the match is rated."""

    is_rated = forms.BooleanField(
        label=_("Rated: counts for both players’ ratings"),
        required=False,
        help_text=_(
            "The same two players can rate 5 games in 24 hours, and you can rate 2 wins a day over one level of the "
            "computers. Further games are casual."
        ),
    )
    pace = forms.ChoiceField(
        label=_("Time"),
        choices=lambda: [
            ("slow", _("Unhurried: 10 days + 36 hours a turn")),
            ("daily", _("Daily: 3 days + 1 day a turn")),
            ("live", _("Live: 10 minutes + 15 seconds a turn")),
            *decision_pace(),
            (CUSTOM, _("Custom")),
        ],
        initial="slow",
        widget=forms.RadioSelect,
    )
    bank = forms.IntegerField(label=_("Each side has"), min_value=1, max_value=MAX_NUMBER, initial=30, required=False)
    unit = forms.TypedChoiceField(label=_("Unit"), choices=UNITS, coerce=int, initial="60", required=False)
    increment = forms.IntegerField(
        label=_("each turn adds (seconds)"),
        min_value=0,
        max_value=MAX_BANK // SECOND,
        initial=30,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Add ``time_control``: a preset, or what the person made up."""
        data = super().clean() or self.cleaned_data
        if data.get("pace") == BY_DECISION:
            data["time_control"] = decision_control(data.get("game", ""))
            if data["time_control"] is None:
                self.add_error("pace", _("This game is not played with a time for each decision."))
            return data
        if data.get("pace") != CUSTOM:
            data["time_control"] = PRESETS.get(data.get("pace", ""))
            return data
        if self.errors:
            return data
        bank = (data.get("bank") or 0) * (data.get("unit") or 60)
        try:
            data["time_control"] = TimeControl.for_new_match(bank, data.get("increment") or 0, bank)
        except InvalidClock as error:
            self.add_error("bank", clock_fault_sentence(error))
        return data


class SeekForm(TimedGameForm):
    """A new seek: to everybody, or the invitation of one player."""

    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        max_length=150,
        help_text=_("A username. Leave it empty to let anybody join."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}),
    )
    min_rating = forms.IntegerField(label=_("From rating"), min_value=0, max_value=MAX_RATING, required=False)
    max_rating = forms.IntegerField(label=_("up to"), min_value=0, max_value=MAX_RATING, required=False)
    admits_computers = forms.BooleanField(
        label=_("A computer may join"),
        required=False,
        help_text=_("If nobody joins within a minute, a computer of about your strength will."),
    )

    def clean_invited(self) -> Player | None:
        """Return the invited player, or ``None`` for an open seek."""
        username = self.cleaned_data["invited"].strip()
        if not username:
            return None
        player = find_player(username=username)
        if player is None:
            raise forms.ValidationError(_("There is no player with this username."))
        return player


class OfferForm(forms.Form):
    """What a button offers, or accepts."""

    kind = forms.ChoiceField(choices=OfferKind.choices)


class AnswerForm(forms.Form):
    """An answer that is given beforehand: actions with spaces between them, and the kind of decision, if it is one."""

    ply = forms.IntegerField(min_value=0)
    kind = forms.SlugField(required=False, max_length=20)
    texts = forms.CharField(label=_("Moves"), max_length=1_000)

    def clean_texts(self) -> list[str]:
        """Return the actions."""
        return str(self.cleaned_data["texts"]).split()


class RemovedAnswerForm(forms.Form):
    """An answer that is removed."""

    answer = forms.IntegerField(min_value=1, max_value=2**63 - 1)


class ReplayForm(forms.Form):
    """A match that was played elsewhere, as text, and the position to be shown first: the last unless it is given."""

    game = forms.ChoiceField(
        label=_("Game"), choices=GAME_CHOICES, help_text=_("Tried first if the record does not name its game.")
    )
    text = forms.CharField(
        label=_("Record"),
        max_length=settings.MAX_REPLAY_CHARACTERS,
        strip=False,
        help_text=READABLE_TEXTS,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )
    ply = forms.IntegerField(min_value=0, required=False)
    number = forms.IntegerField(min_value=1, required=False)


class MoveForm(forms.Form):
    """A move that was typed or chosen by a button."""

    ply = forms.IntegerField(min_value=0)
    text = forms.CharField(max_length=400)
