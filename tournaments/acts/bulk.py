"""Acts on several matches or players at once: each is done by itself, and what is refused stops no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from matches.errors import MatchOver
from matches.models import Match
from matches.sentences import format_time_left
from players.models import Player
from rules_engine.values import Side
from tournaments.acts.inputs import Input
from tournaments.errors import NoResult, TooManyRows
from tournaments.models import Competition, Fixture, RoundEnd
from web.errors import DomainError

if TYPE_CHECKING:
    from tournaments.acts.act import Act

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bulk:
    """How an act is done to several at once.

    ``operation`` is what the API's description calls it. ``inputs`` are asked for once, and ``values_for`` makes of
    them what the service takes for each; it raises ``DomainError``. ``tell`` says of each what it means, before.
    """

    operation: str
    inputs: Mapping[str, Input]
    values_for: Callable[[Any, Values], Values] = lambda _subject, values: values
    tell: Callable[[Any, datetime], str] = lambda _subject, _now: ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of several: done, or refused with a ``code`` and a sentence."""

    number: int
    name: str
    code: str = ""
    detail: str = ""


def perform_on_each(
    *, act: Act, competition: Competition, numbers: Sequence[int], values: Values, actor: Player, now: datetime
) -> list[Outcome]:
    """Do an act to each of these in a transaction of its own, and return what became of each.

    Raises ``TooManyRows``.
    """
    outcomes = []
    for number in check_rows(numbers):
        name = str(number)
        try:
            with transaction.atomic():
                subject = act.on.find(competition, number)
                name = act.on.name_of(subject)
                act.perform(subject, act.bulk.values_for(subject, values) if act.bulk else values, actor, now)
        except DomainError as refusal:
            outcomes.append(Outcome(number, name, refusal.code, refusal.reason))
        else:
            outcomes.append(Outcome(number, name))
    return outcomes


def check_rows(numbers: Sequence[int]) -> list[int]:
    """Return each number once. Raises ``TooManyRows``."""
    chosen = list(dict.fromkeys(numbers))
    if len(chosen) > settings.MAX_BULK_ROWS:
        raise TooManyRows(_("Choose at most %d at once.") % settings.MAX_BULK_ROWS)
    return chosen


def values_of_extension(fixture: Fixture, values: Values) -> Values:
    """Return the values with which the player to move gets more time."""
    return {**values, "side": Side(_going_on(fixture).side)}


def values_of_adjudication(fixture: Fixture, values: Values) -> Values:
    """Return the values with which a match is decided: by its score, or lost by the player to move."""
    if values["policy"] == RoundEnd.FORFEIT:
        winner: Side | None = Side(_going_on(fixture).side).opponent
    else:
        winner = _leader(fixture.match)
    return {"winner": winner, "reason": values["reason"]}


def tell_turn(fixture: Fixture, now: datetime) -> str:
    """Return whose turn it is in a match, for how long, and how much time is left."""
    match = fixture.match
    if match is None:
        return _("has not started")
    if not match.side:
        return _("is over")
    return _("%(player)s to move for %(since)s, %(left)s left") % {
        "player": fixture.yellow if match.side == Side.YELLOW else fixture.red,
        "since": format_time_left(now - match.turn_started_at),
        "left": format_time_left(match.clock.left(match.paused_at or now)),
    }


def tell_score(fixture: Fixture, now: datetime) -> str:
    """Return who leads in a match, and whose turn it is."""
    leader = _leader(fixture.match)
    player = fixture.yellow if leader is Side.YELLOW else fixture.red
    lead = _("nobody leads") if leader is None else _("%(player)s leads") % {"player": player}
    return f"{lead} · {tell_turn(fixture, now)}"


def _going_on(fixture: Fixture) -> Match:
    if fixture.match is None:
        raise NoResult("This match has not started.")
    if not fixture.match.side:
        raise MatchOver("The match is over.")
    return fixture.match


def _leader(match: Match | None) -> Side | None:
    if match is None:
        return None
    yellow, red = match.state.score
    if yellow == red:
        return None
    return Side.YELLOW if yellow > red else Side.RED
