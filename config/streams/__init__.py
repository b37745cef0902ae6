"""Event streams: a client keeps a request open, and is told at once when a match or a seek has changed."""
