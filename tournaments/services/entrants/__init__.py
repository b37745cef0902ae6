"""The rows of those who take part: made, counted, moved up and removed, no matter who asked for it."""
