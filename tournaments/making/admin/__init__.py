"""Competitions in Django's admin: organisers see their own competitions and what belongs to them."""

from tournaments.making.admin import competitions, entries, fixtures, matches, series, site_pauses, tables, teams

__all__ = ["competitions", "entries", "fixtures", "matches", "series", "site_pauses", "tables", "teams"]
