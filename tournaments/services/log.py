"""The log of a competition: what was done, by whom and why, for everybody to read."""

from __future__ import annotations

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models import Competition, LogEntry
from tournaments.services.after_commit import notify_news, notify_players

ACTIONS: dict[str, str | Promise] = {
    "changed": _("options changed"),
    "organised": _("organisers changed"),
    "opened": _("opened for entry"),
    "closed": _("closed for entry"),
    "drawn": _("drawn"),
    "draw-undone": _("draw undone"),
    "started": _("started"),
    "start-taken-back": _("start taken back"),
    "paused": _("paused"),
    "resumed": _("resumed"),
    "finished": _("finished"),
    "cancelled": _("cancelled"),
    "announced": _("announced"),
    "entered": _("joined"),
    "imported": _("players added from a list"),
    "withdrew": _("withdrawn"),
    "withdrawal-undone": _("withdrawal taken back"),
    "left": _("left"),
    "replaced": _("replaced"),
    "bye-requested": _("bye asked for"),
    "bye-taken-back": _("request for a bye taken back"),
    "end-undone": _("end taken back"),
    "adjudicated": _("adjudicated"),
    "decision-undone": _("decision taken back"),
    "annulled": _("annulled"),
    "annulment-undone": _("annulment taken back"),
    "replayed": _("replayed"),
    "replay-undone": _("replay taken back"),
    "extended": _("clock extended"),
    "stage-started": _("stage started"),
    "round-started": _("round started"),
    "round-date": _("deadline of a round set"),
    "round-cut-short": _("round ended early"),
    "round-end-undone": _("end of a round taken back"),
    "round-ended": _("round ended"),
    "tie-decided": _("tie decided without a match"),
}
"""What can be logged: a stable code, and its name on pages."""

NEWS = frozenset({"announced", "finished", "cancelled"})
"""The actions that are mailed to all players of the competition."""

NAMING = frozenset(
    "organised entered withdrew withdrawal-undone left replaced bye-requested bye-taken-back adjudicated "
    "decision-undone annulled annulment-undone replayed replay-undone extended tie-decided finished".split()
)
"""What has names of players in its subject."""

MAX_SUBJECT_LENGTH = 120


def log_action(
    *,
    competition: Competition,
    action: str,
    now: datetime,
    actor: Player | None = None,
    subject: str = "",
    reason: str = "",
) -> LogEntry:
    """Return the new log entry; without an ``actor`` it was the rules that did it. Raises ``KeyError``.

    A subject that is too long is cut. It is published to organisers' streams, and to all players' if it concerns them.
    """
    if action not in ACTIONS:
        raise KeyError(action)
    entry = LogEntry.objects.create(
        competition_id=competition.pk,
        actor=actor,
        action=action,
        subject=subject[:MAX_SUBJECT_LENGTH],
        reason=reason,
        logged_at=now,
        is_notified=action not in NEWS,
    )
    if not entry.is_notified:
        notify_news()
    notify_players(log_id=entry.pk)
    return entry
