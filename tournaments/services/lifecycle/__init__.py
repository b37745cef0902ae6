"""The life of an event: opened, closed, started, finished or cancelled."""
