"""What the picker of a game shows, and what is picked at first."""

from dataclasses import astuple

from django.forms import Form

from computers.levels import Level
from matches.game_cards import GameCard, game_cards
from matches.selectors.lengths import Length, usual_lengths
from matches.selectors.matches import has_won
from matches.views.remembered import recall, remember
from players.models import Player
from rules_engine.registry import GAMES

_KEY = "lengths"


def cards_of(form: Form) -> list[GameCard]:
    """Return the cards of the games among which a form's ``game`` chooses."""
    lengths = recall(_KEY, lambda plain: {game: Length(*taken) for game, taken in plain.items()})
    if lengths is None:
        lengths = usual_lengths()
        remember(_KEY, {game: astuple(length) for game, length in lengths.items()})
    return game_cards(form["game"], lengths)


def usual_choice(player: Player | None) -> dict[str, str]:
    """Return the game and the level of a computer for who chooses nothing: the weakest until they have won a match."""
    level = Level.CLUB if player is not None and has_won(player) else Level.BEGINNER
    return {"game": next(iter(GAMES)), "level": level}
