"""The rows of those who take part: made, counted, moved up and removed, whoever asked for it."""
