"""Tags and filters about organisers' acts and decisions."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.template import Context
from django.utils.translation import gettext as _

from database.clock import current_moment
from formats.pairing.proposed import PairingWarning
from formats.protocol import Part
from tournaments.desk.acts import ANNOUNCEMENT, ENTRY, INVITATION, LOG_LINE, ROUND, WAITING, Act, acts_on
from tournaments.desk.acts.bulk import tell_turn
from tournaments.desk.selectors import Decision
from tournaments.desk.sentences import decision_sentence, pairing_warning_text
from tournaments.models import Competition, Entry, EntryInvitation, Fixture, LogEntry, Round, WaitingPlayer
from tournaments.office.selectors.lists import ANNOUNCED
from tournaments.records.cups import Waiting

register = template.Library()

Subject = Entry | EntryInvitation | Round | LogEntry | WaitingPlayer


KINDS = {
    Entry: ENTRY,
    EntryInvitation: INVITATION,
    LogEntry: LOG_LINE,
    Round: ROUND,
    WaitingPlayer: WAITING,
}
"""The kinds of things to act on, by the models whose rows have buttons."""


@register.filter
def turn_in_words(waiting: Waiting) -> str:
    """Return whose turn it is in the match that a cup waits for, since when, and how much time is left."""
    return "" if waiting.fixture is None else tell_turn(waiting.fixture, current_moment())


@register.filter
def asked_in(act: Act, competition: Competition) -> str:
    """Return what an act asks in a competition of this kind."""
    return act.ask(competition)


@register.filter
def warning_in_words(player: Entry, warning: PairingWarning) -> str:
    """Return what speaks against a pairing or a bye of a player."""
    return pairing_warning_text(warning, player)


@register.filter
def round_in(fixture: Fixture, names: Mapping[int, Mapping[tuple[int, Part], str]]) -> str:
    """Return what the round of a fixture is called, by the names of rounds in brackets: final, or third place."""
    if fixture.round is None:
        return ""
    number, part = fixture.round.number, Part.MAIN if fixture.tie is None else Part(fixture.tie.part)
    name = names.get(fixture.group_id, {}).get((number, part))
    return name or _("Round %(number)d") % {"number": number}


@register.simple_tag
def decision_in_words(decision: Decision, number: int, boards: int | None) -> str:
    """Return what an organiser has to decide; the number is that of the matches, players or teams concerned."""
    return decision_sentence(decision, number, of_teams=boards is not None)


@register.inclusion_tag("tournaments/organise/act_buttons.html", takes_context=True)
def act_buttons(
    context: Context, subject: Entry | EntryInvitation | Round | LogEntry | WaitingPlayer
) -> dict[str, Any]:
    """Return buttons for the acts that organisers can do to a row of one of ``KINDS``."""
    kinds = [KINDS[type(subject)]]
    if isinstance(subject, LogEntry) and subject.action == ANNOUNCED:
        kinds.insert(0, ANNOUNCEMENT)
    competition = context["competition"]
    acts = [act for kind in kinds for act in acts_on(kind, competition, subject, context["rights"])]
    return {"acts": [(act, act.url(competition, subject)) for act in acts], "name": kinds[0].name_of(subject)}
