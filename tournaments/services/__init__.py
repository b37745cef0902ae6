"""Services that change competitions, under the lock of the competition; callers give ``now``."""
