"""Soccer Tactics as a game: its start, its texts read back, and what its outcomes are worth."""

import re
from dataclasses import dataclass
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.soccer_tactics.board import NUMBERS
from rules_engine.soccer_tactics.clock import NOBODY
from rules_engine.soccer_tactics.notation import read_action
from rules_engine.soccer_tactics.position import Cards, Phase, Restart
from rules_engine.soccer_tactics.presets import PRESETS, Preset
from rules_engine.soccer_tactics.state import SoccerTacticsState
from rules_engine.soccer_tactics.team import SENT_OFF, WAITING, set_up
from rules_engine.soccer_tactics.validation import find_fault
from rules_engine.values import BySide, ChanceDevice, Ending, Outcome, Side

_SIDE = "yellow|red|-"
_SHIRT = "(?:1[01]|[1-9])"
_SHIRTS = f"-|{_SHIRT}(?:,{_SHIRT})*"
_CARDS = f"-|d|(?:d,)?{_SHIRT}(?:,{_SHIRT})*"
_TEAM = r"(?:[a-h][0-9]{1,2}|-|x)(?:,(?:[a-h][0-9]{1,2}|-|x)){10}"
_LINE = re.compile(
    rf"(?P<phase>{'|'.join(Phase)}) (?P<half>[1-5])\.(?P<minute>0|[1-9][0-9]{{0,2}}) (?P<side>{_SIDE}) "
    rf"(?P<dice>-|(?:1[0-2]|[1-9])?\?|1[0-2]|[1-9]) (?P<yellow>{_TEAM}) (?P<red>{_TEAM}) "
    rf"(?P<keepers>{_SHIRT}-{_SHIRT}) (?P<yellow_cards>{_CARDS})/(?P<red_cards>{_CARDS}) "
    rf"(?P<ball>[a-h][0-9]{{1,2}}|-) (?P<restart>{'|'.join(Restart)}|-) (?P<kicker>{_SHIRT}|-) (?P<count>[0-9]) "
    rf"(?P<yellow_placed>{_SHIRTS})/(?P<red_placed>{_SHIRTS}) (?P<score>[0-9]{{1,3}}-[0-9]{{1,3}}) "
    rf"(?P<opener>{_SIDE}) (?P<penalties>[0-9]{{1,3}}-[0-9]{{1,3}})/(?P<taken>[0-9]{{1,4}})"
)

POINTS: Final = {
    Ending.OVER_TIME: (4, 1),
    Ending.PENALTIES: (3, 2),
}
"""The winner's and the loser's match points for the endings that are not worth 5 and 0."""

NOT_PLACED: Final = (WAITING,) * 11


@dataclass(frozen=True, slots=True)
class SoccerTactics:
    """Soccer Tactics with one preset's options."""

    preset: Preset

    family = "soccer-tactics"
    interchange = ()
    chance_device = ChanceDevice.DICE
    has_draws = False
    decision_seconds = 60

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
        """Return 4: the move that ends a half, and the kicker, the striker and the keeper placed for the next one."""
        return 4

    def start(self) -> SoccerTacticsState:
        """Return the position before the toss (T13)."""
        return SoccerTacticsState(
            preset=self.preset,
            phase=Phase.TOSS,
            half=1,
            minute=0,
            side=None,
            rolling=True,
            number=None,
            squares=BySide(*(set_up(side, NOT_PLACED, 1, None) for side in Side)),
            keepers=BySide(1, 1),
            cards=BySide(Cards(), Cards()),
            ball=None,
            restart=None,
            kicker=None,
            count=0,
            placed=NOBODY,
            score=BySide(0, 0),
            opener=None,
            penalties=BySide(0, 0),
            taken=0,
        )

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is written like a move or a roll; raises ``InvalidNotation``."""
        read_action(text)
        return text

    def match_points(self, outcome: Outcome) -> BySide[int]:
        """Return 5-0, 4-1 or 3-2 for the winner; 2-2 where the service ended a match without one."""
        return outcome.match_points(POINTS)

    def resume(self, text: str, summary: str) -> SoccerTacticsState:
        """Return what ``read`` returns, from the text alone."""
        return self.read(text)

    def read(self, text: str) -> SoccerTacticsState:
        """Return the state that the line describes.

        Raises ``InvalidNotation`` when it is no such line, or when the fields contradict each other.
        """
        found = _LINE.fullmatch(text)
        if not found:
            raise InvalidNotation("tactics_position_form", text=text)
        form = found.groupdict()
        dice, rolling = form["dice"].rstrip("?-"), form["dice"].endswith("?")
        state = SoccerTacticsState(
            preset=self.preset,
            phase=Phase(form["phase"]),
            half=int(form["half"]),
            minute=int(form["minute"]),
            side=_read_side(form["side"]),
            rolling=rolling,
            number=int(dice) if dice else None,
            squares=BySide(_read_team(form["yellow"]), _read_team(form["red"])),
            keepers=_read_pair(form["keepers"]),
            cards=BySide(_read_cards(form["yellow_cards"]), _read_cards(form["red_cards"])),
            ball=None if form["ball"] == "-" else _read_square(form["ball"]),
            restart=None if form["restart"] == "-" else Restart(form["restart"]),
            kicker=None if form["kicker"] == "-" else int(form["kicker"]),
            count=int(form["count"]),
            placed=BySide(_read_shirts(form["yellow_placed"]), _read_shirts(form["red_placed"])),
            score=_read_pair(form["score"]),
            opener=_read_side(form["opener"]),
            penalties=_read_pair(form["penalties"]),
            taken=int(form["taken"]),
        )
        if fault := find_fault(state, self.start()):
            raise InvalidNotation("position_impossible", fault=fault, text=text)
        if str(state) != text:
            raise InvalidNotation("position_written_otherwise", text=text, written=str(state))
        return state


def _read_square(name: str) -> int:
    try:
        return NUMBERS[name]
    except KeyError:
        raise InvalidNotation("unknown_square", name=name) from None


def _read_team(text: str) -> tuple[int, ...]:
    elsewhere = {"-": WAITING, "x": SENT_OFF}
    return tuple(elsewhere[name] if name in elsewhere else _read_square(name) for name in text.split(","))


def _read_side(text: str) -> Side | None:
    return None if text == "-" else Side(text)


def _read_pair(text: str) -> BySide[int]:
    yellow, red = text.split("-")
    return BySide(int(yellow), int(red))


def _read_shirts(text: str) -> frozenset[int]:
    return frozenset() if text == "-" else frozenset(int(shirt) for shirt in text.split(","))


def _read_cards(text: str) -> Cards:
    shirts = [each for each in text.split(",") if each not in ("-", "d")]
    return Cards(frozenset(int(shirt) for shirt in shirts), defenders=text[0] == "d")


GAMES: Final = tuple(SoccerTactics(preset) for preset in PRESETS)
