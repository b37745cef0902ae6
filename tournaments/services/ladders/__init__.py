"""What a running ladder does: games, challenges, and places."""
