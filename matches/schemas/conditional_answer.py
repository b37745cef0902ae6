"""Answers that their player has given beforehand, in JSON. Nobody else is sent them."""

from typing import TypedDict

from matches.models import ConditionalAnswer, Match
from matches.selectors.conditional_answers import answers_of
from players.models import Player
from rules_engine.values import Side


class ConditionalLineSchema(TypedDict):
    """A line of actions of both sides that ends with an answer."""

    id: int
    ply: int
    """The ply from which on the actions are to be played."""
    texts: list[str]
    dropped: bool
    """True if something else came. It is kept until you move, so that you know."""


class DecisionAnswerSchema(TypedDict):
    """The answer to every decision of a kind."""

    id: int
    kind: str
    texts: list[str]
    dropped: bool
    """True if the rules refused it when the decision came."""


class DecisionToComeSchema(TypedDict):
    """A decision that can be answered beforehand, whatever comes."""

    kind: str
    task: str
    legal_moves: list[str]
    """What could be played were it to be made now."""


class ConditionalAnswersSchema(TypedDict):
    """All that you have given beforehand in a match, and what else you can."""

    ply: int
    """The ply from which on new lines begin."""
    lines: list[ConditionalLineSchema]
    decisions: list[DecisionAnswerSchema]
    to_come: list[DecisionToComeSchema]


def conditional_answers_to_json(match: Match, player: Player) -> ConditionalAnswersSchema:
    """Return all that a player of a match has given beforehand, and what else they can."""
    rows = answers_of(match, player)
    side = match.side_of(player.pk)
    rehearsals = match.state.rehearsals(side) if isinstance(side, Side) and match.side else {}
    return {
        "ply": match.ply,
        "lines": [_line_to_json(row) for row in rows if not row.decision],
        "decisions": [
            {"id": row.pk, "kind": row.decision, "texts": row.texts, "dropped": row.is_dropped}
            for row in rows
            if row.decision
        ],
        "to_come": [
            {"kind": kind, "task": state.task, "legal_moves": list(state.legal_moves())}
            for kind, state in rehearsals.items()
        ],
    }


def _line_to_json(row: ConditionalAnswer) -> ConditionalLineSchema:
    return {"id": row.pk, "ply": row.ply, "texts": row.texts, "dropped": row.is_dropped}
