"""The selectors of matches, which read and never write."""
