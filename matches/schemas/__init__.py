"""What the API answers, and the pages embed, about matches: a TypedDict and a function for each resource.

Times are in UTC and durations in seconds, but ``thinking`` is in milliseconds.
"""
