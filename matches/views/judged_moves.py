"""The analysed moves of a match for its page: each move in words, rolls by luck, moves by cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match
from matches.selectors.replay import Stage
from matches.views.rolls import DrawnRoll, draw_roll
from rules_engine.analysis import Summary, Verdict
from rules_engine.protocol import State
from rules_engine.values import Score, Side

MAX_LISTED = 6
"""The number of rolls and moves that are listed until all are requested."""

WORTH_A_WORD = 0.005
"""Smaller losses and gains are not mentioned: they are 0 in whole points."""

GRAVE = 0.1
"""The loss from which on a move is marked on the curve."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move with its verdict. ``after`` is the number of moves with this one, ``when`` what the match had come to.

    ``name`` is who plays its side, if it has one, ``yellow`` who plays yellow; ``score`` the score if it changed,
    ``state`` the position before it.
    """

    after: int
    when: str
    name: str
    yellow: str
    verdict: Verdict
    score: Score | None
    state: State

    @property
    def before(self) -> int:
        """Return the number of moves before it."""
        return self.after - 1

    @property
    def side(self) -> str:
        """Return the side whose roll or move it is; empty for nobody's roll."""
        return str(self.verdict.side or "")

    @property
    def text(self) -> str:
        """Return the text of the roll or move."""
        return self.verdict.text

    @property
    def sentence(self) -> str:
        """Return the roll or move in words."""
        return self.state.describe(self.text)

    @property
    def roll(self) -> DrawnRoll | None:
        """Return the roll to be drawn, if it was one."""
        return draw_roll(self.state, self.text) if self.verdict.is_roll else None

    @property
    def is_toss(self) -> bool:
        """Return whether a coin was tossed, which is nobody's luck."""
        return self.verdict.is_roll and self.verdict.text in tuple(Side)

    @property
    def chance(self) -> int:
        """Return Yellow's chance after it, in per cent."""
        return in_points(self.verdict.after)

    @property
    def own_chances(self) -> tuple[int, int]:
        """Return the chances of its side before and after it, in per cent; Yellow's where it has none."""
        verdict = self.verdict
        before, after = in_points(verdict.before), in_points(verdict.after)
        return (100 - before, 100 - after) if verdict.side is Side.RED else (before, after)

    @property
    def luck(self) -> int:
        """Return the luck of a roll for its side, in points; of one that is nobody's for Yellow."""
        return in_points(self.verdict.luck)

    @property
    def cost(self) -> int:
        """Return the points that a move gave away."""
        return in_points(self.verdict.given_away)

    @property
    def better(self) -> str:
        """Return the move that was better, if one was."""
        return (self.verdict.best or "") if self.verdict.given_away >= WORTH_A_WORD else ""

    @property
    def better_in_words(self) -> str:
        """Return the better move in words, if one was better."""
        return self.state.describe(self.better) if self.better else ""

    @property
    def is_grave(self) -> bool:
        """Return whether it is a move that gave much away."""
        return self.verdict.given_away >= GRAVE

    @property
    def weight(self) -> float:
        """Return the weight of the roll or move: what was won or lost by luck, or given away."""
        return abs(self.verdict.luck) if self.verdict.is_roll else self.verdict.given_away

    @property
    def bar(self) -> int:
        """Return the weight of the roll or move, in points."""
        return in_points(self.weight)

    def __str__(self) -> str:
        """Return the move in one line, as it is shown at the curve."""
        happened = roll_text(self) if self.verdict.is_roll else move_text(self)
        return f"{happened} · {self._chance_in_words}"

    @property
    def spoken(self) -> str:
        """Return the move in sentences, as it is read aloud."""
        judged = _luck_sentence_of(self) if self.verdict.is_roll else _cost_sentence_of(self)
        return " ".join(filter(None, (self.sentence, judged, f"{self._chance_in_words}.")))

    @property
    def _chance_in_words(self) -> str:
        return _("%(name)s %(chance)d %%") % {"name": self.yellow, "chance": self.chance}


