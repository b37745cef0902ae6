"""The text in which games of Paper Soccer are usually exchanged: tags as in chess, and a string of digits a turn.

A text holds one game for each point, each with tags of its own::

    [Round "1"]
    [White "anna"]
    [Black "piotr"]
    [First "red"]
    [Result "0-1"]

    1. 0 0 2. 7 1 3. 71 0-1

Black begins and always attacks north, and the result names White first, as in chess. So ``First`` says which side Black
is, and the digits of a point that Red begins are turned by half. A turn is one string, however many moves it was.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.paper_soccer.notation import turn_half
from rules_engine.pasted_text import leave_out_notes
from rules_engine.protocol import Game, State
from rules_engine.record import Move, ReadText, Record
from rules_engine.replay import replay_moves
from rules_engine.tags import TAG, read_value, write_tag
from rules_engine.values import Nature, Score, Side

UNDECIDED: Final = "*"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
"""White has won, Black has won, nobody has."""

_PARTS = re.compile(
    r"(?:\s|[0-9]+\.+)*"
    rf"(?:(?P<tag>{TAG})"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=\s|$)"
    r"|(?P<turn>[0-7]+)(?=\s|$)"
    r"|(?P<unknown>\S{1,20})"
    r"|\Z)"
)
"""A tag, a result or a turn, after the numbers before it.

Possessive quantifiers would say that none of these is given back, but Python before 3.11.5 errs in them, and nothing is
given back as it is: whatever follows is at least unknown.
"""


@dataclass(slots=True)
class GameText:
    """One game: its tags, its turns in their order, and the result that stands after them, empty if nothing does."""

    tags: dict[str, str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)
    closing: str = ""

    @property
    def results(self) -> tuple[str, ...]:
        """Return the results that the game names: the one after the turns, then another one in its tag."""
        named = (self.closing, self.tags.get("Result", ""))
        return tuple(dict.fromkeys(result for result in named if result in RESULTS))


def read_games(text: str) -> list[GameText]:
    """Return the games of a text, at least one.

    Numbers of turns (``12.``) and line breaks are left out. A game begins with a tag after the turns of another, or
    with anything after its result. Raises ``InvalidNotation`` with the line.
    """
    games = [GameText()]
    for found in _PARTS.finditer(text):
        kind = found.lastgroup
        if kind is None:
            continue
        if games[-1].closing or (kind == "tag" and games[-1].turns):
            games.append(GameText())
        game = games[-1]
        if kind == "turn":
            game.turns.append(found[kind])
        elif kind == "result":
            game.closing = found[kind]
        elif kind == "tag":
            if found[2] in game.tags:
                raise InvalidNotation("tag_twice", name=shorten(found[2])).within("on_line", line=_line_of(found, kind))
            game.tags[found[2]] = read_value(found[3])
        else:
            raise InvalidNotation("text_part_unknown", text=found[kind]).within("on_line", line=_line_of(found, kind))
    return games


def _line_of(found: re.Match[str], kind: str) -> int:
    """Return the number of the line on which a part stands: counted only for a refusal, because it takes time."""
    return found.string.count("\n", 0, found.start(kind)) + 1


WIDTH = 80
UNKNOWN = ("?", "-", "")
OWN_TAGS = ("Round", "White", "Black", "First", "Result")
"""The tags that each game has of its own. All others are the match's, and stand in the first game."""

WHITE_WINS, BLACK_WINS, DRAWN = RESULTS
NOBODY = "nobody"


@dataclass(slots=True)
class _Point:
    """One point as it was played: who began, the turns as the match has them, who drew last, who got it."""

    first: Side | None = None
    turns: list[str] = field(default_factory=list)
    last: Side | None = None
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class GameTexts:
    """Matches of Paper Soccer as the usual text: an ``Interchange`` of the protocol."""

    key = "turns"
    title = "Paper Soccer game text"

    def write(self, game: Game, record: Record) -> str:
        """Return the text of a match or its beginning, one game for each point that has been begun."""
        points = _points_of(game, record)
        shared = {name: value for name, value in record.tags.items() if name not in OWN_TAGS}
        names = {side: record.tags.get(side.value.capitalize(), UNKNOWN[0]) for side in Side}
        games = []
        for number, point in enumerate(points, start=1):
            black = point.first or Side.YELLOW
            declared = record.tags.get("Winner", "") if point is points[-1] else ""
            result = _result(point.winner or declared, black)
            own = {"Round": str(number), "White": names[black.opponent], "Black": names[black]}
            tags = {**(shared if number == 1 else {}), **own, **({"First": point.first} if point.first else {})}
            head = [write_tag(name, value) for name, value in {**tags, "Result": result}.items()]
            games.append("\n".join([*head, "", _body(point, result), ""]))
        return "\n".join(games)

    def read(self, game: Game, text: str) -> ReadText:
        """Return the record of the match that the text holds, a move for each turn.

        Without the tag ``First`` Black is Yellow in the first game; without ``Yellow`` and ``Red`` the names are
        Black's and White's. A result that the turns leave open becomes the tag ``Winner``; one that they contradict, or
        that another one contradicts, becomes a remark.
        """
        plain, notes = leave_out_notes(text, variations=True)
        games = read_games(plain)
        tags = {name: value for name, value in games[0].tags.items() if name not in OWN_TAGS}
        if tags.setdefault("Game", game.key) != game.key:
            raise InvalidNotation("other_game", found=shorten(tags["Game"]), wanted=game.key)
        points = list(_read_points(game.start(), games))
        _name_players(tags, games[0], points[0].black)
        remarks = [
            Message("in_game", game=number, fault=remark)
            for number, (point, game_text) in enumerate(zip(points, games, strict=True), start=1)
            for remark in _result_remarks(point, game_text)
        ]
        if not points[-1].winner:
            remarks += _declare_winner(tags, games[-1], points[-1].black)
        return ReadText(Record(tags, tuple(move for point in points for move in point.moves)), (*notes, *remarks))


