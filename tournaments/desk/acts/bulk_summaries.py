"""Sentences beside a match or a player chosen with others: whose turn it is, who would win, who has checked in."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from matches.sentences import format_time_left
from rules_engine.values import Side
from tournaments.models import Entry, Fixture


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
