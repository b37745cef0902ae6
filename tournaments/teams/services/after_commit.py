"""Publish changes of teams after the commit. Streams read them again if a message is lost."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models.functions import Now

from matches.signals import rows_changed
from tournaments.models import Team, TeamMembership


def notify_memberships(ids: Sequence[int]) -> None:
    """Publish, once the transaction has committed, that these memberships have changed."""
    if ids:
        transaction.on_commit(lambda: _publish(ids), robust=True)


def touch_memberships(*, team: Team) -> None:
    """Date and publish all memberships of a team that are not over: its name, or its captain, is another one."""
    open_ = TeamMembership.objects.filter(team=team, ended_at=None)
    open_.update(changed_at=Now())
    notify_memberships(list(open_.values_list("pk", flat=True)))


def _publish(ids: Sequence[int]) -> None:
    rows_changed.send(sender=TeamMembership, kind="team", ids=list(ids))