def judge_moves(match: Match, stages: Iterable[Stage], verdicts: Sequence[Verdict]) -> list[JudgedMove]:
    """Return the moves of a match that have a verdict, the first one first."""
    return [
        JudgedMove(
            after=stage.move.ply + 1,
            when=stage.before.stage,
            name=match.players[verdict.side].username if verdict.side else "",
            yellow=match.yellow.username,
            verdict=verdict,
            score=stage.after.score if stage.after.score != stage.before.score else None,
            state=stage.before,
        )
        for stage, verdict in zip(stages, verdicts, strict=False)
    ]


def list_rolls(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    """Return the lucky and unlucky rolls, the most extreme first."""
    return _by_weight(move for move in moves if move.verdict.is_roll)


def list_mistakes(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    """Return the moves that lost points, the costliest first."""
    return _by_weight(move for move in moves if not move.verdict.is_roll)


def roll_text(move: JudgedMove) -> str:
    """Return the text of a roll and how lucky it was."""
    words = {"name": move.name, "text": move.text, "points": abs(move.luck)}
    if move.is_toss:
        return _("The coin decides: %(side)s begins") % {"side": _("Yellow") if move.text == Side.YELLOW else _("Red")}
    rolled = _("%(name)s rolls %(text)s") % words if move.name else _("roll: %(text)s") % words
    if abs(move.verdict.luck) < WORTH_A_WORD:
        return rolled
    return f"{rolled}: {_('lucky, +%(points)d') % words if move.luck > 0 else _('unlucky, −%(points)d') % words}"


def move_text(move: JudgedMove) -> str:
    """Return the text of a move, what it lost, and what was better."""
    played = _("%(name)s plays %(text)s") % {"name": move.name, "text": move.text}
    if not move.better:
        return played
    return f"{played}: " + _("costs %(points)d, better: %(better)s") % {
        "points": move.cost,
        "better": move.better,
    }


def _luck_sentence_of(move: JudgedMove) -> str:
    if move.is_toss or abs(move.verdict.luck) < WORTH_A_WORD:
        return ""
    words = {"points": abs(move.luck)}
    return (
        _("Lucky: worth %(points)d points.") % words if move.luck > 0 else _("Unlucky: cost %(points)d points.") % words
    )


def _cost_sentence_of(move: JudgedMove) -> str:
    if not move.better:
        return ""
    return _("This costs %(points)d points. Better: %(better)s") % {
        "points": move.cost,
        "better": move.better_in_words,
    }


def luck_sentence(match: Match, sums: Summary) -> str:
    """Return the sentence about whom luck favoured, and by how many points."""
    ahead = in_points(sums.luck.yellow - sums.luck.red)
    if not ahead:
        return _("Luck helped nobody.")
    side = Side.YELLOW if ahead > 0 else Side.RED
    return ngettext(
        "Luck helped %(name)s by %(points)d point.", "Luck helped %(name)s by %(points)d points.", abs(ahead)
    ) % {"name": match.players[side].username, "points": abs(ahead)}


def mistakes_sentence(match: Match, sums: Summary) -> str:
    """Return the sentence about what both sides lost by mistakes, the better side first."""
    given = sums.given_away.map(in_points)
    better = Side.YELLOW if given.yellow <= given.red else Side.RED
    return _("Mistakes cost %(better)s %(less)d points and %(other)s %(more)d.") % {
        "better": match.players[better].username,
        "less": given[better],
        "other": match.players[better.opponent].username,
        "more": given[better.opponent],
    }


def in_points(chance: float) -> int:
    """Return a chance or a difference of chances in points: 100 points are a won match."""
    return round(100 * chance)


def _by_weight(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    return sorted((move for move in moves if move.weight >= WORTH_A_WORD), key=lambda move: -move.weight)
