"""Services that subscribe devices, and that write and send pushes. Callers give ``now``."""
