"""Signals for other apps: matches have changed or are over, and other rows that streams send have changed.

They are sent after a commit and may be lost, so their receivers also read the rows from time to time.
"""

from django.dispatch import Signal

Topic = tuple[str, int]
"""What a stream follows: a match, a player or a competition by kind and id, or all of something, by the id 0."""

LOBBY: Topic = ("lobby", 0)
WATCHED: Topic = ("matches", 0)

match_finished = Signal()
"""Sent after the commit that finished a match, with ``match_id``."""

matches_finished = Signal()
"""The same for all the matches that one transaction of the sweep ended, with ``match_ids``: one message for many."""

matches_changed = Signal()
"""Sent after a commit that changed what others see of matches, with ``match_ids``; without ids any may have.

``player_ids`` are all who play in them, or nobody if it is not known who does. ``topics`` are further ones that
the changes are of.
"""

match_opened = Signal()
"""Sent when a ``player`` who has pushes to open looks at a match of theirs, or moves in it, with ``match_id``."""

rows_changed = Signal()
"""Sent after a commit that changed or stored what else streams send, with its ``kind`` in ``streams.changes``.

``ids`` are those of the rows, ``player_ids`` all whom they concern, nobody if that follows from the rows. ``topics``
are further ones that the changes are of.
"""
