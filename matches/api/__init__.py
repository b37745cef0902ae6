"""The matches' part of the JSON API."""
