"""Fixtures of the engine's tests."""

from tests.rules_engine.offered import register_all

__all__ = ["register_all"]
