"""Competitions in Django's admin, which looks for them here."""

from tournaments.making import admin

__all__ = ["admin"]
