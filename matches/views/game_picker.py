"""What the picker of a game shows, and what is picked at first."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import groupby

from django.forms import Form
from django.forms.boundfield import BoundWidget
from django.templatetags.static import static

from computers.levels import Level
from matches.selectors.lengths import Length, usual_lengths
from matches.selectors.matches import has_won
from matches.views.remembered import recall, remember
from players.models import Player
from rules_engine.registry import GAMES, SPECS

_KEY = "lengths"


@dataclass(frozen=True, slots=True)
class Way:
    """A preset to choose, with the radio button of a form. Its family's templates say what it is."""

    choice: BoundWidget
    key: str
    length: Length


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game to choose. Its first way to play is the usual one."""

    family: str
    title: str
    picture: str
    ways: Sequence[Way]


def cards_of(form: Form) -> list[GameCard]:
    """Return the cards of the games among which a form's ``game`` chooses, in the order of its choices."""
    lengths = recall(_KEY, lambda plain: {game: Length(*taken) for game, taken in plain.items()})
    if lengths is None:
        lengths = usual_lengths()
        remember(_KEY, {game: astuple(length) for game, length in lengths.items()})
    ways = [
        Way(choice, key=str(choice.data["value"]), length=lengths.get(str(choice.data["value"]), Length()))
        for choice in form["game"].subwidgets
    ]
    return [
        GameCard(family, SPECS[family].title, static(f"img/{family}.svg"), list(of_family))
        for family, of_family in groupby(ways, lambda way: GAMES[way.key].family)
    ]


def usual_choice(player: Player | None) -> dict[str, str]:
    """Return the game and the level of a computer for who chooses nothing: the weakest until they have won a match."""
    level = Level.CLUB if player is not None and has_won(player) else Level.BEGINNER
    return {"game": next(iter(GAMES)), "level": level}
