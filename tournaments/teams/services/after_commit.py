"""Publish changes of teams after the commit. Streams read them again if a message is lost."""

from collections.abc import Sequence

from django.db import transaction

from matches.signals import rows_changed
from tournaments.models import TeamMembership


def notify_memberships(ids: Sequence[int]) -> None:
    """Publish, once the transaction has committed, that these memberships have changed."""
    if ids:
        transaction.on_commit(lambda: _publish(ids), robust=True)


def _publish(ids: Sequence[int]) -> None:
    rows_changed.send(sender=TeamMembership, kind="team", ids=list(ids))
