"""What changes competitions. Services write, under the lock of the event; callers give ``now``."""
