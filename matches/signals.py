"""The project's only signals: matches are over."""

from __future__ import annotations

from django.dispatch import Signal

match_finished = Signal()
"""Sent after the commit that finished a match, with ``match_id``.

Only a doorbell: it may be lost, so whoever answers it also looks for finished matches by itself.
"""

matches_finished = Signal()
"""The same for all the matches that one transaction of the sweep ended, with ``match_ids``: one message for many."""
