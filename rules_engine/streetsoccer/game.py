"""StreetSoccer as a game: its start, its texts read back, and what its outcomes are worth."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules_engine.errors import InvalidNotation
from rules_engine.streetsoccer.notation import read_action
from rules_engine.streetsoccer.pitch import GOALS, KEEPER_SPACES, NUMBERS, PITCH
from rules_engine.streetsoccer.presets import BOARD_PRESET, ONLINE_PRESET, Preset
from rules_engine.streetsoccer.set_up import TEAM
from rules_engine.streetsoccer.state import (
    GOALIE,
    LEAST_RESTART,
    Phase,
    StreetSoccerState,
    ending_of,
)
from rules_engine.values import BySide, Ending, Outcome, Side

_LINE = re.compile(
    r"(?P<phase>set-up|kick-off|play|restart|over) (?P<minute>[1-9][0-9]?)\.(?P<half>[12]) "
    r"(?P<side>yellow|red|-) (?P<dice>-|\?|[1-6]\??) "
    r"(?P<yellow>[a-h0-9,]+|-) (?P<red>[a-h0-9,]+|-) (?P<ball>[a-h][0-9]{1,2}|-) "
    r"(?P<score>[0-9]{1,2}-[0-9]{1,2}) (?P<last>yellow|red|-)"
)

POINTS = {
    Ending.SUDDEN_DEATH: (4, 1),
    Ending.LAST_GOAL: (3, 2),
}
"""What the winner and the loser get for the endings that are not worth 5 and 0."""


@dataclass(frozen=True, slots=True)
class StreetSoccer:
    """StreetSoccer with one preset's options."""

    preset: Preset

    family = "streetsoccer"

    @property
    def key(self) -> str:
        """The preset's key in the registry."""
        return self.preset.key

    @property
    def title(self) -> str:
        """The preset's name."""
        return self.preset.title

    def start(self) -> StreetSoccerState:
        """Return the position before the set-up, with the players that stand already (S4)."""
        first = self.preset.number_first
        return StreetSoccerState(
            preset=self.preset,
            phase=Phase.SET_UP,
            turns=0,
            side=None if first else Side.YELLOW,
            rolling=first,
            first_die=None,
            number=None,
            players=self._standing(),
            ball=None,
            score=BySide(0, 0),
            last_scorer=None,
        )

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is written like a move or a roll; raises ``InvalidNotation``."""
        read_action(text)
        return text

    def match_points(self, outcome: Outcome) -> BySide[int]:
        """Return 5-0, 4-1, 3-2 for the winner, or 2-2 when nobody won."""
        if outcome.winner is None:
            return BySide(2, 2)
        won, lost = POINTS.get(outcome.ending, (5, 0))
        return BySide(won, lost) if outcome.winner is Side.YELLOW else BySide(lost, won)

    def read(self, text: str) -> StreetSoccerState:
        """Return the state that the line describes.

        Raises ``InvalidNotation`` when it is no such line, or when the fields contradict each other.
        """
        found = _LINE.fullmatch(text)
        if not found:
            raise InvalidNotation(
                "a position is one line: phase, clock, side, dice, Yellow's players, Red's players, ball, "
                f"score, last scorer; this is {text!r}"
            )
        form = found.groupdict()
        dice = form["dice"]
        yellow_goals, red_goals = (int(goals) for goals in form["score"].split("-"))
        state = StreetSoccerState(
            preset=self.preset,
            phase=Phase(form["phase"]),
            turns=2 * (int(form["minute"]) - 1) + int(form["half"]) - 1,
            side=None if form["side"] == "-" else Side(form["side"]),
            rolling=dice.endswith("?"),
            first_die=int(dice[0]) if len(dice) == 2 else None,
            number=int(dice) if dice.isdigit() else None,
            players=BySide(_read_team(form["yellow"]), _read_team(form["red"])),
            ball=None if form["ball"] == "-" else _read_space(form["ball"]),
            score=BySide(yellow_goals, red_goals),
            last_scorer=None if form["last"] == "-" else Side(form["last"]),
        )
        if contradiction := self._contradiction(state):
            raise InvalidNotation(f"{contradiction}, in {text!r}")
        if str(state) != text:
            raise InvalidNotation(f"{text!r} would be written {str(state)!r}")
        return state

    def _standing(self) -> BySide[tuple[int, ...]]:
        return self.preset.standing.map(lambda names: tuple(NUMBERS[name] for name in names))

    def _contradiction(self, state: StreetSoccerState) -> str | None:
        """Return what no match could ever come to, ``None`` if the fields agree."""
        taken = state.players.yellow + state.players.red
        if len(set(taken)) < len(taken):
            return "two players share a space"
        if any((GOALS.yellow | GOALS.red) >> player & 1 for player in taken):
            return "a player stands in a goal"
        if state.ball is not None and not PITCH >> state.ball & 1:
            return "the ball is outside the lines"
        if (state.last_scorer is None) != (state.score == BySide(0, 0)):
            return "score and last scorer do not agree"
        if state.last_scorer and not state.score[state.last_scorer]:
            return "the last scorer has no goal"
        if (ending_of(self.preset, state.turns, state.score) is None) == (state.phase is Phase.OVER):
            return "phase, clock and score do not agree"
        if state.turns > 2 * (self.preset.minutes + self.preset.extra_minutes):
            return "the clock runs past the end of extra time"
        if state.phase in (Phase.SET_UP, Phase.KICK_OFF):
            return self._opening_contradiction(state)
        if state.turns == 0:
            return "the first turn is the kick-off"
        if any(len(team) != TEAM for team in state.players):
            return "each team has five players"
        if state.phase is Phase.OVER:
            done = state.side is None and not state.rolling and state.number is None
            return None if done and state.ball not in taken else "the match is over, and nobody is to act"
        if state.side is None or state.first_die is not None:
            return "the side to act is missing"
        if state.phase is Phase.PLAY:
            return self._play_contradiction(state, taken)
        return self._restart_contradiction(state)

    def _opening_contradiction(self, state: StreetSoccerState) -> str | None:
        if state.turns or state.ball is not None or state.last_scorer:
            return "before the kick-off there is neither a ball in play nor a score"
        yellow, red = state.players
        if state.phase is Phase.KICK_OFF:
            if len(yellow) != TEAM or len(red) != TEAM:
                return "each team has five players"
            return self._kick_contradiction(state)
        standing = self._standing()
        if yellow[: len(standing.yellow)] != standing.yellow or red[: len(standing.red)] != standing.red:
            return "the players who stand from the start are missing"
        if self.preset.number_first and state.rolling:
            return None if state.side is None and state.players == standing else "nobody places before the roll"
        if state.rolling or (state.number is not None) != self.preset.number_first or state.number == 6:
            return "the dice do not fit the set-up"
        placing = {
            Side.YELLOW: len(yellow) < TEAM and red == standing.red,
            Side.RED: len(yellow) == TEAM and len(red) < TEAM,
        }
        if state.side is None or not placing[state.side]:
            return "Yellow places all five, then Red"
        return None if state.legal_moves() else "the set-up cannot be completed"

    def _kick_contradiction(self, state: StreetSoccerState) -> str | None:
        """Return what is wrong with a kick-off whose players stand."""
        if state.rolling:
            return None if state.side is None else "the kick-off's dice belong to both"
        if state.side is None or state.number is None or state.number == 6:
            return "a kick-off needs its side and a number from 1 to 5"
        if self.preset.number_first and state.side is not Side.YELLOW:
            return "Yellow kicks off"
        return None if state.legal_moves() else "a kick-off without a legal end is rolled again"

    def _play_contradiction(self, state: StreetSoccerState, taken: tuple[int, ...]) -> str | None:
        if state.ball is None or state.ball in taken:
            return "the ball lies on a free space in play"
        return None if state.rolling or state.number else "the die is missing"

    def _restart_contradiction(self, state: StreetSoccerState) -> str | None:
        assert state.side is not None
        if state.last_scorer is not state.side.opponent:
            return "the side that conceded restarts"
        goalie = state.players[state.side][GOALIE]
        if state.ball is not None and (
            self.preset.die_first or state.ball != goalie or not KEEPER_SPACES[state.side] >> goalie & 1
        ):
            return "the ball is with the goalie on his keeper space"
        if self.preset.die_first or state.ball is not None:
            if not state.rolling and (state.number or 0) < LEAST_RESTART:
                return "a restart needs a number of 2 or more"
        elif state.rolling or state.number is not None:
            return "the goalie is put first, then the die is rolled"
        if not state.rolling and not state.legal_moves():
            return "a restart without a legal end is rolled again"
        return None


def _read_space(name: str) -> int:
    try:
        return NUMBERS[name]
    except KeyError:
        raise InvalidNotation(f"there is no space {name!r}") from None


def _read_team(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(_read_space(name) for name in text.split(","))


BOARD = StreetSoccer(BOARD_PRESET)
ONLINE = StreetSoccer(ONLINE_PRESET)
