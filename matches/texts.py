"""Texts of matches: those in which a game's players exchange them, written of a match and read to be played through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from matches.errors import TextNotFound, refusals_of
from matches.games import find_game
from matches.models import Match, Move
from matches.records import match_record
from matches.selectors.replay import Stage
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.events import Record
from rules_engine.protocol import Game, State
from rules_engine.record import read_record
from rules_engine.registry import GAMES
from rules_engine.replaying import follow
from rules_engine.tags import write_tag

LONGEST_TEXT = 20_000
"""How many characters of a text are read: several times as many as any match has needed."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A text played through: its game, its record, and every event as a move that is not stored."""

    game: Game
    record: Record
    stages: tuple[Stage, ...]

    @property
    def states(self) -> tuple[State, ...]:
        """Every state from the first position on."""
        return (self.game.start(), *(stage.after for stage in self.stages))


def write_text(match: Match, key: str) -> str:
    """Return a match as the text of its game with this key; raises ``TextNotFound``."""
    for text in match.rules.interchange:
        if text.key == key:
            return text.write(match.rules, match_record(match))
    raise TextNotFound(_("Matches of this game are not exchanged in such a text."))


def replay_text(*, game: str, text: str) -> Replay:
    """Return a match played through, from its record or from any other text in which the game is exchanged.

    A game that the text names by its tag ``Game`` wins against ``game``. Raises ``UnknownGame``, ``UnreadableMove``
    when the text has no form that is known, and ``RefusedMove`` when the rules refuse a move.
    """
    named = next((key for key in GAMES if write_tag("Game", key) in text), game)
    rules = find_game(named)
    with refusals_of(named):
        record = _read(rules, text)
        states = (rules.start(), *follow(rules.start(), record.events))
    moves = [Move(ply=ply, actor=event.actor.value, text=event.text) for ply, event in enumerate(record.events)]
    return Replay(rules, record, tuple(map(Stage, moves, states, states[1:])))


def _read(game: Game, text: str) -> Record:
    """Return the record by the first form in which the text can be read.

    Of the faults a refused move tells most, then that of the last form.
    """
    faults: list[InvalidNotation | IllegalMove] = []
    readers: list[Callable[[str], Record]] = [read_record, *(partial(form.read, game) for form in game.interchange)]
    for read in readers:
        try:
            return read(text)
        except (InvalidNotation, IllegalMove) as fault:
            faults.append(fault)
    raise next((fault for fault in faults if isinstance(fault, IllegalMove)), faults[-1])
