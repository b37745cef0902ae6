"""The lines of a competition's log as JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.models import Competition, LogEntry
from tournaments.office.sentences import public_text
from tournaments.pages.sentences import line_text

InterestName = Literal["match", "competition"]


class ChangeSchema(TypedDict):
    """From what to what something was changed, in words."""

    what: str
    old: str
    new: str


class LogLineSchema(TypedDict):
    """One thing that was done in a ladder or cup."""

    id: int
    at: datetime
    actor: str | None
    """The player who did it; null if the rules did."""
    action: str
    interest: InterestName | None
    """``match`` if the actor plays in the match that they decided, or is in one of its teams; ``competition`` if they
    play against those whom it is about; else null."""
    subject: str
    reason: str
    is_taken_down: bool
    """True if organisers have taken down the reason or announcement: what is there instead says so."""
    is_pinned: bool
    """True if it is an announcement that the page of the competition shows until it is unpinned."""
    changes: list[ChangeSchema]
    """The changes, of options for example; empty where the other members say all."""
    match: int | None
    """The match to which it was done, null for everything else."""
    text: str
    """What was done, as pages say it: a sentence or more, without the reason."""


def log_line_to_json(line: LogEntry, competition: Competition) -> LogLineSchema:
    """Return one thing that was done in a competition."""
    return {
        "id": line.pk,
        "at": line.logged_at,
        "actor": line.actor.username if line.actor else None,
        "action": line.action,
        "interest": cast("InterestName | None", line.interest or None),
        "subject": line.subject,
        "reason": public_text(line),
        "is_taken_down": line.taken_down_at is not None,
        "is_pinned": line.pinned_at is not None and line.taken_down_at is None,
        "changes": line.changes,
        "match": line.match_id,
        "text": line_text(line, of_teams=competition.boards is not None),
    }
