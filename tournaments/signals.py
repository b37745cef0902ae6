"""The tournaments' only signal: lines of logs concern organisers and players.

It is a doorbell, sent after a commit: it may be lost, so whoever answers it also looks by itself.
"""

from __future__ import annotations

from django.dispatch import Signal

players_concerned = Signal()
"""Sent after the commit that logged something in a competition, with ``log_ids``, those of the lines."""
