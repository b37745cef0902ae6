"""Fixtures of the proving ground: two players and somebody who watches."""

from tests.matches.conftest import anna, carla, client_of, piotr

__all__ = ["anna", "carla", "client_of", "piotr"]
