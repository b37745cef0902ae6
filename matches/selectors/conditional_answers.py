"""Answers that a player has given beforehand, and lines of them read by the rules."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.errors import AnswerNotPossible, refusals_of
from matches.models import ConditionalAnswer, Match, Status
from players.models import Player
from rules_engine.protocol import State
from rules_engine.values import Side


@dataclass(frozen=True, slots=True)
class Line:
    """Actions of both sides from a position on: the number that ``lead`` to the first of the own ones.

    ``answers`` are the own ones by the states in which they are played, in that order.
    """

    lead: int
    answers: dict[State, str]


def answers_of(match: Match, player: Player | None) -> list[ConditionalAnswer]:
    """Return what a player has given beforehand in a running match, in that order; nothing that others have given."""
    if player is None or match.status == Status.FINISHED or not match.answer_changes:
        return []
    rows = list(ConditionalAnswer.objects.filter(match=match.pk, player=player.pk))
    for row in rows:
        row.match = match
    return rows


def count_dropped(player: Player, matches: Iterable[Match]) -> dict[int, int]:
    """Return how many answers of a player were dropped because something else came, by the matches that have any."""
    ids = [match.pk for match in matches if match.answer_changes]
    if not ids:
        return {}
    dropped = ConditionalAnswer.objects.filter(match__in=ids, player=player.pk, is_dropped=True)
    return Counter(dropped.order_by().values_list("match", flat=True))


def read_line(match: Match, state: State, side: Side, texts: Sequence[str]) -> Line:
    """Return a line of actions from a state on that ends with an action of a side.

    Raises ``UnreadableMove``, ``RefusedMove``, or ``AnswerNotPossible`` where dice are rolled or the match ends within.
    """
    lead, answers, actor = None, dict[State, str](), None
    for number, text in enumerate(texts):
        actor = state.turn
        if not isinstance(actor, Side):
            sentence = _("After %(last)s no side is to act: the dice are rolled, or the match is over.")
            raise AnswerNotPossible(sentence % {"last": texts[number - 1]})
        with refusals_of(match.game):
            after = state.play(text)
        if actor is side:
            answers[state] = text
            lead = number if lead is None else lead
        state = after
    if lead is None or actor is not side:
        raise AnswerNotPossible(_("A line ends with an answer of yours."))
    return Line(lead, answers)
