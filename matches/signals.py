"""The only signals of matches: matches and seeks have changed, matches are over.

They are sent after a commit and may be lost, so their receivers also read the rows from time to time.
"""

from django.dispatch import Signal

match_finished = Signal()
"""Sent after the commit that finished a match, with ``match_id``."""

matches_finished = Signal()
"""The same for all the matches that one transaction of the sweep ended, with ``match_ids``: one message for many."""

matches_changed = Signal()
"""Sent after a commit that changed what others see of matches, with ``match_ids``; without ids any may have.

``player_ids`` are all who play in them, or nobody if it is not known who does.
"""

seeks_changed = Signal()
"""The same of seeks, with ``seek_ids``, and in ``player_ids`` their creators and all who are invited."""
