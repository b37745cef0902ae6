"""The life of a cup: draw, rounds, ties, and the winner."""
