"""Pairings of entrants: pure functions on opaque entrants, without a database or a clock."""
