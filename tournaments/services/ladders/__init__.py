"""The work of a running ladder: games, challenges, and places."""
