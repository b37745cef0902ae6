"""What the API answers."""
