"""What everybody sees of one competition."""
