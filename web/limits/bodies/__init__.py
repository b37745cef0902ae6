"""Limits of requests' bodies: their size, and the time they may take."""
