"""The formats of competitions, one module each: pure, found through the registry."""
