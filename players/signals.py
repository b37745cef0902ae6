"""The signals that notify other apps of closed accounts."""

from django.dispatch import Signal

account_closed = Signal()
"""An account is closed, sent after the commit with its ``player_id``. If it is lost, sweeps do what follows."""

account_erased = Signal()
"""An account is being deleted, sent in the transaction with ``player_id``, ``old_name`` and ``new_name``.

Receivers that keep private data of the player, or the name as text, erase it in the same transaction.
"""
