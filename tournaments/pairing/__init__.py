"""Who meets whom: pure functions on opaque entrants, without a database or a clock."""
