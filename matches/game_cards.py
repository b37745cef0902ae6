"""The games as they are chosen: a picture, what each one is, and the ways to play it with how long they take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from django.forms.boundfield import BoundField, BoundWidget
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from matches.selectors.lengths import Length
from rules_engine.registry import GAMES, SPECS

ABOUT: Mapping[str, str | Promise] = {
    "streetsoccer": gettext_lazy("Five a side and one die: run to the ball, kick it, and pass it on."),
    "paper-soccer": gettext_lazy("A pencil and squared paper: draw the ball to the goal, line by line, and bounce."),
    "soccer-tactics": gettext_lazy("Eleven pawns a side and a whole match, with battles, corners and free kicks."),
}
"""What a game is, by its family."""

WAYS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "streetsoccer-board": (
        gettext_lazy("Full set-up"),
        gettext_lazy("You place all five players. A roll decides who kicks off."),
    ),
    "streetsoccer-online": (
        gettext_lazy("Quick set-up"),
        gettext_lazy("Your goalie and one player stand already. Yellow kicks off."),
    ),
    "paper-soccer": (gettext_lazy("First to 3"), gettext_lazy("Three goals win, each on a fresh sheet.")),
    "paper-soccer-1": (gettext_lazy("One point"), gettext_lazy("The first goal wins.")),
    "soccer-tactics": (gettext_lazy("Standard"), gettext_lazy("Two halves of 25 minutes.")),
    "soccer-tactics-advanced": (
        gettext_lazy("Advanced"),
        gettext_lazy("Defenders are stronger in battles: 2 is added to their die, not 1."),
    ),
    "soccer-tactics-20": (gettext_lazy("20 minutes"), gettext_lazy("Two halves of 10 minutes, for one evening.")),
    "soccer-tactics-90": (gettext_lazy("90 minutes"), gettext_lazy("Two halves of 45 minutes.")),
    "soccer-tactics-90-advanced": (
        gettext_lazy("90 minutes, advanced"),
        gettext_lazy("Two halves of 45 minutes, with stronger defenders."),
    ),
}
"""The name and the sentence of each preset."""

TURNS = {
    "streetsoccer-board": 50,
    "streetsoccer-online": 50,
    "paper-soccer": 180,
    "paper-soccer-1": 50,
    "soccer-tactics": 130,
    "soccer-tactics-advanced": 130,
    "soccer-tactics-20": 60,
    "soccer-tactics-90": 220,
    "soccer-tactics-90-advanced": 220,
}
"""About how many turns of both sides a match between two computers of the level *Club* has."""


@dataclass(frozen=True, slots=True)
class Way:
    """A preset to choose, with the radio button of a form."""

    choice: BoundWidget
    name: str
    sentence: str
    length: str


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game to choose. Its first way to play is the usual one."""

    title: str
    about: str
    picture: str
    ways: Sequence[Way]


def game_cards(field: BoundField, lengths: Mapping[str, Length]) -> list[GameCard]:
    """Return the games of a field whose choices are presets, in the order of the choices."""
    return [
        GameCard(
            title=SPECS[family].title,
            about=str(ABOUT[family]),
            picture=static(f"img/{family}.svg"),
            ways=[_way(choice, lengths) for choice in choices],
        )
        for family, choices in groupby(field.subwidgets, lambda choice: GAMES[str(choice.data["value"])].family)
    ]


def _way(choice: BoundWidget, lengths: Mapping[str, Length]) -> Way:
    key = str(choice.data["value"])
    name, sentence = WAYS[key]
    return Way(choice, str(name), str(sentence), _say(TURNS[key], lengths.get(key, Length())))


def _say(turns: int, length: Length) -> str:
    """Return about how long a match takes, such as *about 50 turns, 25 minutes live, 3 weeks by turns*."""
    said = [ngettext("about %(turns)d turn", "about %(turns)d turns", turns) % {"turns": turns}]
    if length.live is not None:
        said.append(_("%(minutes)d minutes live") % {"minutes": max(1, round(length.live / timedelta(minutes=1)))})
    if length.by_turns is not None:
        weeks = max(1, round(length.by_turns / timedelta(weeks=1)))
        said.append(ngettext("%(weeks)d week by turns", "%(weeks)d weeks by turns", weeks) % {"weeks": weeks})
    return ", ".join(said)
