"""Enter a competition, leave it, and replace an entrant."""
