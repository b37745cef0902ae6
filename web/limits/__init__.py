"""Limits on requests: rates, attempts, bodies."""
