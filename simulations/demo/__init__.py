"""A season to look at: players and competitions whose matches the engine has played, for a site that has none."""

from simulations.demo.season import CompetitionsExist, DemoSeason, seed_demo

__all__ = ["CompetitionsExist", "DemoSeason", "seed_demo"]
