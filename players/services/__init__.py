"""What changes players: accounts and tokens. Services write; callers give ``now``."""
