"""Django's SQLite backend, with files that only the server's own user can read."""
