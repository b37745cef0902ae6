"""Competitions in Django's admin: organisers see their own events and what belongs to them."""

from tournaments.admin import entries, events, fixtures, matches, tables

__all__ = ["entries", "events", "fixtures", "matches", "tables"]
