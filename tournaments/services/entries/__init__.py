"""Entering an event, leaving it, and playing in another one's place."""
