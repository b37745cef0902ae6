"""Template tags of the matches' pages."""
