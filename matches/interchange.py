"""Write and replay matches as texts, in the formats in which players exchange them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.utils.translation import gettext as _

from matches.errors import TextNotFound, TooManyPlies, refusals_of
from matches.games import find_game
from matches.models import Match, Move
from matches.records import match_record
from matches.selectors.replay import Stage
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import Game, State
from rules_engine.record import ReadText, Record
from rules_engine.record_formats import list_remarks, looks_like_json, read_json_record, read_record, record_from_json
from rules_engine.registry import GAMES
from rules_engine.replay import replay_moves
from rules_engine.tags import TAG, read_value

_TAG = re.compile(TAG)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed text: its game, its record, and its moves as ``Move`` objects that are not stored.

    ``remarks`` are sentences about statements of the text that are not true of the match.
    """

    game: Game
    record: Record
    remarks: tuple[str, ...]
    stages: tuple[Stage, ...]

    @property
    def states(self) -> tuple[State, ...]:
        """Return all states from the first position on."""
        return (self.game.start(), *(stage.after for stage in self.stages))


def write_text(match: Match, key: str) -> str:
    """Return a match as the text of its game with this key; raises ``TextNotFound``."""
    for text in match.rules.interchange:
        if text.key == key:
            return text.write(match.rules, match_record(match))
    raise TextNotFound(_("Kickabout does not support this text format for this game."))


def replay_text(*, text: str, game: str = "") -> Replay:
    """Replay a match from its record, as text or JSON, or from a text in an exchange format of its game.

    A tag ``Game`` in the text takes precedence over ``game``. Raises ``UnknownGame``, ``UnreadableMove`` when the text
    has no form that is known, ``RefusedMove`` when the rules refuse a move, and ``TooManyPlies``.
    """
    if looks_like_json(text):
        with refusals_of(game):
            record = read_json_record(text)
        return _play(_game_of(record, game), ReadText(record))
    named = next((read_value(found[2]) for found in _TAG.finditer(text) if found[1] == "Game"), "")
    rules = find_game(named if named in GAMES else game)
    with refusals_of(rules.key):
        read = _read(rules, text)
    return _play(rules, read)


def replay_data(*, record: object, game: str = "") -> Replay:
    """Replay a match from its record in JSON; raises what ``replay_text`` raises."""
    with refusals_of(game):
        read = record_from_json(record)
    return _play(_game_of(read, game), ReadText(read))


def _game_of(record: Record, game: str) -> Game:
    named = record.tags.get("Game", "")
    return find_game(named if named in GAMES else game)


def _play(game: Game, read: ReadText) -> Replay:
    record = read.record
    plies = len(record.moves)
    if plies > settings.MAX_REPLAY_PLIES:
        raise TooManyPlies(
            _("The text has %(plies)d moves and rolls; Kickabout replays at most %(most)d.")
            % {"plies": plies, "most": settings.MAX_REPLAY_PLIES}
        )
    with refusals_of(game.key):
        states = (game.start(), *replay_moves(game.start(), record.moves))
    drawn = set(record.tags.get("Drawn", "").split())
    moves = [
        Move(ply=ply, actor=move.actor.value, text=move.text, is_drawn=str(ply) in drawn)
        for ply, move in enumerate(record.moves)
    ]
    remarks = (*read.remarks, *list_remarks(record, states[-1]))
    return Replay(game, record, remarks, tuple(map(Stage, moves, states, states[1:])))


def _read(game: Game, text: str) -> ReadText:
    """Return the match in the first format that can read the text.

    If none can, raise the refusal of a move if there is one, else the error of the last format.
    """
    faults: list[InvalidNotation | IllegalMove] = []
    readers: list[Callable[[str], ReadText]] = [_read_own, *(partial(form.read, game) for form in game.interchange)]
    for read in readers:
        try:
            return read(text)
        except (InvalidNotation, IllegalMove) as fault:
            faults.append(fault)
    raise next((fault for fault in faults if isinstance(fault, IllegalMove)), faults[-1])


def _read_own(text: str) -> ReadText:
    return ReadText(read_record(text))
