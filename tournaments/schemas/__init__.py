"""Schemas of competitions and ratings: a TypedDict and a function for each resource.

Times are in UTC and durations in seconds.
"""
