"""Connections to PostgreSQL, SQLite and Redis: backends, compiled queries, named locks, snapshots."""
