"""Verification of stored matches: each is replayed from its moves, and compared with what is stored."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from matches import clock, dice
from matches.clock import InvalidClock
from matches.clock_sentences import clock_fault_sentence
from matches.models import STOOD_STILL, Actor, ClockExtension, ExtensionKind, Match, Move, Status
from matches.selectors.matches import spent_seeds
from matches.selectors.replay import replay
from matches.selectors.take_backs import all_played
from matches.services import follow_ups, progress
from matches.services.progress import Before
from players.models import VacationDay
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import State
from rules_engine.registry import GAMES
from rules_engine.values import BySide, Ending, Outcome, Side

ENDINGS_BY_SERVICE = {
    *(Ending.RESIGNATION, Ending.TIMEOUT, Ending.FORFEIT, Ending.ADJUDICATION),
    *(Ending.AGREEMENT, Ending.CANCELLED),
}
MOVE_FIELDS = ("ply", "actor", "text", "played_at", "thinking", "is_drawn", "by_itself", "allowance")


@dataclass(slots=True)
class _StoredMoves:
    """All moves that were played, and the place among them of the next one that follows another."""

    moves: list[Move]
    place: int = 0
    rolls: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self.rolls = iter([move.text for move in self.moves if move.actor == Actor.CHANCE or move.is_drawn])

    def take_roll(self, _match: Match, _state: State) -> str:
        """Return the next roll; raises ``MissingRollError``."""
        self.place += 1
        if (text := next(self.rolls, None)) is None:
            raise MissingRollError("A roll is missing.")
        return text

    def follow(self, _match: Match, state: State) -> str | None:
        """Return the only legal move if one was played by itself here."""
        if not any(move.by_itself for move in self.moves[self.place : self.place + 1]):
            return None
        self.place += 1
        return follow_ups.find_only_move(state)


class MissingRollError(Exception):
    """The moves need a roll that was not stored."""


def verify_match(*, match: Match, now: datetime | None = None) -> list[str]:
    """Return a sentence for each stored value of a match that does not follow from its moves.

    It compares the order of the moves and their times; the position, its summary, side, clocks, result and match
    points; the dice, by the committed seed; and whether all was before ``now``, if that is given. An empty list means
    that everything is right. Nothing is changed.
    """
    if match.game not in GAMES:
        return [f"The game is unknown: {match.game}."]
    moves = list(match.moves.all())
    try:
        played = [stage.played for stage in replay(match, moves)]
        everything = all_played(match, moves)
        derived, derived_moves = play_again(match, everything, list(match.clock_extensions.all()))
    except (InvalidNotation, IllegalMove, MissingRollError) as error:
        return [f"The moves cannot be replayed: {error}"]
    except ValueError as error:
        fault = clock_fault_sentence(error) if isinstance(error, InvalidClock) else error
        return [f"The clocks cannot be replayed: {fault}"]
    return [
        *dice.check(bytes.fromhex(match.seed), match.commitment, match.pk, played, spent_seeds(match)),
        *_compare_moves(everything, derived_moves),
        *_compare_progress(match, derived),
        *_check_vacation(match),
        *_check_moments(match, now),
    ]


def play_again(match: Match, moves: list[Move], extensions: list[ClockExtension]) -> tuple[Match, list[Move]]:
    """Return the match and all that was played as the services make them from what the sides did and the dice showed.

    The moves are all that were played, those that were taken back among them. The extensions are those that its clocks
    got, and are used up. Raises ``InvalidClock`` where a move came too late, ``MissingRollError``, ``InvalidNotation``
    or ``IllegalMove``.
    """
    stored, drawn = _StoredMoves(moves), dict.fromkeys(Side, 0)
    derived, line = copy(match), list[Before]()
    derived_moves = progress.begin(derived, stored.take_roll, stored.follow)
    for place, move in enumerate(moves):
        _extend_clocks(derived, extensions, line)
        if move.actor == Actor.CHANCE or move.by_itself:
            continue
        side, stored.place = Side(move.actor), place
        if move.is_drawn and derived.time_control.by_decision and derived.side == side:
            derived_moves += progress.draw_move(derived, drawn[side], stored.take_roll, stored.follow)
            drawn[side] += 1
        else:
            drawn[side], stored.place = 0, place + 1
            known = derived.ply, side, derived.state, derived.chain, derived.last_move_at
            left, after = derived.time_left(side, move.played_at), derived.state.play(move.text)
            played = progress.play(
                derived,
                after,
                side,
                [move.text],
                now=move.played_at,
                way=move.allowance * clock.MILLISECOND,
                roll=stored.take_roll,
                follow=stored.follow,
            )
            derived_moves += played
            gained = derived.banks[side] - left if derived.side == side.opponent else timedelta(0)
            is_own = all(each.actor == side for each in played)
            line.append(Before(*known, gained, derived.ply if is_own else None))
    _extend_clocks(derived, extensions, line)
    if derived.status == Status.PLAYING and match.status == Status.FINISHED:
        _end_by_service(derived, match)
    return derived, derived_moves


def _last_turn(line: list[Before], ply: int) -> list[Before]:
    """Take the moves of one side from the end of a line, up to a ply, before which nothing was rolled."""
    turn: list[Before] = []
    while line and line[-1].end == ply and line[-1].side == (turn or line)[-1].side:
        turn.append(line.pop())
        ply = turn[-1].ply
    return turn[::-1]


def _extend_clocks(derived: Match, extensions: list[ClockExtension], line: list[Before]) -> None:
    """Apply the extensions of this ply, and remove them from the list; what they take back leaves the line."""
    while extensions and extensions[0].ply <= derived.ply:
        if derived.status == Status.FINISHED and extensions[0].kind != ExtensionKind.OUTAGE:
            return
        extension = extensions.pop(0)
        by = extension.milliseconds * clock.MILLISECOND
        if derived.status == Status.FINISHED:
            # Too many late decisions were drawn, and this was forgiven.
            progress.go_on(derived, by)
        elif extension.kind == ExtensionKind.TAKE_BACK:
            if not (turn := _last_turn(line, derived.ply)):
                raise ValueError("nobody has played the turn that was taken back")
            progress.take_back(derived, turn, extension.granted_at)
        elif extension.kind == ExtensionKind.VACATION:
            progress.add_day(derived)
        elif extension.kind in {*STOOD_STILL, ExtensionKind.SITE}:
            progress.shift(derived, by)
        elif extension.kind == ExtensionKind.CREDIT:
            progress.credit(derived, Side(extension.side), by)
        elif extension.kind == ExtensionKind.TAKEN:
            progress.shorten(derived, Side(extension.side), by, extension.granted_at)
        else:
            progress.extend(derived, Side(extension.side), by, extension.granted_at)


def _end_by_service(derived: Match, match: Match) -> None:
    """End the match as it was ended by something other than its moves."""
    at = derived.deadline if match.ending == Ending.TIMEOUT else match.finished_at
    if match.ending == Ending.TIMEOUT:
        winner: Side | None = Side(derived.side).opponent
    else:
        winner = Side(match.winner) if match.winner else None
    if at is not None and match.ending in ENDINGS_BY_SERVICE:
        progress.finish(derived, Outcome(winner, Ending(match.ending), derived.state.score), at)


def _compare_moves(moves: list[Move], derived: list[Move]) -> Iterator[str]:
    if len(moves) != len(derived):
        yield f"There are {len(moves)} moves, but they make {len(derived)} moves."
    for move, other in zip(moves, derived, strict=False):
        for name in MOVE_FIELDS:
            if getattr(move, name) != getattr(other, name):
                yield f"Ply {move.ply}: {_difference(name, move, other)}"


def _compare_progress(match: Match, derived: Match) -> Iterator[str]:
    for name in progress.BORNE_OUT_BY_MOVES:
        if getattr(match, name) != getattr(derived, name):
            yield _difference(name, match, derived)
    # A match has none before its first move with this version, and needs none.
    if match.position_summary not in ("", derived.position_summary):
        yield _difference("position_summary", match, derived)


def _check_vacation(match: Match) -> Iterator[str]:
    """Refuse days of vacation that are not whole, not the players' own, or more than the match allows."""
    days: BySide[list[VacationDay]] = BySide([], [])
    for extension in match.clock_extensions.all():
        if extension.vacation_day is not None:
            side = Side(extension.side)
            days[side].append(extension.vacation_day)
            if extension.milliseconds * clock.MILLISECOND != clock.DAY:
                yield f"A day of vacation at ply {extension.ply} gave {extension.milliseconds} ms."
            if extension.vacation_day.player_id != match.players[side].pk:
                yield f"The day of vacation at ply {extension.ply} is another player's."
    if any(days) and not match.allows_vacation:
        yield "There were days of vacation, but the match allows none."
    limit = match.vacation_limit
    if limit is not None and max(map(len, days)) > limit:
        yield f"There were more days of vacation than the {limit} that the match allows."


def _check_moments(match: Match, now: datetime | None) -> Iterator[str]:
    """Refuse moments in the future, as the clock of a host gives them that is ahead."""
    for name in ("created_at", "last_move_at", "finished_at"):
        at = getattr(match, name)
        if now is not None and at is not None and at > now:
            yield f"{name} is {at!s}, which is still to come."


def _difference(name: str, stored: object, derived: object) -> str:
    return f"{name} is {getattr(stored, name)!s}, but the moves give {getattr(derived, name)!s}."
