"""Selectors: what reads rows."""
