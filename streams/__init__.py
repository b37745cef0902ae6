"""Event streams: a client keeps a request open, and is told at once of matches, seeks, ladders and cups."""
