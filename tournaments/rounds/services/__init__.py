"""Services: what changes rows."""
