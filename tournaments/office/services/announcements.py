"""Announcements of organisers to the players, and which of them are pinned to the competition's page."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import LogEntry
from tournaments.office.errors import TooManyPinned
from tournaments.office.selectors.lists import get_announcement, pinned_announcements
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition


def pin_announcement(*, announcement: LogEntry, actor: Player, now: datetime) -> LogEntry:
    """Show an announcement on the competition's page until it is unpinned, and return it. Again has no effect.

    Raises ``NotAnOrganiser``, ``AnnouncementNotFound`` or ``TooManyPinned``.
    """
    with transaction.atomic():
        fresh = _lock(announcement, actor)
        if fresh.pinned_at is None:
            if pinned_announcements(fresh.competition).count() >= settings.MAX_PINNED_ANNOUNCEMENTS:
                raise TooManyPinned(
                    _("At most %(most)d announcements can be pinned. Unpin one first.")
                    % {"most": settings.MAX_PINNED_ANNOUNCEMENTS}
                )
            _set(fresh, now)
    return fresh


def unpin_announcement(*, announcement: LogEntry, actor: Player, now: datetime) -> LogEntry:
    """Show an announcement in the log alone, and return it. Again has no effect.

    Raises ``NotAnOrganiser`` or ``AnnouncementNotFound``.
    """
    with transaction.atomic():
        fresh = _lock(announcement, actor)
        _set(fresh, None)
    return fresh


def _lock(announcement: LogEntry, actor: Player) -> LogEntry:
    competition = lock_competition(competition_id=announcement.competition_id)
    check_organiser(competition=competition, player=actor)
    return get_announcement(competition, announcement.pk)


def _set(announcement: LogEntry, moment: datetime | None) -> None:
    announcement.pinned_at = moment
    announcement.save(update_fields=["pinned_at"])
