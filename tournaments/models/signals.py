"""The tournaments' only signal: lines of logs concern organisers and players.

It is sent after a commit and may be lost, so receivers also read the rows by themselves.
"""

from django.dispatch import Signal

players_concerned = Signal()
"""Sent after the commit that logged something in a competition, with ``log_ids``, those of the lines."""
