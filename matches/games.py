"""The games that can be played here."""

from django.utils.translation import gettext as _

from matches.clock import TimeControl
from matches.errors import UnknownGame
from rules_engine.protocol import Game
from rules_engine.registry import GAMES, SPECS

BY_DECISION = "decision"
"""The pace of forms that stands for a game's own time control by the decision."""


def find_game(key: str) -> Game:
    """Return the game with this key; raises ``UnknownGame`` with a sentence that names the known ones."""
    try:
        return GAMES[key]
    except KeyError:
        raise unknown_game() from None


def unknown_game() -> UnknownGame:
    """Return the refusal of a game that does not exist."""
    return UnknownGame(_("There is no such game; there are %(games)s.") % {"games": ", ".join(sorted(GAMES))})


def decision_control(key: str) -> TimeControl | None:
    """Return the time control by the decision of a game, ``None`` where the game has none or is unknown."""
    game = GAMES.get(key)
    if game is None or game.decision_seconds is None:
        return None
    return TimeControl.of_decisions(game.decision_seconds)


def decision_pace() -> list[tuple[str, str]]:
    """Return the choice of a time control by the decision for forms; empty where no game has one."""
    seconds = {SPECS[game.family].title: game.decision_seconds for game in GAMES.values() if game.decision_seconds}
    if not seconds:
        return []
    times = [
        _("%(seconds)d seconds a decision in %(game)s") % {"seconds": seconds[game], "game": game} for game in seconds
    ]
    return [(BY_DECISION, _("Live: %(times)s") % {"times": ", ".join(times)})]
