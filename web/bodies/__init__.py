"""The bodies of requests: how large they may be, and how long they may take."""
