"""Draws, ties, rounds, stages and fixtures."""
