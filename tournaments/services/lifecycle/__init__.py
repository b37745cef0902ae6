"""The life of a competition: opened, closed, started, finished or cancelled."""
