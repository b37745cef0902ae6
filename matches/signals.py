"""The project's only signal."""

from __future__ import annotations

from django.dispatch import Signal

match_finished = Signal()
"""Sent after the commit that finished a match, with ``match_id``.

Only a doorbell: it may be lost, so whoever answers it also looks for finished matches by itself.
"""
