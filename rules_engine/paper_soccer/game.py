"""Paper Soccer as a game: one point by itself, and the matches of points that are played."""

import re
from dataclasses import dataclass

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.paper_soccer.field import SEGMENTS
from rules_engine.paper_soccer.interchange import GameTexts
from rules_engine.paper_soccer.notation import read_steps
from rules_engine.paper_soccer.position import NOTHING_DRAWN
from rules_engine.paper_soccer.presets import COMMON, Preset
from rules_engine.paper_soccer.rally import Rally, follow_turns
from rules_engine.series import Opener, Series
from rules_engine.values import Side

_LINE = re.compile(rf"(yellow|red) ({NOTHING_DRAWN}|[0-7]+(?: [0-7]+)*)")


@dataclass(frozen=True, slots=True)
class PaperSoccer:
    """The game that is played for one point, with one preset's options: the rallies of a ``Series``."""

    preset: Preset = COMMON

    @property
    def max_turn_actions(self) -> int:
        """Return the number of lines that can be drawn: none is drawn twice (P4)."""
        return len(SEGMENTS)

    def start(self, first: Side) -> Rally:
        """Return the ball on a fresh field (P1)."""
        return Rally(self.preset, side=first, first=first)

    def read(self, text: str) -> Rally:
        """Return the state that the line describes: who began, and the turns or ``-``.

        Raises ``InvalidNotation`` when it is no such line, or when the turns cannot be played.
        """
        found = _LINE.fullmatch(text)
        if not found:
            raise InvalidNotation("point_form", text=text)
        first, path = Side(found[1]), found[2]
        if path == NOTHING_DRAWN:
            return self.start(first)
        read = follow_turns(self.preset, first, path)
        if read is None:
            raise self._refuse(text, first, path)
        return read

    def resume(self, text: str, summary: str) -> Rally | None:
        """Return the state that a line and its summary describe, ``None`` if no summary is written so."""
        first, _, path = text.partition(" ")
        try:
            side, ball, drawn = summary.split(" ")
            return Rally(
                self.preset, Side(side), int(ball), int(drawn, base=16), Side(first), path.removeprefix(NOTHING_DRAWN)
            )
        except ValueError:
            return None

    def _refuse(self, text: str, first: Side, path: str) -> InvalidNotation:
        """Return why the turns of a line cannot be read: one cannot be played, or they are written otherwise."""
        state = self.start(first)
        try:
            for turn in path.split():
                state = state.play(turn)
        except IllegalMove as error:
            return InvalidNotation("turns_unplayable", fault=error.message, text=text)
        return InvalidNotation("position_written_otherwise", text=text, written=str(state))

    def read_move(self, text: str) -> str:
        """Return ``text`` if it is one step or several; raises ``InvalidNotation``."""
        return read_steps(text)


def _first_to(key: str, title: str, worth: tuple[tuple[int, int], ...]) -> Series:
    """Return a match by P8, and what it is worth by the loser's points."""
    return Series(
        key=key,
        family="paper-soccer",
        title=title,
        rally=PaperSoccer(),
        worth=worth,
        first=Opener.COIN,
        later=Opener.CONCEDER,
        rule="P8",
        interchange=(GameTexts(),),
    )


FIRST_TO_THREE = _first_to("paper-soccer", "Paper Soccer (first to 3)", ((5, 0), (4, 1), (3, 2)))
ONE_POINT = _first_to("paper-soccer-1", "Paper Soccer (one point)", ((5, 0),))
