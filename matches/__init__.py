"""One match between two players: moves, clocks, dice, seeks."""
