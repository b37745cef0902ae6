"""Schemas of players: a TypedDict and a function for each resource."""
