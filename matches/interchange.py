"""Write and replay matches as texts, in the formats in which players exchange them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from django.conf import settings
from django.utils.translation import gettext as _

from matches.errors import RefusedMove, TextNotFound, TooManyPlies, UnreadableMove, refusals_of
from matches.games import find_game, unknown_game
from matches.models import Match, Move
from matches.records import match_record
from matches.selectors.replay import Stage
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.pasted_text import choose_match, leave_out_notes, split_matches
from rules_engine.protocol import Game, State
from rules_engine.record import ReadText, Record
from rules_engine.record_formats import list_remarks, looks_like_json, read_json_record, read_record, record_from_json
from rules_engine.registry import GAMES
from rules_engine.replay import replay_moves
from rules_engine.tags import TAG, read_value

MAX_TITLES = 100
"""The number of matches of a text that are listed; further ones are replayed by their number."""

_TAG = re.compile(TAG)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed text: its game, its record, and its moves as ``Move`` objects that are not stored.

    ``remarks`` are sentences about statements of the text that are not true of the match, and about what was left out.
    ``matches`` are the titles of all matches in the text, of which this is the one with ``number``, from 1.
    """

    game: Game
    record: Record
    remarks: tuple[str, ...]
    stages: tuple[Stage, ...]
    matches: tuple[str, ...] = ()
    number: int = 1

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


def replay_text(*, text: str, game: str = "", number: int = 1) -> Replay:
    """Replay a match from its record, as text or JSON, or from a text in an exchange format of its game.

    A tag ``Game`` in the text takes precedence over ``game``; without it all games are tried after that one. Of several
    matches in the text the one with ``number`` is replayed. Raises ``UnknownGame``, ``UnreadableMove`` when the text
    has no form that is known, ``RefusedMove`` when the rules refuse a move, and ``TooManyPlies``.
    """
    if looks_like_json(text):
        with refusals_of(game):
            record = read_json_record(text)
        return _replay(record.tags.get("Game", ""), game, lambda rules: ReadText(record))
    matches = split_matches(text)
    tags = [{found[1]: read_value(found[2]) for found in _TAG.finditer(match)} for match in matches]
    with refusals_of(game):
        chosen = choose_match(matches, number)
    replay = _replay(tags[number - 1].get("Game", ""), game, lambda rules: _read(rules, chosen))
    titles = tuple(_title(each, index) for index, each in enumerate(tags[:MAX_TITLES], start=1))
    return replace(replay, matches=titles, number=number)


def replay_data(*, record: object, game: str = "") -> Replay:
    """Replay a match from its record in JSON; raises what ``replay_text`` raises."""
    with refusals_of(game):
        read = record_from_json(record)
    return _replay(read.tags.get("Game", ""), game, lambda rules: ReadText(read))


def _replay(named: str, game: str, read: Callable[[Game], ReadText]) -> Replay:
    """Replay what is read for the game that the text names; without one, for the wanted game or the first that can."""
    if named in GAMES:
        return _play(GAMES[named], read)
    first = [find_game(game)] if game else []
    faults: list[UnreadableMove | RefusedMove] = []
    for rules in (*first, *(other for other in GAMES.values() if other not in first)):
        try:
            replay = _play(rules, read)
        except (UnreadableMove, RefusedMove) as fault:
            faults.append(fault)
        else:
            found = _("The text names no game that is played here. It can be read as %(title)s") % {
                "title": rules.title
            }
            return replay if rules in first else replace(replay, remarks=(found, *replay.remarks))
    raise faults[0] if game else unknown_game()


def _title(tags: Mapping[str, str], number: int) -> str:
    """Return the title of one of several matches: its number, its players, and its day, as far as they are known."""
    names = [tags.get(own) or tags.get(usual) or "?" for own, usual in (("Yellow", "Black"), ("Red", "White"))]
    return ", ".join(filter(None, (f"{number}. {' - '.join(names)}", tags.get("Date", ""))))


def _play(game: Game, reader: Callable[[Game], ReadText]) -> Replay:
    with refusals_of(game.key):
        read = reader(game)
    record = read.record
    plies = len(record.moves)
    if plies > settings.MAX_REPLAY_PLIES:
        raise TooManyPlies(
            _("The text has %(plies)d moves and rolls; Kickabout replays at most %(most)d.")
            % {"plies": plies, "most": settings.MAX_REPLAY_PLIES}
        )
    with refusals_of(game.key):
        states = (game.start(), *replay_moves(game.start(), record.moves))
    drawn, by_itself = (set(record.tags.get(tag, "").split()) for tag in ("Drawn", "ByItself"))
    moves = [
        Move(
            ply=ply,
            actor=move.actor.value,
            text=move.text,
            is_drawn=str(ply) in drawn,
            by_itself=str(ply) in by_itself,
        )
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
    plain, notes = leave_out_notes(text)
    return ReadText(read_record(plain), notes)
