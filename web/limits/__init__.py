"""Limits: budgets of what clients do, and bodies of requests."""
