"""What changes competitions. Services write, under the lock of the competition; callers give ``now``."""
