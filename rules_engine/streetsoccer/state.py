"""A StreetSoccer position: an immutable value, and what every move and roll makes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import compress

from rules_engine.picture import Picture, Route
from rules_engine.protocol import Roll, Step
from rules_engine.streetsoccer import ruling, set_up
from rules_engine.streetsoccer.notation import (
    PASS,
    Action,
    Kicked,
    Placed,
    Rolled,
    Walked,
    read_action,
    write_kick,
)
from rules_engine.streetsoccer.pitch import CENTRE_CIRCLE, KEEPER_SPACES, NAMES, STRIDE
from rules_engine.streetsoccer.presets import Preset
from rules_engine.streetsoccer.route import find_route
from rules_engine.streetsoccer.scene import draw
from rules_engine.streetsoccer.steps import next_steps
from rules_engine.streetsoccer.turn import Situation, dead_ball_ends, spaces_of
from rules_engine.values import BySide, Ending, Nature, Outcome, Score, Side, Turn


class Phase(StrEnum):
    """What is being played."""

    SET_UP = "set-up"
    KICK_OFF = "kick-off"
    PLAY = "play"
    RESTART = "restart"
    OVER = "over"


DIE = tuple(Roll(str(face), Fraction(1, 6)) for face in range(1, 7))
LEAST_RESTART = 2
GOALIE = 0

Players = BySide[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class StreetSoccerState:
    """One position. ``str`` gives its line of text, which ``StreetSoccer.read`` reads back.

    ``turns`` counts the turns taken (S2). ``side`` is to act, or his dice are to come; ``None`` where the dice belong to
    both, and at the end. ``rolling``: a die is to be rolled now; ``first_die`` is Yellow's of the two for the kick-off
    (S5); ``number`` what has been rolled. ``players`` are spaces, the goalie first, then shirts 2 to 5.
    """

    preset: Preset
    phase: Phase
    turns: int
    side: Side | None
    rolling: bool
    first_die: int | None
    number: int | None
    players: Players
    ball: int | None
    score: Score
    last_scorer: Side | None

    # -- What is to be seen -------------------------------------------------------------------

    @property
    def turn(self) -> Turn:
        """Who acts next."""
        return Nature.CHANCE if self.rolling else self.side

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by S2 and S3, ``None`` while the match goes on."""
        ending = ending_of(self.preset, self.turns, self.score)
        if ending is None:
            return None
        if ending in (Ending.LAST_GOAL, Ending.GOALLESS):
            return Outcome(self.last_scorer, ending, self.score)
        winner = Side.YELLOW if self.score.yellow > self.score.red else Side.RED
        return Outcome(winner, ending, self.score)

    @property
    def minute(self) -> int:
        """The minute being played, from 1 (S2)."""
        return self.turns // 2 + 1

    @property
    def stage(self) -> str:
        """Where the match is, such as ``"minute 17"``."""
        if self.phase in (Phase.SET_UP, Phase.KICK_OFF):
            return self.phase.value
        if self.phase is Phase.OVER:
            return "full time"
        extra = self.minute > self.preset.minutes
        return f"extra time, minute {self.minute}" if extra else f"minute {self.minute}"

    @property
    def task(self) -> str:
        """What whoever is to act has to do, in one sentence."""
        return ruling.task(self)

    def __str__(self) -> str:
        if self.rolling:
            dice = "?" if self.first_die is None else f"{self.first_die}?"
        else:
            dice = "-" if self.number is None else str(self.number)
        return " ".join(
            (
                self.phase,
                f"{self.minute}.{self.turns % 2 + 1}",
                self.side or "-",
                dice,
                ",".join([NAMES[player] for player in self.players.yellow]) or "-",
                ",".join([NAMES[player] for player in self.players.red]) or "-",
                "-" if self.ball is None else NAMES[self.ball],
                f"{self.score.yellow}-{self.score.red}",
                self.last_scorer or "-",
            )
        )

    def chance(self) -> tuple[Roll, ...]:
        """Return the six faces of the die while it is to be rolled."""
        return DIE if self.rolling else ()

    def picture(self) -> Picture:
        """Return what the position looks like."""
        return draw(self)

    # -- What can be done ---------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """Return all legal actions: by shirt, each player's walks before his kicks, by space, the goal last."""
        if self.rolling or self.side is None:
            return []
        if self.phase is Phase.PLAY:
            situation = self.situation()
            moves = [move for index in range(set_up.TEAM) for move in self._turns(situation, index)]
            return moves or [PASS]
        if self.phase is Phase.SET_UP:
            own, opponents = self._teams()
            return [f"@{NAMES[n]}" for n in set_up.placements(self.preset, self.side, own, opponents)]
        if self.phase is Phase.KICK_OFF or self.ball is not None:
            return self._dead_ball_kicks()
        if self.number is None:
            return [f"@{NAMES[space]}" for space in self.keeper_choices()]
        return [
            f"@{NAMES[space]}{kick}"
            for space in self.keeper_choices()
            for kick in self.with_keeper(space)._dead_ball_kicks()
        ]

    def situation(self) -> Situation:
        """Return the position as sets of spaces, for the side to act; the ball counts only where it is in play."""
        assert self.side is not None
        own, opponents = self._teams()
        return Situation(self.side, own, opponents, self.ball or 0, self.preset.enclosure)

    def keeper_choices(self) -> list[int]:
        """Return the keeper spaces where the goalie can be put after a goal (S18)."""
        assert self.side is not None
        own, opponents = self._teams()
        free = KEEPER_SPACES[self.side] & ~(spaces_of(own[1:]) | spaces_of(opponents))
        return [number for number in NAMES if free >> number & 1]

    def kickers(self) -> int:
        """Return the players who may take the kick-off (S6) or the restart kick (S18)."""
        assert self.side is not None
        own = self.players[self.side]
        if self.phase is Phase.KICK_OFF:
            return spaces_of(own) & CENTRE_CIRCLE[self.side]
        return 1 << own[GOALIE]

    def steps(self, prefix: str = "") -> tuple[Step, ...]:
        """Return what may be clicked next: players, then spaces, then where the ball may end."""
        return next_steps(self.legal_moves(), prefix, self.side)

    def route(self, move: str) -> Route:
        """Return one way to play a legal move."""
        self.play(move)
        return find_route(self, read_action(move))

    def _turns(self, situation: Situation, index: int) -> list[str]:
        assert self.number is not None
        options = situation.options(index, self.number)
        start = situation.players[index]
        moves = _pick(_WALKS[start], options.walks)
        if options.kicks or options.scores:
            walked = _WALKS[start][situation.ball]
            moves += [walked + kick for kick in _pick(_KICKS, options.kicks)]
            if options.scores:
                moves.append(walked + write_kick(None))
        return moves

    def _dead_ball_kicks(self) -> list[str]:
        assert self.number is not None
        may_score = self.phase is Phase.RESTART
        ends, scores = dead_ball_ends(self.situation(), self.kickers(), self.number, may_score)
        kicks = _pick(_KICKS, ends)
        return [*kicks, write_kick(None)] if scores else kicks

    def _teams(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        assert self.side is not None
        return self.players[self.side], self.players[self.side.opponent]

    # -- What it leads to ---------------------------------------------------------------------

    def play(self, text: str) -> StreetSoccerState:
        """Return the state after a roll, a move, or several joined placements."""
        action = read_action(text)
        if isinstance(action, Rolled):
            return self._roll(action)
        if self.rolling or self.side is None:
            raise ruling.refuse(self, action)
        if isinstance(action, Placed):
            return self._place(action)
        if not self._is_legal(action, text):
            raise ruling.refuse(self, action)
        match action:
            case Kicked(start=None, end=None, target=target):
                return self._end_turn(self.players, target)
            case Kicked(start=None, end=int(space), target=target):
                return self._end_turn(self.with_keeper(space).players, target)
            case Kicked(start=int(start), target=target):
                return self._end_turn(self._with_player(start, self._landing(start, target)), target)
            case Walked(start=start, end=end):
                return self._end_turn(self._with_player(start, end), self.ball)
        return self._end_turn(self.players, self.ball)

    def _is_legal(self, action: Action, text: str) -> bool:
        """Tell whether a move that is no placement is legal, looking at its own player only."""
        if self.phase is Phase.PLAY and isinstance(action, Walked | Kicked):
            situation = self.situation()
            if action.start not in situation.players:
                return False
            return text in self._turns(situation, situation.players.index(action.start))
        return text in self.legal_moves()

    def _roll(self, roll: Rolled) -> StreetSoccerState:
        if not self.rolling:
            raise ruling.refuse(self, roll)
        if self.phase is Phase.PLAY:
            return replace(self, rolling=False, number=roll.face)
        if self.phase is Phase.RESTART:
            if roll.face < LEAST_RESTART:
                return self
            return self._rolled_again_unless_legal(replace(self, rolling=False, number=roll.face))
        if self.first_die is None:
            return replace(self, first_die=roll.face)
        if self.first_die == roll.face:
            return replace(self, first_die=None)
        higher = Side.YELLOW if self.first_die > roll.face else Side.RED
        return self._rolled_again_unless_legal(
            replace(
                self,
                side=Side.YELLOW if self.preset.number_first else higher,
                rolling=False,
                first_die=None,
                number=abs(self.first_die - roll.face),
            )
        )

    def _rolled_again_unless_legal(self, rolled: StreetSoccerState) -> StreetSoccerState:
        """Return the state in which the number is used, or the one in which it is rolled anew (S21)."""
        if rolled.legal_moves():
            return rolled
        side = self.side if self.phase is Phase.RESTART else None
        return replace(rolled, side=side, rolling=True, first_die=None, number=None)

    def _place(self, action: Placed) -> StreetSoccerState:
        state = self
        for space in action.spaces:
            if state.side is not self.side or state.phase is not self.phase or state.rolling:
                raise ruling.too_many_placed(action)
            state = state._place_one(space, Placed((space,)))
        return state

    def _place_one(self, space: int, action: Placed) -> StreetSoccerState:
        if f"@{NAMES[space]}" not in self.legal_moves():
            raise ruling.refuse(self, action)
        if self.phase is Phase.RESTART:
            return self.with_keeper(space)
        assert self.side is not None
        own, opponents = self._teams()
        players = self.players.with_side(self.side, (*own, space))
        if len(own) + 1 < set_up.TEAM:
            return replace(self, players=players)
        if len(opponents) < set_up.TEAM:
            return replace(self, players=players, side=self.side.opponent)
        kick_off = replace(self, phase=Phase.KICK_OFF, players=players)
        if self.number is None:
            return replace(kick_off, side=None, rolling=True)
        return kick_off._rolled_again_unless_legal(replace(kick_off, side=Side.YELLOW))

    def with_keeper(self, space: int) -> StreetSoccerState:
        """Return the position with the goalie and the ball put on this keeper space (S18)."""
        assert self.side is not None
        own = self.players[self.side]
        players = self.players.with_side(self.side, (space, *own[1:]))
        return replace(self, players=players, ball=space, rolling=self.number is None)

    def _with_player(self, start: int, end: int) -> Players:
        assert self.side is not None
        own = tuple(end if player == start else player for player in self.players[self.side])
        return self.players.with_side(self.side, own)

    def _landing(self, start: int, target: int | None) -> int:
        """Return where the kicker who started here stands after the kick (S17)."""
        situation = self.situation()
        landings = situation.landings(situation.players.index(start))
        return next(landing for landing in landings if landing != target)

    def _end_turn(self, players: Players, ball: int | None) -> StreetSoccerState:
        """Return the state after the turn of the side to act; the ball is ``None`` when it has scored."""
        side = self.side
        assert side is not None
        score, last_scorer = self.score, self.last_scorer
        if ball is None:
            score, last_scorer = score.with_side(side, score[side] + 1), side
        turns = self.turns + 1
        over = ending_of(self.preset, turns, score) is not None
        if over:
            phase, rolling = Phase.OVER, False
        elif ball is None:
            phase, rolling = Phase.RESTART, self.preset.die_first
        else:
            phase, rolling = Phase.PLAY, True
        return StreetSoccerState(
            preset=self.preset,
            phase=phase,
            turns=turns,
            side=None if over else side.opponent,
            rolling=rolling,
            first_die=None,
            number=None,
            players=players,
            ball=ball,
            score=score,
            last_scorer=last_scorer,
        )


def ending_of(preset: Preset, turns: int, score: Score) -> Ending | None:
    """Return how a match with this score has ended after so many turns, ``None`` if it goes on (S2, S3)."""
    level = score.yellow == score.red
    if turns < 2 * preset.minutes:
        return None
    if not level:
        return Ending.NORMAL_TIME if turns == 2 * preset.minutes else Ending.SUDDEN_DEATH
    if turns < 2 * (preset.minutes + preset.extra_minutes):
        return None
    return Ending.LAST_GOAL if score.yellow else Ending.GOALLESS


def _pick(texts: list[str], spaces: int) -> list[str]:
    """Return the texts of the spaces in the set, in the order of the spaces."""
    return list(compress(texts, format(spaces, "b")[::-1].encode().translate(_BITS))) if spaces else []


_BITS = bytes.maketrans(b"01", b"\x00\x01")
_SIZE = STRIDE * 12
_KICKS = [write_kick(number) if number in NAMES else "" for number in range(_SIZE)]
_WALKS = {
    start: [f"{name}-{NAMES[number]}" if number in NAMES else "" for number in range(_SIZE)]
    for start, name in NAMES.items()
}