def _points_of(game: Game, record: Record) -> list[_Point]:
    """Return the points that have been begun, or one that has not."""
    if record.tags.get("Game", game.key) != game.key:
        raise InvalidNotation("other_game", found=shorten(record.tags["Game"]), wanted=game.key)
    points = [_Point()]
    score = game.start().score
    for move, after in zip(record.moves, replay_moves(game.start(), record.moves), strict=True):
        if points[-1].winner:
            points.append(_Point())
        point = points[-1]
        if isinstance(move.actor, Nature):
            point.first = Side(move.text)
        else:
            point.first = point.first or move.actor
            if move.actor is point.last:
                point.turns[-1] += move.text
            else:
                point.turns.append(move.text)
            point.last = move.actor
        point.winner, score = _scorer(score, after.score), after.score
    return points


def _scorer(before: Score, after: Score) -> Side | None:
    return next((side for side in Side if after[side] > before[side]), None)


def _body(point: _Point, result: str) -> str:
    words = []
    for number, turn in enumerate(_as_black_sees(point.turns, point.first or Side.YELLOW)):
        words += [turn] if number % 2 else [f"{number // 2 + 1}.", turn]
    return textwrap.fill(" ".join([*words, result]), WIDTH, break_long_words=False, break_on_hyphens=False)


def _as_black_sees(turns: list[str], black: Side) -> list[str]:
    """Return turns of the match as the text has them, or the other way round: Black attacks north."""
    return [turn_half(turn) for turn in turns] if black is Side.RED else turns


def _result(winner: str, black: Side) -> str:
    if winner == NOBODY:
        return DRAWN
    return {black.value: BLACK_WINS, black.opponent.value: WHITE_WINS}.get(winner, UNDECIDED)


@dataclass(slots=True)
class _ReadPoint:
    """One game as it was read: who is Black, the moves, the state after them, who got the point."""

    black: Side
    moves: list[Move]
    state: State
    winner: Side | None = None


def _read_points(state: State, games: list[GameText]) -> Iterator[_ReadPoint]:
    for number, game in enumerate(games, start=1):
        try:
            point = _read_point(state, game, number)
        except InvalidNotation as error:
            raise error.within("in_game", game=number) from None
        if number < len(games) and not point.winner:
            raise InvalidNotation("game_unfinished").within("in_game", game=number)
        state = point.state
        yield point


def _read_point(state: State, game: GameText, game_number: int) -> _ReadPoint:
    point = _open(state, game)
    score, last = state.score, None
    for number, turn in enumerate(_as_black_sees(game.turns, point.black), start=1):
        side = point.state.turn
        if point.winner or not isinstance(side, Side):
            raise InvalidNotation("point_over_before", turn=number)
        if side is last:
            raise IllegalMove("P5", "turn_not_over").within("in_game_turn", game=game_number, turn=number)
        try:
            point.state = point.state.play(turn)
        except IllegalMove as error:
            raise error.within("in_game_turn", game=game_number, turn=number) from None
        point.moves.append(Move(side, turn))
        point.winner, last = _scorer(score, point.state.score), side
    return point


def _result_remarks(point: _ReadPoint, game: GameText) -> Iterator[Message]:
    """Yield remarks on the results that a game names."""
    if len(game.results) > 1:
        yield Message("results_differ", result=game.results[0], tag=game.results[1])
    if point.winner:
        played = _result(point.winner, point.black)
        for result in game.results:
            if result != played:
                yield Message("result_contradicted", result=result, played=played)


def _open(state: State, game: GameText) -> _ReadPoint:
    """Return a game before its turns, with the coin tossed if there is one and the game has turns or ``First``."""
    first = game.tags.get("First")
    if first is not None and first not in list(Side):
        raise InvalidNotation("first_unreadable", told=shorten(first))
    if state.turn is Nature.CHANCE:
        black = Side(first or Side.YELLOW)
        if not first and not game.turns:
            return _ReadPoint(black, [], state)
        return _ReadPoint(black, [Move(Nature.CHANCE, black.value)], state.play(black.value))
    if not isinstance(state.turn, Side):
        raise InvalidNotation("match_over_before")
    if first not in (None, state.turn):
        raise InvalidNotation("first_contradicted", told=first, side=state.turn.value)
    return _ReadPoint(state.turn, [], state)


def _name_players(tags: dict[str, str], game: GameText, black: Side) -> None:
    for side, name in ((black, game.tags.get("Black", "")), (black.opponent, game.tags.get("White", ""))):
        if name not in UNKNOWN:
            tags.setdefault(side.value.capitalize(), name)


def _declare_winner(tags: dict[str, str], game: GameText, black: Side) -> Iterator[Message]:
    """Keep a result that the turns leave open: a player resigned or ran out of time. Yield what contradicts it."""
    for result in game.results[:1]:
        winner = {WHITE_WINS: black.opponent.value, BLACK_WINS: black.value, DRAWN: NOBODY}[result]
        if tags.setdefault("Winner", winner) != winner:
            yield Message("winner_contradicted", result=result, winner=shorten(tags["Winner"]))
