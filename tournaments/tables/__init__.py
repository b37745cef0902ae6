"""Stored tables, places, ratings and titles."""
