"""People and programs who play: accounts, guests, API tokens."""
