"""What the API answers about players: a TypedDict and a function for each resource."""
