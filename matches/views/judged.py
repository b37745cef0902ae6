"""What was judged of a match, as its page lists it: each event in words, the rolls by luck, the moves by cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match
from matches.selectors.replay import Stage
from rules_engine.analysis import Summary, Verdict
from rules_engine.protocol import State
from rules_engine.values import Score, Side

MOST_LISTED = 6
"""How many rolls and moves are listed before one asks for all."""

WORTH_A_WORD = 0.005
"""What is less is not told: it is nothing in whole points."""

GRAVE = 0.1
"""A move that gave away so much is marked on the curve."""


@dataclass(frozen=True, slots=True)
class JudgedEvent:
    """One event with its verdict. ``after`` is the number of events with this one, ``when`` what the match had come to.

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
        """The number of events before it."""
        return self.after - 1

    @property
    def side(self) -> str:
        """Whose roll or move it is; nobody's roll is empty."""
        return str(self.verdict.side or "")

    @property
    def text(self) -> str:
        """What was rolled or played."""
        return self.verdict.text

    @property
    def sentence(self) -> str:
        """What was rolled or played, in words."""
        return self.state.describe(self.text)

    @property
    def is_face(self) -> bool:
        """Whether it can be drawn as a die."""
        return self.verdict.is_roll and self.verdict.text in "123456"

    @property
    def is_toss(self) -> bool:
        """Whether a coin was tossed, which is nobody's luck as dice are."""
        return self.verdict.is_roll and self.verdict.text in tuple(Side)

    @property
    def chance(self) -> int:
        """Yellow's chance after it, in per cent."""
        return in_points(self.verdict.after)

    @property
    def own_chances(self) -> tuple[int, int]:
        """The chances of its side before and after it, in per cent; Yellow's where it has none."""
        verdict = self.verdict
        before, after = in_points(verdict.before), in_points(verdict.after)
        return (100 - before, 100 - after) if verdict.side is Side.RED else (before, after)

    @property
    def luck(self) -> int:
        """The luck of a roll for its side, in points; of one that is nobody's for Yellow."""
        return in_points(self.verdict.luck)

    @property
    def cost(self) -> int:
        """What a move gave away, in points."""
        return in_points(self.verdict.given_away)

    @property
    def better(self) -> str:
        """The move that was better, if one was."""
        return (self.verdict.best or "") if self.verdict.given_away >= WORTH_A_WORD else ""

    @property
    def better_in_words(self) -> str:
        """What the better move would have done, if one was."""
        return self.state.describe(self.better) if self.better else ""

    @property
    def is_grave(self) -> bool:
        """Whether it is a move that gave much away."""
        return self.verdict.given_away >= GRAVE

    @property
    def weight(self) -> float:
        """How much it matters: what was won or lost by luck, or given away."""
        return abs(self.verdict.luck) if self.verdict.is_roll else self.verdict.given_away

    @property
    def bar(self) -> int:
        """How much it matters, in points."""
        return in_points(self.weight)

    def __str__(self) -> str:
        """The event in one line, as it is shown at the curve."""
        happened = say_roll(self) if self.verdict.is_roll else say_move(self)
        return f"{happened} · {self._chance_in_words}"

    @property
    def spoken(self) -> str:
        """The event in sentences, as it is read aloud."""
        judged = _say_luck_of(self) if self.verdict.is_roll else _say_cost_of(self)
        return " ".join(filter(None, (self.sentence, judged, f"{self._chance_in_words}.")))

    @property
    def _chance_in_words(self) -> str:
        return _("%(name)s %(chance)d %%") % {"name": self.yellow, "chance": self.chance}


def judge_events(match: Match, stages: Iterable[Stage], verdicts: Sequence[Verdict]) -> list[JudgedEvent]:
    """Return the events of a match that were judged so far, the first one first."""
    return [
        JudgedEvent(
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


def list_rolls(events: Iterable[JudgedEvent]) -> list[JudgedEvent]:
    """Return the rolls that were lucky or unlucky, the most so first."""
    return _by_weight(event for event in events if event.verdict.is_roll)


def list_mistakes(events: Iterable[JudgedEvent]) -> list[JudgedEvent]:
    """Return the moves that gave something away, the costliest first."""
    return _by_weight(event for event in events if not event.verdict.is_roll)


def say_roll(event: JudgedEvent) -> str:
    """Return who rolled what, and how lucky it was."""
    words = {"name": event.name, "text": event.text, "points": abs(event.luck)}
    if event.is_toss:
        return _("The coin decides: %(side)s begins") % {"side": _("Yellow") if event.text == Side.YELLOW else _("Red")}
    rolled = _("%(name)s rolls %(text)s") % words if event.name else _("%(text)s is rolled") % words
    if abs(event.verdict.luck) < WORTH_A_WORD:
        return rolled
    return f"{rolled}: {_('lucky by %(points)d') % words if event.luck > 0 else _('unlucky by %(points)d') % words}"


def say_move(event: JudgedEvent) -> str:
    """Return who played what, what it gave away, and what was better."""
    played = _("%(name)s plays %(text)s") % {"name": event.name, "text": event.text}
    if not event.better:
        return played
    return f"{played}: " + _("gives %(points)d away, better %(better)s") % {
        "points": event.cost,
        "better": event.better,
    }


def _say_luck_of(event: JudgedEvent) -> str:
    if event.is_toss or abs(event.verdict.luck) < WORTH_A_WORD:
        return ""
    words = {"points": abs(event.luck)}
    return _("Lucky by %(points)d.") % words if event.luck > 0 else _("Unlucky by %(points)d.") % words


def _say_cost_of(event: JudgedEvent) -> str:
    if not event.better:
        return ""
    return _("That gives %(points)d away. Better: %(better)s") % {
        "points": event.cost,
        "better": event.better_in_words,
    }


def say_luck(match: Match, sums: Summary) -> str:
    """Return whom luck favoured, and by how many whole points."""
    ahead = in_points(sums.luck.yellow - sums.luck.red)
    if not ahead:
        return _("Luck favoured nobody.")
    side = Side.YELLOW if ahead > 0 else Side.RED
    return ngettext(
        "Luck favoured %(name)s, by %(points)d point.", "Luck favoured %(name)s, by %(points)d points.", abs(ahead)
    ) % {"name": match.players[side].username, "points": abs(ahead)}


def say_skill(match: Match, sums: Summary) -> str:
    """Return what both sides' moves gave away, the better one first."""
    given = sums.given_away.map(in_points)
    better = Side.YELLOW if given.yellow <= given.red else Side.RED
    return _("%(better)s gave %(less)d points away by moves, %(other)s %(more)d.") % {
        "better": match.players[better].username,
        "less": given[better],
        "other": match.players[better.opponent].username,
        "more": given[better.opponent],
    }


def in_points(chance: float) -> int:
    """Return a chance, or what is won or lost of it, in whole points: 100 are a match."""
    return round(100 * chance)


def _by_weight(events: Iterable[JudgedEvent]) -> list[JudgedEvent]:
    return sorted((event for event in events if event.weight >= WORTH_A_WORD), key=lambda event: -event.weight)
