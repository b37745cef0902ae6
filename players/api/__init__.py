"""The players' part of the JSON API."""
