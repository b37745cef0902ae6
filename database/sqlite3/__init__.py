"""Django's SQLite, in files that only the server's own user can read."""
