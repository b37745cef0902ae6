"""Acts of organisers on the rounds of a cup: draw them, change their pairings, set their dates."""
