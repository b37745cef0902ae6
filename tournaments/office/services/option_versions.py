"""Versions of the options of a competition, so that two organisers do not overwrite each other unseen."""

from itertools import islice

from django.db.models import Q, QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from tournaments.models import Competition, LogEntry
from tournaments.models.audiences import CONDITIONS_CHANGED
from tournaments.office.errors import OptionsChanged

COUNTED = Q(action__in=["changed", CONDITIONS_CHANGED, "organised"]) | (
    Q(action__in=["organiser-named", "organiser-gone", "helper-named"]) & ~Q(changes=[])
)
"""The lines of the log that count as versions: of helpers those who were organisers."""

MAX_NAMED = 5


def check_version(*, competition: Competition, version: int | None) -> None:
    """Raise ``OptionsChanged`` if somebody has changed options since this version of them was read.

    ``None`` is any version.
    """
    behind = 0 if version is None else competition.options_version - version
    if behind:
        raise OptionsChanged(_explain(competition, behind))


def check_conditions(*, competition: Competition, version: int | None) -> None:
    """Raise ``OptionsChanged`` if conditions have changed since who enters read this version of the options.

    ``None`` is any version. One query, none where the version is the latest.
    """
    behind = 0 if version is None else competition.options_version - version
    if behind < 0 or (behind and CONDITIONS_CHANGED in {line.action for line in _versions(competition, behind)}):
        raise OptionsChanged(_explain(competition, behind))


def count_version(*, competition: Competition) -> None:
    """Store that the options have another version now. The caller holds the competition's lock, and logs the change."""
    competition.options_version += 1
    competition.save(update_fields=["options_version"])


def _versions(competition: Competition, number: int) -> QuerySet[LogEntry]:
    """Return the lines of the log of so many of the latest versions, the latest first."""
    return LogEntry.objects.filter(COUNTED, competition_id=competition.pk).order_by("-pk")[:number]


def _explain(competition: Competition, behind: int) -> str:
    """Return who has changed what in the latest versions."""
    found = list(_versions(competition, min(max(behind, 0), MAX_NAMED)).select_related("actor"))
    actors = list(dict.fromkeys(str(line.actor) for line in found if line.actor is not None))
    told = (
        _("%(what)s (from %(old)s to %(new)s)") % {name: change[name] or "–" for name in ("what", "old", "new")}
        for line in found
        for change in line.changes
    )
    if not actors:
        return _("The options have changed since you read them. Read them again.")
    return _("%(players)s changed this since you read the options: %(changes)s. Read them again.") % {
        "players": get_text_list(actors, _("and")),
        "changes": ", ".join(islice(told, MAX_NAMED)),
    }
