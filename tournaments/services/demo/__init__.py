"""A season to look at: players and events whose matches the engine has played, for a site that has none."""

from tournaments.services.demo.season import DemoSeason, EventsExist, seed_demo

__all__ = ["DemoSeason", "EventsExist", "seed_demo"]
