"""What the pages' templates ask of matches."""
