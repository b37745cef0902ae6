"""Names that have moved to ``verbs``."""

from tests.tournaments.verbs import group_of, recompute_stale_tables, recompute_tables

__all__ = ["group_of", "recompute_stale_tables", "recompute_tables"]
