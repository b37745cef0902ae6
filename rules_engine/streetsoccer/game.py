"""StreetSoccer as a game: its start, its texts read back, and what its outcomes are worth."""

import re
from dataclasses import dataclass

from rules_engine.errors import InvalidNotation
from rules_engine.streetsoccer.notation import read_action
from rules_engine.streetsoccer.pitch import NUMBERS
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.presets import BOARD_PRESET, ONLINE_PRESET, TEAM, Preset
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.validation import find_fault
from rules_engine.values import BySide, ChanceDevice, Ending, Outcome, Side

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
"""The winner's and the loser's match points for the endings that are not worth 5 and 0."""


@dataclass(frozen=True, slots=True)
class StreetSoccer:
    """StreetSoccer with one preset's options."""

    preset: Preset

    family = "streetsoccer"
    interchange = ()
    chance_device = ChanceDevice.DICE
    has_draws = True
    decision_seconds = None

    @property
    def key(self) -> str:
        """Return the preset's key in the registry."""
        return self.preset.key

    @property
    def title(self) -> str:
        """Return the preset's name."""
        return self.preset.title

    @property
    def max_turn_actions(self) -> int:
        """Return the players that a side places: outside the set-up a turn is one action, or a roll follows."""
        return TEAM - len(self.preset.standing.yellow)

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
            players=self.preset.standing_spaces,
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
        return outcome.match_points(POINTS)

    def resume(self, text: str, summary: str) -> StreetSoccerState:
        """Return what ``read`` returns, from the text alone."""
        return self.read(text)

    def read(self, text: str) -> StreetSoccerState:
        """Return the state that the line describes.

        Raises ``InvalidNotation`` when it is no such line, or when the fields contradict each other.
        """
        found = _LINE.fullmatch(text)
        if not found:
            raise InvalidNotation("position_form", text=text)
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
        if fault := find_fault(state):
            raise InvalidNotation("position_impossible", fault=fault, text=text)
        if str(state) != text:
            raise InvalidNotation("position_written_otherwise", text=text, written=str(state))
        return state


def _read_space(name: str) -> int:
    try:
        return NUMBERS[name]
    except KeyError:
        raise InvalidNotation("unknown_space", name=name) from None


def _read_team(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(_read_space(name) for name in text.split(","))


BOARD = StreetSoccer(BOARD_PRESET)
ONLINE = StreetSoccer(ONLINE_PRESET)
