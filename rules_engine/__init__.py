"""The games. Standard library only: no Django, no clock, no randomness, no I/O."""
