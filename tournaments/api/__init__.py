"""The competitions' part of the JSON API."""
