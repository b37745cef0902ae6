"""Acts on several matches or players at once: each is done by itself, and what is refused stops no other."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from matches.sentences import format_time_left
from players.models import Player
from rules_engine.values import Side
from tournaments.desk.acts.act import Act
from tournaments.desk.errors import TooManyRows
from tournaments.models import Competition, Entry, Fixture, Interest
from tournaments.office.selectors.interests import Stake
from web.api.idempotency.steps import Steps
from web.errors import DomainError


def tell_check_in(entry: Entry) -> str:
    """Return whether a player has checked in."""
    return _("checked in") if entry.checked_in_at is not None else _("not checked in")


def tell_turn(fixture: Fixture, now: datetime) -> str:
    """Return whose turn it is in a match, for how long, and how much time is left."""
    match = fixture.match
    if match is None:
        return _("has not started")
    if not match.side:
        return _("is over")
    sentence = _("%(player)s to move for %(since)s, %(left)s left")
    if match.paused_at is not None:
        sentence = _("%(player)s to move, paused for %(since)s, %(left)s left")
    return sentence % {
        "player": fixture.name_of(Side(match.side)),
        "since": format_time_left(now - (match.paused_at or match.turn_started_at)),
        "left": format_time_left(match.clock.left(match.paused_at or now)),
    }


def tell_decisions(fixture: Fixture, now: datetime) -> str:
    """Return who would win a match by each of the rules by which several are decided, and whose turn it is."""
    match = fixture.match
    if match is None or not match.side:
        return tell_turn(fixture, now)
    by_score = _name_winner(fixture, match.side_ahead)
    by_turn = _name_winner(fixture, Side(match.side).opponent)
    rules = _("If decided by the score: %(by_score)s. If the player to move loses: %(by_turn)s.")
    return f"{rules % {'by_score': by_score, 'by_turn': by_turn}} {tell_turn(fixture, now)}"


def tell_lead(fixture: Fixture, now: datetime) -> str:
    """Return who leads in a match, and whose turn it is."""
    ahead = fixture.match.side_ahead if fixture.match else None
    lead = _("nobody leads") if ahead is None else _("%(player)s leads") % {"player": fixture.name_of(ahead)}
    return f"{lead} · {tell_turn(fixture, now)}"


def _name_winner(fixture: Fixture, side: Side | None) -> str:
    return _("nobody wins") if side is None else _("%(player)s wins") % {"player": fixture.name_of(side)}


Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for one of several: done, or refused with a ``code`` and a sentence."""

    number: int
    name: str
    code: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """One of several before the act: a ``summary`` of it, what ``follows`` from the act, or why it would be refused.

    ``is_own`` says of a match that who would do it plays in it. ``is_foreseen`` is false where so many were chosen that
    what follows is not worked out for all of them.
    """

    subject: Any
    summary: str
    follows: Sequence[str] = ()
    refusal: str = ""
    is_own: bool = False
    is_foreseen: bool = True


def preview_each(
    *, act: Act, competition: Competition, numbers: Sequence[int], stake: Stake, now: datetime
) -> list[Preview]:
    """Return what an act would mean for each of these, if somebody with this stake did it to that one alone now."""
    previews = []
    for place, subject in enumerate(act.on.find_all(competition, numbers)):
        made = partial(
            Preview,
            subject,
            act.bulk.tell(subject, now) if act.bulk else "",
            is_own=act.interest_in(subject, stake) is Interest.MATCH,
        )
        if place >= settings.MAX_FORESEEN_ROWS and act.what_follows is not None:
            previews.append(made(is_foreseen=False))
            continue
        try:
            follows = act.foresee(subject, now)
        except DomainError as refusal:
            previews.append(made(refusal=refusal.reason))
        else:
            previews.append(made(follows.sentences if follows else ()))
    return previews


def perform_on_each(
    *, act: Act, competition: Competition, numbers: Sequence[int], values: Values, actor: Player, steps: Steps
) -> list[Outcome]:
    """Do an act to each of these as a step of its own, and return what became of each.

    Raises ``TooManyRows``.
    """

    def perform_on(number: int) -> dict[str, Any]:
        name = str(number)
        try:
            with transaction.atomic():
                subject = act.on.find(competition, number)
                name = act.on.name_of(subject)
                act.perform(subject, values, actor, steps.now, service=act.bulk.service if act.bulk else None)
        except DomainError as refusal:
            return asdict(Outcome(number, name, refusal.code, refusal.reason))
        return asdict(Outcome(number, name))

    return [Outcome(**steps.do(str(number), partial(perform_on, number))) for number in check_rows(numbers)]


def check_rows(numbers: Sequence[int]) -> list[int]:
    """Return each number once. Raises ``TooManyRows``."""
    chosen = list(dict.fromkeys(numbers))
    if len(chosen) > settings.MAX_BULK_ROWS:
        raise TooManyRows(_("Choose at most %d at once.") % settings.MAX_BULK_ROWS)
    return chosen
