"""The signals that notify other apps of accounts that are closed or opened again, and of players who return."""

from django.dispatch import Signal

account_closed = Signal()
"""An account is closed, sent after the commit with its ``player_id``. If it is lost, sweeps do what follows."""

account_switched = Signal()
"""An account is being closed or opened again, sent in the transaction with its ``player_id`` and ``is_open``.

It is sent before the account is locked: receivers may lock what is locked before accounts.
"""

player_returned = Signal()
"""A player acts again after a day or longer, sent before the act is noted with ``player_id`` and ``now``.

Receivers do what was due by the last act while it is still known.
"""

by_itself_chosen = Signal()
"""A player wants to have played by itself what leaves no choice; sent after the commit with ``player`` and ``now``."""

account_erased = Signal()
"""An account is being deleted, sent in the transaction with ``player_id``, ``old_name`` and ``new_name``.

Receivers that keep private data of the player, or the name as text, erase it in the same transaction.
"""
