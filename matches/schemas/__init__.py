"""Schemas of matches, for the API and for data in pages: a TypedDict and a function for each resource.

Times are in UTC and durations in seconds, but ``thinking`` is in milliseconds.
"""
