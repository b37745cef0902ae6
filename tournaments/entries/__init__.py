"""Entering and leaving competitions: byes, check-ins, waiting lists, imports."""
