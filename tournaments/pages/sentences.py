"""Sentences at the head of a competition's page."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from formats.pairing.legs import Decider
from tournaments.models import Competition, CompetitionStatus, Interest
from tournaments.office.selectors.lists import ANNOUNCED
from tournaments.office.sentences import change_sentences, competition_format_text, public_text
from tournaments.office.services.log import ACTIONS
from tournaments.pages.pictures.link_preview import LinkPreview
from tournaments.rounds.sentences import decider_text
from web.storable_text import printable


def start_sentence(competition: Competition) -> str:
    """Return when a competition that has not started starts, apart from a date; empty once it has."""
    if competition.status == CompetitionStatus.DRAFT:
        return _("The organisers are preparing this competition. Only they can see this page.")
    if competition.status == CompetitionStatus.OPEN:
        if competition.starts_when_full:
            return _("It starts automatically when all places are taken.")
        if competition.first_stage.gathers and not competition.starts_at:
            return _("It starts automatically with the first group.")
        return "" if competition.starts_at else _("It starts when the organiser starts it.")
    if competition.status == CompetitionStatus.CLOSED:
        return "" if competition.starts_at else _("Entry is closed. It starts when the organiser starts it.")
    return ""


def preview_of(competition: Competition) -> LinkPreview:
    """Return what the picture of links to a competition says; a cup was read with its winner."""
    lines = [competition_format_text(competition), f"{competition.rules.title} · {competition.get_status_display()}"]
    winner = competition.winner
    return LinkPreview(
        name=printable(competition.name),
        lines=tuple(lines),
        winner=_("Winner: %(player)s") % {"player": winner.name} if winner else "",
    )


class Line(Protocol):
    """A line of a log, or what streams read of it."""

    @property
    def action(self) -> str: ...  # noqa: D102 - as the columns say

    @property
    def subject(self) -> str: ...  # noqa: D102

    @property
    def reason(self) -> str: ...  # noqa: D102

    @property
    def taken_down_at(self) -> datetime | None: ...  # noqa: D102

    @property
    def interest(self) -> str: ...  # noqa: D102

    @property
    def changes(self) -> Sequence[Mapping[str, str]]: ...  # noqa: D102


def line_text(line: Line, *, of_teams: bool) -> str:
    """Return what was done, in sentences; of an announcement its text. A reason that a person gave is left out."""
    if line.action == ANNOUNCED:
        return public_text(line)
    name, subject = capfirst(str(action_name(line.action))), subject_in_words(line)
    sentences = [f"{name}: {subject}." if subject else f"{name}."]
    sentences += change_sentences(line.changes)
    if line.action == "tie-decided" and line.reason in set(Decider):
        sentences.append(f"{capfirst(decider_text(line.reason, of_teams=of_teams))}.")
    return " ".join(filter(None, [*sentences, interest_text(line)]))


def interest_text(line: Line) -> str:
    """Return that who did it plays there, too; empty for everybody else."""
    return _("By somebody who %(interest)s.") % {"interest": Interest(line.interest).label} if line.interest else ""


def subject_in_words(line: Line) -> str:
    """Return what something was done to. The number by which a draw can be made again is called what it is."""
    return _("number %(number)s") % {"number": line.subject} if line.action == "drawn" else line.subject


def action_name(action: str) -> Any:
    """Return an action of a competition's log as pages name it."""
    return ACTIONS.get(action, action)
