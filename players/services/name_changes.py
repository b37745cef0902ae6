"""Count changes of names."""

from django.db.models import F

from players.models import NameChanges

ONLY = 1
"""The key of the only row."""


def count_name_change() -> None:
    """Count one more, in the transaction that stores the name: its last lock, which all others wait for."""
    NameChanges.objects.get_or_create(pk=ONLY)
    NameChanges.objects.filter(pk=ONLY).update(number=F("number") + 1)
