"""Find announcements of organisers, and those that are pinned to the page of their competition."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.models import Competition, LogEntry
from tournaments.office.errors import AnnouncementNotFound

ANNOUNCED = "announced"


def get_announcement(competition: Competition, announcement_id: int) -> LogEntry:
    """Return the competition's announcement with this number. Raises ``AnnouncementNotFound``."""
    lines = LogEntry.objects.filter(competition_id=competition.pk, action=ANNOUNCED, pk=announcement_id)
    line = lines.select_related("actor", "competition").first()
    if line is None:
        raise AnnouncementNotFound(_("There is no such announcement in this competition."))
    return line


def pinned_announcements(competition: Competition) -> QuerySet[LogEntry]:
    """Return what is pinned to the competition's page, what was pinned last first, with who announced it."""
    pinned = LogEntry.objects.filter(competition_id=competition.pk, pinned_at__isnull=False)
    return pinned.select_related("actor").order_by("-pinned_at", "-pk")


def pinned_if_any(competition: Competition) -> list[LogEntry]:
    """Return what is pinned to the page of a competition that was read by ``get_cup`` or ``get_ladder``."""
    return list(pinned_announcements(competition)) if vars(competition)["has_pinned"] else []
