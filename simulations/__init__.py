"""Competitions played through by programs, and demo sites."""
