"""Template tags that the pages of all apps use."""
