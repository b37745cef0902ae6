"""Event streams: a client keeps a request open and gets changes of matches, seeks and competitions at once."""
