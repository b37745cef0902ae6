"""Entering a competition, leaving it, and playing in another one's place."""
